"""Curves over all thresholds, and their areas."""
