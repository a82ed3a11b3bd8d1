"""Sums of x and log x of positive features, as deviations from a fixed origin, for k groups at once.

    v = log(x / origin),   first = sum of w v,   excess = sum of w (x / origin - 1 - v)

Both are linear in the data for a given origin, so they form a group. The mean and the mean logarithm follow, and
the gap between them, log(mean x) - mean(log x), on which the shape of a gamma distribution rests, comes without
cancellation: the excess is of second order in the spread, as the gap is. The origin is the largest value of the batch,
so x / origin never overflows; adding two statistics moves both to the larger origin, with d = log(origin / new):

    first' = first + n d
    excess' = e^d excess + (e^d - 1) first + n (e^d - 1 - d)

A gap that is within the rounding of the sums it comes from is zero: the values count as all equal.
"""

import warnings
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.numeric.arrays import Array, Floats, Shapes, frozen
from likely.numeric.kernels.sums import log_moments as kernels
from likely.statistics.additive import Additive, check_rows, check_widths, fixed, never_learned, tally, total
from likely.statistics.membership import Membership
from likely.statistics.summing.far_values import EPSILON
from likely.statistics.summing.moments import ROUNDING

_WRONG = 1e-9  # of the sums involved: more than rounding can take away
_LOST = 1e8  # a forgotten value this many times the mean of what is left has pushed digits out of the sums


@dataclass(frozen=True)
class LogMoments(Additive):
    """Count, mean and mean logarithm of each positive feature in each group, over the observed cells.

    >>> one = LogMoments.of(np.array([[1.0], [2.0], [4.0]]), Membership.whole(3))
    >>> float(one.mean[0, 0]), float(np.exp(one.mean_log[0, 0]))
    (2.333333..., 2.0...)
    """

    origin: Array = fixed()  # (k, d)  at least as large as the group's data; zero: nothing seen
    count: Array = tally()  # (k, d)  sum of w over observed cells
    first: Array = total()  # (k, d)  sum of w log(x / origin)
    excess: Array = total()  # (k, d)  sum of w (x / origin - 1 - log(x / origin))
    shapes: ClassVar[Shapes] = {"origin": "k d", "count": "k d", "first": "k d", "excess": "k d"}

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        """Summarise rows x (n, d) of positive floats in C order, NaN for a missing cell."""
        check_rows(len(x), membership)
        x = frozen(x)
        weight = membership.totals()
        if membership.shares is not None:  # a row without weight is absent
            together = np.where(membership.shares.any(axis=1), np.int32(0), np.int32(-1))
            origin = kernels.largest_values(x, frozen(together), 1)
            sums = kernels.shared_log_sums(x, membership.shares, origin[0])
            return cls(weight, np.repeat(origin, membership.groups, axis=0), *sums)
        counted = membership.labels
        assert counted is not None
        if membership.weight is not None:
            counted = frozen(np.where(membership.weight != 0, counted, np.int32(-1)))  # a row without weight is absent
        origin = kernels.largest_values(x, counted, membership.groups)
        weights = membership.weight if membership.weight is not None else frozen(np.ones(len(x)))
        count, first, excess = kernels.log_sums(x, membership.labels, weights, origin)
        if membership.weight is None:
            count = count.astype(np.int64)
        return cls(weight, origin, count, first, excess)

    def about(self, origin: Array) -> Self:
        """The same data about another origin."""
        known = (self.origin > 0) & (origin > 0)
        old, new = np.where(known, self.origin, 1.0), np.where(known, origin, 1.0)
        change, shift = (old - new) / new, np.log(old) - np.log(new)  # e^d - 1 and d
        excess = _log_excess(change, shift)
        shift = np.where(np.abs(change) < 0.1, change - excess, shift)
        return replace(
            self,
            origin=origin,
            first=self.first + self.count * shift,
            excess=old / new * self.excess + change * self.first + self.count * excess,
        )

    def aligned(self, other: Self) -> tuple[Self, Self]:
        check_widths(self.origin.shape[1], other.origin.shape[1])
        if np.array_equal(self.origin, other.origin):
            return self, other
        origin = np.maximum(self.origin, other.origin)
        return self.about(origin), other.about(origin)

    def without(self, other: Self) -> Self:
        """Remove data; refuse when a count, the mean or the gap would fall below zero: those data were never added.

        A gap within the rounding of what the sums were is zero. Sums do not get back the digits that a value very far
        above the others has pushed out of them: forgetting one that is more than 1e8 times the mean of what is left
        warns of the rounding error that stays behind.
        """
        left = super().without(other)
        mine, its = self._with(other)
        empty = left.count == 0
        first, excess = np.where(empty, 0.0, left.first), np.where(empty, 0.0, left.excess)
        checked = ~empty & (its.count != 0)
        number = np.where(checked, left.count, 1)
        log_mean, ratio = first / number, 1 + (first + excess) / number  # geometric and plain mean, over the origin
        grain = EPSILON * np.sqrt(1.0 + np.abs(mine.count))
        error = grain * (np.abs(mine.first) + mine.excess) / number  # of the mean over the origin
        if np.any(checked & ((log_mean > _WRONG) | (ratio < np.exp(np.minimum(log_mean, 0.0)) - _WRONG - error))):
            raise never_learned("the mean of what is left would be less than its values allow")
        _warn_of_lost_digits(checked & (ratio * _LOST < 1), error, np.exp(np.minimum(log_mean, 0.0)))
        level = np.maximum(ratio, np.exp(np.minimum(log_mean, 0.0)))
        small = np.abs(level - 1) < 0.1
        with np.errstate(invalid="ignore", divide="ignore"):
            gap = np.log(level) - log_mean
            gap = np.where(small, excess / number - _log_excess(level - 1, np.log(level)), gap)
            noise = 64 * grain * (np.abs(mine.excess) + np.abs(1 - level) * np.abs(mine.first)) / (number * level)
        single = (left.count == 1) & (left.count.dtype.kind == "i")  # one row has no gap, whatever the sums have lost
        equal = checked & (single | ~(gap > noise))
        return replace(left, first=first, excess=np.where(equal, number * _exp_excess(log_mean), excess))

    @property
    def observed(self) -> Array:
        """Sum of weights over the observed cells (k, d)."""
        return self.count

    def only(self, feature: int) -> Self:
        """One feature by itself."""
        return replace(self, **{name: getattr(self, name)[:, [feature]] for name in self.shapes})

    @property
    def mean(self) -> Floats:
        """(k, d); NaN where nothing was observed."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.origin * (1 + (self.first + self.excess) / self.count))

    @property
    def mean_log(self) -> Floats:
        """(k, d); NaN where nothing was observed."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.log(self.origin) + self.first / self.count)

    @property
    def gap(self) -> Floats:
        """log(mean x) - mean(log x) (k, d), never negative; NaN where nothing was observed."""
        with np.errstate(invalid="ignore", divide="ignore"):
            first, excess = self.first / self.count, self.excess / self.count
            change = first + excess  # mean / origin - 1
            direct = np.log1p(change)
            near = np.abs(change) < 0.1
            gap = np.where(near, excess - _log_excess(change, direct), direct - first)
            noise = ROUNDING * np.where(near, np.abs(excess), np.abs(first) + 1 / (1 + change))
            return np.asarray(np.where(gap <= noise, 0.0, gap))

    def overall(self) -> "LogMoments":
        """All groups as one (1, d)."""
        return self.merged()


