"""Divisive clustering: one cluster of all rows, split in two again and again until every leaf is one row.

The rule: of all leaves the one is split whose split lowers the sum of squares within most, by 2-means. With one column
the split is the best of all; with more, 2-means begins at the best cut along the leaf's first principal component, and
runs until no row moves. So nothing is left to chance. A cluster of equal rows is halved.

The height of a split is the root of twice what it takes from the squares (the distance by which Ward's linkage would
join the parts), and not below the heights of the splits under it, so that a tree can be cut at a height.
"""

import heapq
from typing import NamedTuple

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints

_MAX_PASSES = 100


class Split(NamedTuple):
    """A leaf parted in two."""

    rows: Ints  # of the leaf
    low: Ints  # rows of its parts; the first row of the table is in `low`
    high: Ints
    drop: float  # what it takes from the sum of squares


def split_all(x: Floats) -> list[Split]:
    """All n - 1 splits of rows x (n, m), in the order in which they are made."""
    x = np.where(np.isnan(x), _column_means(x), x)
    order = 0
    first = best_split(x, np.arange(len(x)))
    waiting = [(-first.drop, order, first)]
    splits = []
    while waiting:
        split = heapq.heappop(waiting)[2]
        splits.append(split)
        for part in (split.low, split.high):
            if len(part) > 1:
                order += 1
                found = best_split(x, part)
                heapq.heappush(waiting, (-found.drop, order, found))
    return splits


def best_split(x: Floats, rows: Ints) -> Split:
    """Two parts of some rows by 2-means."""
    own = x[rows] - x[rows].mean(axis=0)
    if len(rows) == 2:
        return Split(rows, rows[:1], rows[1:], float(np.square(own).sum()))
    total = float(np.square(own).sum())
    if not total > 0:
        return Split(rows, rows[: len(rows) // 2], rows[len(rows) // 2 :], 0.0)
    upper = _cut(own[:, 0] if own.shape[1] == 1 else own @ _direction(own))
    if own.shape[1] > 1:
        upper = _two_means(own, upper)
    low, high = rows[~upper], rows[upper]
    drop = _drop(own, upper)
    return Split(rows, low, high, drop) if low[0] < high[0] else Split(rows, high, low, drop)


def joins_of(splits: list[Split], n: int) -> Floats:
    """Splits as joins (n - 1, 4) in reverse, as SciPy writes a hierarchy."""
    joins = np.empty((len(splits), 4))
    name: dict[tuple[int, int], int] = {}  # of a cluster, by its first row and its size
    for step, split in enumerate(reversed(splits)):
        parts = [_name(part, name) for part in (split.low, split.high)]
        below = [joins[p - n, 2] for p in parts if p >= n]
        height = max([float(np.sqrt(2.0 * split.drop)), *below])
        joins[step] = (*sorted(parts), height, len(split.rows))
        name[int(split.rows.min()), len(split.rows)] = n + step
    return joins


def _name(part: Ints, known: dict[tuple[int, int], int]) -> int:
    return int(part[0]) if len(part) == 1 else known[int(part.min()), len(part)]


def _cut(values: Floats) -> Array:
    """Which values are above the cut that leaves the least sum of squares within the two parts."""
    order = np.argsort(values, kind="stable")
    ranked = values[order]
    n = len(values)
    below = np.cumsum(ranked)[:-1]
    count = np.arange(1, n)
    gain = np.square(below) / count + np.square(ranked.sum() - below) / (n - count)
    gain[ranked[1:] == ranked[:-1]] = -np.inf  # equal values stay together
    if not np.isfinite(gain).any():
        gain[n // 2 - 1] = 0.0
    upper = np.zeros(n, dtype=np.bool_)
    upper[order[int(gain.argmax()) + 1 :]] = True
    return upper


def _direction(own: Floats) -> Floats:
    """The first principal component of rows about their mean (m,)."""
    n, m = own.shape
    if n == 3 or m > n:
        return np.asarray(np.linalg.svd(own, full_matrices=False)[2][0])
    return np.asarray(np.linalg.eigh(own.T @ own)[1][:, -1])


def _two_means(own: Floats, upper: Array) -> Array:
    for _ in range(_MAX_PASSES):
        if not upper.any() or upper.all():
            return upper
        a, b = own[~upper].mean(axis=0), own[upper].mean(axis=0)
        side = own @ (b - a) - (b @ b - a @ a) / 2
        after = side > 0
        if (after == upper).all() or not after.any() or after.all():
            return upper
        upper = after
    return upper


def _drop(own: Floats, upper: Array) -> float:
    """What two parts of rows about their mean take from the sum of squares."""
    a, b = own[~upper], own[upper]
    return float(np.square(a.sum(axis=0)).sum() / len(a) + np.square(b.sum(axis=0)).sum() / len(b))


def _column_means(x: Floats) -> Floats:
    seen = ~np.isnan(x)
    return np.asarray(np.where(seen, x, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1))
