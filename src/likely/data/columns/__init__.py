"""What the columns of a table are: kinds, names and levels, and the form in which the user had them."""
