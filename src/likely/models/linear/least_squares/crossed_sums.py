"""Sums of products of columns in each class: all that least squares and Fisher's discriminant need of a table.

The columns are those behind the design matrix, before anything is learned of them: numbers as they are, and a column of
0 and 1 for each level, with gaps left as gaps. Every column of the design (standardised, gaps as means with an
indicator, thresholds) is a linear function of these and of which cells are observed, so class means and products of the
design's columns follow from the sums, whatever means and levels the design turns out to have:

    statistic    Scatter of each class over complete pairs, the sums behind the design, and the names of the levels

Two of them add over the union of their levels: a level that one part has not met is 0 in all its rows.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self, cast

import numpy as np

from likely.data.design import Design, DesignPlan
from likely.data.design.blocks import LevelBlock, NumberBlock
from likely.errors import TierError
from likely.models.learning.batches import Task
from likely.numeric.arrays import Array, Floats, Ints, frozen
from likely.statistics import Codes, Labelled, Membership, Scatter, SideBySide
from likely.statistics.counting.categories import union_of

MOST_COLUMNS = 2_000  # of which all pairs of products are summed

Levels = tuple[tuple[Hashable, ...], ...]


@dataclass(frozen=True)
class CrossedSums:
    """Sums of a table by class; they add, subtract and refuse to remove what was never added."""

    sums: SideBySide  # behind the design
    levels: Levels  # of each column of levels: those that have a column in the scatter
    given: Labelled  # of a Scatter over the numbers, then over the levels, column after column

    def __add__(self, other: Self) -> Self:
        mine, its = self._aligned(other)
        return replace(mine, sums=self.sums + other.sums, given=mine.given + its.given)

    def without(self, other: Self) -> Self:
        """Remove data; a class of which nothing is left is forgotten too."""
        mine, its = self._aligned(other)
        return replace(mine, sums=self.sums.without(other.sums), given=mine.given.without(its.given))

    @property
    def classes(self) -> tuple[Hashable, ...]:
        return self.given.classes

    @property
    def weight(self) -> Array:
        """Sum of weights of each class (k,)."""
        return self.given.weight

    @property
    def scatter(self) -> Scatter:
        return cast(Scatter, self.given.given)

    def with_classes(self, declared: tuple[Hashable, ...]) -> Self:
        """With room for classes that have no rows yet."""
        return replace(self, given=self.given.over(union_of(self.classes, declared)))

    def _aligned(self, other: Self) -> tuple[Self, Self]:
        if self.levels == other.levels:
            return self, other
        union = tuple(union_of(a, b) for a, b in zip(self.levels, other.levels, strict=True))
        return self._over(union), other._over(union)

    def _over(self, levels: Levels) -> Self:
        if levels == self.levels:
            return self
        numbers = self.scatter.features - sum(map(len, self.levels))
        like, kept = list(range(numbers)), [True] * numbers
        at = numbers
        for mine, wanted in zip(self.levels, levels, strict=True):
            place = {name: at + i for i, name in enumerate(mine)}
            like += [place.get(name, at if mine else -1) for name in wanted]
            kept += [name in place for name in wanted]
            at += len(mine)
        wide = _widened(self.scatter, np.array(like, dtype=np.int64), np.array(kept))
        return replace(self, levels=levels, given=replace(self.given, given=wide))


@dataclass(frozen=True)
class SumCrossed:
    """What an engine folds: the sums of a batch."""

    plan: DesignPlan

    def __call__(self, task: Task) -> CrossedSums:
        start, batch, labels, weight = task
        encoded = self.plan.rows(batch, start)
        columns, levels = _columns(encoded)
        if columns.shape[1] > MOST_COLUMNS:
            raise too_wide(columns.shape[1])
        members = Membership.of_labels(labels.codes, len(labels.classes), weight)
        sums = self.plan.summarize_rows(encoded, weight)
        return CrossedSums(sums, levels, Labelled(labels.classes, Scatter.of(frozen(columns), members)))


def too_wide(width: int) -> TierError:
    """The error of a table of which not all products are summed."""
    return TierError(
        f"{width:,} columns have too many products to be summed (at most {MOST_COLUMNS:,} columns), which merging, "
        "forgetting and exact cross-validation need"
    )


@dataclass(frozen=True)
class ClassMoments:
    """Means of the classes and products about them, in the columns of a design."""

    weight: Floats  # (k,)
    mean: Floats  # (k, m)  of a class without rows, that of all
    within: Floats  # (m, m)  sum over the rows of (x - mean of its class) (x - mean of its class)'

    @property
    def total(self) -> float:
        return float(self.weight.sum())

    @property
    def overall(self) -> Floats:
        """The mean of all rows (m,)."""
        return np.asarray(self.weight @ self.mean / self.total)

    @property
    def between(self) -> Floats:
        """Products of the class means about that of all, once for every row (m, m)."""
        away = self.mean - self.overall
        return np.asarray((away * self.weight[:, None]).T @ away)


def class_moments(design: Design, seen: CrossedSums, class_weight: Floats | None = None) -> ClassMoments:
    """Class means and pooled products in the columns of a design, every class weighed by a factor (k,) of its own."""
    values, gaps, constant, reference = _as_linear(design, seen)
    scatter = seen.scatter
    k, m = scatter.groups, len(constant)
    factor = np.ones(k) if class_weight is None else class_weight
    weight = np.asarray(scatter.weight, dtype=np.float64)
    mean, within = np.zeros((k, m)), np.zeros((m, m))
    about = scatter.about(np.where(scatter.observed > 0, scatter.mean, scatter.origin))
    complete = about.complete
    products = about.deviations if complete else None
    for c in np.flatnonzero(weight > 0):
        shift = np.where(np.isfinite(about.origin[c]), about.origin[c] - reference, 0.0)
        of_observed = values * shift + gaps
        first = np.diagonal(about.first[c]) if not complete else about.first[c, :, 0]
        if products is not None:
            mean[c] = constant + of_observed.sum(axis=1) + values @ first / weight[c]
            within += factor[c] * (values @ products[c] @ values.T)
            continue
        cells = np.diagonal(about.count[c]).astype(np.float64)
        mean[c] = constant + (values @ first + of_observed @ cells) / weight[c]
        pairs = about.first[c] - np.outer(first, cells) / weight[c]
        both = about.second[c] + about.second_low[c] - np.outer(first, first) / weight[c]
        seen_both = about.count[c] - np.outer(cells, cells) / weight[c]
        across = values @ pairs @ of_observed.T
        within += factor[c] * (values @ both @ values.T + across + across.T + of_observed @ seen_both @ of_observed.T)
    weight = weight * factor
    mean[weight == 0] = weight @ mean / max(float(weight.sum()), np.finfo(np.float64).tiny)
    return ClassMoments(weight, mean, (within + within.T) / 2)


def _as_linear(design: Design, seen: CrossedSums) -> tuple[Floats, Floats, Floats, Floats]:
    """The design's columns as values (m, d) times x - reference (d,) and gaps (m, d) times [observed], plus a constant.

    Both are of the columns of the scatter, and x counts where it is observed.
    """
    d = seen.scatter.features
    values, gaps, constant, reference = (np.zeros(shape) for shape in ((design.width, d), (design.width, d), 0, d))
    constant = np.zeros(design.width)
    row, at = 0, 0
    for block in design.blocks:
        if isinstance(block, NumberBlock):
            count = len(block.columns)
            every = np.arange(count)
            values[row + every, at + every] = 1.0 / block.scales
            constant[row : row + count] = (block.mean - block.centres) / block.scales
            reference[at : at + count] = block.mean  # which a gap is taken for
            lacking = row + count + np.arange(len(block.gaps))
            constant[lacking] = 1.0
            gaps[lacking, at + block.gaps] = -1.0
            at += count
        else:
            assert isinstance(block, LevelBlock)
            at = _levels_as_linear(block, seen.levels, row, at, values, gaps, constant)
        row += block.width
    return values, gaps, constant, reference


def _levels_as_linear(
    block: LevelBlock, levels: Levels, row: int, at: int, values: Floats, gaps: Floats, constant: Floats
) -> int:
    """Fill in what the columns of levels are; the number of columns of the scatter so far is given back."""
    for names, known, table in zip(levels, block.levels, block.tables, strict=True):
        place = {name: i for i, name in enumerate(known)}
        rows = slice(row, row + table.shape[1])
        for j, name in enumerate(names):
            if name in place:
                values[rows, at + j] = table[place[name]]
        missing = table[len(known)]
        constant[rows] = missing
        if names:  # observed or not, all levels of a column alike
            gaps[rows, at] = -missing
        row, at = row + table.shape[1], at + len(names)
    return at


def _columns(encoded: Sequence[Any]) -> tuple[Floats, Levels]:
    """The columns of a batch (n, d), NaN for a gap, and the names of the levels among them."""
    parts: list[Floats] = []
    levels: Levels = ()
    for rows in encoded:
        if isinstance(rows, Codes):
            found = [_indicators(rows, i) for i in range(rows.x.shape[1])]
            parts += [cells for cells, _ in found]
            levels = tuple(names for _, names in found)
        else:
            parts.append(np.asarray(rows.toarray() if hasattr(rows, "indptr") else rows, dtype=np.float64))
    return np.ascontiguousarray(np.hstack(parts)), levels


def _indicators(rows: Codes, i: int) -> tuple[Floats, tuple[Hashable, ...]]:
    codes = rows.x[:, i].astype(np.int64) - rows.base[i]
    present = np.unique(codes[codes >= 0])
    cells = (codes[:, None] == present).astype(np.float64)
    cells[codes < 0] = np.nan
    return cells, tuple(rows.levels[i][code] for code in present.tolist())


def _widened(scatter: Scatter, like: Ints, kept: Array) -> Scatter:
    """Columns in another order: each as an old one, or observed as an old one (-1: nowhere) and 0 in all rows."""
    some = like >= 0
    place = np.where(some, like, 0)

    def pairs(array: Array, rows: Array, columns: Array) -> Array:
        return array[:, place][:, :, place] * (rows[:, None] & columns)

    def vector(array: Array, where: Array) -> Array:
        return np.where(where, array[:, place], 0.0)

    changes = {"origin": vector(scatter.origin, kept), "error": vector(scatter.error, kept)}
    for low in ("", "_low"):
        second = getattr(scatter, f"second{low}")
        count, first = getattr(scatter, f"count{low}"), getattr(scatter, f"first{low}")
        changes[f"second{low}"] = pairs(second, kept, kept)
        if scatter.complete and some.all():
            changes[f"first{low}"] = first[:, place] * kept[:, None]
            continue
        d = scatter.features
        changes[f"count{low}"] = pairs(np.broadcast_to(count, (len(count), d, d)), some, some)
        changes[f"first{low}"] = pairs(np.broadcast_to(first, (len(first), d, d)), kept, some)
    return replace(scatter, **cast(Any, changes))
