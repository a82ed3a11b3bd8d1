"""Waiting times and other amounts without memory: independent exponential features.

    log p(x) = sum_j [ log r_j - r_j x_j ],   x_j >= 0

Statistic: `Totals`. Prior: Gamma on the rate r, with `strength` pseudo-rows at the overall mean m0 of that feature (all
groups together). It is made from the same statistic, so it is free of units and of other columns.

    n' = n + strength,  S' = S + strength m0
    ml     n / S
    map    (n' - 1) / S', the mode of the posterior Gamma(n', S'); its mean n' / S' where n' <= 1 (the mode is zero)
    bayes  Lomax with shape n' and scale S'

A group whose values are all zero says an infinite rate, and one without data says nothing: under ml they are taken
to have one pseudo-row of prior, mean m0 / (n + 1). A feature that is zero in all data, or never observed, carries no
information: its term is 0 for every group.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.distributions.amounts.lomax import Lomax
from likely.distributions.capabilities.likelihood import no_maximum, rows_of
from likely.distributions.comparing import TOO_FEW, Verdict, compare_waits
from likely.distributions.conjugate.components import Component
from likely.distributions.conjugate.gamma import Gamma, RatePosterior, overall_mean
from likely.distributions.counts.likelihoods import RateLikelihood
from likely.distributions.family import Estimation, Form
from likely.distributions.features import LinearFeatures
from likely.distributions.support import AMOUNTS, check_options
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes
from likely.numeric.linear.affine import affine_scores, affine_terms
from likely.numeric.logspace import log_of, weighted_logs
from likely.statistics.membership import Membership
from likely.statistics.summing.totals import Totals
from likely.statistics.too_small import INVERTED, check_size

SMALLEST = float(np.finfo(np.float64).tiny)  # a mean whose rate is still finite


@dataclass(frozen=True)
class ExponentialDistribution(LinearFeatures):
    """k members with independent exponential features.

    >>> two = ExponentialDistribution(rate=np.array([[1.0], [0.5]]))
    >>> np.exp(two.log_density(np.array([[2.0]]))).round(4)
    array([[0.1353, 0.1839]])
    """

    rate: Array  # (k, d)  NaN: the feature carries no information
    stored_as: ClassVar[str] = "Exponential"
    shapes: ClassVar[Shapes] = {"rate": "k d"}
    ranges: ClassVar[Ranges] = {"rate": NOT_NEGATIVE}

    @property
    def mean(self) -> Floats:
        """(k, d): 1 / rate."""
        return np.asarray(1.0 / self.rate)

    @property
    def variance(self) -> Floats:
        """(k, d): 1 / rate^2."""
        return np.asarray(self.mean**2)

    def log_density(self, x: Array) -> Floats:
        return affine_scores(AMOUNTS.check(x, self.rate.shape[1]), *self._coefficients())

    def log_density_terms(self, x: Array) -> Floats:
        return affine_terms(AMOUNTS.check(x, self.rate.shape[1]), *self._coefficients())

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        rate = self.rate[member]
        return np.asarray(rng.standard_exponential(rate.shape) / rate)

    def _coefficients(self) -> tuple[Floats, Floats]:
        known = (self.rate > 0).all(axis=0)  # a feature speaks for all members or for none
        return np.where(known, -self.rate, 0.0), np.log(np.where(known, self.rate, 1.0))


@dataclass(frozen=True)
class ExponentialFamily:
    """Independent exponential features.

    >>> x = np.array([[1.0], [3.0], [0.5]])
    >>> groups = Membership.of_labels(np.array([0, 0, 1]), 2)
    >>> family = ExponentialFamily()
    >>> family.estimate(family.summarize(x, groups)).rate.ravel()
    array([0.5, 2. ])
    """

    estimation: Estimation = "ml"
    strength: float = 1.0
    name: ClassVar[str] = "exponential"
    form: ClassVar[Form] = "real"
    conjugate_prior: ClassVar[type] = Gamma

    def __post_init__(self) -> None:
        check_options(self)

    def summarize(self, x: Any, membership: Membership) -> Totals:
        return Totals.of(AMOUNTS.check(x), membership)

    def estimate(self, statistic: Totals) -> ExponentialDistribution | Lomax:
        check_size(overall_mean(statistic), INVERTED)
        posterior = self.parameter_posterior(statistic)
        silent, rows = posterior.silent, posterior.shape
        sums = np.where(silent, np.nan, np.maximum(posterior.rate, SMALLEST))
        if self.estimation == "bayes":
            return Lomax(np.where(silent, np.nan, rows), sums)
        if self.estimation == "map":
            return ExponentialDistribution(np.where(rows > 1, rows - 1, rows) / sums)
        mean = statistic.sum / np.where(statistic.count > 0, statistic.count, 1)
        mean = np.where(statistic.sum > 0, mean, overall_mean(statistic) / (statistic.count + 1))
        return ExponentialDistribution(1.0 / np.maximum(mean, SMALLEST))

    def log_prior(self, statistic: Totals, fitted: "ExponentialDistribution | Lomax") -> float | None:
        """Gamma of the rates; None for the predictive distribution."""
        if not isinstance(fitted, ExponentialDistribution):
            return None
        if self.estimation == "ml":
            return 0.0
        sums = self.strength * overall_mean(statistic)
        return weighted_logs(np.array(self.strength - 1), log_of(fitted.rate)) - float(np.nansum(sums * fitted.rate))

    def held_open(self, statistic: Totals, how: Component) -> ExponentialDistribution | Lomax:
        """The estimate as components of a mixture: pseudo-rows of the overall mean for each.

        Without them a component of values that are all 0 has no highest likelihood.
        """
        fitted = self.estimate(statistic)
        if self.estimation != "ml" or not how.rows or not isinstance(fitted, ExponentialDistribution):
            return fitted
        sums = statistic.sum + how.rows * overall_mean(statistic)
        return ExponentialDistribution((statistic.count + how.rows) / np.maximum(sums, SMALLEST))

    def held_open_log_prior(self, statistic: Totals, fitted: Any, how: Component) -> float | None:
        """The log prior of such an estimate: rows (log r - r m0), m0 the overall mean."""
        if self.estimation != "ml" or not how.rows or not isinstance(fitted, ExponentialDistribution):
            return self.log_prior(statistic, fitted)
        return how.rows * float(np.nansum(np.log(fitted.rate) - fitted.rate * overall_mean(statistic)))

    def parameter_posterior(self, statistic: Totals) -> RatePosterior:
        """Gamma of the rate of each class and column."""
        strength = None if self.estimation == "ml" else self.strength
        return RatePosterior.learned(statistic, strength, "exponential", ExponentialDistribution)

    def likelihood(self, statistic: Totals, feature: int = 0) -> RateLikelihood:
        """Log-likelihood of one feature of the first group, highest where the family estimates it."""
        rows, total = rows_of(statistic.count[0, feature]), float(statistic.sum[0, feature])
        if not total > 0:
            raise no_maximum("all values are 0, and the larger the rate the more likely they are")
        return RateLikelihood(rows, total, rows, rows / total)

    def compare(self, before: Totals, after: Totals, i: int, j: int) -> Verdict | str:
        """The ratio of the means is F."""
        (n_a, a), (n_b, b) = ((float(s.count[0, at]), float(s.sum[0, at])) for s, at in ((before, i), (after, j)))
        return compare_waits(n_a, a / n_a if n_a > 0 else 0.0, n_b, b / n_b if n_b > 0 else 0.0) or TOO_FEW

    def standard_errors(self, statistic: Totals) -> dict[str, Array]:
        """Of the rate; ml: rate / sqrt(n), otherwise the deviation of the Gamma posterior, sqrt(n') / S'."""
        if self.estimation != "ml":
            return {"rate": self.parameter_posterior(statistic).deviation}
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = np.where(statistic.sum > 0, statistic.count / statistic.sum, np.nan)
            return {"rate": rate / np.sqrt(statistic.count)}
