"""Learning from the rows of a matrix, whatever the table, without labels: what clusters and components share.

The first pass over a table sums what its design matrix needs (`likely.data.design`). Every later pass takes the batches
as numbered matrices, their rows with weights: `MatrixRows`, a source for `engines.fold`. A missing cell stays NaN, and
whoever learns says what it means.
"""

import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likely import engines
from likely.data.accepted import TableLike
from likely.data.columns.schema import Schema, schema_of
from likely.data.design import Design, DesignPlan
from likely.data.design.blocks import NumberBlock
from likely.data.inputs import ArrayInput, Batch, Input, batch_rows, whole_table
from likely.data.labels.target import without_target
from likely.data.labels.weights import learning_weight
from likely.data.printing.wording import without_a_value
from likely.data.sources import Source
from likely.errors import InputError
from likely.models.estimator import Estimator
from likely.models.learning.holding import cells_of_file, held
from likely.numeric.arrays import Array, Floats, PerRow
from likely.statistics import CategoryCounts, Moments, SideBySide
from likely.statistics.summing.moments import extent
from likely.statistics.too_small import SQUARED, check_size

_FAR = 30.0  # deviations from 0, from which a column of a sparse matrix is taken about its mean


class NumberedRows(NamedTuple):
    """A batch as a model of numbers learns it."""

    number: int
    start: int  # the number of its first row
    x: Any  # (n, m)  an array in C order, NaN for a missing cell, or a CSR matrix
    weight: Floats | None  # (n,)


@dataclass(frozen=True)
class MatrixRows(Source[NumberedRows]):
    """The batches of a table as numbered matrices."""

    data: Input
    design: Design
    weight: Floats | None  # (n,)
    count: float = np.inf  # of rows of a file, where a pass over it has counted them

    @property
    def n_batches(self) -> int | None:
        return self.data.n_batches

    def batch(self, number: int) -> NumberedRows:
        return self._rows(number, self.data.batch(number))

    def batches(self) -> Iterator[NumberedRows]:
        return (self._rows(number, batch) for number, batch in enumerate(self.data.batches()))

    def held(self) -> Source[NumberedRows]:
        """The same, for many passes."""
        return held(self, cells_of_file(self.data, self.count, self.design))

    def _rows(self, number: int, batch: Batch) -> NumberedRows:
        start, rows = batch
        x = self.design.matrix(rows, start)
        weight = None if self.weight is None else self.weight[start : start + x.shape[0]]
        return NumberedRows(number, start, x, weight)


@dataclass(frozen=True)
class _Look:
    plan: DesignPlan
    weight: Floats | None

    def __call__(self, batch: Batch) -> SideBySide:
        start, rows = batch
        size = len(rows) if isinstance(rows, list) else rows.shape[0]
        return self.plan.summarize(rows, start, None if self.weight is None else self.weight[start : start + size])


