"""Distances between rows of numbers and levels: sums of what their cells are apart, before the root is taken.

    p-th powers   sum_j w_j |u_j - v_j|^p     largest   max_j w_j |u_j - v_j|     unequal   sum_j w_j [u_j != v_j]
    shares        sum_j w_j |u_j - v_j| / sum_j w_j, over the cells that both rows have (Gower)

Numbers are first multiplied by `scale`. Where a number is missing (NaN) in one row or both, they are `gap` apart.
Levels are codes: 0 apart where they are equal, else 1; a missing one (-1) is 1 from everything. With `table`, levels a
and b of column j are table[start[j] + a * size[j] + b] apart, squared, and the last of the `size` levels is one never
seen.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.jit import REORDER, kernel

SQUARES, ABSOLUTE, POWERS, LARGEST, UNEQUAL, SHARES = range(6)  # what is summed


def tile_apart(rule: int, p: float, qx: Array, qc: Array, x: Array, c: Array, *ruler: Array) -> Floats:
    """How far each of some rows is from each of others (q, n)."""
    none = np.empty(0, dtype=np.int64)
    return np.asarray(pairs_apart(rule, p, qx, qc, x, c, none, none, *ruler)).reshape(len(qx), len(x))


@kernel(makes=lambda rule, p, qx, qc, x, c, q_row, row, *_: (np.empty(len(row) or len(qx) * len(x)),), fastmath=REORDER)
def pairs_apart(rule, p, qx, qc, x, c, q_row, row, scale, wx, wc, gap, start, size, table, out):  # type: ignore[no-untyped-def]
    """How far the pairs of rows (q_row[t], row[t]) are apart (m,); of none, all pairs row by row."""
    a = x.shape[1]
    b = c.shape[1]
    n = x.shape[0]
    named = row.shape[0] > 0
    for t in range(out.shape[0]):
        i = q_row[t] if named else t // n
        r = row[t] if named else t % n
        total = 0.0
        seen = 0.0
        if rule == 0:
            for j in range(a):
                apart = (np.float64(qx[i, j]) - np.float64(x[r, j])) * scale[j]
                if apart != apart:
                    apart = gap[j]
                total += wx[j] * apart * apart
        else:
            for j in range(a):
                apart = abs(np.float64(qx[i, j]) - np.float64(x[r, j])) * scale[j]
                missing = apart != apart
                if missing:
                    apart = gap[j]
                if rule == 1:
                    total += wx[j] * apart
                elif rule == 2:
                    total += wx[j] * apart**p
                elif rule == 3:
                    total = wx[j] * apart if wx[j] * apart > total else total
                elif rule == 4:
                    total += wx[j] if apart != 0.0 or missing else 0.0
                elif not missing:
                    total += wx[j] * apart
                    seen += wx[j]
        for j in range(b):
            u = qc[i, j]
            v = c[r, j]
            if size.shape[0] > 0:
                apart = 1.0 if u < 0 or v < 0 else table[start[j] + u * size[j] + v]
            else:
                apart = 0.0 if u == v and u >= 0 else 1.0
            if rule == 3:
                total = wc[j] * apart if wc[j] * apart > total else total
            elif rule == 5:
                if u >= 0 and v >= 0:
                    total += wc[j] * apart
                    seen += wc[j]
            else:
                total += wc[j] * apart
        if rule == 5:
            total = total / seen if seen > 0.0 else 1.0
        out[t] = total


@kernel(makes=lambda *given: (np.zeros(len(given[6])),))
def sparse_pairs_apart(q_data, q_index, q_start, data, index, start, q_row, row, weight, out):  # type: ignore[no-untyped-def]
    """Squared Euclidean distances of pairs of rows of CSR matrices with sorted indices; `weight` of columns (d,)."""
    for t in range(row.shape[0]):
        a = q_start[q_row[t]]
        a_end = q_start[q_row[t] + 1]
        b = start[row[t]]
        b_end = start[row[t] + 1]
        total = 0.0
        while a < a_end or b < b_end:
            if b >= b_end or (a < a_end and q_index[a] < index[b]):
                apart = np.float64(q_data[a])
                column = q_index[a]
                a += 1
            elif a >= a_end or index[b] < q_index[a]:
                apart = np.float64(data[b])
                column = index[b]
                b += 1
            else:
                apart = np.float64(q_data[a]) - np.float64(data[b])
                column = index[b]
                a += 1
                b += 1
            total += weight[column] * apart * apart
        out[t] = total
