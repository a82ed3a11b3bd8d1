"""Joint counts of the levels of all pairs of nominal features, in one pass over the rows.

Levels of all features stand in one row: feature j has the places offset[j] to offset[j + 1]. A row adds its weight at
[u, v] for the levels u and v of every two of its features, itself included. Only one half is filled (u <= v).
Places are unsigned: a sign would be looked at before every addition, a quarter of the time.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel(scratch=lambda x, *_: (np.empty(x.shape[1], np.uint64),))
def add_joint(x, labels, weight, base, offset, table, place):  # type: ignore[no-untyped-def]
    """Add the weight of each row to `table` (k, T, T) of its class, which has the type of the weights."""
    n, d = x.shape
    for r in range(n):
        c = labels[r]
        if c < 0:
            continue
        seen = 0
        for j in range(d):
            code = x[r, j] - base[j]
            if 0 <= code < offset[j + 1] - offset[j]:
                place[seen] = offset[j] + code
                seen += 1
        w = weight[r]
        own = table[c]
        for i in range(seen):
            row = own[place[i]]
            for j in range(i, seen):
                row[place[j]] += w


@kernel(scratch=lambda x, *_: (np.empty(x.shape[1], np.uint64),))
def share_joint(x, shares, base, offset, table, place):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k)."""
    n, d = x.shape
    k = shares.shape[1]
    for r in range(n):
        seen = 0
        for j in range(d):
            code = x[r, j] - base[j]
            if 0 <= code < offset[j + 1] - offset[j]:
                place[seen] = offset[j] + code
                seen += 1
        for c in range(k):
            w = shares[r, c]
            for i in range(seen):
                row = table[c, place[i]]
                for j in range(i, seen):
                    row[place[j]] += w
