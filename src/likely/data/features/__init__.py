"""Features from what is given: scales, grids of ink, words, label codes, filled gaps, sizes of models."""
