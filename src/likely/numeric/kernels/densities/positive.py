"""Log densities of positive features that are not linear in x: gamma and Lomax, all classes at once.

Parameters are (d, k). `out` of shape (n, d, k) takes each feature's term, of shape (n, 1, k) their sum; a missing
cell adds nothing, nor does a feature that is not known.
"""

import math

from likely.numeric.jit import kernel
from likely.numeric.kernels.sums.log_moments import excess

LIMIT = 1e200


@kernel
def add_gamma(x, known, mean, log_mean, shape, constant, out):  # type: ignore[no-untyped-def]
    """Constant - log x - shape (u - log(1 + u)), u = x / mean - 1: exact also for a very narrow density."""
    n, d = x.shape
    k = mean.shape[1]
    apart = out.shape[1] == d
    for i in range(n):
        for j in range(d):
            value = x[i, j]
            if value != value or not known[j]:
                continue
            log_x = math.log(value)
            into = out[i, j if apart else 0]
            for c in range(k):
                u = (value - mean[j, c]) / mean[j, c]
                distance = excess(u) if abs(u) < 0.1 else min(u, LIMIT) - (log_x - log_mean[j, c])
                into[c] += constant[j, c] - log_x - shape[j, c] * distance


@kernel
def add_lomax(x, known, shape, scale, constant, out):  # type: ignore[no-untyped-def]
    """Constant - (shape + 1) log(1 + x / scale)."""
    n, d = x.shape
    k = shape.shape[1]
    apart = out.shape[1] == d
    for i in range(n):
        for j in range(d):
            value = x[i, j]
            if value != value or not known[j]:
                continue
            into = out[i, j if apart else 0]
            for c in range(k):
                ratio = value / scale[j, c]
                tail = math.log1p(ratio) if ratio < LIMIT else math.log(value) - math.log(scale[j, c])
                into[c] += constant[j, c] - (shape[j, c] + 1.0) * tail
