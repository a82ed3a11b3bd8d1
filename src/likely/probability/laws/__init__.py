"""Laws of chance: of counts, of one number, of two correlated numbers."""
