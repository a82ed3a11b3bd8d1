"""Statistics that count: levels, pairs of levels, values, words."""
