"""Complete and average linkage of Euclidean rows, in rounds over tables that shrink.

Two clusters that are each other's nearest may be joined at any time: no other join brings anything closer to them than
they are to each other. So all such pairs are joined at once, in rounds (Murtagh). The distances of the new clusters,

    complete   the greater of two                    average   their mean, weighted by rows

are a fold of the rows and then of the columns of the table before, over memory in its order and with all threads. The
first round is found without a table, and the second's is made from the rows themselves, whose pairs are joined by then.
Where a round joins few (outliers that all have one large cluster for their nearest), the rest follows a chain from
nearest to nearest (Benzecri), which is quadratic whatever the data.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import kernel
from likely.numeric.kernels.clusters.joins import NO_NAN, first_least, squares_from

_FEW = 16  # a round that joins fewer than one pair in so many clusters is the last
_PARTS = 16  # of the clusters, side by side

Share = Callable[[list[slice], Callable[[slice], None]], Any]


class Edges(NamedTuple):
    """Joins, in an order in which a cluster is made before it is joined: a row of either cluster, and the height."""

    ends: Ints
    others: Ints
    heights: Floats


class _Pairs(NamedTuple):
    """The clusters of a round: two of the round before, or one, which is then its own other, with a share of 0."""

    first: Ints  # (m,)
    other: Ints
    share: Floats  # of the rows of the cluster, that of `first`
    rest: Floats  # that of `other`
    size: Floats


def join_in_rounds(x: Floats, farthest: bool, share: Share, most: int) -> Edges | None:
    """The joins of rows x (n, d), by the farthest rows of two clusters or all on average.

    `share` carries out parts side by side if it can. None where a table would have more than `most` cells.
    """
    n = len(x)
    columns, near, to = np.ascontiguousarray(x.T), np.empty(n), np.empty(n, np.int64)
    share(_parts(n), lambda part: _look(columns, part.start, part.stop, near, to, np.empty(n)))
    if not farthest:
        np.sqrt(near, out=near)
    row, size, top = np.arange(n), np.ones(n), np.zeros(n)  # of each cluster: a row of it, its rows, its height
    found: list[tuple[Array, Array, Array]] = []
    pairs, row, top = _reciprocal(near, to, row, size, top, found)
    m = len(row)
    if m * m > most:
        return None
    table, place = np.empty((m, m)), np.arange(m)
    near, to = np.empty(m), np.empty(m, np.int64)
    share(_parts(m), _first_part(columns, pairs, farthest, table, near, to))
    while m > 1:
        if found[-1][0].size * _FEW < m:
            ends, others, heights = np.empty(m - 1, np.int64), np.empty(m - 1, np.int64), np.empty(m - 1)
            chain = np.empty(m, np.int64)
            _follow(table, place, row, pairs.size, top, m, farthest, chain, ends, others, heights)
            found.append((ends, others, heights))
            break
        pairs, row, top = _reciprocal(near, to, row, pairs.size, top, found)
        m, before = len(row), place
        place = before[pairs.first]
        near, to = np.empty(m), np.empty(m, np.int64)
        share(_parts(m), _fold_part(table, before, pairs, farthest, near, to))
    ends, others, heights = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Edges(ends, others, np.sqrt(heights) if farthest else heights)


def _first_part(columns: Floats, pairs: _Pairs, farthest: bool, table: Floats, near: Floats, to: Ints) -> Any:
    def part_of(part: slice) -> None:
        away, beside = np.empty((2, columns.shape[1]))
        _first_table(columns, *pairs[:4], part.start, part.stop, farthest, table, near, to, away, beside)

    return part_of


def _fold_part(table: Floats, before: Ints, pairs: _Pairs, farthest: bool, near: Floats, to: Ints) -> Any:
    def part_of(part: slice) -> None:
        _fold(table, before, *pairs[:4], part.start, part.stop, farthest, near, to, np.empty(len(before)))

    return part_of


def _parts(n: int) -> list[slice]:
    ends = np.linspace(0, n, min(_PARTS, max(1, n // 64)) + 1).astype(np.int64).tolist()
    return [slice(a, b) for a, b in pairwise(ends)]


def _reciprocal(
    near: Floats, to: Ints, row: Ints, size: Floats, top: Floats, found: list[tuple[Array, Array, Array]]
) -> tuple[_Pairs, Ints, Floats]:
    """Join the pairs that are each other's nearest; `found` grows by them."""
    m = len(to)
    here = np.arange(m)
    joined = (to[to] == here) & (here < to)
    if not joined.any():  # where distances differ by rounding alone, from the one side and from the other
        closest = int(near.argmin())
        a, b = min(closest, int(to[closest])), max(closest, int(to[closest]))
        to = to.copy()
        to[a], to[b] = b, a
        joined = here == a
    other = np.where(joined, to, here)
    kept = np.ones(m, dtype=np.bool_)
    kept[to[joined]] = False
    a, b = here[joined], to[joined]
    height = np.maximum(near[a], np.maximum(top[a], top[b]))  # not below its parts, by a hair
    found.append((row[a], row[b], height))
    top = top.copy()
    top[a] = height
    first, other = here[kept], other[kept]
    total = size[first] + np.where(first == other, 0.0, size[other])
    part = size[first] / total
    return _Pairs(first, other, part, 1.0 - part, total), row[first], top[first]


