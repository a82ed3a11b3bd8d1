"""How far rows are apart, how alike they are, and the point in the middle of many."""