class MatrixEstimator(Estimator):
    """An estimator that learns from rows of the design matrix, and answers from them."""

    kinds: Any
    standardize: bool

    sums_: SideBySide  # what the design was learned from
    design_: Design

    def _read(self, X: TableLike) -> Input:
        return without_target(super()._read(X))

    def _plan(self, schema: Schema, centred: bool) -> DesignPlan:
        """How the columns become numbers."""
        return DesignPlan.of(schema, centred=centred, standardize=bool(self.standardize), gaps="kept")

    def _parameters_learned(self) -> dict[str, Any]:
        """What was learned beside the design, as arrays, numbers and tuples: for a file."""
        raise NotImplementedError

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        """Take back what `_parameters_learned` gave, the design being known; refuse what does not fit."""
        raise NotImplementedError

    def _look(self, X: TableLike, sample_weight: PerRow = None) -> MatrixRows:
        """Read a table and pass over it once: columns and the design are known; its batches as matrices."""
        data = self._read(X)
        weight = learning_weight(sample_weight, data.rows)
        plan = self._plan(schema_of(data, self.kinds), not getattr(data, "sparse", False))
        sums = self._first_sums(data, plan, weight)
        if sums is None:
            raise InputError("the file has no rows: there is nothing to learn from")
        self._begin(plan, sums)
        blank = [plan.schema.names[j] for j in _blank_columns(plan, sums)]
        if blank:
            warnings.warn(without_a_value(blank), stacklevel=3)
        return MatrixRows(data, self.design_, weight, float(sums.weight.sum()))

    def _first_sums(self, data: Input, plan: DesignPlan, weight: Floats | None) -> SideBySide | None:
        """What the first pass sums, for the design; None of a file without rows."""
        found: SideBySide | None = engines.current().fold(data, _Look(plan, weight))
        return found

    def _begin(self, plan: DesignPlan, sums: SideBySide) -> None:
        """What a first pass has found: columns and design; refuses a table in which no cell is observed."""
        if all(np.all(_blank(part)) for part in sums.parts):
            raise InputError("every cell of the table is missing: there is nothing to learn from")
        for part in sums.parts:
            if isinstance(part, Moments):
                check_size(extent(part), SQUARED)  # else all distances are 0
        self._become({"sums_": sums, "design_": plan.design(sums)})
        self._remember(plan.schema)

    def _more(self, X: TableLike, sample_weight: PerRow = None) -> MatrixRows:
        """The batches of a later table, in the columns that were learned first."""
        data = self._query(X)
        return MatrixRows(data, self.design_, learning_weight(sample_weight, data.rows))

    def _origin(self) -> Floats:
        """A point of the matrix near the data (m,), from which products of rows do not cancel.

        If it is sparse, 0 but for numbers so far from it that hardly any of them is 0 (of n rows a share p of zeros
        makes the mean no more than sqrt((1 - p) / p) deviations): rows about it stay sparse.
        """
        origin, first = np.zeros(self.design_.width), self.design_.blocks[0]
        if isinstance(first, NumberBlock):
            origin[: len(first.mean)] = (first.mean - first.centres) / first.scales
            if self.design_.sparse:
                seen = self.sums_.parts[0]
                near = np.abs(seen.mean[0]) <= _FAR * np.sqrt(np.nan_to_num(seen.variance()[0]))
                origin[: len(first.mean)][near] = 0.0
        return origin

    @property
    def _complete(self) -> bool:
        """Whether no cell of the table was missing."""
        return all(_whole(part) for part in self.sums_.parts)

    def _each_row(self, X: TableLike, work: Callable[[Any], Array]) -> Array:
        """What `work` gives for rows of the design matrix, of every row of a table."""
        data = self._query(X)

        def of_batch(batch: Batch) -> Array:
            start, rows = batch
            return work(self.design_.matrix(rows, start))

        if isinstance(data, ArrayInput):
            table, size = whole_table(data), self._rows_at_a_time
            starts = range(0, data.rows, size)
            parts = engines.current().map(starts, lambda at: of_batch((at, table[at : at + size])))
        else:
            parts = engines.current().map(data.batches(), of_batch)
        if not parts:
            raise InputError("the file has no rows: there is nothing to answer")
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    def _each_row_into(self, X: TableLike, work: Callable[[Any, Floats], Floats], width: int) -> Floats:
        """The same of work that writes `width` numbers of each row: of an array, into what is handed out."""
        data = self._query(X)
        if not isinstance(data, ArrayInput):
            return self._each_row(data, lambda x: work(x, np.empty((x.shape[0], width))))
        table, size, out = whole_table(data), self._rows_at_a_time, np.empty((data.rows, width))

        def fill(at: int) -> None:
            work(self.design_.matrix(table[at : at + size], at), out[at : at + size])

        engines.current().map(range(0, data.rows, size), fill)
        return out

    @property
    def _rows_at_a_time(self) -> int:
        return max(256, batch_rows(self.design_.width))


def convergence_warning() -> type[Warning]:
    """scikit-learn's own, for those who filter by it, where it is loaded."""
    loaded = sys.modules.get("sklearn.exceptions")
    return getattr(loaded, "ConvergenceWarning", UserWarning)


def _whole(seen: object) -> bool:
    """Whether no cell of a part of the table is missing; a text without words is none."""
    if isinstance(seen, Moments):
        return bool((seen.count[0] >= seen.weight[0]).all())
    return bool((seen.observed[0] >= seen.weight[0]).all()) if isinstance(seen, CategoryCounts) else True


def _blank(seen: Any) -> Any:
    """Of which columns of a part of the table no cell is observed."""
    if isinstance(seen, Moments):
        return seen.count[0] <= 0
    return seen.observed[0] <= 0 if isinstance(seen, CategoryCounts) else np.array([False])


def _blank_columns(plan: DesignPlan, sums: SideBySide) -> list[int]:
    """The columns of the table without an observed cell, by place."""
    pairs = zip(plan.parts, sums.parts, strict=True)
    return sorted(part.columns[i] for part, seen in pairs for i in np.flatnonzero(_blank(seen)).tolist())
