"""Rows shared out among Gaussian components, and the sums of what each receives: one pass, a few rows in cache.

    z_c = W_c (x - m_c)                    the row in units of component c, W_c lower triangular
    s_c = w exp(a_c - |z_c|^2 / 2) / sum   its share of a row of weight w
    sum s_c,  sum s_c z_c,  sum s_c z_c z_c'

Blocks of rows lie side by side, so that every loop over them uses the vector units. About the component's own mean, in
its own units, no sum loses digits.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.jit import REORDER, kernel
from likely.numeric.kernels.densities.whitening import LIMIT

_CELLS = 1 << 14  # of whitened rows at a time: they stay in cache
_INTO_BITS = 6755399441055744.0  # 1.5 * 2^52: a number added to it is rounded to whole, and stands in the last bits
_BIAS = int(np.float64(_INTO_BITS).view(np.int64)) - 1023
_LEAST = -708.0  # below, exp is no normal number
_LOG_2 = (
    0.693147180369123816490,
    1.90821492927058770002e-10,
)  # the first has so few digits that whole multiples are exact


def shared_sums(
    x: Array, weight: Floats, centre: Floats, inverse_scale: Floats, white: Floats, offset: Floats, constant: Floats
) -> tuple[Floats, float]:
    """The sums (k, 1 + r + r (r + 1) / 2) of weights, z and the lower triangle of z z', and the log-likelihood.

    `white` (k, r, r) and `offset` (k, r) whiten rows (x - centre) * inverse_scale. The log-likelihood is NaN, and the
    sums are not complete, where a cell is missing or farther than LIMIT.
    """
    k, r = offset.shape
    block = max(16, min(128, _CELLS // (k * r) // 16 * 16))
    sums, bits = np.zeros((k, 1 + r + r * (r + 1) // 2)), np.empty(block, np.int64)
    rooms = np.empty((r, block)), np.empty((k, r, block)), np.empty((k, block)), *np.empty((2, block))
    given = (x, weight, centre, inverse_scale, white, offset, constant)
    return sums, float(_shared_sums(*given, sums, *rooms, bits, bits.view(np.float64)))


@kernel
def _shared_sums(  # type: ignore[no-untyped-def]
    x, weight, centre, inverse_scale, white, offset, constant, sums, standard, z, share, work, largest, bits, power
):
    k, block = offset.shape[0], work.size
    reached = 0.0
    for start in range(0, x.shape[0], block):
        m = x.shape[0] - start if x.shape[0] - start < block else block
        if not _standardize(x, start, m, centre, inverse_scale, standard):
            return np.nan
        for c in range(k):
            _whiten(standard, m, white[c], offset[c], z[c], share[c])
            _keep_larger(share[c], m, constant[c], largest, c == 0)
        for c in range(k):
            _subtract(share[c], m, largest)
            _exp(share[c], m, bits, power)
            _add(share[c], m, work, c == 0)
        reached += _evidence(weight, start, m, largest, work)
        for c in range(k):
            _add_sums(share[c], largest, z[c], m, work, sums[c])
    return reached


@kernel
def _standardize(x, start, m, centre, inverse_scale, standard):  # type: ignore[no-untyped-def]
    """Some rows side by side; whether all of their cells are there, and within LIMIT."""
    beyond = 0
    for i in range(m):
        row = x[start + i]
        for j in range(centre.size):
            v = (row[j] - centre[j]) * inverse_scale[j]
            beyond += not abs(v) <= LIMIT
            standard[j, i] = v
    return beyond == 0


@kernel(fastmath=REORDER)
def _whiten(standard, m, white, offset, z, squares):  # type: ignore[no-untyped-def]
    """Rows in units of a component, z (r, m), and their squared lengths; four columns at a time, for fewer writes."""
    for i in range(m):
        squares[i] = 0.0
    for j in range(offset.size):
        to, row, away = z[j], white[j], offset[j]
        for i in range(m):
            to[i] = -away
        t = 0
        while t + 4 <= j + 1:
            e, f, g, h = row[t], row[t + 1], row[t + 2], row[t + 3]
            a, b, c, d = standard[t], standard[t + 1], standard[t + 2], standard[t + 3]
            for i in range(m):
                to[i] += e * a[i] + f * b[i] + g * c[i] + h * d[i]
            t += 4
        while t <= j:
            e, a = row[t], standard[t]
            for i in range(m):
                to[i] += e * a[i]
            t += 1
        for i in range(m):
            squares[i] += to[i] * to[i]


@kernel
def _keep_larger(share, m, constant, largest, first):  # type: ignore[no-untyped-def]
    """Squared lengths to log densities, and the largest so far."""
    for i in range(m):
        share[i] = constant - 0.5 * share[i]
        largest[i] = share[i] if first or share[i] > largest[i] else largest[i]


@kernel
def _subtract(share, m, largest):  # type: ignore[no-untyped-def]
    for i in range(m):
        share[i] -= largest[i]


@kernel
def _add(share, m, total, first):  # type: ignore[no-untyped-def]
    for i in range(m):
        total[i] = share[i] if first else total[i] + share[i]


@kernel
def _evidence(weight, start, m, largest, total):  # type: ignore[no-untyped-def]
    """The log-likelihood of the rows; `largest` becomes what shares are to be scaled by."""
    reached = 0.0
    for i in range(m):
        reached += weight[start + i] * (largest[i] + np.log(total[i]))
        largest[i] = weight[start + i] / total[i]
    return reached


@kernel(fastmath=REORDER)
def _add_sums(share, scale, z, m, work, sums):  # type: ignore[no-untyped-def]
    """Add to the sums of a component; its shares are still to be scaled."""
    total = 0.0
    for i in range(m):
        share[i] *= scale[i]
        total += share[i]
    sums[0] += total
    at = 1 + z.shape[0]
    for a in range(z.shape[0]):
        column, total = z[a], 0.0
        for i in range(m):
            work[i] = share[i] * column[i]
            total += work[i]
        sums[1 + a] += total
        b = 0
        while b + 4 <= a + 1:
            p, q, u, v = z[b], z[b + 1], z[b + 2], z[b + 3]
            one, two, three, four = 0.0, 0.0, 0.0, 0.0
            for i in range(m):
                w = work[i]
                one += w * p[i]
                two += w * q[i]
                three += w * u[i]
                four += w * v[i]
            sums[at + b] += one
            sums[at + b + 1] += two
            sums[at + b + 2] += three
            sums[at + b + 3] += four
            b += 4
        while b <= a:
            column, total = z[b], 0.0
            for i in range(m):
                total += work[i] * column[i]
            sums[at + b] += total
            b += 1
        at += a + 1


@kernel
def _exp(values, m, bits, power):  # type: ignore[no-untyped-def]
    """The exponential of numbers up to 0 in place, to the last bit or two: 2^n exp(v - n log 2) by its series.

    Unlike the library's it is a loop without a call, which the vector units run. `power` is `bits`, read as numbers.
    """
    for i in range(m):
        v = _LEAST if values[i] < _LEAST else values[i]
        power[i] = v * 1.4426950408889634 + _INTO_BITS
    for i in range(m):
        low = values[i] < _LEAST
        n = power[i] - _INTO_BITS
        v = ((_LEAST if low else values[i]) - n * _LOG_2[0]) - n * _LOG_2[1]
        e = 1 / 479001600
        e = 1 / 39916800 + v * e
        e = 1 / 3628800 + v * e
        e = 1 / 362880 + v * e
        e = 1 / 40320 + v * e
        e = 1 / 5040 + v * e
        e = 1 / 720 + v * e
        e = 1 / 120 + v * e
        e = 1 / 24 + v * e
        e = 1 / 6 + v * e
        e = 0.5 + v * e
        e = 1.0 + v * (1.0 + v * e)
        values[i] = 0.0 if low else e
    for i in range(m):
        bits[i] = (bits[i] - _BIAS) << 52
    for i in range(m):
        values[i] *= power[i]
