"""Sorted sets of numbers and of rows: their union, and the dyadic cells that numbers fall into.

NaN stands behind every number and equals itself, so that rows with missing cells have an order too.
"""

import math

import numpy as np

from likely.numeric.arrays import Array, Ints
from likely.numeric.jit import FEW, kernel

LOWEST = -1.7976931348623157e308  # stands for the lower edge -2^1024, which has no float


def merge_rows(a: Array, b: Array) -> tuple[Ints, Ints, int]:
    """Where the rows of `a` and `b`, each sorted and without repeats, stand in their sorted union.

    Returns the places of a's rows, those of b's rows, and the size of the union.
    """
    if a.shape[1] == 1 and len(a) + len(b) <= FEW:
        union = np.unique(np.concatenate([a, b]))
        return np.searchsorted(union, a[:, 0]), np.searchsorted(union, b[:, 0]), len(union)
    place_a, place_b, size = _merge_rows(a, b)
    return place_a, place_b, size


@kernel(makes=lambda a, b: (np.empty(len(a), np.int64), np.empty(len(b), np.int64)))
def _merge_rows(a, b, place_a, place_b):  # type: ignore[no-untyped-def]
    m, d = a.shape
    n = b.shape[0]
    i = 0
    j = 0
    size = 0
    while i < m or j < n:
        order = -1 if j == n else 1 if i == m else 0
        if order == 0:
            for c in range(d):
                u = a[i, c]
                v = b[j, c]
                if u == v or (u != u and v != v):
                    continue
                order = -1 if u < v or v != v else 1
                break
        if order <= 0:
            place_a[i] = size
            i += 1
        if order >= 0:
            place_b[j] = size
            j += 1
        size += 1
    return size


@kernel(makes=lambda x, exponent: (np.empty(len(x)),))
def floor_to_cells(x, exponent, low):  # type: ignore[no-untyped-def]
    """The largest multiple of 2^exponent that is not above each x: the lower edge of its cell, exactly."""
    for i in range(x.shape[0]):
        scaled = math.ldexp(x[i], -exponent)
        if abs(scaled) >= 4503599627370496.0:  # 2^52: every float this large is a multiple already
            low[i] = x[i]
        elif scaled == 0.0 and x[i] < 0.0:  # too small to survive the scaling
            low[i] = -math.ldexp(1.0, exponent)
        else:
            edge = math.ldexp(math.floor(scaled), exponent)
            low[i] = (edge if edge > LOWEST else LOWEST) + 0.0  # + 0.0 turns -0.0 into 0.0
