"""Losses of logistic and softmax regression, their slopes and curvatures, row by row, from scores.

two classes    l = log(1 + e^z) - y z,        r = p - y,        h = p (1 - p),   p = 1 / (1 + e^-z)
k classes      l = log sum_c e^(z_c) - z_y,   r_c = p_c - [c = y]
"""

import math

from likely.numeric.jit import kernel


@kernel
def logistic_terms(z, codes, weight, residual, curvature):  # type: ignore[no-untyped-def]
    """Fill residuals and curvatures (n,), times the weights (n,) or with none (0,); give the sum of the losses."""
    loss = 0.0
    weighted = weight.shape[0] > 0
    for i in range(z.shape[0]):
        s = z[i]
        e = math.exp(-abs(s))
        p = 1.0 / (1.0 + e) if s >= 0.0 else e / (1.0 + e)
        q = e / (1.0 + e) if s >= 0.0 else 1.0 / (1.0 + e)
        w = weight[i] if weighted else 1.0
        if codes[i] == 1:
            loss += w * (math.log1p(e) + (0.0 if s >= 0.0 else -s))
            residual[i] = -w * q
        else:
            loss += w * (math.log1p(e) + (s if s >= 0.0 else 0.0))
            residual[i] = w * p
        curvature[i] = w * p * q
    return loss


@kernel
def softmax_terms(z, codes, weight, posterior):  # type: ignore[no-untyped-def]
    """Make scores (n, k) residuals times the weights, and fill posteriors (n, k); give the sum of the losses."""
    n, k = z.shape
    loss = 0.0
    weighted = weight.shape[0] > 0
    for i in range(n):
        largest = z[i, 0]
        for c in range(1, k):
            largest = z[i, c] if z[i, c] > largest else largest
        total = 0.0
        for c in range(k):
            e = math.exp(z[i, c] - largest)
            posterior[i, c] = e
            total += e
        w = weight[i] if weighted else 1.0
        y = codes[i]
        loss += w * (math.log(total) + (largest - z[i, y]))
        scale = 1.0 / total
        for c in range(k):
            p = posterior[i, c] * scale
            posterior[i, c] = p
            z[i, c] = w * p
        rest = 0.0  # 1 - p of the own class from the others, which keeps its digits where p rounds to 1
        for c in range(k):
            rest += posterior[i, c] if c != y else 0.0
        z[i, y] = -w * rest
    return loss
