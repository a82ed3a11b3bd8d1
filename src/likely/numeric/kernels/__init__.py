"""Loops over rows that numba compiles: one pass, all classes at once, no Python per row.

Labels are int32 class codes; a negative label means that the row belongs to no class and is left out. Kernels
do not check bounds: callers make sure that no label reaches k.
"""
