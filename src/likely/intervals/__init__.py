"""Figures with their uncertainty: estimates and the intervals of proportions, means and resampled figures."""
