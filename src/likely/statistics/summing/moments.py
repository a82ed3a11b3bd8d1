"""Weighted sums of x and x squared about a fixed origin, for k groups at once.

Sums about an origin are linear in the data, so they form a group. The origin only has to lie near the data:
it guards against cancellation and drops out of every estimate. Each batch takes the median of the first few (or
heaviest) values it sees of each group and feature; adding two statistics moves the lighter one to the origin of the
heavier.

The sums are numbers of two words, `first` and `first_low`, `second` and `second_low`: adding, moving and subtracting
cost no digits, and forgetting a far value brings back those of the others (see `far_values`). What the plain sums in a
large batch may have rounded away is kept as `error`; a spread within it counts as none.
"""

import warnings
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Shapes, frozen
from likely.numeric.jit import FEW
from likely.numeric.kernels.sums import moments as kernels
from likely.numeric.kernels.sums.scatter import heaviest_values
from likely.numeric.two_words import plus, times, two_sum
from likely.statistics.additive import (
    bound,
    check_rows,
    fixed,
    low,
    never_learned,
    tally,
    total,
)
from likely.statistics.membership import Membership
from likely.statistics.summing import far_values
from likely.statistics.summing.far_values import EPSILON
from likely.statistics.summing.origin import AboutOrigin

S = TypeVar("S", bound=Any)  # Moments or Scatter

ROUNDING = 16 * EPSILON  # of a plain sum: what is below is rounding
_SURE = 64  # times the typical error of a sum: beyond it no rounding goes
SHARP = 2.0**-92  # of the largest sums in two words: what is below is rounding
_WRONG = 1e-9  # of the second moments involved: more than rounding can take from a spread
_HIDDEN = 1e-2  # of the mean: a deviation that the rounding could hide where the values left count as equal
_LOST = 1e-6  # of a spread: an error that is worth a warning


