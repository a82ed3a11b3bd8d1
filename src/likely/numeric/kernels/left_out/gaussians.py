"""Log densities of Gaussian features with the row itself taken out of its class, in one pass.

With n, m, S the weight, mean and scatter of the row's own class and w its weight,

    n' = n - w,   m' = m - w (x - m) / n',   S' = S - w n / n' (x - m)^2

and likewise for the whole data, whose spread decides what is constant and what a class without spread is given.

Where S' is a small part of S the subtraction has lost the digits of both m' and S', and they are summed again from the
rows. That happens to at most one row per class and feature (and one per feature for the whole data).
"""

import numpy as np

from likely.numeric.jit import kernel
from likely.numeric.kernels.densities.gaussian import LIMIT

_ENOUGH = 1e-4  # of the scatter that must be left for its digits to be good
_SAME = 1e-9  # relative difference of two sums of the same weights in another order


@kernel
def gaussian_without_own_row(  # type: ignore[no-untyped-def]
    x, labels, weight, count, mean, scatter, all_count, all_mean, all_scatter, ddof, grain, out
):
    """Write to `out` (n, k) the log density of each row under the classes as they are without it.

    A row that takes sums over all data, of which x is only a part, is NaN.
    """

    def summed_again(i: int, j: int, own: int) -> tuple[float, float, float]:
        """Weight, mean and scatter of feature j without row i, of one class or (-1) of all.

        They are taken about one of the values, so that equal values have no scatter.
        """
        origin, total, first = np.nan, 0.0, 0.0
        for r in range(x.shape[0]):
            c, w, v = labels[r], weight[r], x[r, j]
            if r == i or c < 0 or w == 0.0 or v != v or (own >= 0 and c != own):
                continue
            if origin != origin:
                origin = v
            total += w
            first += w * (v - origin)
        if total <= 0.0:
            return 0.0, 0.0, 0.0
        centre = first / total
        second = 0.0
        for r in range(x.shape[0]):
            c, w, v = labels[r], weight[r], x[r, j]
            if r == i or c < 0 or w == 0.0 or v != v or (own >= 0 and c != own):
                continue
            second += w * (v - origin - centre) * (v - origin - centre)
        return total, origin + centre, second

    n, d = x.shape
    k = count.shape[0]
    half_log_tau = 0.5 * np.log(2.0 * np.pi)
    for i in range(n):
        own, w = labels[i], weight[i]
        lost = False
        for c in range(k):
            out[i, c] = 0.0
        for j in range(d):
            v = x[i, j]
            if v != v:
                continue
            left = all_count[j] - w
            if left <= 0.0:
                continue  # never observed without this row
            away = v - all_mean[j]
            centre = all_mean[j] - w * away / left
            rest = all_scatter[j] - w * all_count[j] / left * away * away
            if rest < _ENOUGH * all_scatter[j]:
                again, centre, rest = summed_again(i, j, -1)
                lost = lost or abs(again - left) > _SAME * all_count[j]
            spread = rest / left
            if spread <= 0.0:
                continue  # constant without this row: says nothing
            for c in range(k):
                rows, m, s = count[c, j], mean[c, j], scatter[c, j]
                if c == own:
                    before = rows
                    rows = rows - w
                    if rows > 1e-9 * before:
                        s = s - w * before / rows * (v - m) * (v - m)
                        m = m - w * (v - m) / rows
                        if s < _ENOUGH * scatter[c, j]:
                            again, m, s = summed_again(i, j, c)
                            lost = lost or abs(again - rows) > _SAME * before
                    else:
                        rows = 0.0
                if rows <= 0.0:
                    m, variance = centre, spread
                elif s <= grain[c, j] or rows <= ddof:
                    variance = spread / (rows + 1.0)
                else:
                    variance = s / (rows - ddof)
                z = min(abs(v - m) / np.sqrt(variance), LIMIT)
                out[i, c] -= 0.5 * z * z + 0.5 * np.log(variance) + half_log_tau
        if lost:
            for c in range(k):
                out[i, c] = np.nan
