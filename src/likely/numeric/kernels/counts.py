"""Counts of category codes per class, and log densities read from a table, in one pass over the rows.

The levels of all features stand side by side in one flat table: feature j holds the columns offset[j] to
offset[j + 1]. A code is x - base[j]; a code outside its feature's range is a missing cell.
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
            if 0 <= code < offset[j + 1] - offset[j]:
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
            if 0 <= code < offset[j + 1] - offset[j]:
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
            if 0 <= code < offset[j + 1] - offset[j]:
                for c in range(k):
                    table[c, offset[j] + code] += shares[i, c]
    return table


@kernel
def add_table(x, base, offset, table, out):  # type: ignore[no-untyped-def]
    """Add to `out` (n, k) the entries of `table` (offset[-1], k) at the codes of each row."""
    n, d = x.shape
    k = table.shape[1]
    for i in range(n):
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            if 0 <= code < offset[j + 1] - offset[j]:
                entry = table[offset[j] + code]
                for c in range(k):
                    out[i, c] += entry[c]


@kernel
def table_terms(x, base, offset, table, out):  # type: ignore[no-untyped-def]
    """Write the entry of each feature to `out` (n, d, k); zero for a missing cell."""
    n, d = x.shape
    k = table.shape[1]
    for i in range(n):
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            for c in range(k):
                if 0 <= code < offset[j + 1] - offset[j]:
                    out[i, j, c] = table[offset[j] + code, c]
                else:
                    out[i, j, c] = 0.0