@dataclass(frozen=True)
class Moments(AboutOrigin):
    """Count, first and second moment of each feature in each group, over the observed cells.

    >>> import numpy as np
    >>> from likely.statistics import Membership
    >>> x = np.array([[1.0], [3.0], [8.0]])
    >>> Moments.of(x, Membership(1, np.zeros(3, dtype=int))).mean
    array([[4.]])
    """

    origin: Array = fixed()  # (k, d)  near the group's data
    count: Array = tally()  # (k, d)  sum of w over observed cells
    first: Array = total()  # (k, d)  sum of w (x - origin)
    second: Array = total()  # (k, d)  sum of w (x - origin)^2
    count_low: Array = low("count")  # (k, d)  what rounding has cut off from the sum
    first_low: Array = low("first")  # (k, d)  likewise
    second_low: Array = low("second")  # (k, d)  likewise
    error: Array = bound()  # (k, d)  how far `second` may be off, by plain sums inside of batches
    shapes: ClassVar[Shapes] = dict.fromkeys(
        ("origin", "count", "first", "second", "count_low", "first_low", "second_low", "error"), "k d"
    )
    crossed: ClassVar[bool] = False  # sums squares, and no products of two features

    def __post_init__(self) -> None:
        fill_in(self, self.second, self.count)

    @classmethod
    def of_sums(cls, rows: Array, origin: Array, first: Array, second: Array) -> Self:
        """From the sums of so many rows (k,) of each group, in which no cell is missing."""
        return cls(rows, origin, np.repeat(rows[:, None], origin.shape[1], axis=1), first, second)

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        """Summarise rows x (n, d) of floats in C order, NaN for a missing cell."""
        check_rows(len(x), membership)
        x = frozen(x)
        weight = membership.totals()
        if membership.shares is not None:
            origin = heaviest_values(x, membership.shares)
            count, first, second = kernels.shared_moments(x, membership.shares, origin)
            check_finite(second)
            error = far_values.shared_error(count, first, second, origin)
            return cls(weight, origin, count, first, second, error=error)
        weights = frozen(np.empty(0)) if membership.weight is None else membership.weight
        assert membership.labels is not None
        origin = kernels.central_values(x, membership.labels, weights, membership.groups)
        count, first, second = _plain_sums(x, membership, origin)

        def again(labels: Array) -> tuple[Floats, Floats]:
            return _plain_sums(x, replace(membership, labels=labels), origin)[1:]

        rows = far_values.Grouped(x, membership.labels, membership.weight, origin)
        check_finite(second)
        number, one, two, summed = far_values.moments(rows, count, first, second, again)
        error = far_values.plain_error(summed, count)
        return cls(weight, origin, number[0], one[0], two[0], number[1], one[1], two[1], error)

    def about(self, origin: Array) -> Self:
        """The same data, summed about another origin."""
        if np.array_equal(origin, self.origin):
            return self
        shift = two_sum(self.origin, -origin)
        moved = times((self.count, self.count_low), shift)
        first = (self.first, self.first_low)
        first, twice = plus(first, moved), plus((2 * first[0], 2 * first[1]), moved)
        second = plus((self.second, self.second_low), times(twice, shift))
        return self._of_words(first, second, origin=origin)

    def without(self, other: Self) -> Self:
        """Remove data; refuse when a count or a spread would fall below zero: those data were never added.

        Nothing is left of a cell whose count becomes zero, and a spread within the rounding of what it was is zero. The
        sums have two words, so that of the others nothing is lost with an outlier. Where the plain sums of large
        batches have lost digits that what is left would need, the rounding error that stays behind is said.
        """
        left = super().without(other)
        mine, its = self._with(other)
        gone = left.count == 0
        sums = ("first", "second", "count_low", "first_low", "second_low", "error")
        left = replace(left, **{name: np.where(gone, 0.0, getattr(left, name)) for name in sums})
        size = np.abs(self.second) + np.abs(other.second) + np.abs(mine.second) + np.abs(its.second)
        touched = ~gone & (its.count != 0)
        centre = left._centred(touched)
        equal = equal_values(centre.count, centre._spread(), centre.mean, centre.error, size, touched)
        totals = ("first", "second", "first_low", "second_low")
        nothing = {name: np.where(equal, 0.0, getattr(centre, name)) for name in totals}  # all values are their mean
        return replace(centre, origin=np.where(equal, centre.mean, centre.origin), **nothing)

    def _squares(self) -> tuple[Array, Array, Array]:
        return self.count, self.first, self.second

    @property
    def observed(self) -> Array:
        """Sum of weights over the observed cells (k, d)."""
        return self.count

    @property
    def mean(self) -> Floats:
        """(k, d); NaN where nothing was observed."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.origin + self.first / self.count)

    @property
    def scatter(self) -> Floats:
        """Sum of w (x - mean)^2 (k, d), never negative."""
        single = (self.count == 1) & (self.count.dtype.kind == "i")  # what is left there is rounding
        scatter = self._spread()
        spread = (self.count > 0) & ~single & (scatter > 4 * (self.error + SHARP * np.abs(self.second)))
        return np.asarray(np.where(spread, scatter, 0.0))

    @property
    def grain(self) -> Floats:
        """The scatter (k, d) that the rounding of the values themselves can make of equal ones."""
        return far_values.grain(self.mean) * np.maximum(self.count, 0)

    def _spread(self) -> Floats:
        with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
            mean = self.first / self.count
            return np.asarray((self.second - self.first * mean) + (self.second_low - 2 * mean * self.first_low))

    def variance(self, ddof: int = 0) -> Floats:
        """(k, d): scatter / (count - ddof); NaN where that is not positive."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.count > ddof, self.scatter / (self.count - ddof), np.nan))

    def filled(self) -> Self:
        """As if every missing cell held its group's mean (the overall mean where the group observed none)."""
        mean = np.where(self.count > 0, self.mean, self.overall().mean)
        count = np.repeat(self.weight[:, None], self.origin.shape[1], axis=1)
        first = count * (mean - self.origin)
        second = self.scatter + first * (mean - self.origin)
        return type(self)(self.weight, self.origin, count, first, second)


