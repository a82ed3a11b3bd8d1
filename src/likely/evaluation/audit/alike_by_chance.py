"""How many rows would be alike by chance: in a table of few columns with few levels most rows have a twin.

Each column is shuffled by itself within the classes, so that the rows are no copies of each other any more, while every
level keeps its share in every class; rows that repeat an earlier one, and rows with a twin of another class, are then
counted as in the table itself:

    repeats by chance = mean over tables shuffled so        copies = repeats - repeats by chance

A column that another determines (its codes under other names, or a coarser form of it) makes no rows differ, and is
left out: shuffled by itself it would. Where columns go together less than that within the class, more rows are alike by
chance than that: copies are an upper bound. Classes of fewer than 30 rows are shuffled together, because so few rows of
a few levels leave little to shuffle. A long text is never equal to another by chance. Nothing is shuffled where the
shares of the levels leave less than one pair to expect:

    pairs = sum over classes c, d of n_c n_d / 2 x product over the columns of sum over the levels of p_c(v) p_d(v)
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from likely.data.accepted import TableLike
from likely.data.columns.kinds import prose
from likely.evaluation.audit.duplicates import Duplicates, cells_of
from likely.numeric.arrays import Array, Ints

_TABLES = 10  # that are shuffled
_FEW = 30  # rows of a class
_PAIRS = 1.0  # of rows that are alike by chance, below which none is
_ERRORS = 3.0  # deviations beyond which there is more than chance
_MOST_SETS = 30  # of rows that are shuffled among themselves
_MOST_CELLS = 10**7  # levels times sets, whose shares are counted
_MOST_COLUMNS = 300  # of which it is asked which determine each other
_NEVER = 14.0  # nats: independent columns seem to determine each other less than once in a million times


@dataclass(frozen=True)
class AlikeByChance:
    """What shuffled tables hold of rows that are alike."""

    repeated: float  # rows that repeat an earlier one, mean over the tables
    repeated_deviation: float
    against: float  # rows with a twin of another class
    against_deviation: float

    def copies(self, repeated: int) -> int:
        """How many more rows repeat an earlier one than chance explains; 0 where chance may explain them all.

        >>> AlikeByChance(26.0, 5.0, 10.0, 3.0).copies(44), AlikeByChance(26.0, 5.0, 10.0, 3.0).copies(40)
        (18, 0)
        """
        return _beyond(repeated, self.repeated, self.repeated_deviation)

    def contradictions(self, against: int) -> int:
        """How many more rows have a twin of another class than chance explains."""
        return _beyond(against, self.against, self.against_deviation)


NONE = AlikeByChance(0.0, 0.0, 0.0, 0.0)


def alike_by_chance(X: TableLike, codes: Ints, seed: int = 0) -> AlikeByChance:
    """Count rows that are alike where the cells of each column are shuffled; codes (n,) are of the classes.

    >>> rng = np.random.default_rng(0)
    >>> few = pl.DataFrame({"sex": rng.integers(0, 2, 300), "cabin": rng.integers(0, 3, 300)})
    >>> round(alike_by_chance(few, rng.integers(0, 2, 300)).repeated)  # of 300 rows six are the first of their kind
    294
    >>> alike_by_chance(few.with_columns(size=rng.normal(size=300)), rng.integers(0, 2, 300)).repeated
    0.0
    """
    levels = None if hasattr(X, "tocsr") else _levels(X)
    if not levels:
        return NONE
    rng = np.random.default_rng(seed)
    levels, marks = _not_determined(levels, _marked(levels, rng))
    sets = _sets(codes)
    if _pairs(levels, sets) < _PAIRS:
        return NONE
    order = np.argsort(sets, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(sets[order])) + 1)
    counts = np.array([_counted(_shuffled(marks, parts, rng), codes) for _ in range(_TABLES)])
    mean, deviation = counts.mean(axis=0), counts.std(axis=0, ddof=1)
    return AlikeByChance(float(mean[0]), float(deviation[0]), float(mean[1]), float(deviation[1]))


def _beyond(count: int, mean: float, deviation: float) -> int:
    most = mean + _ERRORS * max(deviation, mean**0.5)  # ten tables may all come out alike, as counts do not
    return round(count - mean) if count > most else 0


def _levels(X: TableLike) -> list[Ints] | None:
    """The levels of each column as numbers from 0; None: a column of texts, of which no two are equal by chance."""
    found = []
    for column in cells_of(X).get_columns():
        if column.dtype == pl.String and prose(column):
            return None
        found.append(column.rank("dense").fill_null(0).to_numpy().astype(np.int64))
    return found


def _marked(levels: list[Ints], rng: np.random.Generator) -> list[Array]:
    """The columns with a large number for each level, so that rows are alike where the sums of theirs are."""
    return [rng.integers(0, 2**63, int(column.max()) + 1, dtype=np.uint64)[column] for column in levels]


def _not_determined(levels: list[Ints], marks: list[Array]) -> tuple[list[Ints], list[Array]]:
    """The columns but for those that are functions of another that stays; twins are the same without them.

    Rows that are copies agree in all columns, so only different rows tell; and of a column of which nearly every
    cell is different every other one is a function, which tells nothing of the two.
    """
    if not 1 < len(levels) <= _MOST_COLUMNS:
        return levels, marks
    rows = np.unique(np.sum(marks, axis=0, dtype=np.uint64), return_index=True)[1]
    different = [column[rows] for column in levels]
    widths = [int(column.max()) + 1 for column in levels]
    kept: list[int] = []
    for place in sorted(range(len(levels)), key=lambda i: -widths[i]):  # stable: of renamings the first stays
        if not any(_determines(different[other], different[place]) for other in kept):
            kept.append(place)
    return [levels[place] for place in sorted(kept)], [marks[place] for place in sorted(kept)]


def _determines(one: Ints, other: Ints) -> bool:
    """Whether another column is a function of one, and not by chance."""
    n = len(one)
    if 2 * len(np.unique(one)) > n:
        return False
    first = np.zeros(int(one.max()) + 1, dtype=np.int64)
    first[one] = np.arange(n)
    if (other[first[one]] != other).any():
        return False
    shares = np.bincount(other) / n
    return bool(-(n - len(np.unique(one))) * np.log(shares @ shares) > _NEVER)


def _sets(codes: Ints) -> Ints:
    """The sets of rows (n,) that are shuffled among themselves: the commonest classes, and all others together."""
    rows = np.bincount(codes)
    own = np.zeros(len(rows), dtype=np.int64)
    large = [c for c in np.argsort(-rows, kind="stable").tolist() if rows[c] >= _FEW][:_MOST_SETS]
    own[large] = np.arange(1, len(large) + 1)
    return np.asarray(own[codes])


def _pairs(levels: list[Ints], sets: Ints) -> float:
    """How many pairs of rows are alike by chance."""
    rows = np.bincount(sets).astype(np.float64)
    both = np.outer(rows, rows) / 2
    for column in levels:
        width = int(column.max()) + 1
        if width * len(rows) > _MOST_CELLS:
            continue  # what the other columns leave to expect is no less
        counts = np.bincount(column * len(rows) + sets, minlength=width * len(rows)).reshape(width, len(rows))
        shares = counts / np.maximum(rows, 1.0)
        both *= shares.T @ shares
    return float(both.sum())


def _shuffled(marks: list[Array], parts: list[Ints], rng: np.random.Generator) -> Array:
    """Rows (n,) as one number each, every column shuffled within the parts."""
    out = np.zeros(len(marks[0]), dtype=np.uint64)
    for column in marks:
        for part in parts:
            out[part] += rng.permutation(column[part])  # beyond 64 bits the sum begins again, which is as good
    return out


def _counted(rows: Array, codes: Ints) -> tuple[int, int]:
    _, start, place = np.unique(rows, return_index=True, return_inverse=True)
    found = Duplicates(start[place])
    return found.extra, int(found.contradictory(codes).sum())
