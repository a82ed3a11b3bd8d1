"""Losses of logistic and softmax regression, their slopes and curvatures, row by row, from scores.

two classes    l = log(1 + e^z) - y z,        r = p - y,        h = p (1 - p),   p = 1 / (1 + e^-z)
k classes      l = log sum_c e^(z_c) - z_y,   r_c = p_c - [c = y]
"""

import math

import numpy as np

from likely.numeric.jit import kernel

_ROWS = 1024  # in a block that stays in cache
_PER_LOG2, _ROUND = 1 / math.log(2), 1.5 * 2.0**52
_LOG2, _LOG2_REST = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # log(2), the first with zeros at its end
_TAYLOR = tuple(1 / math.factorial(i) for i in range(14))


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


def _rooms(x, across, codes, weight, posterior, gradient):  # type: ignore[no-untyped-def]
    k, m = gradient.shape
    whole = np.empty(_ROWS * k)
    return np.empty((_ROWS, k)), np.empty((k, m)), whole, whole.view(np.int64)


@kernel(scratch=_rooms)
def softmax_slopes(  # type: ignore[no-untyped-def]
    x, across, codes, weight, posterior, gradient, residual, more, whole, bits
):
    """Fill posteriors (n, k) of rows x (n, m) under weights (m, k), add to the gradient (k, m); the sum of the losses.

    Scores, exponentials and residuals of a block are made while its rows are in cache; all of it without the GIL.
    """
    n = posterior.shape[0]
    loss = 0.0
    for start in range(0, n, _ROWS):
        end = start + _ROWS if start + _ROWS < n else n
        part, own, rest = x[start:end], posterior[start:end], residual[: end - start]
        np.dot(part, across, own)
        loss += softmax_terms(own, codes[start:end], weight[start:end], rest, whole, bits)
        np.dot(rest.T, part, more)
        gradient += more
    return loss


def _exponents(z, codes, weight, residual):  # type: ignore[no-untyped-def]
    whole = np.empty(z.size)
    return whole, whole.view(np.int64)


@kernel(scratch=_exponents)
def softmax_terms(z, codes, weight, residual, whole, bits):  # type: ignore[no-untyped-def]
    """Make scores (n, k) posteriors, and fill residuals (n, k) times the weights; give the sum of the losses."""
    n, k = z.shape
    loss = 0.0
    weighted = weight.shape[0] > 0
    for i in range(n):
        largest = z[i, 0]
        for c in range(1, k):
            largest = z[i, c] if z[i, c] > largest else largest
        loss += (weight[i] if weighted else 1.0) * (largest - z[i, codes[i]])
        for c in range(k):
            z[i, c] -= largest
    exponentials(z.reshape(n * k), whole, bits)
    for i in range(n):
        total = 0.0
        for c in range(k):
            total += z[i, c]
        w = weight[i] if weighted else 1.0
        y = codes[i]
        loss += w * math.log(total)
        scale = 1.0 / total
        rest = 0.0  # 1 - p of the own class from the others, which keeps its digits where p rounds to 1
        for c in range(k):
            p = z[i, c] * scale
            z[i, c] = p
            residual[i, c] = w * p
            rest += p if c != y else 0.0
        residual[i, y] = -w * rest
    return loss


@kernel
def exponentials(z, whole, bits):  # type: ignore[no-untyped-def]
    """Make numbers z (n,), none above 0, their exponentials, several at once: e^z = 2^i e^r, |r| <= log(2) / 2.

    `bits` are those of `whole` as integers: adding 1.5 * 2^52 leaves i in the last of them, from where it is moved to
    the exponent. Taylor's formula of degree 13 is right to one unit in the last place; below -708 nothing falls.
    """
    for j in range(z.shape[0]):
        v = -708.0 if z[j] < -708.0 else z[j]
        t = v * _PER_LOG2 + _ROUND
        whole[j] = t
        i = t - _ROUND
        r = (v - i * _LOG2) - i * _LOG2_REST
        p = r * _TAYLOR[13] + _TAYLOR[12]
        p = p * r + _TAYLOR[11]
        p = p * r + _TAYLOR[10]
        p = p * r + _TAYLOR[9]
        p = p * r + _TAYLOR[8]
        p = p * r + _TAYLOR[7]
        p = p * r + _TAYLOR[6]
        p = p * r + _TAYLOR[5]
        p = p * r + _TAYLOR[4]
        p = p * r + _TAYLOR[3]
        p = p * r + _TAYLOR[2]
        z[j] = (p * r + 1.0) * r + 1.0
    for j in range(z.shape[0]):
        bits[j] = (bits[j] + 1023) << 52
    for j in range(z.shape[0]):
        z[j] *= whole[j]