def equal_values(count: Array, spread: Array, mean: Array, error: Array, size: Array, touched: Array) -> Array:
    """Where (k, d) removing data has left no spread beyond rounding; refuses what cannot be, warns of lost digits.

    `spread` is the scatter left, `error` that of plain sums, `size` the sum of the second moments that went in.
    """
    number = np.where(touched, count, 1)
    spread = np.where(touched, spread, 0.0)
    if np.any(spread < -_WRONG * size):
        raise never_learned("the spread of what is left would be less than zero")
    typical = np.maximum(error + SHARP * size, -spread)
    noise = np.maximum(_SURE * (error + SHARP * size), -spread)
    equal = touched & (spread <= noise)
    mean = np.where(touched, np.abs(mean), 0.0)
    hidden = equal & (mean > 0) & (np.sqrt(noise / number) > _HIDDEN * mean)
    single = (count == 1) & (count.dtype.kind == "i")  # one row has no spread, whatever the sums have lost
    lost = touched & ~single & (hidden | (~equal & (typical > _LOST * spread)))
    if lost.any():
        kept = np.where(equal, 0.0, spread)
        off = np.where(lost, np.sqrt((kept + np.where(equal, noise, typical)) / number) - np.sqrt(kept / number), 0.0)
        column = int(off.max(axis=0).argmax())
        warnings.warn(
            f"what was forgotten is so large that rounding errors of about {off.max():.1g} stay behind in the standard "
            f"deviation of column {column}; fit again for full accuracy",
            UserWarning,
            stacklevel=3,
        )
    return np.asarray(equal | (touched & single))


def check_finite(squares: Array) -> None:
    """Refuse sums of squares (k, d) that are no numbers."""
    infinite = ~np.isfinite(squares).all(axis=0)
    if infinite.any():
        raise InputError(
            f"the sum of the squares of column {int(infinite.argmax())} is too large to be a number; "
            "rescale the column, or divide the weights"
        )


def extent(whole: Any) -> Floats:
    """The size of the deviations (k, d) of Moments or a Scatter, also where their squares are too small to be held."""
    pairs = whole.second.ndim > 2
    second = np.diagonal(whole.second, axis1=1, axis2=2) if pairs else whole.second
    first = np.broadcast_to(whole.first, whole.second.shape)
    first = np.diagonal(first, axis1=1, axis2=2) if pairs else first
    with np.errstate(invalid="ignore", divide="ignore"):
        size = np.maximum(np.abs(first / whole.observed), np.sqrt(np.abs(second / whole.observed)))
    return np.asarray(np.where(whole.observed > 0, size, 0.0))


def near_zero(statistic: S, x: Array) -> tuple[S, Floats]:
    """The statistic and rows x as they would be with the values moved to about zero, where a mean has all its digits.

    The difference of values of a like size is exact, and what is estimated does not depend on where they lie.
    """
    away = statistic.merged().origin[0]
    return replace(statistic, origin=statistic.origin - away), np.ascontiguousarray(x - away)


def fill_in(statistic: Any, squares: Array, count: Array) -> None:
    """Second words of sums that have none, and the error of plain ones."""
    for name in ("count", "first", "second"):
        if getattr(statistic, f"{name}_low") is None:
            object.__setattr__(statistic, f"{name}_low", np.zeros(getattr(statistic, name).shape))
    if statistic.error is None:
        object.__setattr__(statistic, "error", far_values.plain_error(np.asarray(squares, np.float64), count))


def _plain_sums(x: Array, membership: Membership, origin: Array) -> tuple[Array, Floats, Floats]:
    """Counts and sums of rows with labels."""
    count: Array
    if membership.weight is not None:
        count, first, second = kernels.weighted_moments(x, membership.labels, membership.weight, origin)
        return count, first, second
    if x.size > FEW:
        rows, first, second = kernels.complete_moments(x, membership.labels, origin)
    if x.size <= FEW or np.isnan(first).any():
        count, first, second = kernels.observed_moments(x, membership.labels, origin)
        return count, first, second
    return np.repeat(rows[:, None], x.shape[1], axis=1), first, second
