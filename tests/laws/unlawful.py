"""Statistics that break a law: controls, to show that the laws would notice.

Each is a mistake that somebody made, or easily could.
"""

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from specimens import REAL_WORLDS, REALS, levels, of_numbers

from likely.numeric.arrays import Array
from likely.statistics import Additive, CategoryCounts, Membership, Moments
from likely.statistics.additive import total
from likely.statistics.summing.totals import Totals
from likely.testing import sums as laws
from likely.testing.specimens.forms import codes
from likely.testing.sums import Specimen


@dataclass(frozen=True)
class CentredMoments(Additive):
    """(count, mean, centred square) with the usual formula for merging: it loses everything at weight zero."""

    mean: Array = total()
    square: Array = total()

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        moments = Moments.of(np.nan_to_num(x), membership)
        count = moments.weight[:, None]
        mean = np.where(count != 0, moments.origin + moments.first / np.where(count != 0, count, 1), 0.0)
        square = np.where(count != 0, moments.second - moments.first**2 / np.where(count != 0, count, 1), 0.0)
        return cls(moments.weight, mean, square)

    def __add__(self, other: Self) -> Self:
        return self._merged(other, 1)

    def __sub__(self, other: Self) -> Self:
        return self._merged(other, -1)

    def __mul__(self, factor: float) -> Self:
        return replace(self, weight=self.weight * factor, square=self.square * factor)

    def _merged(self, other: Self, sign: int) -> Self:
        weight = self.weight + sign * other.weight
        n, m = self.weight[:, None], sign * other.weight[:, None]
        divisor = np.where(weight != 0, weight, 1)[:, None]
        away = other.mean - self.mean
        mean = np.where(n + m != 0, self.mean + away * m / divisor, 0.0)
        square = np.where(n + m != 0, self.square + sign * other.square + away**2 * n * m / divisor, 0.0)
        return replace(self, weight=weight, mean=mean, square=square)


@dataclass(frozen=True)
class FirstRow(Additive):
    """Remembers the row that it met first."""

    first: Array = total()

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        return cls(membership.totals(), np.nan_to_num(x[:1].sum(axis=0)))

    def __add__(self, other: Self) -> Self:
        return replace(self, weight=self.weight + other.weight, first=self.first if self.first.any() else other.first)


@dataclass(frozen=True)
class Forgetful(Totals):
    """Merging forgets a field."""

    def __add__(self, other: Self) -> Self:
        return replace(super().__add__(other), count=self.count)


@dataclass(frozen=True)
class Unweighted(Totals):
    """Weights are counted in the weight of the group and nowhere else."""

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        if membership.labels is None:
            return super().of(x, membership)
        plain = super().of(x, replace(membership, weight=None))
        return replace(plain, weight=membership.totals())


@dataclass(frozen=True)
class Decimal(Totals):
    """Counts in floating point, though no row has a weight."""

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        seen = super().of(x, membership)
        return replace(seen, count=seen.count.astype(np.float64))


@dataclass(frozen=True)
class Lenient(Totals):
    """Gives back whatever it is asked for."""

    def without(self, other: Self) -> Self:
        return self - other


@dataclass(frozen=True)
class Consuming(Totals):
    """Adds to itself instead of making a new value."""

    def without(self, other: Self) -> Self:
        left = super().without(other)
        self.count[...] = left.count
        return left


@dataclass(frozen=True)
class Fastened(Totals):
    """Regroups its weights and leaves its sums where they are."""

    def regrouped(self, index: Any, groups: int) -> Self:
        moved = super().regrouped(index, groups)
        count = np.zeros_like(moved.count)
        count[: self.groups] = self.count
        return replace(moved, count=count)


@dataclass(frozen=True)
class Smoothed(Moments):
    """Stores a share of the batch's own variance with the sums, as if it were data."""

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        seen = super().of(x, membership)
        return replace(seen, second=seen.second + 1e-9 * seen.overall().scatter)


@dataclass(frozen=True)
class Arriving(CategoryCounts):
    """Keeps the levels in the order of their arrival."""

    def canonical(self) -> Self:
        return self

    def aligned(self, other: Self) -> tuple[Self, Self]:
        union = tuple(tuple(dict.fromkeys((*a, *b))) for a, b in zip(self.levels, other.levels, strict=True))
        return self.over(union), other.over(union)


@dataclass(frozen=True)
class Hopeful(Totals):
    """Stores its prior with the data."""

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        seen = super().of(x, membership)
        return replace(seen, count=seen.count + 1)


@dataclass(frozen=True)
class Halved(Totals):
    """A factor reaches the weights and not the sums."""

    def __mul__(self, factor: float) -> Self:
        return replace(self, weight=self.weight * factor)

    __rmul__ = __mul__


@dataclass(frozen=True)
class Averaged(Totals):
    """A sum of means, taken for the mean of a sum."""

    def __add__(self, other: Self) -> Self:
        return replace(super().__add__(other), sum=(self.sum + other.sum) / 2)


def specimen(statistic: type[Any], worlds: tuple[Any, ...] = REAL_WORLDS[:1]) -> Specimen:
    return Specimen(statistic.__name__, of_numbers(statistic), REALS, worlds)


UNLAWFUL = (  # a control, and a law that must catch it
    (specimen(Forgetful), laws.any_split_sums_to_the_whole),
    (specimen(Smoothed), laws.any_split_sums_to_the_whole),
    (specimen(FirstRow), laws.order_is_irrelevant),
    (Specimen("Arriving", lambda rows, m: Arriving.of(codes(rows, 2), m), levels), laws.order_is_irrelevant),
    (specimen(Hopeful), laws.zero_is_neutral),
    (specimen(Unweighted), laws.a_weight_is_that_many_rows),
    (specimen(CentredMoments), laws.removal_undoes_union),
    (specimen(Halved), laws.a_factor_multiplies_every_row),
    (specimen(Fastened), laws.regrouping_commutes_with_summing),
    (specimen(Decimal), laws.tallies_without_weights_are_exact),
    (specimen(Lenient), laws.only_what_was_added_can_be_removed),
    (specimen(Consuming), laws.only_what_was_added_can_be_removed),
    (specimen(Averaged), laws.all_but_one_is_the_sum_of_the_others),
)
