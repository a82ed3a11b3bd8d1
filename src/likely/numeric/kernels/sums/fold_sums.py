"""Sums over the rows of each fold and class, for several repeats of cross-validation in one pass.

All repeats sum the same rows, only shared out differently: what is summed is made once, about one origin for each
class, and added wherever the row belongs. No cell may be missing: sums become NaN, which is how the caller finds out.
"""

import numpy as np

from likely.numeric.jit import kernel

_BLOCK = 64  # rows whose deviations and squares are made at a time: they stay in cache for all repeats
_LANES = 16  # numbers that the vector units take at a step; a width that is a multiple leaves no remainder


@kernel
def moments_by_fold(x, codes, folds, origin, count):  # type: ignore[no-untyped-def]
    """Sums of x - origin and its square (r, count, k, 2, d) of the rows of each repeat's folds (r, n) and classes."""
    n, d = x.shape
    k = origin.shape[0]
    repeats = folds.shape[0]
    wide = (2 * d + _LANES - 1) // _LANES * _LANES
    sums = np.zeros((repeats, count * k, wide))
    made = np.zeros((_BLOCK, wide))
    for start in range(0, n, _BLOCK):
        size = min(_BLOCK, n - start)
        for i in range(size):
            row = x[start + i]
            near = origin[codes[start + i]]
            to = made[i]
            for j in range(d):
                v = row[j] - near[j]
                to[j] = v
                to[d + j] = v * v
        for r in range(repeats):
            part = folds[r]
            whole = sums[r]
            for i in range(size):
                to = whole[part[start + i] * k + codes[start + i]]
                row = made[i]
                for j in range(wide):
                    to[j] += row[j]
    return sums[:, :, : 2 * d].copy().reshape((repeats, count, k, 2, d))


@kernel
def deviations_by_class(x, rows, origin, out):  # type: ignore[no-untyped-def]
    """Write x - origin (d,) of some rows to `out` (m, w), then a 1 and zeros: products with the 1 are plain sums."""
    d = origin.size
    for i in range(rows.size):
        row = x[rows[i]]
        to = out[i]
        for j in range(d):
            to[j] = row[j] - origin[j]
        to[d] = 1.0
        for j in range(d + 1, to.size):
            to[j] = 0.0
