"""Where K-means begins: rows drawn at random, far apart, at random parts' means, at extremes, about the mean.

Starts are chosen among the distinct rows in their order, each with the weight of all its copies: neither the order of
the table nor whether a row stands twice or weighs 2 makes a difference. Of a table of more than 131,072 rows as many
are drawn at random first, batch by batch.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.errors import InputError
from likely.models.learning.unlabelled import NumberedRows
from likely.numeric.arrays import Floats, Ints, dense
from likely.numeric.nearest import squared_distances
from likely.statistics import Membership
from likely.statistics.rows import Rows

STARTS = ("k-means++", "random_points", "random_partition", "extremes", "perturbed_mean")
_MOST = 1 << 17  # rows that starts are chosen from
_CELLS = 1 << 24  # numbers that they may hold
_OFFSET = 0.1  # standard deviations that "perturbed_mean" goes from the mean


@dataclass(frozen=True)
class Candidates:
    """Rows to choose starts from: distinct, sorted, gaps filled with the means, each with a weight."""

    rows: Floats  # (m, d)
    weight: Floats  # (m,)
    seen: int  # rows of the table with a weight

    def mean(self) -> Floats:
        return np.average(self.rows, axis=0, weights=self.weight)


def candidates_of(source: Source[NumberedRows], k: int, origin: Floats, rng: np.random.Generator) -> Candidates:
    """The rows of a table to choose k starts from, about the origin."""
    most = int(min(_MOST, max(_CELLS // max(1, len(origin)), 4 * k)))
    drawn: Drawn = engines.current().fold(source, _Draw(int(rng.integers(2**62)), most, origin))
    if drawn.seen < k:
        raise InputError(
            f"n_samples={drawn.seen} should be >= n_clusters={k}: give more rows (that weigh something), or ask for "
            "fewer clusters"
        )
    with np.errstate(invalid="ignore"):
        told = ~np.isnan(drawn.rows)
        sums = np.where(told, drawn.rows, 0.0).T @ drawn.weight
        mean = sums / np.maximum(told.T @ drawn.weight, np.finfo(np.float64).tiny)
    x = np.where(told, drawn.rows, mean)
    seen = Rows.of(x, Membership.whole(len(x), drawn.weight))
    return Candidates(np.asarray(seen.rows, dtype=np.float64), np.asarray(seen.count[0], dtype=np.float64), drawn.seen)


def start(name: str, pool: Candidates, k: int, rng: np.random.Generator) -> Floats:
    """Centres (k, d) by one of `STARTS`; where the pool has fewer distinct rows, some centres are equal."""
    centres = _MAKERS[name](pool, min(k, len(pool.rows)), rng)
    return np.concatenate([centres, np.repeat(centres[:1], k - len(centres), axis=0)])


def _plus_plus(pool: Candidates, k: int, rng: np.random.Generator) -> Floats:
    """Each centre a row drawn by weight times squared distance to those before (Arthur and Vassilvitskii, 2007).

    As in scikit-learn, of 2 + log k draws the one is taken that leaves the smallest error.
    """
    trials = 2 + int(np.log(k))
    chosen: list[int] = _draw(pool.weight, rng, 1).tolist()
    lengths = np.square(pool.rows).sum(axis=1)
    nearest = squared_distances(pool.rows, pool.rows[chosen], lengths)[:, 0]
    while len(chosen) < k:
        odds = pool.weight * nearest
        tried = _draw(odds if odds.sum() > 0 else pool.weight, rng, trials)
        left = squared_distances(pool.rows, pool.rows[tried], lengths)
        np.minimum(left, nearest[:, None], out=left)
        best = int((pool.weight @ left).argmin())
        chosen.append(int(tried[best]))
        nearest = left[:, best]
    return pool.rows[chosen]


def _points(pool: Candidates, k: int, rng: np.random.Generator) -> Floats:
    """Different rows, drawn by weight."""
    odds, chosen = pool.weight.copy(), []
    for _ in range(k):
        chosen.append(int(_draw(odds, rng, 1)[0]))
        odds[chosen[-1]] = 0.0
    return pool.rows[chosen]


def _partition(pool: Candidates, k: int, rng: np.random.Generator) -> Floats:
    """The means of k parts of about the same number of distinct rows, made at random; none is empty."""
    part = np.empty(len(pool.rows), dtype=np.int64)
    part[rng.permutation(len(pool.rows))] = np.arange(len(pool.rows)) % k
    weight = np.bincount(part, weights=pool.weight, minlength=k)
    sums = np.stack([np.bincount(part, weights=pool.weight * column, minlength=k) for column in pool.rows.T], axis=1)
    return sums / weight[:, None]


def _extremes(pool: Candidates, k: int, rng: np.random.Generator) -> Floats:
    """The row with the smallest value of the first column, the one with the largest, then those of the next column.

    Of equal values the first row in order counts; a row that was taken is passed over. Where all columns have been
    asked, the next smallest and largest rows follow.
    """
    order = np.argsort(pool.rows, axis=0, kind="stable")  # equal values in the order of the rows
    back = np.argsort(-pool.rows, axis=0, kind="stable")
    chosen: dict[int, None] = {}
    for depth in range(len(pool.rows)):
        for j in range(pool.rows.shape[1]):
            for ends in (order, back):
                chosen.setdefault(int(ends[depth, j]))
                if len(chosen) == k:
                    return pool.rows[list(chosen)]
    return pool.rows[list(chosen)]


def _perturbed(pool: Candidates, k: int, rng: np.random.Generator) -> Floats:
    """The mean and a small offset in every column, normal, a tenth of the column's deviation."""
    mean = pool.mean()
    deviation = np.sqrt(np.average(np.square(pool.rows - mean), axis=0, weights=pool.weight))
    return np.asarray(mean + _OFFSET * deviation * rng.normal(size=(k, len(mean))))


