"""What a missing cell is filled with: the mean of numbers, the most frequent value of everything else.

Filling needs no second pass over the data: what it does to a statistic follows from the statistic itself.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from likely.numeric.arrays import Array
from likely.statistics import Totals, ValueCounts


def filled(statistic: Any) -> Any:
    """The statistic as if each missing cell held its group's mean or most frequent value."""
    if isinstance(statistic, Totals):  # of bits
        gaps = statistic.weight[:, None] - statistic.count
        common = (2 * statistic.sum > statistic.count).astype(statistic.sum.dtype)
        return replace(statistic, count=statistic.count + gaps, sum=statistic.sum + gaps * common)
    if isinstance(statistic, ValueCounts):
        return _filled_counts(statistic)
    return statistic.filled() if hasattr(statistic, "filled") else statistic


def overall_value(statistic: Any) -> Array:
    """What a query's missing cell is filled with (d,)."""
    whole = statistic.merged()
    if isinstance(whole, Totals):
        return np.asarray((2 * whole.sum > whole.count)[0], dtype=np.float64)
    if isinstance(whole, ValueCounts):
        tables = [(whole.points(j), whole.table(j)[0]) for j in range(len(whole.values))]
        return np.array([points[counts.argmax()] if len(points) else np.nan for points, counts in tables])
    return np.asarray(whole.mean[0])


def _filled_counts(statistic: ValueCounts) -> ValueCounts:
    count = statistic.count.copy()
    for j in range(len(statistic.values)):
        table = statistic.table(j)
        if table.shape[1]:
            common = np.where(table.any(axis=1), table.argmax(axis=1), table.sum(axis=0).argmax())
            count[np.arange(len(count)), statistic.offset[j] + common] += statistic.weight - table.sum(axis=1)
    return replace(statistic, count=count)
