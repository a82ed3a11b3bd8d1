"""Sums of the values of each feature, for k groups at once: all that Bernoulli, Poisson and exponential features need.

    count_kj = sum of w over the observed cells,   sum_kj = sum of w x

Sums of whole numbers without weights are exact in floating point below 2^53, and are kept as int64 there: merging and
forgetting them is exact to the bit. Rows are dense with NaN for a missing cell, or compressed sparse rows (a cell that
is not stored is a zero; a stored NaN is missing), which are never made dense.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Shapes, frozen
from likely.numeric.jit import FEW
from likely.numeric.kernels.sums import totals as kernels
from likely.statistics.additive import Additive, check_rows, check_widths, never_learned, tally, total
from likely.statistics.membership import Membership

_ROUNDING = 64 * float(np.finfo(np.float64).eps)  # of a sum: what may be left of it when all of it is removed
_UNSURE = 1e-9  # of the sums involved: more than rounding can leave of nothing
EXACT = 2**53  # whole numbers from here on are not all floating-point numbers


@dataclass(frozen=True)
class Totals(Additive):
    """Number of observed cells and sum of their values, per group and feature.

    >>> x = np.array([[1.0, 0.0], [1.0, np.nan], [0.0, 3.0]])
    >>> both = Totals.of(x, Membership.of_labels(np.array([0, 0, 1]), 2))
    >>> both.count.tolist(), both.sum.tolist()
    ([[2, 1], [1, 1]], [[2, 0], [0, 3]])
    """

    count: Array = tally()  # (k, d)  sum of w over observed cells
    sum: Array = total()  # (k, d)  sum of w x
    shapes: ClassVar[Shapes] = {"count": "k d", "sum": "k d"}

    @classmethod
    def of(cls, x: Any, membership: Membership) -> Self:
        """Summarise rows x (n, d): floats in C order with NaN for a missing cell, or compressed sparse rows."""
        check_rows(x.shape[0], membership)
        weight = membership.totals()
        if not isinstance(x, np.ndarray):
            count, sums, fractions = _sparse_sums(x, membership, weight)
        else:
            count, sums, fractions = _dense_sums(frozen(x), membership)
        if not np.isfinite(sums).all():
            j = int(np.flatnonzero(~np.isfinite(sums).all(axis=0))[0])
            raise InputError(f"the sum of column {j} is infinite; remove infinite values or rescale the column")
        exact = membership.shares is None and membership.weight is None and not fractions
        if exact and np.max(np.abs(sums), initial=0.0) < EXACT:
            sums = sums.astype(np.int64)
        return cls(weight, count, sums)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        check_widths(self.count.shape[1], other.count.shape[1])
        return self, other

    def canonical(self) -> Self:
        if self.sum.dtype.kind == "i" and np.max(np.abs(self.sum), initial=0) >= EXACT:
            return replace(self, sum=self.sum.astype(np.float64))  # long before int64 would wrap around
        return self

    def without(self, other: Self) -> Self:
        left = super().without(other)
        if left.sum.dtype.kind == "i" and self.sum.min(initial=0) >= 0 and left.sum.min(initial=0) < 0:
            raise never_learned("their values sum to more than all that was learned")
        gone = left.count == 0
        if np.any(gone & (np.abs(left.sum) > _UNSURE * (np.abs(self.sum) + np.abs(other.sum)))):
            raise never_learned("no cell would be left, and yet a sum of their values")
        if left.sum.dtype.kind == "f":
            slack = _ROUNDING * np.maximum(np.abs(self.sum), np.abs(other.sum))
            gone |= (other.sum != 0) & (np.abs(left.sum) <= slack)
        return replace(left, sum=np.where(gone, 0, left.sum))

    @property
    def observed(self) -> Array:
        """Sum of weights over the observed cells (k, d)."""
        return self.count

    @property
    def mean(self) -> Floats:
        """(k, d); NaN where nothing was observed."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.sum / self.count)


def _dense_sums(x: Array, membership: Membership) -> tuple[Array, Array, int]:
    if membership.shares is not None:
        return (*kernels.shared_totals(x, membership.shares), 0)
    if membership.weight is not None:
        return (*kernels.weighted_totals(x, membership.labels, membership.weight, membership.groups), 0)
    assert membership.labels is not None
    if x.size <= FEW:
        return kernels.totals_of_few(x, membership.labels, membership.groups)
    rows, sums, fractions = kernels.complete_totals(x, membership.labels, membership.groups)
    if np.isnan(sums).any():
        count, sums, fractions = kernels.observed_totals(x, membership.labels, membership.groups)
        return count, sums, fractions
    return np.repeat(rows[:, None], x.shape[1], axis=1), sums, fractions


def _sparse_sums(x: Any, membership: Membership, weight: Array) -> tuple[Array, Array, int]:
    if membership.shares is not None:
        lost = np.isnan(x.data)
        values, missing = x.copy(), x.copy()
        values.data, missing.data = np.where(lost, 0.0, x.data), lost.astype(np.float64)
        count = np.repeat(weight[:, None], x.shape[1], axis=1)
        if lost.any():
            count = count - (missing.T @ membership.shares).T
        return count, np.ascontiguousarray((values.T @ membership.shares).T), 0
    weights = np.empty(0) if membership.weight is None else membership.weight
    rows = (frozen(x.data), frozen(x.indices), frozen(x.indptr))
    gaps, sums, fractions = kernels.sparse_totals(
        *rows, membership.labels, frozen(weights), membership.groups, x.shape[1]
    )
    return weight[:, None] - gaps.astype(weight.dtype), sums, fractions
