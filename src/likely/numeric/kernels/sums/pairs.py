"""Counts of pairs of category codes per class, in one pass over the rows.

The pairs of features i < j stand one after the other, (0, 1), (0, 2), ..., (1, 2), ...; the block of pair p begins at
column start[p] and holds the levels of i by those of j. A code outside its feature's range is a missing cell, and
takes no part.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def weigh_pairs(x, labels, weight, base, size, start, table):  # type: ignore[no-untyped-def]
    """Add the weight of each row to its pairs in `table` (k, start[-1]), which has the type of the weights."""
    n, d = x.shape
    for r in range(n):
        c = labels[r]
        if c < 0:
            continue
        pair = 0
        for i in range(d):
            one = np.int64(x[r, i]) - base[i]
            if one < 0 or one >= size[i]:
                pair += d - 1 - i
                continue
            for j in range(i + 1, d):
                two = np.int64(x[r, j]) - base[j]
                if 0 <= two < size[j]:
                    table[c, start[pair] + one * size[j] + two] += weight[r]
                pair += 1


@kernel
def share_pairs(x, shares, base, size, start, table):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k)."""
    n, d = x.shape
    k = shares.shape[1]
    for r in range(n):
        pair = 0
        for i in range(d):
            one = np.int64(x[r, i]) - base[i]
            if one < 0 or one >= size[i]:
                pair += d - 1 - i
                continue
            for j in range(i + 1, d):
                two = np.int64(x[r, j]) - base[j]
                if 0 <= two < size[j]:
                    column = start[pair] + one * size[j] + two
                    for c in range(k):
                        table[c, column] += shares[r, c]
                pair += 1
