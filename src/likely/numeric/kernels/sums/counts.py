"""Counts of category codes per class, and log densities read from a table, in one pass over the rows.

The levels of all features stand side by side in one flat table: feature j holds the columns offset[j] to
offset[j + 1]. A code is x - base[j]; a missing cell has code -1.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def count_codes(x, labels, base, offset, k):  # type: ignore[no-untyped-def]
    """How often each level of each feature occurs in each class: (k, offset[-1])."""
    n, d = x.shape
    table = np.zeros((k, offset[d]), np.int64)
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            if code >= 0:
                table[c, offset[j] + code] += 1
    return table


@kernel
def weigh_codes(x, labels, weight, base, offset, k):  # type: ignore[no-untyped-def]
    """The same with a weight per row."""
    n, d = x.shape
    table = np.zeros((k, offset[d]))
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            if code >= 0:
                table[c, offset[j] + code] += weight[i]
    return table


@kernel
def share_codes(x, shares, base, offset):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k)."""
    n, d = x.shape
    k = shares.shape[1]
    table = np.zeros((k, offset[d]))
    for i in range(n):
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            if code >= 0:
                for c in range(k):
                    table[c, offset[j] + code] += shares[i, c]
    return table


@kernel
def add_table(x, base, stride, group, start, table, out):  # type: ignore[no-untyped-def]
    """Add to `out` (n, k) the rows of `table` at the codes of each row of x.

    Features group[g] to group[g + 1] are read together: their codes, plus one so that a missing cell is 0, times
    their strides give one place in the group's part of the table. No code needs to be compared with a bound. The
    table's rows are padded to a multiple of four classes, which are added up in registers.
    """
    n, k = out.shape
    groups = len(start)
    at = np.empty(groups, np.int64)
    zero = start.copy()  # where the group's cell for x = 0 lies
    for g in range(groups):
        for j in range(group[g], group[g + 1]):
            zero[g] += (1 - base[j]) * stride[j]
    for i in range(n):
        row = x[i]
        for g in range(groups):
            place = zero[g]
            for j in range(group[g], group[g + 1]):
                place += np.int64(row[j]) * stride[j]
            at[g] = place
        for c in range(0, k, 4):
            a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
            for g in range(groups):
                entry = table[at[g]]
                a0 += entry[c]
                a1 += entry[c + 1]
                a2 += entry[c + 2]
                a3 += entry[c + 3]
            out[i, c] += a0
            if c + 1 < k:
                out[i, c + 1] += a1
            if c + 2 < k:
                out[i, c + 2] += a2
            if c + 3 < k:
                out[i, c + 3] += a3


@kernel
def table_terms(x, base, offset, table, out):  # type: ignore[no-untyped-def]
    """Write the row of `table` for each feature to `out` (n, d, k); row offset[j] is that of a missing cell."""
    n, d = x.shape
    k = table.shape[1]
    for i in range(n):
        for j in range(d):
            at = np.int64(x[i, j]) - base[j] + 1 + offset[j]
            for c in range(k):
                out[i, j, c] = table[at, c]


@kernel
def column_ranges(x):  # type: ignore[no-untyped-def]
    """Smallest and largest value of each column of whole numbers."""
    n, d = x.shape
    low = x[0].copy()
    high = x[0].copy()
    for i in range(1, n):
        row = x[i]
        for j in range(d):
            low[j] = min(low[j], row[j])
            high[j] = max(high[j], row[j])
    return low, high
