"""Hierarchies from the distances of all pairs: complete and average linkage, by chains of nearest neighbours.

A chain goes from a cluster to its nearest, from there to the nearest of that, and ends in two that are nearest to each
other: they are joined, and the chain goes on from where they were found (Benzecri; Murtagh). Both linkages give the
joins of the closest pairs in this way, in another order.

The distances stand in a square, so that a row is read in one go. A join writes the row of the new cluster alone; a row
that is older fetches what it needs of it when it is looked at next, and most of them never are before they are joined.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from likely.numeric.arrays import Floats, Ints
from likely.numeric.jit import kernel

_PARTS = 64  # of the rows, whose distances are taken side by side
_BLOCK = 1024  # distances of a row, whose sums stay in the nearest cache


def square_of(x: Floats, root: bool, share: Callable[[list[slice], Callable[[slice], None]], Any]) -> Floats:
    """Euclidean distances (n, n) of rows x (n, d), or their squares; symmetric to the bit."""
    n = len(x)
    columns, table = np.ascontiguousarray(x.T), np.empty((n, n))
    ends = np.linspace(0, n, min(n, _PARTS) + 1).astype(np.int64).tolist()
    share(
        [slice(a, b) for a, b in pairwise(ends)],
        lambda at: _fill(columns, at.start, root, table[at]),
    )
    return table


def join_chains(table: Floats, average: bool) -> tuple[Ints, Ints, Floats]:
    """The joins of n rows by their distances (n, n), which are overwritten: two rows of each, and its height.

    The heights are not in order. Ties are broken as SciPy does.
    """
    n = len(table)
    ends, others, height = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64), np.empty(n - 1)
    born, seen, chain = np.zeros(n, np.int64), np.zeros(n, np.int64), np.empty(n, np.int64)
    _follow(table, average, np.arange(n), np.ones(n), born, seen, chain, ends, others, height)
    return ends, others, height


@kernel(fastmath={"nsz", "nnan"})  # neither fused nor reordered: the distance of a from b is that of b from a
def _fill(columns, start, root, out):  # type: ignore[no-untyped-def]
    d, n = columns.shape
    for p in range(out.shape[0]):
        for first in range(0, n, _BLOCK):
            last = first + _BLOCK if first + _BLOCK < n else n
            for i in range(first, last):
                out[p, i] = 0.0
            for j in range(d):
                at = columns[j, start + p]
                for i in range(first, last):
                    away = columns[j, i] - at
                    out[p, i] += away * away
        if root:
            for i in range(n):
                out[p, i] = np.sqrt(out[p, i])


@kernel(fastmath={"nsz", "nnan"})
def _follow(table, average, left, size, born, seen, chain, ends, others, height):  # type: ignore[no-untyped-def]
    """`left` (n,) are the clusters that are left, by a row of each; `born` the step that made them, `seen` the step up
    to which the row of a cluster knows the others.
    """
    n = table.shape[0]
    count, length = n, 0
    for step in range(1, n):
        if length == 0:
            chain[0] = left[0]
            length = 1
        while True:
            a = chain[length - 1]
            since = seen[a]
            seen[a] = step - 1
            best, least = -1, np.inf
            if length > 1:  # the one before wins a tie, or the chain would have no end
                best = chain[length - 2]
                least = table[best, a] if born[best] > since else table[a, best]
            for p in range(count):
                i = left[p]
                if born[i] > since:
                    table[a, i] = table[i, a]
                if table[a, i] < least and i != a:
                    least = table[a, i]
                    best = i
            if length > 1 and best == chain[length - 2]:
                break
            chain[length] = best
            length += 1
        length -= 2
        b = best
        if b < a:
            a, b = b, a
        ends[step - 1], others[step - 1], height[step - 1] = a, b, least
        kept = 0
        for p in range(count):
            if left[p] != a:
                left[kept] = left[p]
                kept += 1
        count = kept
        since_a, since_b = seen[a], seen[b]
        own, other = size[a], size[b]
        for p in range(count):
            i = left[p]
            if i != b:
                one = table[i, a] if born[i] > since_a else table[a, i]
                two = table[i, b] if born[i] > since_b else table[b, i]
                if average:
                    table[b, i] = (own * one + other * two) / (own + other)
                else:
                    table[b, i] = one if one > two else two
        size[b] = own + other
        born[b] = seen[b] = step
