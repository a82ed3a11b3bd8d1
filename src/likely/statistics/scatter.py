"""Weighted sums of all products of two features about a fixed origin, for k groups at once.

    count[i, j]  = sum w                over the rows in which features i and j are both observed
    first[i, j]  = sum w z_i            over the same rows, z = x - origin
    second[i, j] = sum w z_i z_j        over the same rows

Where no cell is missing every pair has the same rows: then count does not depend on i and j, nor first on j, and
both keep an axis of length 1 in their place. The arrays mean the same in either form, so adding a statistic without
missing cells to one with them is plain broadcasting, and exact.

As for `Moments`, each batch takes the median of the first few (or heaviest) values of each group and feature as the
origin, adding two statistics moves the lighter one to the origin of the heavier, and a feature whose spread is within
the rounding of its second moment counts as constant.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, Shapes, as_floats, frozen
from likely.numeric.kernels.sums import scatter as kernels
from likely.numeric.kernels.sums.moments import central_values
from likely.statistics.additive import Additive, check_rows, check_widths, fixed, tally, total
from likely.statistics.membership import Membership
from likely.statistics.moments import ROUNDING, equal_values

Sums: TypeAlias = tuple[Array, Array, Array]  # count, first, second

_BLOCK = 8192  # rows sorted by class at a time; they stay in cache until their product is taken


@dataclass(frozen=True)
class Scatter(Additive):
    """Count, first and second sums of every pair of features in each group, over complete pairs.

    >>> x = np.array([[1.0, 2.0], [3.0, 6.0], [5.0, 4.0]])
    >>> Scatter.of(x, Membership.whole(3)).deviations / 3
    array([[[2.66666667, 1.33333333],
            [1.33333333, 2.66666667]]])
    """

    origin: Array = fixed()  # (k, d)  near the group's data
    count: Array = tally()  # (k, d, d), or (k, 1, 1) if no cell is missing
    first: Array = total()  # (k, d, d), or (k, d, 1) if no cell is missing
    second: Array = total()  # (k, d, d)
    shapes: ClassVar[Shapes] = {"origin": "k d", "count": "k d d | k 1 1", "first": "k d d | k d 1", "second": "k d d"}

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        """Summarise rows x (n, d) of floats in C order, NaN for a missing cell."""
        check_rows(len(x), membership)
        x, weight = frozen(x), membership.totals()
        if membership.shares is not None:
            origin = kernels.heaviest_values(x, membership.shares)
            return cls(weight, origin, *_sums_by_shares(x, membership.shares, weight, origin))
        labels = membership.labels
        assert labels is not None
        weights = frozen(np.empty(0)) if membership.weight is None else membership.weight
        origin = central_values(x, labels, weights, membership.groups)
        sums = _complete_sums(x, labels, membership.weight, weight, origin)
        if sums is None:
            sums = _pair_sums(x, labels, membership.weight, origin)
        count, first, second = sums
        if membership.weight is None:
            count = np.rint(count).astype(np.int64)
        return cls(weight, origin, count, first, second)

    def about(self, origin: Array) -> Self:
        """The same data, summed about another origin."""
        shift = self.origin - origin
        column, row = shift[:, :, None], shift[:, None, :]
        cross = self.first * row
        return replace(
            self,
            origin=origin,
            first=self.first + self.count * column,
            second=self.second + (cross + cross.transpose(0, 2, 1)) + self.count * (column * row),
        )

    def aligned(self, other: Self) -> tuple[Self, Self]:
        check_widths(self.features, other.features)
        if np.array_equal(self.origin, other.origin):
            return self, other
        origin = np.where(self._mass() >= other._mass(), self.origin, other.origin)
        return self.about(origin), other.about(origin)

    def without(self, other: Self) -> Self:
        """Remove data, under the conditions and with the warning of `Moments.without`, feature by feature."""
        left = super().without(other)
        mine, its = self._with(other)
        empty = left.count == 0
        first, second = (np.where(empty, 0.0, sums) for sums in (left.first, left.second))
        equal = equal_values(
            left.observed,
            _diagonal(first),
            _diagonal(second),
            left.origin,
            np.sum([np.abs(_diagonal(part.second)) for part in (self, other, mine, its)], axis=0),
            _diagonal(its.second),
            mine.observed,
            its.observed != 0,
        )
        constant = equal[:, :, None] | equal[:, None, :]
        second = np.where(constant, first * first.transpose(0, 2, 1) / np.where(empty, 1, left.count), second)
        return replace(left, first=first, second=second)

    def canonical(self) -> Self:
        """The short form, if the long one says no more."""
        if self.complete:
            return self
        count, first = self.count[:, :1, :1], _diagonal(self.first)[:, :, None]
        if (self.count == count).all() and (self.first == first).all():
            return replace(self, count=count, first=first)
        return self

    @property
    def features(self) -> int:
        """How many features (d) the rows have."""
        return int(self.origin.shape[1])

    @property
    def complete(self) -> bool:
        """Whether the sums are in the short form, in which all pairs share the same rows."""
        return bool(self.count.shape[1] == 1)

    @property
    def observed(self) -> Array:
        """Sum of w over the observed cells of each feature (k, d)."""
        return np.broadcast_to(_diagonal(self.count), self.origin.shape)

    @property
    def mean(self) -> Floats:
        """Of the observed cells (k, d); NaN where nothing was observed."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.origin + _diagonal(self.first) / self.observed)

    @property
    def deviations(self) -> Floats:
        """Sum of w (x_i - mean_i) (x_j - mean_j) over complete pairs, about the means of those pairs (k, d, d).

        A single row deviates by nothing: whatever rounding has left there of rows since forgotten is dropped.
        """
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(self.count != 0, self.first / self.count, 0.0)
        deviations = self.second - self.count * (mean * mean.transpose(0, 2, 1))
        constant = np.abs(_diagonal(deviations)) <= ROUNDING * np.abs(_diagonal(self.second))
        deviations = np.where(constant[:, :, None] | constant[:, None, :], 0.0, _sums_of_squares(deviations))
        if self.count.dtype.kind == "i":
            deviations = np.where((self.count == 0) | (self.count == 1), 0.0, deviations)
        return deviations

    def filled(self) -> Self:
        """The statistic of the same rows with each missing cell filled by its group's mean of the observed ones.

        A filled cell deviates by zero, so the products about the means change only in whose rows they count. A
        feature of which a group has no cell at all stays unobserved there.
        """
        if self.complete:
            return self
        seen = self.observed != 0
        mean = np.where(seen, self.mean, self.origin)
        count = self.weight[:, None, None] * (seen[:, :, None] & seen[:, None, :])
        about = replace(self, origin=mean, count=count, first=np.zeros(count.shape), second=self.about(mean).second)
        return about.about(self.origin).canonical()

    def reordered(self, order: Ints) -> Self:
        """The same features in another order."""
        if (order == np.arange(self.features)).all():
            return self
        wide = slice(None) if self.complete else order
        return replace(
            self,
            origin=self.origin[:, order],
            count=self.count if self.complete else self.count[:, order][:, :, order],
            first=self.first[:, order][:, :, wide],
            second=self.second[:, order][:, :, order],
        )

    def merged(self) -> Self:
        """All groups as one, about the origin of the group with the most cells of each feature."""
        heaviest = self._mass().argmax(axis=0)
        here = self.about(self.origin[heaviest, np.arange(len(heaviest))][None])
        sums = {name: getattr(here, name).sum(axis=0, keepdims=True) for name in ("weight", "count", "first", "second")}
        return replace(here, **sums).canonical()

    def overall(self) -> "Scatter":
        """All groups as one: the scatter of the whole data."""
        return self.merged()

    def _mass(self) -> Array:
        # An empty cell must not decide the origin, one whose data cancel (weights of both signs) must.
        blank = (_diagonal(self.first) == 0) & (_diagonal(self.second) == 0)
        seen = np.abs(_diagonal(self.count))
        return np.where(blank, seen, seen + 0.5)


