"""Log densities of independent Gaussian features, all classes at once.

    log N(x; m, s^2) = constant - 1/2 ((x - m) / s)^2

The standardised distance is held below LIMIT, so that its square stays finite for every finite x.
"""

from likely.numeric.jit import REORDER, kernel

LIMIT = 1e150


@kernel(fastmath=REORDER)
def add_gaussian(x, mean, inverse_deviation, constant, out):  # type: ignore[no-untyped-def]
    """Add to `out` (n, k) the sum over the observed features; a missing cell adds nothing."""
    n, d = x.shape
    k = mean.shape[0]
    for i in range(n):
        row = x[i]
        for c in range(k):
            m = mean[c]
            r = inverse_deviation[c]
            a = constant[c]
            total = 0.0
            for j in range(d):
                z = abs((row[j] - m[j]) * r[j])
                z = z if z < LIMIT or z != z else LIMIT
                term = a[j] - 0.5 * z * z
                total += term if row[j] == row[j] else 0.0
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
