"""Cut points of columns of numbers: bins of about equally many rows, from additive counts of values.

They look at no label, so that they can be fixed before the counts are summed: models with the same cuts merge, and
cross-validation may share them among its folds. A column of no more values than bins has one bin for each.

Cuts "mdl" lie where the classes change, as many as pay for their description (Fayyad & Irani 1993). They have seen the
labels, so cross-validation has to cut anew in every fold. A column without such a cut has one bin, and says nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from likely import engines
from likely.data.columns.encoding import Part, encode
from likely.data.columns.schema import Schema
from likely.data.inputs import Batch, Input
from likely.data.labels.target import Target
from likely.errors import InputError
from likely.models.learning.batches import Task, Tasks
from likely.numeric.arrays import Floats, frozen
from likely.numeric.kernels.sums.cut_points import frequency_cuts, midway, separating_cuts
from likely.statistics import Labelled, Membership
from likely.statistics.counting.values import ValueCounts

_VALUES = 4096  # that are told apart: ten bins need no more
_FEWEST, _MOST = (5, 3), 10


def cuts_of(
    data: Input,
    schema: Schema,
    columns: Sequence[int],
    bins: int | str | Sequence[Any],
    weight: Floats | None = None,
    parents: int = 1,
) -> dict[int, tuple[float, ...]]:
    """Where each of the columns is cut, by one pass over the values; `bins` is how many there are, or "auto"."""
    if not columns:
        return {}
    part = Part(tuple(columns), "real")
    seen: ValueCounts | None = engines.current().fold(data, _Values(part, schema, weight))
    if seen is None:
        raise InputError("the file has no rows: there is nothing to learn from")
    return {j: _cuts(seen, i, bins, parents) for i, j in enumerate(columns)}


def separating_cuts_of(
    data: Input, target: Target | str, weight: Floats | None, schema: Schema, columns: Sequence[int]
) -> dict[int, tuple[float, ...]]:
    """Where the classes change in each of the columns, by one pass over values and labels."""
    if not columns:
        return {}
    part = Part(tuple(columns), "real")
    seen: Labelled | None = engines.current().fold(Tasks(data, target, weight), _ValuesByClass(part, schema))
    if seen is None:
        raise InputError("the file has no rows: there is nothing to learn from")
    values = cast(ValueCounts, seen.given)
    return {j: _separating(values, i) for i, j in enumerate(columns)}


def bins_for(rows: float, parents: int = 1) -> int:
    """About the cube root of the rows, 5 to 10: a table of pairs has the square of it in cells.

    A table of triples has the cube of it: with two parents it is the fourth root, 3 to 10.

    >>> [bins_for(n) for n in (20, 343, 100_000)], [bins_for(n, parents=2) for n in (20, 1000, 100_000)]
    ([5, 7, 10], [3, 6, 10])
    """
    return int(np.clip(round(rows ** (1 / (2 + parents))), _FEWEST[parents - 1], _MOST))


@dataclass(frozen=True)
class _Values:
    part: Part
    schema: Schema
    weight: Floats | None  # (n,)

    def __call__(self, batch: Batch) -> ValueCounts:
        start, rows = batch
        x = encode(rows, (self.part,), self.schema, start, learning=True)[0]
        weight = None if self.weight is None else self.weight[start : start + len(x)]
        return ValueCounts.of(x, Membership.whole(len(x), weight), _VALUES)


@dataclass(frozen=True)
class _ValuesByClass:
    part: Part
    schema: Schema

    def __call__(self, task: Task) -> Labelled:
        start, batch, labels, share = task
        x = encode(batch, (self.part,), self.schema, start, learning=True)[0]
        membership = Membership.of_labels(labels.codes, len(labels.classes), share)
        return Labelled(labels.classes, ValueCounts.of(x, membership, _VALUES))


def _separating(seen: ValueCounts, feature: int) -> tuple[float, ...]:
    points, count = seen.points(feature), np.ascontiguousarray(seen.table(feature), dtype=np.float64)
    if len(points) < 2:
        return ()
    return tuple(midway(points, np.flatnonzero(separating_cuts(frozen(count)))).tolist())


def _cuts(seen: ValueCounts, feature: int, bins: Any, parents: int) -> tuple[float, ...]:
    points, amount = seen.points(feature), seen.table(feature)[0]
    if len(points) < 2:
        return ()
    count = min(bins_for(float(amount.sum()), parents) if bins == "auto" else int(bins), len(points))
    return tuple(midway(points, frequency_cuts(amount, count)).tolist()) if count > 1 else ()
