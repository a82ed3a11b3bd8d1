"""Middles of groups of rows: medians, commonest levels, and groups about rows that are far from each other."""

import numpy as np

from likely.data.distances.cells import Cells
from likely.data.distances.table_distance import Points, TableDistance
from likely.numeric.arrays import Array, Floats, Ints


def farthest_first(distance: TableDistance, points: Points, m: int, first: int) -> Ints:
    """Groups of rows about m of them, each the farthest from those before it."""
    far = distance.tile(points, points.at([first]))[:, 0]
    member = np.zeros(len(points), dtype=np.int64)
    for g in range(1, m):
        new = distance.tile(points, points.at([int(far.argmax())]))[:, 0]
        member = np.where(new < far, g, member)
        far = np.minimum(far, new)
    return member


def first_row(cells: Cells, rows: Ints) -> int:
    """Of rows that are equally in the middle, the first by its cells, so that the order of the table is no matter."""
    return int(rows[int(np.argsort(cells.keys(), kind="stable")[0])])


def commonest(column: Array, weight: Floats) -> int:
    """The code that weighs most among those that are there; -1 where none is."""
    seen = column >= 0
    return int(np.bincount(column[seen], weight[seen]).argmax()) if seen.any() else -1


def median(column: Array, weight: Floats) -> float:
    """The weighted median of the numbers that are there, the mean of two where it lies between them; NaN of none.

    >>> median(np.array([1.0, np.nan, 3.0, 9.0]), np.ones(4)), median(np.array([1.0, 3.0]), np.ones(2))
    (3.0, 2.0)
    """
    seen = ~np.isnan(column)
    if not seen.any():
        return float("nan")
    values, mass = column[seen], weight[seen]
    order = np.argsort(values, kind="stable")
    total = np.cumsum(mass[order])
    half = total[-1] / 2
    at = int(np.searchsorted(total, half * (1 - 1e-12)))
    even = abs(total[at] - half) <= 1e-12 * half and at + 1 < len(order)
    return float((values[order[at]] + values[order[at + 1]]) / 2 if even else values[order[at]])
