"""What sums about an origin share, squares and products alike: to which origin they move, and all groups as one."""

from dataclasses import replace
from typing import Self

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.two_words import Words, sum_first_axis
from likely.statistics.additive import Additive, check_widths

ASIDE = 16.0  # times the spread: a second moment that wants an origin nearer to the data


class AboutOrigin(Additive):
    """First and second sums, in two words, about an origin near the data of each group."""

    origin: Array  # (k, d)
    count: Array
    first: Array
    second: Array
    count_low: Array
    first_low: Array
    second_low: Array
    error: Array

    @property
    def mean(self) -> Floats:
        """(k, d)."""
        raise NotImplementedError

    def about(self, origin: Array) -> Self:
        """The same data, summed about another origin."""
        raise NotImplementedError

    def _squares(self) -> tuple[Array, Array, Array]:
        """Count, first and second sum of each feature by itself (k, d)."""
        raise NotImplementedError

    def _spread(self) -> Floats:
        """Squares about the mean of each feature (k, d), rounding and all."""
        raise NotImplementedError

    def aligned(self, other: Self) -> tuple[Self, Self]:
        check_widths(self.origin.shape[1], other.origin.shape[1])
        if np.array_equal(self.origin, other.origin):
            return self, other
        origin = np.where(self._mass() >= other._mass(), self.origin, other.origin)
        return self.about(origin), other.about(origin)

    def merged(self) -> Self:
        """All groups as one, about the origin of the group with the most cells of each feature."""
        heaviest = self._mass().argmax(axis=0)
        here = self.about(self.origin[heaviest, np.arange(len(heaviest))][None])
        sums = {
            name: getattr(here, name).sum(axis=0, keepdims=True) for name in ("weight", "count", "count_low", "error")
        }
        first, second = (here.first, here.first_low), (here.second, here.second_low)
        return here._of_words(sum_first_axis(first), sum_first_axis(second), **sums).canonical()

    def overall(self) -> Self:
        """All groups as one: the sums of the whole data."""
        return self.merged()

    def _centred(self, touched: Array) -> Self:
        """About the mean where the origin is so far from the data that what was about it hides their spread."""
        mean = np.where(touched, self.mean, 0.0)
        aside = touched & (np.abs(self._squares()[2]) > ASIDE * np.abs(self._spread())) & np.isfinite(mean)
        return self.about(np.where(aside, mean, self.origin)) if aside.any() else self

    def _of_words(self, first: Words, second: Words, **changes: Array) -> Self:
        words = {"first": first[0], "first_low": first[1], "second": second[0], "second_low": second[1]}
        return replace(self, **words, **changes)

    def _mass(self) -> Array:
        # An empty cell must not decide the origin, one whose data cancel (weights of both signs) must.
        count, first, second = self._squares()
        return np.where((first == 0) & (second == 0), np.abs(count), np.abs(count) + 0.5)
