"""Log densities of Gaussian features that share variances, with the row itself taken out of its class, in one pass.

A row takes w n / (n - w) (x - m)^2 from the scatter of its class, and that from whatever is summed with it: the same
column of all classes (`shared`), the other columns of the class (`spherical`), or both. Where little is left of such a
sum its digits are lost and the row is NaN.
"""

import numpy as np

from likely.numeric.jit import kernel
from likely.numeric.kernels.densities.gaussian import LIMIT

_ENOUGH = 1e-4  # of the scatter that must be left for its digits to be good
_NOTHING = 1e-9  # of a sum of weights: what is left of it is rounding


@kernel
def variances_without_own_row(  # type: ignore[no-untyped-def]
    x, labels, weight, count, mean, scatter, all_count, all_mean, all_scatter, shared, spherical, ddof, grain, out
):
    """Write to `out` (n, k) the log density of each row under the classes as they are without it."""
    n, d = x.shape
    k = count.shape[0]
    half_log_tau = 0.5 * np.log(2.0 * np.pi)
    pools, width = (1 if shared else k), (1 if spherical else d)
    squares, cells, means = np.zeros((pools, width)), np.zeros((pools, width)), np.zeros((pools, width))
    grains = np.zeros((pools, width))
    columns, everything, all_cells = 0, 0.0, 0.0
    for j in range(d):
        columns += all_count[j] > 0.0
        everything += all_scatter[j]
        all_cells += all_count[j]
        for c in range(k):
            p, q = (0 if shared else c), (0 if spherical else j)
            squares[p, q] += scatter[c, j]
            grains[p, q] += grain[c, j]
            cells[p, q] += count[c, j]
            means[p, q] += count[c, j] > 0.0
    taken, taken_of_all, rest = np.empty(d), np.empty(d), np.empty(d)
    rows, place, centre = np.empty(d), np.empty(d), np.empty(d)
    for i in range(n):
        own, w = labels[i], weight[i]
        if own < 0:
            own, w = 0, 0.0
        lost = False
        seen = 0
        gone, gone_of_all, emptied = 0.0, 0.0, 0
        for j in range(d):
            v = x[i, j]
            if v != v:
                continue
            seen += 1
            before, m = count[own, j], mean[own, j]
            rows[j] = before - w
            if rows[j] > _NOTHING * before:
                taken[j] = w * before / rows[j] * (v - m) * (v - m)
                place[j] = m - w * (v - m) / rows[j]
                lost = lost or rows[j] < _ENOUGH * before
            else:
                emptied += before > 0.0
                rows[j], taken[j] = 0.0, scatter[own, j]
            rest[j] = all_count[j] - w
            if rest[j] > _NOTHING * all_count[j]:
                away = v - all_mean[j]
                taken_of_all[j] = w * all_count[j] / rest[j] * away * away
                centre[j] = all_mean[j] - w * away / rest[j]
                left = all_scatter[j] - taken_of_all[j]
                lost = lost or (all_scatter[j] > 0.0 and left < _ENOUGH * all_scatter[j])
            else:
                rest[j], taken_of_all[j] = 0.0, all_scatter[j]
                lost = lost or spherical  # one column less
            gone += taken[j]
            gone_of_all += taken_of_all[j]
        for c in range(k):
            out[i, c] = 0.0
            p = 0 if shared else c
            for j in range(d):
                v = x[i, j]
                if v != v or rest[j] <= 0.0:
                    continue
                q = 0 if spherical else j
                s, number, about = squares[p, q], cells[p, q], means[p, q]
                whole, whole_cells = everything, all_cells
                if not spherical:
                    whole, whole_cells = all_scatter[j], all_count[j]
                spread = whole - (gone_of_all if spherical else taken_of_all[j])
                spread /= whole_cells - (seen * w if spherical else w)
                if spread <= 0.0:
                    continue  # constant without this row: says nothing
                if shared or c == own:
                    s -= gone if spherical else taken[j]
                    number -= seen * w if spherical else w
                    about -= emptied if spherical else (rows[j] == 0.0 and count[own, j] > 0.0)
                    lost = lost or (squares[p, q] > 0.0 and s < _ENOUGH * squares[p, q])
                    lost = lost or number < _ENOUGH * cells[p, q]
                if s <= grains[p, q] or number - ddof * about <= 0.0:
                    variance = spread / ((number / columns if spherical else number) + 1.0)
                else:
                    variance = s / (number - ddof * about)
                m = mean[c, j] if count[c, j] > 0.0 else centre[j]
                if c == own:
                    m = place[j] if rows[j] > 0.0 else centre[j]
                z = min(abs(v - m) / np.sqrt(variance), LIMIT)
                out[i, c] -= 0.5 * z * z + 0.5 * np.log(variance) + half_log_tau
        if lost:
            for c in range(k):
                out[i, c] = np.nan
