"""The scatter of a table: after what its design needs was summed, or, of numbers that stay as they are, at once."""

from dataclasses import dataclass

import numpy as np

from likely.data.design import DesignPlan
from likely.data.inputs import Batch, Input
from likely.models.learning.unlabelled import NumberedRows
from likely.numeric.arrays import Array, Floats
from likely.statistics import Membership, Moments
from likely.statistics.summing.scatter import Scatter


@dataclass(frozen=True)
class ScatterOf:
    """The scatter of a batch of the design matrix."""

    def __call__(self, rows: NumberedRows) -> Scatter:
        x = rows.x.toarray() if hasattr(rows.x, "indptr") else rows.x
        return _scatter(x, rows.weight)


@dataclass(frozen=True)
class ScatterOfNumbers:
    """The same of a batch of a table whose design matrix is its numbers, before the design is known."""

    plan: DesignPlan
    weight: Floats | None

    def __call__(self, batch: Batch) -> Scatter:
        start, rows = batch
        (x,) = self.plan.rows(rows, start)
        return _scatter(x, None if self.weight is None else self.weight[start : start + len(x)])


def stays_as_it_is(plan: DesignPlan, data: Input) -> bool:
    """Whether the design matrix of a table is its numbers, with NaN for a gap."""
    numbers = len(plan.parts) == 1 and plan.parts[0].form == "real"
    return numbers and plan.gaps == "kept" and not plan.standardize and not getattr(data, "sparse", False)


def own_moments(seen: Scatter) -> Moments:
    """Those of each column by itself."""

    def own(pairs: Array) -> Array:
        return np.diagonal(np.broadcast_to(pairs, seen.second.shape), axis1=1, axis2=2).copy()

    names = ("count", "first", "second", "count_low", "first_low", "second_low")
    return Moments(seen.weight, seen.origin, **{name: own(getattr(seen, name)) for name in names}, error=seen.error)


def _scatter(x: Array, weight: Floats | None) -> Scatter:
    x = np.ascontiguousarray(x, dtype=np.float64)
    return Scatter.of(x, Membership.whole(len(x), weight))
