"""Rows on their way down trees: the leaf that each comes to, the average of its leaves, and what each column did.

The trees stand side by side in the same arrays; children of a node have numbers `child` and `child` + 1, a leaf -1. A
row goes left where its number is below the threshold, or its level is in the node's mask; a gap (NaN) goes where gaps
went in training.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def next_node(v, node, threshold, child, gaps_left, mask_at, masks):  # type: ignore[no-untyped-def]
    """The child to which a cell goes."""
    at = mask_at[node]
    if at < 0:
        return child[node] + 1 - ((v < threshold[node]) | ((v != v) & (gaps_left[node] == 1)))
    if v != v:
        return child[node] + 1 - gaps_left[node]
    level = int(v)
    return child[node] + 1 - np.int64((masks[at + (level >> 6)] >> np.uint64(level & 63)) & np.uint64(1))


@kernel
def find_leaves(x, roots, feature, threshold, child, gaps_left, mask_at, masks, out):  # type: ignore[no-untyped-def]
    """The leaf of each row in each tree (n, trees)."""
    for t in range(len(roots)):
        for i in range(len(x)):
            node = roots[t]
            while child[node] >= 0:
                node = next_node(x[i, feature[node]], node, threshold, child, gaps_left, mask_at, masks)
            out[i, t] = node


@kernel
def add_leaves(x, roots, feature, threshold, child, gaps_left, mask_at, masks, share, out):  # type: ignore[no-untyped-def]
    """Add the class shares of the leaves of all trees to `out` (n, k), tree after tree."""
    n, k = out.shape
    for t in range(len(roots)):
        for i in range(n):
            node = roots[t]
            while child[node] >= 0:
                node = next_node(x[i, feature[node]], node, threshold, child, gaps_left, mask_at, masks)
            for c in range(k):
                out[i, c] += share[node, c]


@kernel
def add_leaves_of_numbers(x, roots, column, threshold, child, gaps_left, share, out):  # type: ignore[no-untyped-def]
    """As `add_leaves` where no test is of levels: four rows side by side, none of which waits for the memory alone.

    `column` is the column tested, any one in leaves. The last four rows are walked whatever their number: those that
    were walked already are not added again.
    """
    n, k = out.shape
    for t in range(len(roots)):
        for first in range(0, n, 4):
            i = first if first + 4 <= n else n - 4
            p = q = r = s = roots[t]
            under = True
            while under:
                to_p, to_q, to_r, to_s = child[p], child[q], child[r], child[s]
                a, b, c, d = x[i, column[p]], x[i + 1, column[q]], x[i + 2, column[r]], x[i + 3, column[s]]
                under = (to_p >= 0) | (to_q >= 0) | (to_r >= 0) | (to_s >= 0)
                next_p = to_p + 1 - ((a < threshold[p]) | ((a != a) & (gaps_left[p] == 1)))
                next_q = to_q + 1 - ((b < threshold[q]) | ((b != b) & (gaps_left[q] == 1)))
                next_r = to_r + 1 - ((c < threshold[r]) | ((c != c) & (gaps_left[r] == 1)))
                next_s = to_s + 1 - ((d < threshold[s]) | ((d != d) & (gaps_left[s] == 1)))
                p = next_p if to_p >= 0 else p
                q = next_q if to_q >= 0 else q
                r = next_r if to_r >= 0 else r
                s = next_s if to_s >= 0 else s
            for m in range(k):
                if i >= first:
                    out[i, m] += share[p, m]
                if i + 1 >= first:
                    out[i + 1, m] += share[q, m]
                if i + 2 >= first:
                    out[i + 2, m] += share[r, m]
                out[i + 3, m] += share[s, m]


@kernel
def add_steps(x, roots, feature, threshold, child, gaps_left, mask_at, masks, share, out):  # type: ignore[no-untyped-def]
    """Add, for each row and column, what its tests on that column added to `share` on the way, to `out` (n, d, k)."""
    n, _, k = out.shape
    for t in range(len(roots)):
        for i in range(n):
            node = roots[t]
            while child[node] >= 0:
                j = feature[node]
                to = next_node(x[i, j], node, threshold, child, gaps_left, mask_at, masks)
                for c in range(k):
                    if share[to, c] != share[node, c]:  # minus infinity stays where it is
                        out[i, j, c] += share[to, c] - share[node, c]
                node = to


@kernel
def add_leaves_out_of_bag(  # type: ignore[no-untyped-def]
    x, roots, feature, threshold, child, gaps_left, mask_at, masks, share, drawn, out, told_by
):
    """As `add_leaves`, of each row the trees that did not draw it (`drawn`: trees, n); how many they are, too."""
    n, k = out.shape
    for t in range(len(roots)):
        for i in range(n):
            if drawn[t, i]:
                continue
            node = roots[t]
            while child[node] >= 0:
                node = next_node(x[i, feature[node]], node, threshold, child, gaps_left, mask_at, masks)
            told_by[i] += 1
            for c in range(k):
                out[i, c] += share[node, c]
