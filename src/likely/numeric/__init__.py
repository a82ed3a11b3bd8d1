"""Floating-point craft, arrays in and arrays out: log space, linear algebra, and the kernels."""