@kernel(fastmath=NO_NAN)
def _nearest(away, a, m):  # type: ignore[no-untyped-def]
    """Which of the first m is the nearest to a, the first of equals; that of a itself is made infinite."""
    away[a] = np.inf
    return first_least(away, m)


@kernel(fastmath=NO_NAN)
def _look(columns, start, stop, near, to, away):  # type: ignore[no-untyped-def]
    """The nearest of all rows to each, and the square of how far it is."""
    n = columns.shape[1]
    for a in range(start, stop):
        squares_from(columns, a, n, away)
        best = _nearest(away, a, n)
        near[a], to[a] = away[best], best


@kernel(fastmath=NO_NAN)
def _by_columns(away, first, other, share, rest, farthest, out):  # type: ignore[no-untyped-def]
    if farthest:
        for b in range(first.size):
            one, two = away[first[b]], away[other[b]]
            out[b] = one if one > two else two
    else:
        for b in range(first.size):
            out[b] = share[b] * away[first[b]] + rest[b] * away[other[b]]


@kernel(fastmath=NO_NAN)
def _by_rows(one, two, share, rest, farthest, out):  # type: ignore[no-untyped-def]
    if farthest:
        for i in range(out.size):
            out[i] = one[i] if one[i] > two[i] else two[i]
    else:
        for i in range(out.size):
            out[i] = share * one[i] + rest * two[i]


@kernel(fastmath=NO_NAN)
def _first_table(columns, first, other, share, rest, start, stop, farthest, table, near, to, away, beside):  # type: ignore[no-untyped-def]
    """The table of the pairs of rows, and the nearest of each; squares by the farthest, distances on average."""
    n = columns.shape[1]
    m = first.size
    for a in range(start, stop):
        squares_from(columns, first[a], n, away)
        if not farthest:
            for i in range(n):
                away[i] = np.sqrt(away[i])
        if other[a] != first[a]:
            squares_from(columns, other[a], n, beside)
            if not farthest:
                for i in range(n):
                    beside[i] = np.sqrt(beside[i])
            _by_rows(away, beside, share[a], rest[a], farthest, away)
        out = table[a]
        _by_columns(away, first, other, share, rest, farthest, out)
        best = _nearest(out, a, m)
        near[a], to[a] = out[best], best


@kernel(fastmath=NO_NAN)
def _fold(table, place, first, other, share, rest, start, stop, farthest, near, to, away):  # type: ignore[no-untyped-def]
    """The same of later rounds; cluster a was in row `place[a]`, and a pair takes the row of its first."""
    m = first.size
    for a in range(start, stop):
        row = table[place[first[a]]]
        aside = table[place[other[a]]]
        _by_rows(row[: away.size], aside[: away.size], share[a], rest[a], farthest, away)
        out = row[:m]
        _by_columns(away, first, other, share, rest, farthest, out)
        best = _nearest(out, a, m)
        near[a], to[a] = out[best], best


@kernel(fastmath=NO_NAN)
def _follow(table, place, row, size, top, m, farthest, chain, ends, others, heights):  # type: ignore[no-untyped-def]
    """The rest of the joins: from any cluster to its nearest, to that one's nearest, to a pair that is joined.

    What is gone is infinitely far from all; `size` 0 says that it is gone.
    """
    length = 0
    begun = 0
    for step in range(m - 1):
        if length == 0:
            while size[begun] == 0.0:
                begun += 1
            chain[0] = begun
            length = 1
        while True:
            a = chain[length - 1]
            away = table[place[a]]
            b = _nearest(away, a, m)
            if length > 1 and away[chain[length - 2]] <= away[b]:
                b = chain[length - 2]
                break
            chain[length] = b
            length += 1
        length -= 2
        height = table[place[a], b]
        height = top[a] if top[a] > height else height
        height = top[b] if top[b] > height else height
        ends[step], others[step], heights[step] = row[a], row[b], height
        whole = size[a] + size[b]
        one, two = table[place[a]], table[place[b]]
        _by_rows(one[:m], two[:m], size[a] / whole, size[b] / whole, farthest, one[:m])
        one[b] = np.inf
        for i in range(m):
            away = table[place[i]]
            away[a] = one[i]
            away[b] = np.inf
        size[a], size[b], top[a] = whole, 0.0, height
