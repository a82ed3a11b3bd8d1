"""Pictures of why: evidence of a row, telling words, weights of a pool, columns that depend on each other."""
