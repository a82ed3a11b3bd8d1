"""Statistics that sum: totals, moments, products, logarithms, in two words where plain sums lose digits."""
