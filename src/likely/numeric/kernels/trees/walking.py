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
        goes = v < threshold[node] or (v != v and gaps_left[node])
    elif v != v:
        goes = gaps_left[node] == 1
    else:
        level = int(v)
        goes = (masks[at + (level >> 6)] >> np.uint64(level & 63)) & np.uint64(1) == np.uint64(1)
    return child[node] if goes else child[node] + 1


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
