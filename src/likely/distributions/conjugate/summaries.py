"""Sufficient statistics of a conjugate prior: a few sums, from raw data or from one of the library's statistics.

A statistic describes several groups and features; one of each is taken, named by its place. Raw data are one column of
values, or a mapping from each value to how often it occurred; a missing value (NaN) is left out.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, as_floats
from likely.statistics import Additive, Membership, Moments, Scatter, Totals

DataLike: TypeAlias = ArrayLike | Mapping[Any, Any] | Additive  # values, how often each occurred, or a statistic


class Sums(NamedTuple):
    """How many values, and their sum."""

    rows: float
    total: float


class CentredSums(NamedTuple):
    """How many values, their mean as origin + shift, and the sum of squares about it."""

    rows: Any  # a number; of several groups and columns (k, d)
    origin: Any  # like rows; of vectors (d,)
    shift: Any
    scatter: Any  # like rows; of vectors (d, d)


def read_sums(data: DataLike, group: int | None, feature: int | None) -> Sums:
    """Of one column.

    >>> read_sums([1.0, 2.0, float("nan"), 4.0], None, None)
    Sums(rows=3.0, total=7.0)
    """
    seen = data if isinstance(data, Totals) else Totals.of(*column(data))
    place = picked(seen, seen.count.shape[1], group, feature)
    return Sums(float(seen.count[place]), float(seen.sum[place]))


def read_moments(data: DataLike, group: int | None, feature: int | None) -> CentredSums:
    """Of one column.

    >>> read_moments([1e8 + 1, 1e8 + 3], None, None)
    CentredSums(rows=2.0, origin=100000001.0, shift=1.0, scatter=2.0)
    """
    seen = data if isinstance(data, Moments) else Moments.of(*column(data))
    place = picked(seen, seen.count.shape[1], group, feature)
    count = float(seen.count[place])
    shift = float(seen.first[place]) / count if count > 0 else 0.0
    return CentredSums(count, float(seen.origin[place]), shift, float(seen.scatter[place]))


def read_scatter(data: Any, width: int, group: int | None) -> CentredSums:
    """Of rows of `width` columns."""
    if isinstance(data, Scatter):
        seen = data
    else:
        _refuse_statistic(data)
        rows = finite_numbers(data)
        rows = rows[None] if rows.ndim == 1 else rows
        seen = Scatter.of(np.ascontiguousarray(rows), Membership.whole(len(rows)))
    if seen.features != width:
        raise InputError(f"the prior is of {width} columns, the data have {seen.features}")
    if not seen.canonical().complete:
        raise InputError("rows with missing cells have no conjugate posterior; fill the cells or drop the rows")
    g = picked(seen, 1, group, None)[0]
    count = float(seen.canonical().count[g, 0, 0])
    shift = seen.canonical().first[g, :, 0] / (count if count > 0 else 1.0)
    return CentredSums(count, seen.origin[g], shift, seen.deviations[g])


def picked(statistic: Additive, features: int, group: int | None, feature: int | None) -> tuple[int, int]:
    """The place of one group and one feature; the only one need not be named."""
    return _place("group", statistic.groups, group), _place("feature", features, feature)


def _place(name: str, size: int, place: int | None) -> int:
    if place is None:
        if size != 1:
            raise InputError(f"the statistic holds {size} {name}s; say which one counts, as {name}=0")
        return 0
    if not 0 <= place < size:
        raise InputError(f"the statistic holds {size} {name}s, there is none at {place!r}")
    return int(place)


def column(data: Any) -> tuple[Array, Membership]:
    """One column of values (n, 1), and how often each occurred if they were counted.

    >>> values, rows = column({3: 2, 5: 1})
    >>> values.ravel(), rows.weight
    (array([3., 5.]), array([2., 1.]))
    """
    _refuse_statistic(data)
    if isinstance(data, Mapping):
        values, weight = finite_numbers(list(data)), finite_numbers(list(data.values()))
        check_counts(weight)
        return np.ascontiguousarray(values.reshape(-1, 1)), Membership.whole(len(values), weight)
    values = finite_numbers(data)
    if values.ndim > 2 or (values.ndim == 2 and values.shape[1] != 1):
        raise InputError(f"expected one column of values, got data of shape {values.shape}; take one column at a time")
    return np.ascontiguousarray(values.reshape(-1, 1)), Membership.whole(values.size)


def _refuse_statistic(data: DataLike) -> None:
    if isinstance(data, Additive):
        raise InputError(f"{type(data).__name__} is not the statistic of these data; see the class for what it takes")


def check_counts(weight: Floats) -> None:
    """Refuse numbers that count nothing."""
    if not (weight >= 0).all():
        raise InputError("a value is counted zero times or more often; one was counted less often, or not at all")


def finite_numbers(data: ArrayLike) -> Floats:
    """Numbers of any shape, NaN for a missing one."""
    values = as_floats(data)
    if np.isinf(values).any():
        raise InputError("the data hold an infinite value; remove it")
    return values
