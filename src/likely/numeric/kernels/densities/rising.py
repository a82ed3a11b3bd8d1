"""Log-gamma sums of counts: factorials, and the excess of a rising factorial over a power.

    e(a, x) = log [ a (a + 1) ... (a + x - 1) / a^x ] = log G(a + x) - log G(a) - x log a

The excess is what a mixed count distribution (Polya, negative binomial) has over the plain one with the same mean: it
vanishes as a grows. Differences of log-gammas would lose all digits there; Stirling's series gives, for a >= 16,

    e(a, x) = (a + x - 1/2) log(1 + x / a) - x + s(a + x) - s(a),   s(z) = 1 / (12 z) - 1 / (360 z^3) + ...

Small whole counts are multiplied out. Counts are held below LIMIT, so that every sum stays finite for every finite x.
"""

import math

import numpy as np

from likely.numeric.jit import kernel

LIMIT = 1e200


@kernel
def log_factorials(x, known):  # type: ignore[no-untyped-def]
    """Sum over the observed cells of the known features of log x! (n,)."""
    n, d = x.shape
    small = np.empty(256)
    for v in range(256):
        small[v] = math.lgamma(v + 1.0)
    out = np.zeros(n)
    for i in range(n):
        for j in range(d):
            v = x[i, j]
            if v > 0.0 and v != 1.0 and known[j]:
                if v < 256.0 and v == np.floor(v):
                    out[i] += small[np.int64(v)]
                else:
                    out[i] += math.lgamma(min(v, LIMIT) + 1.0)
    return out


@kernel(inner=True)
def _series(z):  # type: ignore[no-untyped-def]
    w = 1.0 / (z * z)
    return ((((w / 1188 - 1 / 1680) * w + 1 / 1260) * w - 1 / 360) * w + 1 / 12) / z


@kernel(inner=True)
def _excess(a, v, few):  # type: ignore[no-untyped-def]
    """e(a, v) of a count v above 1; `few` is the count where it is small and whole, else 0."""
    if few and a >= 1.0:
        inverse = 1.0 / a
        product = 1.0
        for step in range(1, few):
            product *= 1.0 + step * inverse
        return math.log(product)
    if a >= 16.0:
        return (a + v - 0.5) * math.log1p(v / a) - v + _series(a + v) - _series(a) if a < np.inf else 0.0
    return math.lgamma(a + v) - math.lgamma(a) - v * math.log(a) if a > 0.0 else 0.0


@kernel
def add_excess(x, size, out):  # type: ignore[no-untyped-def]
    """Add e(size, x), with size (d, k), to `out`: (n, d, k) takes each feature's, (n, 1, k) their sum.

    A size that is zero or infinite adds nothing.
    """
    n, d = x.shape
    k = size.shape[1]
    apart = out.shape[1] == d
    for i in range(n):
        for j in range(d):
            v = x[i, j]
            if not v > 0.0 or v == 1.0:
                continue
            v = min(v, LIMIT)
            few = np.int64(v) if v <= 12.0 and v == np.floor(v) else 0
            into = out[i, j if apart else 0]
            for c in range(k):
                into[c] += _excess(size[j, c], v, few)


@kernel
def add_sparse_excess(data, indices, indptr, size, out):  # type: ignore[no-untyped-def]
    """The same for compressed sparse rows, summed into `out` (n, k)."""
    k = size.shape[1]
    for i in range(len(indptr) - 1):
        for p in range(indptr[i], indptr[i + 1]):
            v = data[p]
            if not v > 0.0 or v == 1.0:
                continue
            v = min(v, LIMIT)
            few = np.int64(v) if v <= 12.0 and v == np.floor(v) else 0
            for c in range(k):
                out[i, c] += _excess(size[indices[p], c], v, few)
