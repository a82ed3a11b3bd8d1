"""Gamma distribution, conjugate prior of a rate: of counts (Poisson) or of waiting times (exponential).

    p(x) = r^a / G(a) x^(a - 1) exp(-r x),   x >= 0

with shape a and rate r. Of n values with the sum S:

    poisson      Gamma(a, r) -> Gamma(a + S, r + n), predictive negative binomial with mean a / r, dispersion 1 / a
    exponential  Gamma(a, r) -> Gamma(a + n, r + S), predictive Lomax with shape a, scale r

The prior acts as rows seen before: r of them with the sum a (poisson), or a with the sum r (exponential). Zero is
allowed in a prior; such a Gamma is improper and answers once there are data. The reference priors are Jeffreys',
Gamma(1/2, 0) and Gamma(0, 0).

This is the posterior of `PoissonFamily` and `ExponentialFamily` under "map" and "bayes".
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self, TypeAlias, get_args

import numpy as np

from likely.distributions.conjugate.belief import REFERENCE, Belief, not_negative
from likely.distributions.conjugate.predictive import Predictive, PredictiveCount, PredictiveTime
from likely.distributions.conjugate.summaries import DataLike, column, read_sums
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats
from likely.numeric.special.deviance import deviance
from likely.numeric.special.log_gamma import gamma_constant
from likely.probability.given import number
from likely.statistics import Totals

RateOf: TypeAlias = Literal["poisson", "exponential"]


@dataclass(frozen=True)
class Gamma(Belief):
    """The belief Gamma(shape, rate) about a rate x: p(x) = rate^shape / G(shape) x^(shape - 1) exp(-rate x).

    Of Poisson counts, `shape` is their sum and `rate` how many they are, those of the prior included; of exponential
    waiting times `shape` is how many they are and `rate` their sum. The mean is shape / rate.

    >>> belief = Gamma(2, 1).update([3, 5, 4])
    >>> belief.shape, belief.rate, belief.mean
    (14.0, 4.0, 3.5)
    >>> round(belief.probability(above=5), 4)
    0.0661
    >>> Gamma(1, 2, "exponential").update([0.5, 1.5]).mean
    0.75
    """

    shape: float  # above: of counts their sum, of waiting times how many they are
    rate: float  # of counts how many they are, of waiting times their sum
    likelihood: RateOf = "poisson"  # what the rate is of: counts, or waiting times
    support: ClassVar[tuple[float, float]] = (0.0, np.inf)

    def __post_init__(self) -> None:
        not_negative(shape=self.shape, rate=self.rate)
        if self.likelihood not in get_args(RateOf):
            raise InputError(f"likelihood must be 'poisson' or 'exponential', got {self.likelihood!r}")
        object.__setattr__(self, "shape", float(self.shape))
        object.__setattr__(self, "rate", float(self.rate))

    @classmethod
    def reference(cls, likelihood: RateOf = "poisson") -> Self:
        """Jeffreys' prior, which says as little as possible."""
        return cls(REFERENCE if likelihood == "poisson" else 0.0, 0.0, likelihood)

    def update(
        self, data: DataLike, rows: float | None = None, *, group: int | None = None, feature: int | None = None
    ) -> Self:
        """The posterior after values, a `Totals` of them, or their sum and how many they are (two numbers).

        The values may be counted: a mapping from each value to how often it occurred.

        >>> Gamma(1, 1).update([2, 0, 1]) == Gamma(1, 1).update(3, 3)
        True
        >>> Gamma(1, 1).update([3, 3]) == Gamma(1, 1).update({3: 2})
        True
        """
        if rows is None:
            seen = read_sums(data, group, feature)
            if not isinstance(data, Totals) and (column(data)[0] < 0).any():
                raise InputError("counts and waiting times are not negative; the data hold a negative value")
            total, rows = seen.total, seen.rows
        else:
            total = number(data, "the sum")
        not_negative(sum=total, rows=rows)
        shape, rate = _in_order(total, rows, self.likelihood)
        return replace(self, shape=self.shape + shape, rate=self.rate + rate)

    @property
    def equivalent_sample_size(self) -> float:
        """Equivalent sample size: how many rows this belief weighs as much as."""
        return self.rate if self.likelihood == "poisson" else self.shape

    @property
    def mean(self) -> float:
        """Shape / rate."""
        self._check()
        return self.shape / self.rate

    @property
    def mode(self) -> float:
        """Zero for a shape of at most 1."""
        self._check()
        return max(self.shape - 1, 0.0) / self.rate

    @property
    def variance(self) -> float:
        """Shape / rate^2."""
        return self.mean / self.rate

    @property
    def predictive(self) -> Predictive:
        """Posterior predictive distribution of a new value: a count (negative binomial) or a waiting time (Lomax).

        >>> Gamma(14, 4).predictive.interval(0.9)
        Interval(low=1.0, high=7.0)
        """
        self._check()
        if self.likelihood == "exponential":
            return PredictiveTime(self.shape, self.rate)
        return PredictiveCount(self.shape, self.rate)

    def _log_density(self, x: Floats) -> Floats:
        inside = (x > 0) & np.isfinite(x)
        y = np.where(inside, x, 1.0)
        # G(a) would cancel with the power where the shape is large
        with np.errstate(over="ignore"):
            away = deviance(np.array(self.shape), np.minimum(self.rate * y, 1e300))
        log = float(gamma_constant(np.array(self.shape))) - away - np.log(y)
        log = np.where(inside, log, np.where(np.isnan(x), np.nan, -np.inf))
        at_zero = np.log(self.rate) if self.shape == 1 else np.inf if self.shape < 1 else -np.inf
        return np.asarray(np.where(x == 0, at_zero, log))

    def _quantile(self, p: float, upper: bool) -> float:
        from scipy.special import gammainccinv, gammaincinv

        return float((gammainccinv if upper else gammaincinv)(self.shape, p)) / self.rate

    def _tail(self, x: float, upper: bool) -> float:
        from scipy.special import gammainc, gammaincc

        return float((gammaincc if upper else gammainc)(self.shape, max(self.rate * x, 0.0)))

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return np.asarray(rng.standard_gamma(self.shape, n) / self.rate)

    def _check(self) -> None:
        if self.shape == 0 or self.rate == 0:
            raise InputError(f"{self} is improper: it takes data, or a prior above zero, to say anything")


