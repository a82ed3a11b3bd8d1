"""Hierarchies of Euclidean rows without a table of all their distances: single, centroid and Ward linkage.

Rows and centres stand in columns (d, n), so that a sweep over all of them vectorises. Those that are left are kept
together at the front: the last one takes the place of one that is gone.
"""

import numpy as np

from likely.numeric.arrays import Floats, Ints
from likely.numeric.jit import kernel

_NO_NAN = {"contract", "reassoc", "nsz", "nnan"}


def shortest_tree(x: Floats) -> tuple[Ints, Ints, Floats]:
    """The edges (n - 1) of a tree over rows x (n, d) of the least Euclidean length (Prim): ends and squared lengths."""
    n, d = x.shape
    ends, others, squares = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64), np.empty(n - 1)
    columns, place = np.ascontiguousarray(x.T), np.arange(n)
    _prim(columns, place, np.full(n, np.inf), np.zeros(n, np.int64), np.empty(n), np.empty(d), ends, others, squares)
    return ends, others, squares


@kernel(fastmath=_NO_NAN)
def _prim(columns, place, near, to, square, tip, ends, others, squares):  # type: ignore[no-untyped-def]
    d, n = columns.shape
    left = n - 1
    newest = place[left]
    for j in range(d):
        tip[j] = columns[j, left]
    for step in range(n - 1):
        for i in range(left):
            square[i] = 0.0
        for j in range(d):
            at = tip[j]
            for i in range(left):
                away = columns[j, i] - at
                square[i] += away * away
        best = 0
        least = np.inf
        for i in range(left):
            if square[i] < near[i]:
                near[i] = square[i]
                to[i] = newest
            if near[i] < least:
                least = near[i]
                best = i
        ends[step], others[step], squares[step] = place[best], to[best], near[best]
        newest = place[best]
        left -= 1
        for j in range(d):
            tip[j] = columns[j, best]
            columns[j, best] = columns[j, left]
        place[best], near[best], to[best] = place[left], near[left], to[left]


def join_centres(x: Floats, ward: bool) -> Floats:
    """Joins (n - 1, 4) of rows x (n, d) as SciPy writes them: two clusters, the height, and rows.

    The distance of two clusters is that of their centres; Ward's is the root of twice what joining them adds to the
    squares within. The closest pair is joined, step by step; every cluster remembers its nearest (Muellner, 2011).
    """
    n = len(x)
    joins = np.empty((max(n - 1, 0), 4))
    if n > 1:
        columns, near, to = np.ascontiguousarray(x.T), np.empty(n), np.zeros(n, np.int64)
        size, name, square = np.ones(n), np.arange(n), np.empty(n)
        _join(columns, near, to, size, name, square, ward, joins)
    return joins


@kernel(fastmath=_NO_NAN)
def _join(columns, near, to, size, name, square, ward, joins):  # type: ignore[no-untyped-def]
    d, n = columns.shape
    left = n
    first = True
    for step in range(n - 1):
        # the nearest cluster of those that do not know theirs: `to` < 0
        for a in range(left):
            if not first and to[a] >= 0:
                continue
            for i in range(left):
                square[i] = 0.0
            for j in range(d):
                at = columns[j, a]
                for i in range(left):
                    away = columns[j, i] - at
                    square[i] += away * away
            if ward:
                own = size[a]
                for i in range(left):
                    square[i] *= 2.0 * own * size[i] / (own + size[i])
            square[a] = np.inf
            least = square[0]
            for i in range(left):
                least = square[i] if square[i] < least else least
            best = 0
            while best < left - 1 and square[best] != least:
                best += 1
            near[a], to[a] = least, best
        first = False
        least, a = np.inf, 0
        for i in range(left):
            if near[i] < least:
                least = near[i]
                a = i
        b = to[a]
        if b < a:
            a, b = b, a
        low, high = name[a], name[b]
        joins[step, 0] = low if low < high else high
        joins[step, 1] = high if low < high else low
        joins[step, 2] = np.sqrt(least)
        whole = size[a] + size[b]
        joins[step, 3] = whole
        for j in range(d):
            columns[j, a] += (columns[j, b] - columns[j, a]) * (size[b] / whole)
        size[a] = whole
        name[a] = n + step
        left -= 1
        last = left
        for j in range(d):
            columns[j, b] = columns[j, last]
        size[b], name[b], near[b], to[b] = size[last], name[last], near[last], to[last]
        for i in range(left):  # who pointed to either looks again; who pointed to the last follows it
            if to[i] == a or to[i] == b:
                to[i] = -1
            elif to[i] == last:
                to[i] = b
        to[a] = -1
        # the new cluster may be nearer to others than what they know
        if not ward:
            for i in range(left):
                square[i] = 0.0
            for j in range(d):
                at = columns[j, a]
                for i in range(left):
                    away = columns[j, i] - at
                    square[i] += away * away
            for i in range(left):
                if i != a and to[i] >= 0 and square[i] < near[i]:
                    near[i], to[i] = square[i], a
