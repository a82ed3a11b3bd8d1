"""Kernels that cut texts into words and put words in order."""
