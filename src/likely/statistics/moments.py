"""Weighted sums of x and x squared about a fixed origin, for k groups at once.

Sums about an origin are linear in the data, so they form a group. The origin only has to lie near the data:
it guards against cancellation and drops out of every estimate. Each batch takes the first value it sees of each
group and feature; adding two statistics moves the lighter one to the origin of the heavier.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels import moments as kernels
from likely.numeric.kernels.scatter import heaviest_values
from likely.statistics.additive import Additive, fixed, tally, total
from likely.statistics.membership import Membership


@dataclass(frozen=True)
class Moments(Additive):
    """Count, first and second moment of each feature in each group, over the observed cells."""

    origin: Array = fixed()  # (k, d)  near the group's data
    count: Array = tally()  # (k, d)  sum of w over observed cells
    first: Array = total()  # (k, d)  sum of w (x - origin)
    second: Array = total()  # (k, d)  sum of w (x - origin)^2

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        """Summarise rows x (n, d) of floats in C order, NaN for a missing cell."""
        x = frozen(x)
        weight = membership.totals()
        if membership.shares is not None:
            origin = heaviest_values(x, membership.shares)
            count, first, second = kernels.shared_moments(x, membership.shares, origin)
            return cls(weight, origin, count, first, second)
        counted = membership.labels
        if membership.weight is not None:
            counted = frozen(np.where(membership.weight != 0, counted, np.int32(-1)))  # a row without weight is absent
        origin = kernels.first_values(x, counted, membership.groups)
        if membership.weight is not None:
            sums = kernels.weighted_moments(x, membership.labels, membership.weight, origin)
            return cls(weight, origin, *sums)
        rows, first, second = kernels.complete_moments(x, membership.labels, origin)
        if np.isnan(first).any():
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
        if np.array_equal(self.origin, other.origin):
            return self, other
        origin = np.where(self._mass() >= other._mass(), self.origin, other.origin)
        return self.about(origin), other.about(origin)

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
        return np.asarray(np.where((self.count > 0) & ~single, np.maximum(scatter, 0.0), 0.0))

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