@dataclass(frozen=True)
class RatePosterior:
    """Gamma posteriors of the rates of k groups and d columns at once.

    The prior is `strength` rows at the mean of all data together. Without one (maximum likelihood) it is the reference
    prior; a group that has nothing to say under it has one such row.

    >>> from likely.distributions import PoissonFamily
    >>> from likely.statistics import Membership
    >>> seen = Totals.of(np.array([[1.0], [3.0], [5.0]]), Membership.of_labels(np.array([0, 0, 1]), 2))
    >>> PoissonFamily("map").parameter_posterior(seen).of(0, 0)
    Gamma(shape=7.0, rate=3.0, likelihood='poisson')
    """

    shape: Floats  # (k, d)
    rate: Floats  # (k, d)
    likelihood: RateOf
    silent: Array  # (d,)  features that are zero in all data, or never observed
    law: Callable[[Floats], Any]  # the distribution with these rates

    @classmethod
    def learned(cls, seen: Totals, strength: float | None, likelihood: RateOf, law: Callable[[Floats], Any]) -> Self:
        """After data; `strength` is how many rows the family's prior weighs (None: it has none)."""
        centre, total = overall_mean(seen), np.maximum(seen.sum, 0)
        dumb = (seen.count == 0) | ((total == 0) & (likelihood == "exponential"))
        prior = dumb.astype(np.float64) if strength is None else np.full(dumb.shape, float(strength))
        sums = total + prior * np.where(np.isnan(centre), 1.0, centre)
        if strength is None and likelihood == "poisson":
            sums = sums + np.where(dumb, 0.0, REFERENCE)
        return cls(*_in_order(sums, seen.count + prior, likelihood), likelihood, np.isnan(centre[0]), law)

    @property
    def mean(self) -> Floats:
        """(k, d); NaN where the feature says nothing."""
        return np.where(self.silent, np.nan, self.shape / self.rate)

    @property
    def deviation(self) -> Floats:
        """(k, d): the standard deviation; NaN where the feature says nothing."""
        return np.where(self.silent, np.nan, np.sqrt(self.shape) / self.rate)

    def of(self, member: int, column: int) -> Gamma:
        return Gamma(self.shape[member, column], self.rate[member, column], self.likelihood)

    def draw(self, n: int, rng: np.random.Generator) -> Any:
        drawn = np.maximum(rng.standard_gamma(self.shape, (n, *self.shape.shape)) / self.rate, 1e-300)
        drawn[:, :, self.silent] = np.nan
        return self.law(drawn.reshape(-1, drawn.shape[2]))


def overall_mean(statistic: Totals) -> Floats:
    """Mean of each feature over all groups (1, d); NaN where it is zero or nothing was observed."""
    count, sums = statistic.count.sum(axis=0), statistic.sum.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where((count > 0) & (sums > 0), sums / count, np.nan))[None, :]


def _in_order(total: object, rows: object, likelihood: RateOf) -> tuple[Any, Any]:
    """What a sum of so many values adds to the shape and to the rate."""
    return (total, rows) if likelihood == "poisson" else (rows, total)
