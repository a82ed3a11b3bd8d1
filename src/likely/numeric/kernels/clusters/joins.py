"""Hierarchies of Euclidean rows without a table of all their distances: single, centroid and Ward linkage.

Rows and centres stand in columns (d, n), so that a sweep over all of them vectorises. Those that are left are kept
together at the front: the last one takes the place of one that is gone.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from likely.numeric.arrays import Floats, Ints
from likely.numeric.jit import kernel

NO_NAN = {"contract", "reassoc", "nsz", "nnan"}
_BLOCK = 2048  # rows
_PARTS = 16  # of the rows, that look for their nearest side by side


def shortest_tree(x: Floats) -> tuple[Ints, Ints, Floats]:
    """The edges (n - 1) of a tree over rows x (n, d) of the least Euclidean length (Prim): ends and squared lengths."""
    n, d = x.shape
    ends, others, squares = np.empty(n - 1, np.int64), np.empty(n - 1, np.int64), np.empty(n - 1)
    columns, place = np.ascontiguousarray(x.T), np.arange(n)
    _prim(columns, place, np.full(n, np.inf), np.zeros(n, np.int64), np.empty(n), np.empty(d), ends, others, squares)
    return ends, others, squares


@kernel(fastmath=NO_NAN)
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


def join_centres(x: Floats, ward: bool, share: Callable[[list[slice], Callable[[slice], None]], Any]) -> Floats:
    """Joins (n - 1, 4) of rows x (n, d) as SciPy writes them: two clusters, the height, and rows.

    The distance of two clusters is that of their centres; Ward's is the root of twice what joining them adds to the
    squares within. The closest pair is joined, step by step. Every cluster remembers its nearest among those that were
    there before it, so that of each pair one end knows it. When the nearest is gone, the distance to it is still one
    that no other undercuts, and the cluster looks again only when it would be the closest of all by it (Muellner).

    `share` carries out the first look of parts of the rows, side by side if it can.
    """
    n = len(x)
    joins = np.empty((max(n - 1, 0), 4))
    if n > 1:
        columns, near, to = np.ascontiguousarray(x.T), np.full(n, np.inf), np.zeros(n, np.int64)
        ends = np.sqrt(np.linspace(0, float(n) ** 2, _PARTS + 1)).astype(np.int64)  # a row looks at those before it
        parts = [slice(max(int(a), 1), int(b)) for a, b in pairwise(ends) if b > max(a, 1)]
        share(parts, lambda part: _look_back(columns, part.start, part.stop, near, to, np.empty(n)))
        size, name, square = np.ones(n), np.arange(n), np.empty(n)
        _join(columns, near, to, size, name, square, ward, joins)
    return joins


@kernel(fastmath=NO_NAN)
def squares_from(columns, a, left, square):  # type: ignore[no-untyped-def]
    """Squared distances of the first `left` rows from row a, in blocks whose sums stay in the nearest cache."""
    d = columns.shape[0]
    for start in range(0, left, _BLOCK):
        width = _BLOCK if start + _BLOCK < left else left - start
        here = slice(start, start + width)
        part, one = square[here], columns[0, here]
        at = columns[0, a]
        for i in range(width):
            away = one[i] - at
            part[i] = away * away
        for j in range(1, d - 1, 2):  # two at a time: the sums are read and written half as often
            one, two = columns[j, here], columns[j + 1, here]
            at, beside = columns[j, a], columns[j + 1, a]
            for i in range(width):
                away = one[i] - at
                aside = two[i] - beside
                part[i] += away * away + aside * aside
        if d % 2 == 0:
            one, at = columns[d - 1, here], columns[d - 1, a]
            for i in range(width):
                away = one[i] - at
                part[i] += away * away


@kernel(inner=True, fastmath=NO_NAN)
def first_least(values, m):  # type: ignore[no-untyped-def]
    """Where the least of the first m values stands, the first of equals."""
    least = values[0]
    for i in range(m):
        least = values[i] if values[i] < least else least
    best = 0
    while values[best] != least and best < m - 1:
        best += 1
    return best


@kernel(fastmath=NO_NAN)
def _look_back(columns, start, stop, near, to, square):  # type: ignore[no-untyped-def]
    """The nearest of the rows before each, of single rows, of which Ward's distance is that of the rows."""
    for a in range(start, stop):
        squares_from(columns, a, a, square)
        best = first_least(square, a)
        near[a], to[a] = square[best], best


@kernel(fastmath=NO_NAN)
def _join(columns, near, to, size, name, square, ward, joins):  # type: ignore[no-untyped-def]
    d, n = columns.shape
    left = n
    for step in range(n - 1):
        while True:
            a = first_least(near, left)
            if to[a] >= 0:
                break
            squares_from(columns, a, left, square)
            if ward:
                own = size[a]
                for i in range(left):
                    square[i] *= 2.0 * own * size[i] / (own + size[i])
            square[a] = np.inf
            best = first_least(square, left)
            near[a], to[a] = square[best], best
        least = near[a]
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
        for i in range(left):  # who pointed to either no longer knows; who pointed to the last follows it
            if to[i] == a or to[i] == b:
                to[i] = -1
            elif to[i] == last:
                to[i] = b
        squares_from(columns, a, left, square)
        if ward:
            for i in range(left):
                square[i] *= 2.0 * whole * size[i] / (whole + size[i])
        square[a] = np.inf
        best = first_least(square, left)
        near[a], to[a] = square[best], best
