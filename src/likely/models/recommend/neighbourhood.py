"""How alike the rows of a sparse table are, and what the most similar of them say of a column.

Over the columns that two rows u and v both have, of ratings as they are or normalised by row:

    euclidean   1 / (1 + d),  d^2 = sum (u - v)^2
    cosine      sum u v / sqrt(sum u^2 sum v^2)
    pearson     the correlation; 0 where one of them does not vary there

A similarity over n shared columns is shrunk by n / (n + shrinkage), and is 0 below `min_overlap` of them, or below
1e-37. A cosine or correlation does not hang on the unit of the ratings, a correlation or distance not on their origin.
The score of a column is the mean of its cells over the rows that have it, weighed by positive similarities, given back
in the asking row's own terms where ratings were normalised; there `damping` draws scores of little weight to the row's
own mean. A row whose cells are all the same, but for rounding, says 0 of every column in its own terms.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from likely import engines
from likely.models.recommend.ratings import Sparse
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.recommending import ratings as kernels

Similarity: TypeAlias = Literal["euclidean", "pearson", "cosine"]
Normalize: TypeAlias = Literal["none", "center", "standard"]
_ROUNDING = 1e-13  # of the largest cell of a row
_MANY = 64  # columns, from which all are scored in one walk over the rows


class Alike(NamedTuple):
    """One row against all others."""

    similarity: Floats  # (rows,)  NaN where no column is shared
    distance: Floats  # (rows,)  Euclidean, over shared columns
    overlap: Ints  # (rows,)


class Terms(NamedTuple):
    """In which rows tell their cells: less a middle, divided by a scale."""

    middle: Floats  # (rows,)
    scale: Floats  # (rows,)
    noise: Floats  # (rows,)  a difference from the middle that is rounding

    def told(self, cells: Floats, row: Ints) -> Floats:
        """Cells of these rows in their terms: exactly 0 where they do not differ from the middle."""
        apart = cells - self.middle[row]
        return np.asarray(np.where(np.abs(apart) > self.noise[row], apart / self.scale[row], 0.0))


class Scores(NamedTuple):
    """What neighbours say of some columns."""

    score: Floats  # NaN where no neighbour has the column
    weight: Floats  # sum of similarities
    number: Ints  # of neighbours


@dataclass(frozen=True)
class Neighbourhood:
    """Rows of a sparse table, compared."""

    rows: Sparse
    columns: Sparse  # the same cells, by column
    similarity: Similarity
    normalize: Normalize
    shrinkage: float
    min_overlap: int
    k: int  # neighbours that are asked, 0: all
    damping: float  # similarity of a neighbour that says the row's own middle

    @cached_property
    def terms(self) -> Terms:
        """In which the cells of each row are told (rows,)."""
        count = np.diff(self.rows.begin)
        return self._terms_of(self.rows.cells, np.repeat(np.arange(len(count)), count), count)

    @property
    def middles(self) -> tuple[Floats, Floats]:
        """What is taken from the cells of each row, and what they are divided by (rows,)."""
        return self.terms.middle, self.terms.scale

    @cached_property
    def normal(self) -> Sparse:
        """Normalised cells, by column."""
        return self.columns._replace(cells=self.terms.told(self.columns.cells, self.columns.columns))

    @cached_property
    def normal_rows(self) -> Sparse:
        """Normalised cells, by row."""
        row = np.repeat(np.arange(len(self.rows.begin) - 1), np.diff(self.rows.begin))
        return self.rows._replace(cells=self.terms.told(self.rows.cells, row))

    def own(self, cells: Floats) -> Terms:
        """Those of one row's cells (1,)."""
        return self._terms_of(cells, np.zeros(len(cells), dtype=np.int64), np.array([len(cells)]))

    def _terms_of(self, cells: Floats, row: Ints, count: Ints) -> Terms:
        rows, some = len(count), np.maximum(count, 1)
        middle, scale, noise = np.zeros(rows), np.ones(rows), np.zeros(rows)
        if self.normalize != "none":
            middle = np.bincount(row, cells, rows) / some
            middle += np.bincount(row, cells - middle[row], rows) / some  # what rounding cost the long sum
            np.maximum.at(noise, row, np.abs(cells))
            noise *= _ROUNDING
        if self.normalize == "standard":
            apart = Terms(middle, scale, noise).told(cells, row)
            scale = np.sqrt(np.bincount(row, apart**2, rows) / np.maximum(count - 1, 1))
            scale = np.where(scale > 0, scale, 1.0)
        return Terms(middle, scale, noise)

    def alike(self, columns: Ints, cells: Floats, but: int = -1) -> Alike:
        """A row with these cells against all others; `but` is itself, if it is one of them."""
        total = len(self.rows.begin) - 1
        sums, gap, found = np.zeros((total, kernels.SUMS)), np.zeros(total), np.empty(total)
        values = self.own(cells).told(cells, np.zeros(len(cells), dtype=np.int64))
        kernels.against_all(columns, values, *self.normal, self.measure[0], sums, gap, found)
        count = sums[:, 0].astype(np.int64)
        if but >= 0:
            count[but] = 0
        shared = count > 0
        found = np.where(count >= self.min_overlap, found, 0.0)
        found *= count / np.maximum(count + self.shrinkage, 1.0)
        found[np.abs(found) <= kernels.FARTHEST] = 0.0
        return Alike(np.where(shared, found, np.nan), np.where(shared, np.sqrt(gap), np.nan), count)

    def scores(self, alike: Alike, cells: Floats, wanted: Ints) -> Scores:
        """What the neighbours of a row with these cells say of the wanted columns."""
        middle, scale = (float(each[0]) for each in self.own(cells)[:2])
        if len(wanted) > _MANY:
            return self._scores_at_once(alike, middle, scale, wanted)
        total, weight = np.empty(len(wanted)), np.empty(len(wanted))
        number = np.empty(len(wanted), dtype=np.int64)
        scratch = np.empty(max(self.k, 1)), np.empty(max(self.k, 1))
        weights = np.where(np.isnan(alike.similarity), 0.0, alike.similarity)
        held = self.normal
        kernels.weighted_columns(
            weights, held.begin, held.columns, held.cells, wanted, self.k, total, weight, number, *scratch
        )
        return Scores(middle + scale * self.mean_of(total, weight), weight, number)

    def _scores_at_once(self, alike: Alike, middle: float, scale: float, wanted: Ints) -> Scores:
        """The same of many columns, each row read once: the most similar first, until every column has heard k."""
        speak = np.flatnonzero(alike.similarity > 0)  # NaN is not
        order = speak[falling(alike.similarity[speak])]
        columns = len(self.columns.begin) - 1
        most = self.k or len(self.rows.begin)
        heard = np.zeros((columns, 3))
        heard[:, 2] = most
        heard[wanted] = 0
        held = self.normal_rows
        kernels.nearest_speak(order, alike.similarity, held.begin, held.columns, held.cells, most, heard)
        total, weight, number = heard[wanted].T
        return Scores(middle + scale * self.mean_of(total, weight), weight, number.astype(np.int64))

    def mean_of(self, total: Floats, weight: Floats) -> Floats:
        """Weighted means, NaN where nobody speaks."""
        known = weight > 0
        return np.where(known, total / np.where(known, weight + self.damping, 1.0), np.nan)

    @cached_property
    def pairs(self) -> Array:
        """Similarities of all rows (rows, rows) in single precision; 0 where not positive, and of a row with itself."""
        return self.similar(np.arange(len(self.rows.begin) - 1))

    def similar(self, asked: Ints) -> Array:
        """Similarities of some rows with all (asked, rows), in the same way."""
        total = len(self.rows.begin) - 1
        out = np.zeros((len(asked), total), dtype=np.float32)

        def work(item: tuple[slice, Array]) -> None:
            part, own = item
            kernels.similar_rows(
                asked[part], *self.normal_rows, *self.normal, *self.measure, own, np.zeros((total, kernels.SUMS)),
                np.empty(total, dtype=np.int64),
            )  # fmt: skip

        engines.current().map([(part, out[part]) for part in parts_of(len(asked), 32)], work)
        return out

    @property
    def measure(self) -> tuple[int, float, int]:
        """Similarity, shrinkage and least overlap, as kernels take them."""
        return ("euclidean", "cosine", "pearson").index(self.similarity), self.shrinkage, self.min_overlap

    def answers(self, row: Ints, column: Ints) -> Scores:
        """What the neighbours of these rows say of a column each (pairs,)."""
        order = np.argsort(row, kind="stable")
        asked, first = np.unique(row[order], return_index=True)
        begin = np.append(first, len(row))
        wanted = column[order]
        total, weight, number = np.empty(len(row)), np.empty(len(row)), np.empty(len(row), dtype=np.int64)
        rows = len(self.rows.begin) - 1

        def work(item: tuple[slice, slice, tuple[Array, ...]]) -> None:
            part, of_part, own = item
            kernels.say_of_columns(
                asked[part], begin[part.start : part.stop + 1] - of_part.start, wanted[of_part], *self.normal_rows,
                *self.normal, *self.measure, self.k, *own, np.zeros((rows, kernels.SUMS)),
                np.empty(rows, dtype=np.int64), np.zeros(rows), np.empty(max(self.k, 1)), np.empty(max(self.k, 1)),
            )  # fmt: skip

        parts = [(part, slice(begin[part.start], begin[part.stop])) for part in parts_of(len(asked), 16)]
        answers = total, weight, number
        engines.current().map([(part, at, tuple(each[at] for each in answers)) for part, at in parts], work)
        middle, scale = (each[row[order]] for each in self.middles)
        score = middle + scale * self.mean_of(total, weight)
        back = np.argsort(order, kind="stable")
        return Scores(score[back], weight[back], number[back])


def falling(similarity: Floats) -> Ints:
    """The most similar first; those that are equal but for rounding stay in their order.

    >>> falling(np.array([0.1, 0.3, 0.1 + 0.2])).tolist()
    [1, 2, 0]
    """
    with np.errstate(under="ignore"):
        return np.argsort(-similarity.astype(np.float32), kind="stable")


def parts_of(n: int, parts: int) -> list[slice]:
    """So many parts of n rows, at most, none of them empty."""
    step = max(1, -(-n // parts))
    return [slice(at, min(at + step, n)) for at in range(0, n, step)]
