"""Weighted sums of all products of two features about a fixed origin, for k groups at once.

    count[i, j]  = sum w                over the rows in which features i and j are both observed
    first[i, j]  = sum w z_i            over the same rows, z = x - origin
    second[i, j] = sum w z_i z_j        over the same rows

Where no cell is missing every pair has the same rows: then count does not depend on i and j, nor first on j, and
both keep an axis of length 1 in their place. The arrays mean the same in either form, so adding a statistic without
missing cells to one with them is plain broadcasting, and exact.

As for `Moments`, each batch takes the median of the first few (or heaviest) values of each group and feature as the
origin, adding two statistics moves the lighter one to the origin of the heavier, the sums are numbers of two words, and
a feature whose spread is within the rounding of its second moment counts as constant.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeAlias

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen
from likely.numeric.jit import FEW
from likely.numeric.kernels.sums import scatter as kernels
from likely.numeric.kernels.sums.moments import central_values
from likely.numeric.two_words import Words, one_word, plus, times, two_sum
from likely.statistics.additive import bound, check_rows, fixed, low, tally, total
from likely.statistics.membership import Membership
from likely.statistics.summing import far_values
from likely.statistics.summing.moments import SHARP, check_finite, equal_values, fill_in
from likely.statistics.summing.origin import AboutOrigin

Sums: TypeAlias = tuple[Array, Array, Array]  # count, first, second

_WIDE = 64  # features from which groups are moved one by one
_NARROW = 24  # features up to which all products of a row are worth writing down
_FAR = 1e4  # squared distance from an origin, in variances, beyond which twelve digits are no longer kept
_BLOCK = 8192  # rows sorted by class at a time; they stay in cache until their product is taken


@dataclass(frozen=True)
class Scatter(AboutOrigin):
    """Count, first and second sums of every pair of features in each group, over complete pairs.

    >>> x = np.array([[1.0, 2.0], [3.0, 6.0], [5.0, 4.0]])
    >>> Scatter.of(x, Membership.whole(3)).deviations / 3
    array([[[2.66666667, 1.33333333],
            [1.33333333, 2.66666667]]])
    """

    origin: Array = fixed()  # (k, d)  near the group's data
    count: Array = tally()  # (k, d, d), or (k, 1, 1) if no cell is missing
    first: Array = total()  # (k, d, d), or (k, d, 1) if no cell is missing
    second: Array = total()  # (k, d, d)  sum of w (x - origin) (x - origin)'
    count_low: Array = low("count")  # like count: what rounding has cut off from the sum
    first_low: Array = low("first")  # like first
    second_low: Array = low("second")  # (k, d, d)  what rounding has cut off from the sum
    error: Array = bound()  # (k, d)  how far the squares may be off, by plain sums inside of batches
    shapes: ClassVar[Shapes] = {
        "origin": "k d",
        "count": "k d d | k 1 1",
        "first": "k d d | k d 1",
        "second": "k d d",
        "count_low": "k d d | k 1 1",
        "first_low": "k d d | k d 1",
        "second_low": "k d d",
        "error": "k d",
    }
    crossed: ClassVar[bool] = True  # sums the products of all pairs of features

    def __post_init__(self) -> None:
        fill_in(self, _diagonal(self.second), _diagonal(self.count))

    @classmethod
    def of_sums(cls, rows: Array, origin: Array, first: Array, second: Array) -> Self:
        """From the sums of so many rows (k,) of each group, in which no cell is missing; first (k, d)."""
        return cls(rows, origin, rows[:, None, None], first[:, :, None], second)

    @classmethod
    def of_shares(cls, weight: Array, origin: Array, first: Array, second: Array) -> Self:
        """From the sums of rows shared out among the groups, in which no cell is missing; first (k, d)."""
        return cls._shared(weight, origin, weight[:, None, None], first[:, :, None], second)

    @classmethod
    def _shared(cls, weight: Array, origin: Array, count: Array, first: Array, second: Array) -> Self:
        check_finite(_diagonal(second))
        squares = (np.broadcast_to(_diagonal(count), origin.shape), _diagonal(first), _diagonal(second))
        return cls(weight, origin, count, first, second, error=far_values.shared_error(*squares, origin))

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        """Summarise rows x (n, d) of floats in C order, NaN for a missing cell."""
        check_rows(len(x), membership)
        x, weight = frozen(x), membership.totals()
        if membership.shares is not None:
            origin = kernels.heaviest_values(x, membership.shares)
            count, first, second = _sums_by_shares(x, membership.shares, weight, origin)
            return cls._shared(weight, origin, count, first, second)
        labels = membership.labels
        assert labels is not None
        weights = frozen(np.empty(0)) if membership.weight is None else membership.weight
        origin = central_values(x, labels, weights, membership.groups)
        count, first, second = _sums(x, labels, membership.weight, weight, origin)
        check_finite(_diagonal(second))
        given = far_values.Grouped(x, labels, membership.weight, origin)
        far = far_values.far_rows(given, _diagonal(second), x.shape[1])
        if len(far):
            rest = given.labels_without(far)
            sums = None
            if count.shape[1] < x.shape[1]:  # no cell is missing
                sums = _complete_sums(x, rest, membership.weight, weight, origin)
            _, first, second = sums or _pair_sums(x, rest, membership.weight, origin)  # in the form of all rows
        one, two, error = one_word(first), one_word(second), far_values.plain_error(_diagonal(second), _diagonal(count))
        number = far_values.add_products(given, far, count, one, two)
        if membership.weight is None:
            number = one_word(np.rint(count))
            return cls(weight, origin, number[0].astype(np.int64), one[0], two[0], number[1], one[1], two[1], error)
        return cls(weight, origin, number[0], one[0], two[0], number[1], one[1], two[1], error)

    def about(self, origin: Array) -> Self:
        """The same data, summed about another origin."""
        if np.array_equal(origin, self.origin):
            return self
        shift = two_sum(self.origin, -origin)
        count, first, second = (
            (self.count, self.count_low),
            (self.first, self.first_low),
            (self.second, self.second_low),
        )
        if self.features <= _WIDE:
            return self._of_words(*_moved(count, first, second, shift), origin=origin)
        one, two = (first[0].copy(), first[1].copy()), (second[0].copy(), second[1].copy())
        for c in np.flatnonzero(shift[0].any(axis=1)):  # group by group: large ones stay in cache
            given = (count, first, second, shift)
            moved = _moved(*((high[c : c + 1], rest[c : c + 1]) for high, rest in given))
            for words, found in zip((one, two), moved, strict=True):
                words[0][c], words[1][c] = found[0][0], found[1][0]
        return self._of_words(one, two, origin=origin)

    def without(self, other: Self) -> Self:
        """Remove data, under the conditions and with the warning of `Moments.without`, feature by feature."""
        left = super().without(other)
        mine, its = self._with(other)
        sums = ("first", "second", "count_low", "first_low", "second_low")
        left = replace(left, **{name: np.where(left.count == 0, 0.0, getattr(left, name)) for name in sums})
        left = replace(left, error=np.where(left.observed == 0, 0.0, left.error))
        size = np.sum([np.abs(_diagonal(part.second)) for part in (self, other, mine, its)], axis=0)
        touched = (left.observed != 0) & (its.observed != 0)
        here = left._centred(touched)
        equal = equal_values(here.observed, here._spread(), here.mean, here.error, size, touched)
        constant, own = equal[:, :, None] | equal[:, None, :], equal[:, :, None]  # all values are their mean
        return replace(
            here,
            origin=np.where(equal, here.mean, here.origin),
            first=np.where(own, 0.0, here.first),
            first_low=np.where(own, 0.0, here.first_low),
            second=np.where(constant, 0.0, here.second),
            second_low=np.where(constant, 0.0, here.second_low),
        )

    def _squares(self) -> tuple[Array, Array, Array]:
        return _diagonal(self.count), _diagonal(self.first), _diagonal(self.second)

    def _spread(self) -> Floats:
        return _diagonal(self._products_about_means())

    def canonical(self) -> Self:
        """The short form, if the long one says no more."""
        if self.complete:
            return self
        count, first = self.count[:, :1, :1], _diagonal(self.first)[:, :, None]
        if (self.count == count).all() and (self.first == first).all():
            lows = {"count_low": self.count_low[:, :1, :1], "first_low": _diagonal(self.first_low)[:, :, None]}
            return replace(self, count=count, first=first, **lows)
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
        deviations = self._products_about_means()
        noise = 4 * (self.error + SHARP * np.abs(_diagonal(self.second)))
        constant = np.abs(_diagonal(deviations)) <= noise
        deviations = np.where(constant[:, :, None] | constant[:, None, :], 0.0, _sums_of_squares(deviations))
        if self.count.dtype.kind == "i":
            deviations = np.where((self.count == 0) | (self.count == 1), 0.0, deviations)
        return deviations

    def _products_about_means(self) -> Floats:
        """`deviations`, rounding and all."""
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = np.where(self.count != 0, self.first / self.count, 0.0)
        across = mean.transpose(0, 2, 1)
        lost = across * self.first_low
        return np.asarray(
            (self.second - self.count * (mean * across)) + (self.second_low - (lost + lost.transpose(0, 2, 1)))
        )

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
        nothing = np.zeros(count.shape)
        about = replace(self.about(mean), count=count, first=nothing, count_low=nothing, first_low=nothing)
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
            count_low=self.count_low if self.complete else self.count_low[:, order][:, :, order],
            first_low=self.first_low[:, order][:, :, wide],
            second_low=self.second_low[:, order][:, :, order],
            error=self.error[:, order],
        )


def _moved(count: Words, first: Words, second: Words, shift: Words) -> tuple[Words, Words]:
    """First and second sums about another origin: with s the shift, z z' + a s' + s a', a the sums of z + s / 2."""
    column, row = ((np.expand_dims(shift[0], axis), np.expand_dims(shift[1], axis)) for axis in (2, 1))
    moved = times(count, column)
    half = times(plus(first, (moved[0] / 2, moved[1] / 2)), row)
    both = plus(half, (half[0].transpose(0, 2, 1), half[1].transpose(0, 2, 1)))
    return plus(first, moved), plus(second, both)


