"""Rows on their way down trees: the leaf that each comes to, the average of its leaves, and what each column did.

The trees stand side by side in the same arrays; children of a node have numbers `child` and `child` + 1, a leaf -1. A
row goes left where its number is below the threshold, or its level is in the node's mask; a gap (NaN) goes where gaps
went in training.
"""

import numpy as np

from likely.numeric.jit import kernel

_ONE, _TWO, _THREE, _FOUR, _FIVE, _SIX, _SEVEN = np.arange(1, 8, dtype=np.uint64)
_CHILD, _COLUMN = np.uint64(32), np.uint64(0x7FFFFFFF)  # where a link holds them
_NUMBER = np.uint64(0xFFFFFFFF)  # where the threshold of a leaf, which is NaN, holds that of the leaf


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
def add_leaves(x, roots, feature, threshold, child, gaps_left, mask_at, masks, links, share, out):  # type: ignore[no-untyped-def]
    """Add the class shares of the leaves (leaves, k) of all trees to `out` (n, k), tree after tree."""
    n, k = out.shape
    for t in range(len(roots)):
        for i in range(n):
            node = roots[t]
            while child[node] >= 0:
                node = next_node(x[i, feature[node]], node, threshold, child, gaps_left, mask_at, masks)
            leaf = links[2 * node] & _NUMBER
            for c in range(k):
                out[i, c] += share[leaf, c]


@kernel
def step_down(x, i, node, limits, links):  # type: ignore[no-untyped-def]
    """The child to which row i goes, by the packed nodes of `find_leaves_of_numbers`; from a leaf, the leaf."""
    link = links[node + node + _ONE]
    v = x[i, (link >> _ONE) & _COLUMN]
    return (link >> _CHILD) + np.uint64((v >= limits[node + node]) | ((v != v) & ((link & _ONE) == _ONE)))


@kernel
def find_leaves_of_numbers(x, root, limits, links, leaf):  # type: ignore[no-untyped-def]
    """The leaf of each of at least eight rows (n,) in one tree without tests of levels, eight rows side by side.

    None of them waits for the memory alone. A node is 16 bytes, so that a step reads memory once: limits[2 i] is its
    threshold, and its link, in links[2 i + 1], a view of the same memory, child << 32 | column << 1 | whether gaps go
    right. A leaf is its own child and its threshold NaN, so nothing has to be asked on the way; the lower bits of the
    NaN say which of the leaves it is. Numbers without a sign spare a test of every place. The last eight rows are
    walked whatever their number.
    """
    n = len(x)
    for first in range(0, n, 8):
        i = first if first + 8 <= n else n - 8
        row = np.uint64(i)
        a = b = c = d = e = f = g = h = root
        moved = _ONE
        while moved != 0:
            to_a, to_b = step_down(x, row, a, limits, links), step_down(x, row + _ONE, b, limits, links)
            to_c, to_d = step_down(x, row + _TWO, c, limits, links), step_down(x, row + _THREE, d, limits, links)
            to_e, to_f = step_down(x, row + _FOUR, e, limits, links), step_down(x, row + _FIVE, f, limits, links)
            to_g, to_h = step_down(x, row + _SIX, g, limits, links), step_down(x, row + _SEVEN, h, limits, links)
            moved = (to_a ^ a) | (to_b ^ b) | (to_c ^ c) | (to_d ^ d)
            moved |= (to_e ^ e) | (to_f ^ f) | (to_g ^ g) | (to_h ^ h)
            a, b, c, d, e, f, g, h = to_a, to_b, to_c, to_d, to_e, to_f, to_g, to_h
        leaf[i], leaf[i + 1], leaf[i + 2], leaf[i + 3] = a, b, c, d
        leaf[i + 4], leaf[i + 5], leaf[i + 6], leaf[i + 7] = e, f, g, h


@kernel
def add_leaves_of_numbers(x, roots, limits, links, share, leaf, out):  # type: ignore[no-untyped-def]
    """As `add_leaves` where no test is of levels; `leaf` (n,) is room to work in."""
    n, k = out.shape
    for t in range(len(roots)):
        find_leaves_of_numbers(x, np.uint64(roots[t]), limits, links, leaf)
        for i in range(n):
            number = links[np.uint64(2) * leaf[i]] & _NUMBER
            for c in range(k):
                out[i, c] += share[number, c]


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
def add_told(rows, leaf, share, own, out, told_by, squares):  # type: ignore[no-untyped-def]
    """Add the class shares (leaves, k) of the leaf of each of some rows of one tree to `out` (n, k).

    How many trees that were, too, and the sum of squares of what they give to the row's own class (`own`: n).
    """
    for m in range(len(rows)):
        i = rows[m]
        number = leaf[m]
        told_by[i] += 1
        squares[i] += share[number, own[i]] ** 2
        for c in range(out.shape[1]):
            out[i, c] += share[number, c]
