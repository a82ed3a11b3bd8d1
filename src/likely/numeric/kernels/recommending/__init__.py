"""Kernels of recommendation: ratings in common, and lists for everybody."""