def _sums(x: Array, labels: Array, weight: Array | None, count: Array, origin: Array) -> Sums:
    """Plain sums, in the short form where no cell is missing."""
    sums = _complete_sums(x, labels, weight, count, origin)
    return _pair_sums(x, labels, weight, origin) if sums is None else sums


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
    together = _sums_about_one_origin(x, shares, count, origin) if x.size > FEW and x.shape[1] <= _NARROW else None
    if together is not None:
        return together
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


def _sums_about_one_origin(x: Array, shares: Array, count: Array, origin: Array) -> Sums | None:
    """All groups at once: the products of a row, about one origin, are the same for all of them, and shares' @ products
    sums them. None when a cell is missing, or a group lies so far from that origin that its squares would lose digits.
    """
    n, d = x.shape
    near, width = origin[int(count.argmax())], d + d * (d + 1) // 2
    rows, total = np.empty((min(n, _BLOCK // 2), width)), np.zeros((len(origin), width))
    for start in range(0, n, len(rows)):
        stop = min(start + len(rows), n)
        kernels.products_of(x, near, start, stop, rows)
        total += shares[start:stop].T @ rows[: stop - start]
    if np.isnan(total).any():
        return None
    second = np.zeros((len(origin), d, d))
    lower = np.tril_indices(d)
    second[:, lower[0], lower[1]] = second[:, lower[1], lower[0]] = total[:, d:]
    first = total[:, :d]
    weight = np.where(count > 0, count, 1.0)[:, None]
    squares = _diagonal(second)
    if np.any(first**2 / weight > _FAR * np.maximum(squares - first**2 / weight, 0.0)):
        return None
    away = near - origin  # of the products, from each group's own origin
    both = first[:, :, None] * away[:, None, :]
    moved = second + both + both.transpose(0, 2, 1) + count[:, None, None] * away[:, :, None] * away[:, None, :]
    return count[:, None, None], (first + count[:, None] * away)[:, :, None], moved


@np.errstate(over="ignore", invalid="ignore")  # `check_finite` says which column it is
def _products(x: Array, labels: Array, weight: Array | None, origin: Array, first: Array, width: int) -> Floats | None:
    """Sum of the products of a row's entries per group (k, width, width); None when a cell is missing."""
    n, groups = len(x), len(origin)
    if groups == 1 and weight is None and width == x.shape[1] and labels.min(initial=0) >= 0:
        total = kernels.products_of_all(x, origin[0], first[0])
        return None if np.isnan(first).any() else total[None]
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
