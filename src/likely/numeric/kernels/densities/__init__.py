"""Kernels that score rows under all classes at once."""