_MAKERS: dict[str, Callable[[Candidates, int, np.random.Generator], Floats]] = {
    "k-means++": _plus_plus,
    "random_points": _points,
    "random_partition": _partition,
    "extremes": _extremes,
    "perturbed_mean": _perturbed,
}
assert tuple(_MAKERS) == STARTS


def _draw(odds: Floats, rng: np.random.Generator, times: int) -> Ints:
    """Places drawn in proportion to the odds (m,), not all of which are 0; a place may come again."""
    upto = np.cumsum(odds)
    places = np.searchsorted(upto, rng.random(times) * upto[-1], side="right")
    return np.asarray(np.minimum(places, np.flatnonzero(odds)[-1]), dtype=np.int64)


@dataclass(frozen=True)
class Drawn:
    """Rows with the smallest of random keys: a uniform sample without replacement that adds up."""

    key: Floats  # (m,)
    rows: Floats  # (m, d)
    weight: Floats  # (m,)
    seen: int
    most: int

    def __add__(self, other: Self) -> Self:
        key = np.concatenate([self.key, other.key])
        rows, weight = (np.concatenate([getattr(self, n), getattr(other, n)]) for n in ("rows", "weight"))
        seen = self.seen + other.seen
        if len(key) <= self.most:
            return type(self)(key, rows, weight, seen, self.most)
        kept = np.sort(np.argpartition(key, self.most)[: self.most])
        return type(self)(key[kept], rows[kept], weight[kept], seen, self.most)


@dataclass(frozen=True)
class _Draw:
    seed: int
    most: int
    origin: Floats

    def __call__(self, batch: NumberedRows) -> Drawn:
        n = batch.x.shape[0]
        weight = np.ones(n) if batch.weight is None else batch.weight
        at = np.flatnonzero(weight > 0)
        key = np.random.default_rng([self.seed, batch.number]).random(n)[at]
        seen = len(at)
        if seen > self.most:
            kept = np.sort(np.argpartition(key, self.most)[: self.most])
            at, key = at[kept], key[kept]
        return Drawn(key, dense(batch.x[at]) - self.origin, weight[at], seen, self.most)
