"""Weighted sums of x and x squared about a fixed origin, for k groups at once.

Sums about an origin are linear in the data, so they form a group. The origin only has to lie near the data:
it guards against cancellation and drops out of every estimate. Each batch takes the median of the first few (or
heaviest) values it sees of each group and feature; adding two statistics moves the lighter one to the origin of the
heavier.

Sums cannot tell a spread from rounding where it is smaller than the rounding of the second moment: there the values
count as all equal.
"""

import warnings
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.numeric.arrays import Array, Floats, Shapes, frozen
from likely.numeric.jit import FEW
from likely.numeric.kernels.sums import moments as kernels
from likely.numeric.kernels.sums.scatter import heaviest_values
from likely.statistics.additive import Additive, check_rows, check_widths, fixed, never_learned, tally, total
from likely.statistics.membership import Membership

EPSILON = float(np.finfo(np.float64).eps)
ROUNDING = 16 * EPSILON  # of the second moment: a spread below is rounding
_WRONG = 1e-9  # of the second moments involved: more than rounding can take from a spread
_HIDDEN = 1e-2  # of the mean: a deviation that the rounding could hide where the values left count as equal
_LOST = 1e8  # what is removed outweighs what is left by so much that digits are missed


@dataclass(frozen=True)
class Moments(Additive):
    """Count, first and second moment of each feature in each group, over the observed cells."""

    origin: Array = fixed()  # (k, d)  near the group's data
    count: Array = tally()  # (k, d)  sum of w over observed cells
    first: Array = total()  # (k, d)  sum of w (x - origin)
    second: Array = total()  # (k, d)  sum of w (x - origin)^2
    shapes: ClassVar[Shapes] = {"origin": "k d", "count": "k d", "first": "k d", "second": "k d"}

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        """Summarise rows x (n, d) of floats in C order, NaN for a missing cell."""
        check_rows(len(x), membership)
        x = frozen(x)
        weight = membership.totals()
        if membership.shares is not None:
            origin = heaviest_values(x, membership.shares)
            count, first, second = kernels.shared_moments(x, membership.shares, origin)
            return cls(weight, origin, count, first, second)
        weights = frozen(np.empty(0)) if membership.weight is None else membership.weight
        assert membership.labels is not None
        origin = kernels.central_values(x, membership.labels, weights, membership.groups)
        if membership.weight is not None:
            sums = kernels.weighted_moments(x, membership.labels, membership.weight, origin)
            return cls(weight, origin, *sums)
        if x.size > FEW:
            rows, first, second = kernels.complete_moments(x, membership.labels, origin)
        if x.size <= FEW or np.isnan(first).any():
            return cls(weight, origin, *kernels.observed_moments(x, membership.labels, origin))
        return cls(weight, origin, np.repeat(rows[:, None], x.shape[1], axis=1), first, second)

    def about(self, origin: Array) -> Self:
        """The same data, summed about another origin."""
        shift = self.origin - origin
        moved = self.count * shift
        return replace(
            self,
            origin=origin,
            first=self.first + moved,
            second=self.second + (2 * self.first + moved) * shift,
        )

    def aligned(self, other: Self) -> tuple[Self, Self]:
        check_widths(self.origin.shape[1], other.origin.shape[1])
        if np.array_equal(self.origin, other.origin):
            return self, other
        origin = np.where(self._mass() >= other._mass(), self.origin, other.origin)
        return self.about(origin), other.about(origin)

    def without(self, other: Self) -> Self:
        """Remove data; refuse when a count or a spread would fall below zero: those data were never added.

        Nothing is left of a cell whose count becomes zero, and a spread within the rounding of what it was is zero.
        Sums do not get back the digits that a value very far from the others has pushed out of them: forgetting one
        whose square is more than 1e8 times the remaining spread warns of the rounding error that stays behind.
        """
        left = super().without(other)
        mine, its = self._with(other)
        size = np.abs(self.second) + np.abs(other.second) + np.abs(mine.second) + np.abs(its.second)
        first, second = (np.where(left.count == 0, 0.0, sums) for sums in (left.first, left.second))
        left = replace(left, first=first, second=second)
        touched = its.count != 0
        equal = equal_values(left.count, first, second, left.origin, size, its.second, mine.count, touched)
        with np.errstate(invalid="ignore", divide="ignore"):
            return replace(left, second=np.where(equal, first * (first / left.count), second))

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
        with np.errstate(invalid="ignore", divide="ignore"):
            scatter = self.second - self.first * (self.first / self.count)
        single = (self.count == 1) & (self.count.dtype.kind == "i")  # what is left there is rounding
        spread = (self.count > 0) & ~single & (scatter > ROUNDING * np.abs(self.second))
        return np.asarray(np.where(spread, scatter, 0.0))

    def variance(self, ddof: int = 0) -> Floats:
        """(k, d): scatter / (count - ddof); NaN where that is not positive."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.count > ddof, self.scatter / (self.count - ddof), np.nan))

    def merged(self) -> Self:
        """All groups as one, about the origin of the group with the most cells of each feature."""
        heaviest = self._mass().argmax(axis=0)
        here = self.about(self.origin[heaviest, np.arange(len(heaviest))][None])
        sums = {name: getattr(here, name).sum(axis=0, keepdims=True) for name in ("weight", "count", "first", "second")}
        return replace(here, **sums)

    def overall(self) -> "Moments":
        """All groups as one: the moments of the whole data (1, d)."""
        return self.merged()

    def filled(self) -> Self:
        """As if every missing cell held its group's mean (the overall mean where the group observed none)."""
        mean = np.where(self.count > 0, self.mean, self.overall().mean)
        count = np.repeat(self.weight[:, None], self.origin.shape[1], axis=1)
        first = count * (mean - self.origin)
        return replace(self, count=count, first=first, second=self.scatter + first * (mean - self.origin))

    def _mass(self) -> Array:
        # An empty cell must not decide the origin, one whose data cancel (weights of both signs) must.
        return np.where((self.first == 0) & (self.second == 0), np.abs(self.count), np.abs(self.count) + 0.5)


def equal_values(
    count: Array,
    first: Array,
    second: Array,
    origin: Array,
    size: Array,
    removed: Array,
    rows: Array,
    touched: Array,
) -> Array:
    """Where (k, d) removing data has left no spread beyond rounding; refuses what cannot be, warns of lost digits.

    `size` is the sum of the second moments that went in, `removed` the one taken away, `rows` the count there was.
    """
    checked = touched & (count > 0)
    number = np.where(checked, count, 1)
    spread = np.where(checked, second - first * (first / number), 0.0)
    if np.any(spread < -_WRONG * size):
        raise never_learned("the spread of what is left would be less than zero")
    noise = 4 * ROUNDING * np.sqrt(1.0 + np.abs(rows)) * size
    equal = checked & (spread <= noise)
    mean = np.abs(origin + first / number)
    far = equal & (mean > 0) & (np.sqrt(noise / number) > _HIDDEN * mean)
    single = (count == 1) & (count.dtype.kind == "i")  # one row has no spread, whatever the sums have lost
    equal |= checked & single
    lost = checked & ~single & (far | (~equal & (removed / _LOST > spread)))
    if lost.any():
        kept = np.maximum(spread, 0.0)
        error = np.where(lost, np.sqrt((kept + EPSILON * size) / number) - np.sqrt(kept / number), 0.0)
        column = int(error.max(axis=0).argmax())
        warnings.warn(
            f"forgetting an outlier this large leaves rounding errors of about {error.max():.1g} in the standard "
            f"deviation of column {column}; fit again for full accuracy",
            UserWarning,
            stacklevel=3,
        )
    return equal
