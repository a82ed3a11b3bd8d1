"""What a table holds before anything is learned from it, and what to beware of."""
