"""Covariances from sums: complete pairs, expected scatter, shrinkage, and what holds where data cannot say."""
