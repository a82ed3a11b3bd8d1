"""Cut points of columns of numbers: bins of about equally many rows, from additive counts of values.

They look at no label, so that they can be fixed before the counts are summed: models with the same cuts merge, and
cross-validation may share them among its folds. A column of no more values than bins has one bin for each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely import engines
from likely.data.columns.schema import Schema
from likely.data.encoding import Part, encode
from likely.data.inputs import Batch, Input
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.kernels.sums.cut_points import frequency_cuts, midway
from likely.statistics import Membership
from likely.statistics.counting.values import ValueCounts

_VALUES = 4096  # that are told apart: ten bins need no more
_FEWEST, _MOST = 5, 10


def cuts_of(
    data: Input, schema: Schema, columns: Sequence[int], bins: Any, weight: Floats | None = None
) -> dict[int, tuple[float, ...]]:
    """Where each of the columns is cut, by one pass over the values; `bins` is how many there are, or "auto"."""
    if not columns:
        return {}
    part = Part(tuple(columns), "real")
    seen: ValueCounts | None = engines.current().fold(data, _Values(part, schema, weight))
    if seen is None:
        raise InputError("the file has no rows: there is nothing to learn from")
    return {j: _cuts(seen, i, bins) for i, j in enumerate(columns)}


def bins_for(rows: float) -> int:
    """About the cube root of the rows, 5 to 10: a table of pairs has the square of it in cells.

    >>> [bins_for(n) for n in (20, 343, 100_000)]
    [5, 7, 10]
    """
    return int(np.clip(round(rows ** (1 / 3)), _FEWEST, _MOST))


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


def _cuts(seen: ValueCounts, feature: int, bins: Any) -> tuple[float, ...]:
    points, amount = seen.points(feature), seen.table(feature)[0]
    if len(points) < 2:
        return ()
    count = min(bins_for(float(amount.sum())) if bins == "auto" else int(bins), len(points))
    return tuple(midway(points, frequency_cuts(amount, count)).tolist()) if count > 1 else ()
