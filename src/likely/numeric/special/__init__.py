"""Special functions with all their digits, and roots of many functions at once."""
