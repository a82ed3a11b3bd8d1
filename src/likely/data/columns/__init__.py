"""What the columns of a table are: kinds, names and levels, the form in which the user had them, and their arrays."""
