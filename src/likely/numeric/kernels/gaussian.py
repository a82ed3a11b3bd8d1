"""Log densities of independent Gaussian features, all classes at once.

    log N(x; m, s^2) = constant - 1/2 ((x - m) / s)^2

The standardised distance is held below LIMIT, so that its square stays finite for every finite x.
"""

import numpy as np

from likely.numeric.jit import REORDER, kernel

LIMIT = 1e150


@kernel(fastmath=REORDER)
def add_gaussian(x, mean, inverse_deviation, constant, out):  # type: ignore[no-untyped-def]
    """Add to `out` (n, k) the sum over the observed features; a missing cell adds nothing.

    The first loop takes the row to be complete and of ordinary size. Its sum is a finite number just when that was
    right; otherwise the second loop goes through the row with care.
    """
    n, d = x.shape
    k = mean.shape[0]
    whole = np.zeros(k)
    for c in range(k):
        for j in range(d):
            whole[c] += constant[c, j]
    for i in range(n):
        row = x[i]
        for c in range(k):
            m = mean[c]
            r = inverse_deviation[c]
            total = 0.0
            for j in range(d):
                z = (row[j] - m[j]) * r[j]
                total += z * z
            if total < LIMIT * LIMIT:
                out[i, c] += whole[c] - 0.5 * total
                continue
            total = 0.0
            for j in range(d):
                if row[j] == row[j]:
                    z = min(abs((row[j] - m[j]) * r[j]), LIMIT)
                    total += constant[c, j] - 0.5 * z * z
            out[i, c] += total


@kernel
def gaussian_terms(x, mean, inverse_deviation, constant, out):  # type: ignore[no-untyped-def]
    """Write the term of each feature to `out` (n, d, k)."""
    n, d = x.shape
    k = mean.shape[0]
    for i in range(n):
        for j in range(d):
            v = x[i, j]
            for c in range(k):
                if v == v:
                    z = abs((v - mean[c, j]) * inverse_deviation[c, j])
                    z = z if z < LIMIT else LIMIT
                    out[i, j, c] = constant[c, j] - 0.5 * z * z
                else:
                    out[i, j, c] = 0.0
