"""Log densities of Gaussian features with the row itself taken out of its class, in one pass.

With n, m, S the weight, mean and scatter of the row's own class and w its weight,

    n' = n - w,   m' = m - w (x - m) / n',   S' = S - w n / n' (x - m)^2

and likewise for the whole data, whose spread decides what is constant and what a class without spread is given.
"""

import numpy as np

from likely.numeric.jit import kernel
from likely.numeric.kernels.gaussian import LIMIT


@kernel
def gaussian_without_own_row(  # type: ignore[no-untyped-def]
    x, labels, weight, count, mean, scatter, all_count, all_mean, all_scatter, ddof, tiny, out
):
    """Write to `out` (n, k) the log density of each row under the classes as they are without it."""
    n, d = x.shape
    k = count.shape[0]
    half_log_tau = 0.5 * np.log(2.0 * np.pi)
    for i in range(n):
        own, w = labels[i], weight[i]
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
            spread = max(all_scatter[j] - w * all_count[j] / left * away * away, 0.0) / left
            if spread <= tiny * all_scatter[j] / all_count[j] or spread <= 0.0:
                continue  # constant without this row: says nothing
            for c in range(k):
                rows, m, s = count[c, j], mean[c, j], scatter[c, j]
                if c == own:
                    before = rows
                    rows = rows - w
                    if rows > 1e-9 * before:
                        s = max(s - w * before / rows * (v - m) * (v - m), 0.0)
                        m = m - w * (v - m) / rows
                    else:
                        rows = 0.0
                if rows <= 0.0:
                    m, variance = centre, spread
                elif s <= tiny * rows * spread or rows <= ddof:
                    variance = spread / (rows + 1.0)
                else:
                    variance = s / (rows - ddof)
                z = min(abs(v - m) / np.sqrt(variance), LIMIT)
                out[i, c] -= 0.5 * z * z + 0.5 * np.log(variance) + half_log_tau
