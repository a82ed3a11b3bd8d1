"""Where EM for a mixture begins: rows that are far apart from each other (k-means++)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.models.generative.em.hidden import EncodedRows
from likely.models.generative.summing.layout import len_of
from likely.numeric.arrays import Array, Floats
from likely.statistics import Codes

_REACH = 20.0  # distances of the quartiles, beyond which a value is far from all others


@dataclass(frozen=True)
class Seeds:
    """Rows among which the first centres are chosen: numbers in units of their deviations, levels by equality.

    A missing cell lies at the mean, and differs from every level. Texts and counts of words say nothing here.
    """

    real: Floats  # (n, d)  standardised
    levels: Array  # (n, c)  codes
    weight: Floats  # (n,)
    mean: Floats  # (d,)
    deviation: Floats  # (d,)
    book: dict[Any, int]  # numbers of the levels

    @classmethod
    def of(cls, batches: Sequence[EncodedRows]) -> "Seeds":
        """Among all rows of these batches."""
        book: dict[Any, int] = {}
        for batch in batches:
            _enter(batch.rows, book)
        real, levels = (np.concatenate(side) for side in zip(*(_table(b.rows, book) for b in batches), strict=True))
        weight = np.concatenate([batch.weight for batch in batches])
        within = np.clip(real, *usual(real).T) if real.size else real  # a far value is no unit
        seen = ~np.isnan(real)
        count = np.maximum(weight @ seen, np.finfo(np.float64).tiny)
        mean = weight @ np.where(seen, within, 0.0) / count
        deviation = np.sqrt(weight @ np.where(seen, within - mean, 0.0) ** 2 / count)
        deviation = np.where(deviation > 0, deviation, 1.0)
        z = _standard(real, mean, deviation)
        order = np.lexsort([*levels.T, *z.T, weight])  # so that seeds depend on the rows, not on their order
        return cls(z[order], levels[order], weight[order], mean, deviation, book)

    def places(self, m: int, rng: np.random.Generator) -> Array:
        """Which rows are the seeds: each with a chance as its squared distance from those before."""
        distance = np.full(len(self.weight), np.inf)
        places = []
        for c in range(m):
            chance = self.weight if c == 0 else self.weight * distance
            chance = chance if chance.any() else self.weight  # every row is a seed already
            places.append(int(rng.choice(len(chance), p=chance / chance.sum())))
            distance = np.minimum(distance, _apart(self.real, self.levels, self, places[-1]))
        return np.array(places)

    def nearest(self, batch: EncodedRows, places: Array) -> Floats:
        """Each row of a batch wholly to its nearest seed (n, m)."""
        real, levels = _table(batch.rows, self.book)
        z = _standard(real, self.mean, self.deviation)
        distance = np.column_stack([_apart(z, levels, self, place) for place in places])
        return np.asarray(np.eye(len(places))[distance.argmin(axis=1)])


def usual(values: Floats) -> Floats:
    """Between which ends (d, 2) the cells of each column (n, d) usually lie: the quartiles, and as far as 20 of their
    distances beyond; no ends where half of the cells are equal.

    >>> usual(np.array([[0.0], [1.0], [2.0], [3.0], [1e9]])).tolist()
    [[-39.0, 43.0]]
    """
    low, high = np.full((2, values.shape[1]), np.nan)
    some = ~np.isnan(values).all(axis=0)
    low[some], high[some] = np.nanquantile(values[:, some], [0.25, 0.75], axis=0) if some.any() else (0.0, 0.0)
    reach = np.where(high > low, _REACH * (high - low), np.inf)
    return np.stack([np.nan_to_num(low, nan=-np.inf) - reach, np.nan_to_num(high, nan=np.inf) + reach], axis=1)


def _table(rows: tuple[Any, ...], book: dict[Any, int]) -> tuple[Floats, Array]:
    """Numbers (n, d) and codes of levels (n, c) of rows; `book` numbers the levels of all batches alike."""
    n = len_of(rows)
    real = [np.asarray(part, dtype=np.float64) for part in rows if isinstance(part, np.ndarray)]
    levels = [_level_numbers(part, book) for part in rows if isinstance(part, Codes)]
    return np.column_stack(real or [np.zeros((n, 0))]), np.column_stack(levels or [np.zeros((n, 0), dtype=np.int64)])


def _enter(rows: tuple[Any, ...], book: dict[Any, int]) -> None:
    """Give every level a number."""
    for part in rows:
        for names in part.levels if isinstance(part, Codes) else ():
            for name in names:
                book.setdefault(name, len(book))


def _level_numbers(part: Codes, book: dict[Any, int]) -> Array:
    """Numbers that are the same for the same level in every batch; -1 where the cell is missing, -2 for a new level."""
    out = np.full(part.x.shape, -1, dtype=np.int64)
    for j, names in enumerate(part.levels):
        code = part.x[:, j].astype(np.int64) - int(part.base[j])
        numbers = np.array([book.get(name, -2) for name in names] or [0], dtype=np.int64)
        out[:, j] = np.where(code >= 0, numbers[np.clip(code, 0, None)], -1)
    return out


def _standard(real: Floats, mean: Floats, deviation: Floats) -> Floats:
    return np.where(np.isnan(real), 0.0, (real - mean) / deviation)


def _apart(real: Floats, levels: Array, seeds: Seeds, place: int) -> Floats:
    """Squared distance of rows from a seed; levels that differ count 1."""
    apart = ((real - seeds.real[place]) ** 2).sum(axis=1)
    return np.asarray(apart + (levels != seeds.levels[place]).sum(axis=1))