def _log_excess(u: Array, log: Array) -> Floats:
    """The difference u - log(1 + u), the logarithm being given, without cancellation for small u.

    With t = u / (2 + u) it is u^2 / (2 + u) - 2 (t^3 / 3 + t^5 / 5 + ...).
    """
    small = np.where(np.abs(u) < 0.1, u, 0.0)
    t = small / (2 + small)
    q = t * t
    tail = 1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * (1 / 11 + q * (1 / 13 + q / 15)))))
    return np.asarray(np.where(np.abs(u) < 0.1, small * small / (2 + small) - 2 * t * q * tail, u - log))


def _exp_excess(v: Array) -> Floats:
    """The difference e^v - 1 - v without cancellation for small v: its power series there."""
    small = np.where(np.abs(v) < 0.1, v, 0.0)
    term, series = small, np.zeros(v.shape)
    for n in range(2, 13):
        term = term * small / n
        series = series + term
    return np.asarray(np.where(np.abs(v) < 0.1, series, np.expm1(v) - v))


def _warn_of_lost_digits(lost: Array, error: Array, level: Array) -> None:
    if lost.any():
        relative = np.where(lost, error / level, 0.0)
        warnings.warn(
            f"forgetting an outlier this large leaves rounding errors of about {relative.max():.1g} of the mean of "
            f"column {int(relative.max(axis=0).argmax())}; fit again for full accuracy",
            UserWarning,
            stacklevel=3,
        )
