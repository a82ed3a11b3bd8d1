"""What the person who decides reads first: the answer, its tiles and figures."""
