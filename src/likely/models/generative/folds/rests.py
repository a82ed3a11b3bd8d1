"""The sums of all rows but those of a fold, or of two of them, one after the other.

Where all folds' statistics fit side by side, each row is summed once, and they are added up by prefix and suffix sums
(`statistics.leaving_out`). Tables of joint counts may each be as large as memory allows. Of those only the sum of
everything is held: the rows of a fold are summed when it is their turn and taken away from it, which is exact to the
bit in whole numbers. What does not cancel exactly, as weights that are no whole numbers, is summed over all other rows.
"""

from collections.abc import Callable, Iterator
from itertools import accumulate, combinations
from operator import add
from typing import Any

import numpy as np

from likely.models.generative.folds.parts import PartedTable
from likely.numeric.arrays import Array, Ints, frozen
from likely.numeric.kernels.left_out.held_out import rows_by_fold
from likely.statistics import all_but_one, all_but_two

_WHOLE = 2.0**53  # above it sums of whole numbers are not exact


def rows_of(folds: Array, count: int) -> list[Ints]:
    """The rows of each fold."""
    order, ends = rows_by_fold(frozen(folds), count)
    return np.split(order, ends[:-1])


def rests_of(table: PartedTable, folds: Array, count: int) -> Iterator[Any]:
    """For each fold the statistic of all others; there are at least two."""
    if not table.is_wide(count):
        yield from all_but_one(table.sums([folds], [count])[0])
        return
    rest = _without(table)
    for rows in rows_of(folds, count):
        yield rest(rows)


def rests_of_pairs(table: PartedTable, folds: Array, count: int) -> Iterator[tuple[int, int, Any]]:
    """For each fold i, and each pair i < j of folds, the statistic of all others: i, j (i where it is alone), sum."""
    if not table.is_wide(count):
        own = table.sums([folds], [count])[0]
        yield from ((i, i, rest) for i, rest in enumerate(all_but_one(own)))
        yield from all_but_two(own)
        return
    rest, rows = _without(table), rows_of(folds, count)
    yield from ((i, i, rest(rows[i])) for i in range(count))
    for i, j in combinations(range(count), 2):
        yield i, j, rest(np.sort(np.concatenate([rows[i], rows[j]])))


def sums_of_stages(table: PartedTable, stages: Array, count: int) -> Iterator[Any]:
    """For each stage the statistic of its rows and those of all stages before."""
    if not table.is_wide(count):
        return accumulate(table.sums([stages], [count])[0], add)
    return accumulate((table.sum_of(np.flatnonzero(stages == stage)) for stage in range(count)), add)


def _without(table: PartedTable) -> Callable[[Ints], Any]:
    """What gives the statistic of all rows but some."""
    everyone = np.arange(len(table))
    weight = table.weight
    if weight is not None and not ((weight == np.floor(weight)).all() and weight.sum() <= _WHOLE):
        return lambda rows: table.sum_of(np.delete(everyone, rows))
    whole: Any = table.sum_of(everyone)
    return lambda rows: whole - table.sum_of(rows) if len(rows) else whole