def covariance(x: Any, ddof: int = 0) -> Floats:
    """Covariance matrix (d, d) of rows x (n, d), with the divisor n - ddof: 0 maximum likelihood, 1 unbiased.

    Missing cells (NaN) leave out their row from the pairs that they are in.

    >>> covariance([[1.0, 2.0], [3.0, 6.0], [5.0, 4.0]], ddof=1)
    array([[4., 2.],
           [2., 4.]])
    """
    rows = np.ascontiguousarray(as_floats(x, "the cells of a covariance"))
    if rows.ndim != 2 or np.isinf(rows).any():
        raise InputError(f"expected rows (n, d) of finite numbers, or NaN for a missing cell; got shape {rows.shape}")
    sums = Scatter.of(rows, Membership.whole(len(rows)))
    pairs = np.broadcast_to(sums.count[0], (rows.shape[1], rows.shape[1]))
    if (pairs <= ddof).any():
        raise InputError(f"a covariance with the divisor n - {ddof} needs more rows than the {pairs.min()} of a pair")
    return np.asarray(sums.deviations[0] / (pairs - ddof))


def _complete_sums(x: Array, labels: Array, weight: Array | None, count: Array, origin: Array) -> Sums | None:
    """Sums in the short form, or None when a cell is missing."""
    first = np.zeros(origin.shape)
    second = _products(x, labels, weight, origin, first, origin.shape[1])
    return None if second is None else (count[:, None, None], first[:, :, None], second)


