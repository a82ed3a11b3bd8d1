"""Neighbours under deviations that are learned without the row that asks: one search for all of them.

Each fold has scales of its own, learned from the other folds. They differ little from those of all rows: no distance by
more than between `least` and `most` times. So rows are looked for by the distance of all, farther than k, and then
compared by the fold's own. A list is long enough when its last row is so far that no row beyond it can be among the k
nearest; the few queries for which it is not are asked again for more.

Sums of powers are taken about the median of each column, before and after each fold, so that the deviation without an
outlier has all its digits.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self, TypeVar

import numpy as np

from likely import engines
from likely.data.distances.table_distance import Points, Range
from likely.models.neighbors.searching.search import Neighborhoods, Search, nearest_of
from likely.numeric.arrays import Array, Floats, Ints

T = TypeVar("T")
_CELLS = 1 << 22  # that are compared at a time


@dataclass(frozen=True, eq=False)
class OwnScales:
    """What each fold multiplies numbers by, and how far it holds a gap to be."""

    factor: Floats  # (folds, a)
    gap: Floats  # (folds, a)

    @classmethod
    def without_each(cls, x: Array, fold: Ints, weight: Floats, ranges: Range) -> Self:
        """Of numbers (n, a) in folds (n,), given the ranges without each fold (folds, a)."""
        unit = np.where(np.isfinite(ranges.width.max(axis=0)), ranges.width.max(axis=0), 1.0)
        unit = np.where(unit > 0, unit, 1.0)
        seen = ~np.isnan(x)
        z = np.where(seen, x - np.where(seen.any(axis=0), _medians(x), 0.0), 0.0) / unit
        share = seen * weight[:, None]
        total, first, second = (_sums_without(share * z**power, fold, len(ranges.low)) for power in range(3))
        total = np.maximum(total, np.finfo(np.float64).tiny)
        spread = np.sqrt(np.maximum(second / total - (first / total) ** 2, 0.0)) * unit
        spread = np.where(ranges.width > 0, spread, 0.0)
        factor = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
        return cls(factor, np.where(spread > 0, ranges.width * factor, 1.0))

    def bounds(self, search: Search) -> tuple[Floats, Floats]:
        """By what a distance of each fold is at least and at most larger than the common one (folds,)."""
        used = search.distance.wx > 0
        ratios = [np.ones((len(self.factor), 1))]
        for own, common in ((self.factor, search.distance.scale), (self.gap, search.distance.gap)):
            ratios.append(np.divide(own, common, out=np.ones_like(own), where=common > 0)[:, used])
        every = np.hstack(ratios)
        return every.min(axis=1), every.max(axis=1)


def each_by_own(
    search: Search,
    queries: Points,
    k: float | None,
    work: Callable[[slice, Neighborhoods], T],
    own: Ints,
    group: Ints,
    scales: OwnScales,
) -> list[T]:
    """As `Search.each`, each query by the scales of its own fold."""
    n, a = search.points.x.shape
    least, most = scales.bounds(search)
    wanted = None if k is None else 2 * int(np.ceil(k)) + 8
    size = max(1, min(512, _CELLS // (max(a, 1) * (n if wanted is None else wanted))))

    def block(start: int) -> T:
        rows = slice(start, min(start + size, len(queries)))
        q, fold = queries.at(rows), own[rows]
        found, left, places = list[tuple[Ints, Ints]](), np.arange(len(q)), wanted
        while len(left):
            near = search._neighborhoods(q.at(left), places, fold[left], group)
            clear = np.ones(len(left), dtype=bool)
            if k is not None and places is not None and places < search.weight.sum():
                clear = _surely_all(near, k, least[fold[left]], most[fold[left]])
                places *= 4
            taken = clear[near.owner]
            found.append((left[near.owner[taken]], near.row[taken]))
            left = left[~clear]
        owner, row = (np.concatenate(part) for part in zip(*found, strict=True))
        by = np.argsort(owner, kind="stable")
        owner, row = owner[by], row[by]
        start_of = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=len(q)))])
        apart = _apart(search, q, owner, row, scales.factor[fold], scales.gap[fold])
        near = nearest_of(start_of, row, apart, search.weight, np.inf if k is None else k)
        return work(rows, near._replace(distance=search.distance.root(near.distance)))

    return engines.current().map(range(0, len(queries), size), block)


def _surely_all(near: Neighborhoods, k: float, least: Floats, most: Floats) -> Array:
    """Whether no row that is not listed can be among the k nearest by a distance `least` to `most` times as large."""
    places = np.cumsum(near.mass)
    before = np.concatenate([[0.0], places])[near.start[:-1]]
    reached = places - before[near.owner] >= k * (1 - 1e-9)
    kth = np.full(len(least), np.inf)
    np.minimum.at(kth, near.owner[reached], near.distance[reached])
    last = np.zeros(len(least))
    np.maximum.at(last, near.owner, near.distance)
    with np.errstate(invalid="ignore"):
        return np.asarray(last * least > kth * most * (1 + 1e-9))


def _apart(search: Search, q: Points, owner: Ints, row: Ints, factor: Floats, gap: Floats) -> Floats:
    """Sums before the root (m,) of pairs of a query and a row, by the query's own scales."""
    mine, points = q.at(owner), search.points.at(row)
    with np.errstate(over="ignore"):
        x = (mine.x.astype(np.float64) - points.x) * factor[owner]
    x = np.where(np.isnan(x), gap[owner], x)
    distance = replace(search.distance, scale=np.ones(x.shape[1]))
    pair = np.arange(len(row))
    return distance.pairs(Points(x, mine.c, mine.t), Points(np.zeros_like(x), points.c, points.t), pair, pair)


def _medians(x: Array) -> Floats:
    """Of the cells that are there; of none, NaN."""
    order = np.sort(x, axis=0)  # NaN last
    middle = np.maximum((~np.isnan(x)).sum(axis=0) - 1, 0) // 2
    return np.asarray(order[middle, np.arange(x.shape[1])], dtype=np.float64)


def _sums_without(terms: Floats, fold: Ints, count: int) -> Floats:
    """The sum of all folds but one (count, a), by what comes before it and after it."""
    own = np.zeros((count, terms.shape[1]))
    np.add.at(own, fold, terms)
    out = np.zeros_like(own)
    out[1:] += np.cumsum(own, axis=0)[:-1]
    out[:-1] += np.cumsum(own[::-1], axis=0)[::-1][1:]
    return out
