"""The whitening of k groups from their sums, in the ordinary case: everything varies, in every direction.

    S_c = (sum z z' - n m m') / (n - ddof) = L L',   W = L^-1,   log det S / 2 = sum log L_jj

with z = x - origin and m its mean. It is what `GroupCovariances` and `Elliptical` compute, for one model of hundreds
that cross-validation needs, where the way through Python would take longer than the scoring. Whatever is not clearly
ordinary is left to them: too few rows, columns that are constant or repeat others, spread lost in rounding.
"""

import numpy as np

from likely.numeric.jit import REORDER, kernel

_DEGENERATE = 1e-12  # a direction's share of the overall variance below which a group says nothing of its spread
_EPSILON = 2.220446049250313e-16
_CONSTANT = 16 * _EPSILON  # of the second moment: a spread below is rounding
_CLEARLY = 16.0  # how far from those limits a matrix must be to be ordinary


@kernel(fastmath=REORDER)
def whiten_groups(origin, count, first, second, shared, ddof, mean, centre, inverse_scale, offset, whitening, half):  # type: ignore[no-untyped-def]
    """Whether all is ordinary. Then it has written the means (k, d), and as `Elliptical` has them the centre and the
    inverse scale (d,), offset (k, d), whitening (g, d, d) and half the log determinant (g,); g is k, or 1 if `shared`.

    Sums are about `origin` (k, d): of 1 `count` (k,), of z `first` (k, d), of z z' `second` (k, d, d).
    """
    k, d = origin.shape
    g = 1 if shared else k
    total = 0.0
    heaviest = 0
    for c in range(k):
        total += count[c]
        if count[c] > count[heaviest]:
            heaviest = c
        if count[c] < 1 or (not shared and count[c] - 1 < d):
            return False
    if total - k < d:
        return False
    work = np.zeros((1 + 2 * g, d, d))  # of the whole, and of each group: what is surely left of it, and all of it
    overall = np.zeros((d, d))
    squares = np.zeros((g + 1, d))
    away = np.zeros((k, d))  # of the group's mean from the overall one
    for c in range(k):
        for j in range(d):
            mean[c, j] = origin[c, j] + first[c, j] / count[c]
            away[c, j] = (origin[c, j] - origin[heaviest, j]) + first[c, j] / count[c]
    for j in range(d):
        middle = 0.0
        for c in range(k):
            middle += count[c] / total * away[c, j]
        for c in range(k):
            away[c, j] -= middle
    for c in range(k):
        b = 0 if shared else c
        to = work[2 + 2 * b]
        for i in range(d):
            shift = origin[c, i] - origin[heaviest, i]
            squares[b, i] += second[c, i, i]
            squares[g, i] += second[c, i, i] + (2.0 * first[c, i] + count[c] * shift) * shift
            part = first[c, i] / count[c]
            apart = count[c] * away[c, i]
            for j in range(d):
                deviation = second[c, i, j] - part * first[c, j]
                to[i, j] += deviation
                overall[i, j] += deviation + apart * away[c, j]
            if not second[c, i, i] - part * first[c, i] > _CLEARLY * _CONSTANT * second[c, i, i]:
                return False
    scale = np.empty(d)
    for j in range(d):
        if not overall[j, j] > _CLEARLY * _CONSTANT * squares[g, j]:
            return False
        scale[j] = np.sqrt(overall[j, j] / total)
    rounding = _CLEARLY * 4.0 * d * _EPSILON
    for i in range(d):
        for j in range(d):
            overall[i, j] = overall[i, j] / total / scale[i] / scale[j]
            work[0, i, j] = overall[i, j]
        work[0, i, i] = 1.0 - max(_CLEARLY * _DEGENERATE, rounding * squares[g, i] / total / scale[i] / scale[i])
    for b in range(g):
        rows = total if shared else count[b]
        left = rows - (k if shared else 1) * ddof
        sure = work[1 + 2 * b]
        every = work[2 + 2 * b]
        for i in range(d):
            for j in range(d):
                every[i, j] = every[i, j] / left / scale[i] / scale[j]
                sure[i, j] = every[i, j] - _CLEARLY * _DEGENERATE * overall[i, j]
            sure[i, i] -= rounding * squares[b, i] / rows / scale[i] / scale[i]
    for b in range(1 + 2 * g):  # Cholesky, in place
        a = work[b]
        for i in range(d):
            for j in range(i + 1):
                s = a[i, j]
                for t in range(j):
                    s -= a[i, t] * a[j, t]
                if i > j:
                    a[i, j] = s / a[j, j]
                elif s > 0.0:
                    a[i, i] = np.sqrt(s)
                else:
                    return False
    for j in range(d):
        middle = 0.0
        for c in range(k):
            middle += (mean[c, j] - mean[0, j]) / k
        centre[j] = mean[0, j] + middle
        largest = 0.0
        for c in range(k):
            largest = max(largest, abs(mean[c, j] - centre[j]))
        for b in range(g):
            for t in range(j + 1):
                largest = max(largest, abs(work[2 + 2 * b, j, t]) * scale[j])
        inverse_scale[j] = 1.0 / largest
        for c in range(k):
            offset[c, j] = (mean[c, j] - centre[j]) * inverse_scale[j]
    for b in range(g):
        a = work[2 + 2 * b]
        to = whitening[b]
        half[b] = 0.0
        for i in range(d):
            unit = scale[i] * inverse_scale[i]
            half[b] += np.log(a[i, i] * scale[i])
            for j in range(d):
                to[i, j] = 0.0
            to[i, i] = 1.0
            for t in range(i):
                size = a[i, t] * unit
                for j in range(t + 1):
                    to[i, j] -= size * to[t, j]
            pivot = a[i, i] * unit
            for j in range(i + 1):
                to[i, j] /= pivot
    return True
