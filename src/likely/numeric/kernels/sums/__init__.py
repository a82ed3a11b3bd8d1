"""Kernels that add up: counts, moments, products, sorted values."""
