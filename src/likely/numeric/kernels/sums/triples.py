"""Joint counts of the levels of all triples of nominal features, in one pass over the rows.

The cell of levels a, b, c of features i < j < l is start[i, j, l] + (a L_j + b) L_l + c.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel(scratch=lambda x, *_: (np.empty(x.shape[1], np.int64), np.empty(x.shape[1], np.int64)))
def add_triples(x, labels, weight, base, size, start, table, feature, code):  # type: ignore[no-untyped-def]
    """Add the weight of each row to `table` (k, C) of its class, which has the type of the weights."""
    for r in range(x.shape[0]):
        if labels[r] < 0:
            continue
        seen = _observed(x[r], base, size, feature, code)
        own = table[labels[r]]
        w = weight[r]
        for i in range(seen):
            for j in range(i + 1, seen):
                starts = start[feature[i], feature[j]]
                both = code[i] * size[feature[j]] + code[j]
                for l in range(j + 1, seen):  # noqa: E741
                    own[starts[feature[l]] + both * size[feature[l]] + code[l]] += w


@kernel(scratch=lambda x, *_: (np.empty(x.shape[1], np.int64), np.empty(x.shape[1], np.int64)))
def share_triples(x, shares, base, size, start, table, feature, code):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k)."""
    for r in range(x.shape[0]):
        seen = _observed(x[r], base, size, feature, code)
        for i in range(seen):
            for j in range(i + 1, seen):
                starts = start[feature[i], feature[j]]
                both = code[i] * size[feature[j]] + code[j]
                for l in range(j + 1, seen):  # noqa: E741
                    cell = starts[feature[l]] + both * size[feature[l]] + code[l]
                    for c in range(shares.shape[1]):
                        table[c, cell] += shares[r, c]


@kernel
def _observed(row, base, size, feature, code):  # type: ignore[no-untyped-def]
    """Write the features that a row has a known level of, and the levels; how many there are."""
    seen = 0
    for j in range(row.size):
        at = row[j] - base[j]
        if 0 <= at < size[j]:
            feature[seen] = j
            code[seen] = at
            seen += 1
    return seen