def _pair_sums(x: Array, labels: Array, weight: Array | None, origin: Array) -> Sums:
    """Sums in the long form, from the products of values and masks side by side."""
    d = origin.shape[1]
    product = _products(x, labels, weight, origin, np.zeros(origin.shape), 2 * d)
    assert product is not None
    return product[:, d:, d:].copy(), product[:, :d, d:].copy(), product[:, :d, :d].copy()


def _sums_by_shares(x: Array, shares: Array, count: Array, origin: Array) -> Sums:
    """One group after the other: a row belongs to each of them with its share as the weight."""
    everyone = frozen(np.zeros(len(x), dtype=np.int32))
    weights = [frozen(np.ascontiguousarray(share)) for share in shares.T]
    parts: list[Sums] = []
    for c, weight in enumerate(weights):
        part = _complete_sums(x, everyone, weight, count[c : c + 1], origin[c : c + 1])
        if part is None:
            parts = [_pair_sums(x, everyone, weight, origin[c : c + 1]) for c, weight in enumerate(weights)]
            break
        parts.append(part)
    count, first, second = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return count, first, second


def _products(x: Array, labels: Array, weight: Array | None, origin: Array, first: Array, width: int) -> Floats | None:
    """Sum of the products of a row's entries per group (k, width, width); None when a cell is missing."""
    n, groups = len(x), len(origin)
    block = max(1, min(n, max(_BLOCK, 256 * groups)))
    rows = np.empty((block, width))
    weighted = np.empty((0 if weight is None else block, width))
    weights = frozen(np.empty(0)) if weight is None else weight
    begin = np.zeros(groups + 1, dtype=np.int64)
    total = np.zeros((groups, width, width))
    for start in range(0, n, block):
        kernels.gather(x, labels, weights, origin, start, min(start + block, n), rows, weighted, begin, first)
        if np.isnan(first).any():
            return None
        for c in np.flatnonzero(np.diff(begin)):
            z = rows[begin[c] : begin[c + 1]]
            if weight is None:
                total[c] += z.T @ z
            else:
                product = weighted[begin[c] : begin[c + 1]].T @ z
                total[c] += (product + product.T) / 2
    return total


def _diagonal(pairs: Array) -> Array:
    """The entries [i, i] of an array over pairs in either form (k, d)."""
    if pairs.shape[2] == 1:
        return pairs[:, :, 0]
    return np.diagonal(pairs, axis1=1, axis2=2)


def _sums_of_squares(matrices: Array) -> Floats:
    """The matrices with no negative entry on the diagonal, which only rounding can leave there."""
    diagonal = np.arange(matrices.shape[1])
    matrices[:, diagonal, diagonal] = np.maximum(matrices[:, diagonal, diagonal], 0.0)
    return matrices
