"""Log densities of independent Gaussian features, all classes at once.

    log N(x; m, s^2) = constant - 1/2 ((x - m) / s)^2

The standardised distance is held below LIMIT, so that its square stays finite for every finite x. Where it would not
be, `far_terms` holds those of all classes by the same factor: the class that is nearest remains so.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import REORDER, kernel

LIMIT = 1e150
_BLOCK = 64  # rows side by side
_STRIDE = _BLOCK + 4  # not a power of two: columns would fight for the same cache lines


@kernel(
    fastmath=REORDER,
    scratch=lambda x, mean, inverse_deviation, constant, out: (
        constant.sum(axis=1),
        np.empty((x.shape[1], _STRIDE)),
        np.empty(_BLOCK),
    ),
)
def add_gaussian(x, mean, inverse_deviation, constant, out, whole, turned, total):  # type: ignore[no-untyped-def]
    """Add to `out` (n, k) the sum over the observed features; a missing cell adds nothing.

    Blocks of rows are turned, so that the innermost loop runs over rows and uses the vector units for any number of
    features. It takes the rows to be complete and of ordinary size; the sum of a row is a finite number just when that
    was right, and otherwise the row is gone through with care.
    """
    n, d = x.shape
    k = mean.shape[0]
    for start in range(0, n, _BLOCK):
        size = _BLOCK if start + _BLOCK < n else n - start
        for i in range(size):
            row = x[start + i]
            for j in range(d):
                turned[j, i] = row[j]
        for c in range(k):
            for i in range(size):
                total[i] = 0.0
            for j in range(d):
                feature = turned[j]
                m = mean[c, j]
                r = inverse_deviation[c, j]
                for i in range(size):
                    z = (feature[i] - m) * r
                    total[i] += z * z
            for i in range(size):
                if total[i] < LIMIT * LIMIT:
                    out[start + i, c] += whole[c] - 0.5 * total[i]
                    continue
                careful = 0.0
                row = x[start + i]
                for j in range(d):
                    z = abs((row[j] - mean[c, j]) * inverse_deviation[c, j])
                    z = z if z < LIMIT else LIMIT
                    term = constant[c, j] - 0.5 * z * z
                    careful += term if row[j] == row[j] else 0.0  # a choice, not a branch: it can be vectorised
                out[start + i, c] += careful


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


def far_rows(log_density: Array) -> Ints:
    """Rows of log densities (n, k) whose distance was held in some class."""
    return np.flatnonzero((log_density < -0.4 * LIMIT * LIMIT).any(axis=1))


def far_terms(x: Array, mean: Floats, inverse_deviation: Floats, constant: Floats) -> Floats:
    """The terms (n, d, k) of rows that are far from some class: distances in proportion, the farthest at LIMIT.

    >>> x, mean, inverse = np.array([[1e200]]), np.zeros((2, 1)), np.array([[1.0], [0.5]])
    >>> far_terms(x, mean, inverse, np.zeros((2, 1)))
    array([[[-5.00e+299, -1.25e+299]]])
    """
    tiny = 1e-160  # so that neither a difference nor its product with an inverse deviation overflows
    away = np.abs((x[:, :, None] * tiny - mean.T * tiny) * inverse_deviation.T)
    farthest = np.where(np.isnan(away), 0.0, away).max(axis=2, keepdims=True)
    held = farthest > LIMIT * tiny
    z = away * np.where(held, LIMIT / np.where(held, farthest, 1.0), 1.0 / tiny)
    return np.where(np.isnan(z), 0.0, constant.T - 0.5 * z * z)
