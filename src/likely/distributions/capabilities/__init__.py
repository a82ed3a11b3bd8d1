"""What families may offer beyond their contract, for the rooms after them to ask for."""
