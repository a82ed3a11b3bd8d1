"""Kernels that judge rows by models without them."""
