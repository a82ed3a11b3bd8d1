"""Positive amounts with a shape: independent gamma features.

    log p(x) = (s - 1) log x - s x / m + s log(s / m) - log G(s),   x > 0

with mean m and shape s (scale m / s, variance m^2 / s). It is computed as - log x - s (u - log(1 + u)) and a
constant, u = x / m - 1, which keeps its digits however narrow the density is.

Statistic: `LogMoments`. The maximum-likelihood mean is the sample mean; the shape solves

    log s - psi(s) = log(mean x) - mean(log x)

by Newton's method in 1 / s (Minka 2002).

    ml     of the group's own data
    map    with `strength` pseudo-rows that have the mean and the mean logarithm of all groups together

A group whose values of a feature are all equal (one row included) says nothing about its shape. It is taken to have
one pseudo-row of prior: 1 / (n + 1) of the overall gap on the right-hand side; a group without data has the overall
mean too. A feature that is constant over all data, or never observed, carries no information: its term is 0 for every
group.
"""

from dataclasses import dataclass
from math import log
from typing import ClassVar, Literal

import numpy as np

from likely.distributions.amounts.likelihoods import GammaLikelihood
from likely.distributions.capabilities.likelihood import no_maximum, rows_of
from likely.distributions.comparing import TOO_FEW, Verdict
from likely.distributions.comparing.divergence import gamma_divergence
from likely.distributions.comparing.gaussians import compare_with_constant
from likely.distributions.conjugate.components import Component
from likely.distributions.conjugate.large_sample import LargeSamplePosterior
from likely.distributions.family import Form
from likely.distributions.features import ScoredByKernel
from likely.distributions.support import POSITIVE, Support, check_options
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes, frozen
from likely.numeric.kernels.densities import positive as kernels
from likely.numeric.special.log_gamma import gamma_constant, shape_of_gap, trigamma_minus_inverse
from likely.statistics.membership import Membership
from likely.statistics.summing.far_values import EPSILON
from likely.statistics.summing.log_moments import LogMoments

_EQUAL = (4 * EPSILON) ** 2  # gap that the rounding of the values themselves can make of equal ones
SMALLEST = float(np.finfo(np.float64).tiny)  # of samples: a draw that rounds to zero is not in the support


@dataclass(frozen=True)
class GammaDistribution(ScoredByKernel):
    """k members with independent gamma features.

    >>> one = GammaDistribution(mean=np.array([[6.0]]), shape=np.array([[3.0]]))
    >>> float(np.exp(one.log_density(np.array([[4.0]])))[0, 0]), one.scale.item()
    (0.1353352..., 2.0)
    """

    mean: Array  # (k, d)  NaN: the feature was never observed
    shape: Array  # (k, d)  NaN: the feature carries no information
    stored_as: ClassVar[str] = "Gamma"
    shapes: ClassVar[Shapes] = {"mean": "k d", "shape": "k d"}
    ranges: ClassVar[Ranges] = {"mean": NOT_NEGATIVE, "shape": NOT_NEGATIVE}
    support: ClassVar[Support] = POSITIVE

    @property
    def scale(self) -> Floats:
        """(k, d): mean / shape."""
        return np.asarray(self.mean / self.shape)

    @property
    def variance(self) -> Floats:
        """(k, d): mean^2 / shape."""
        return np.asarray(self.mean * (self.mean / self.shape))

    def _add(self, x: Array, out: Floats) -> None:
        kernels.add_gamma(frozen(x), *self._constants(), out)

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        mean, shape = self.mean[member], self.shape[member]
        silent = np.isnan(mean) | np.isnan(shape)
        shape = np.where(silent, 1.0, shape)
        return np.where(silent, mean, np.maximum(rng.standard_gamma(shape) * (mean / shape), SMALLEST))

    def _constants(self) -> tuple[Array, ...]:
        known = ((self.mean > 0) & (self.shape > 0)).all(axis=0)  # a feature speaks for all members or for none
        mean, shape = np.where(known, self.mean, 1.0).T, np.where(known, self.shape, 1.0).T
        constant = gamma_constant(shape)
        return np.asarray(known), *(np.ascontiguousarray(part) for part in (mean, np.log(mean), shape, constant))


@dataclass(frozen=True)
class GammaFamily:
    """Independent gamma features.

    >>> x = np.array([[1.0], [2.0], [4.0], [5.0]])
    >>> family = GammaFamily()
    >>> fitted = family.estimate(family.summarize(x, Membership.whole(4)))
    >>> round(fitted.mean.item(), 9), round(fitted.shape.item(), 4)
    (3.0, 2.9909)
    """

    estimation: Literal["ml", "map"] = "ml"
    strength: float = 1.0
    name: ClassVar[str] = "gamma"
    form: ClassVar[Form] = "real"

    def __post_init__(self) -> None:
        check_options(self)

    def summarize(self, x: Array, membership: Membership) -> LogMoments:
        return LogMoments.of(POSITIVE.check(x), membership)

    def estimate(self, statistic: LogMoments) -> GammaDistribution:
        whole = statistic.overall()
        informative = whole.gap > 0
        count = statistic.count
        if self.estimation == "map":
            statistic = statistic + _pseudo_rows(whole, self.strength, statistic.groups)
            mean, gap = statistic.mean, statistic.gap
        else:
            mean, gap = np.where(count > 0, statistic.mean, whole.mean), statistic.gap
            alike = ~(gap > _EQUAL)
            gap = np.where(alike, whole.gap / (np.maximum(count, 0) + 1), gap)
        shape = shape_of_gap(np.where(informative, gap, 1.0))
        return GammaDistribution(np.where(informative, mean, whole.mean), np.where(informative, shape, np.nan))

    def log_prior(self, statistic: LogMoments, fitted: GammaDistribution) -> float:
        """Of the pseudo-rows: what all data together say of the parameters, at the weight of `strength` rows."""
        from scipy.special import gammaln

        if self.estimation == "ml":
            return 0.0
        whole, shape, mean = statistic.overall(), fitted.shape, fitted.mean
        with np.errstate(divide="ignore", invalid="ignore"):
            row = (
                (shape - 1) * whole.mean_log - shape * whole.mean / mean + shape * np.log(shape / mean) - gammaln(shape)
            )
        return float(self.strength * np.nansum(row))

    def held_open(self, statistic: LogMoments, how: Component) -> GammaDistribution:
        """The estimate as components of a mixture: pseudo-rows of all groups together, so that none shrinks to a point.

        Without them values that are all equal have the shape that the overall gap says, and the log-likelihood falls.
        """
        return self._opened(how).estimate(statistic)

    def held_open_log_prior(self, statistic: LogMoments, fitted: GammaDistribution, how: Component) -> float | None:
        """The log prior of such an estimate."""
        return self._opened(how).log_prior(statistic, fitted)

    def _opened(self, how: Component) -> "GammaFamily":
        return GammaFamily("map", how.rows) if self.estimation == "ml" and how.rows else self

    def parameter_posterior(self, statistic: LogMoments) -> LargeSamplePosterior:
        """By its shape in large samples: the logarithm of each parameter is normal about its estimate."""
        return LargeSamplePosterior.learned(self.estimate(statistic), self.standard_errors(statistic), statistic.count)

    def likelihood(self, statistic: LogMoments, feature: int = 0) -> GammaLikelihood:
        """Log-likelihood of one feature of the first group, highest where the family estimates it."""
        rows, gap = rows_of(statistic.count[0, feature]), float(statistic.gap[0, feature])
        if not gap > 0:
            raise no_maximum("all values are equal, and the larger the shape the more likely they are")
        fitted = self.estimate(statistic)
        mean, shape = float(fitted.mean[0, feature]), float(fitted.shape[0, feature])
        return GammaLikelihood(rows, mean, shape, gap, float(statistic.mean_log[0, feature]))

    def compare(self, before: LogMoments, after: LogMoments, i: int, j: int) -> Verdict | str:
        """Likelihood ratio of the same mean and shape, scaled to its mean in the Gaussian case."""
        one, two = before.only(i), after.only(j)
        sums = [float(x[0, 0]) for s in (one, two) for x in (s.count, s.mean, s.gap)]
        return compare_gammas(*sums, gap=float((one + two).gap[0, 0])) or TOO_FEW

    def standard_errors(self, statistic: LogMoments) -> dict[str, Array]:
        """By the expected information: of the mean m / sqrt(n s), of the shape 1 / sqrt(n (psi'(s) - 1 / s)).

        The two are uncorrelated. With pseudo-rows (map) n includes them.
        """
        fitted = self.estimate(statistic)
        rows = statistic.count + (self.strength if self.estimation == "map" else 0.0)
        known = np.isfinite(fitted.shape) & (rows > 0)
        rows, shape = np.where(known, rows, 1.0), np.where(known, fitted.shape, 1.0)
        return {
            "mean": np.where(known, fitted.mean / np.sqrt(rows * shape), np.nan),
            "shape": np.where(known, 1.0 / np.sqrt(rows * trigamma_minus_inverse(shape)), np.nan),
        }


def compare_gammas(
    n_a: float, mean_a: float, gap_a: float, n_b: float, mean_b: float, gap_b: float, *, gap: float
) -> Verdict | None:
    """Two gamma samples by rows, mean and log(mean) - mean(log), the last also of both together."""
    if min(n_a, n_b) <= 0 or n_a + n_b < 3:
        return None
    if min(n_a, n_b) < 2 or min(gap_a, gap_b) <= 0:
        return compare_with_constant(n_a, mean_a, gap_a, n_b, mean_b, gap_b)
    from scipy.special import chdtrc, gammaln, psi

    shape_a, shape_b, shape = (float(shape_of_gap(np.array(g))) for g in (gap_a, gap_b, gap))

    def fit(n: float, s: float, g: float) -> float:
        return float(n * (s * log(s) - gammaln(s) - s * g - s))

    def expected(n: float) -> float:
        return float(n * (psi((n - 1) / 2) + log(2 / n)))

    ratio = 2 * (fit(n_a, shape_a, gap_a) + fit(n_b, shape_b, gap_b) - fit(n_a + n_b, shape, gap))
    scale = (expected(n_a + n_b) - expected(n_a) - expected(n_b)) / 2
    p = float(chdtrc(2, max(ratio, 0.0) / scale))
    words = f"mean {mean_a:.4g} -> {mean_b:.4g}, shape {shape_a:.3g} -> {shape_b:.3g}"
    divergence = gamma_divergence(mean_a, shape_a, mean_b, shape_b)
    return Verdict(p, divergence, 2, n_a, n_b, ((p, words),), "likelihood ratio")


def _pseudo_rows(whole: LogMoments, strength: float, groups: int) -> LogMoments:
    """All groups' data weighing `strength` rows per feature, once for each group."""
    share = strength / np.where(whole.count > 0, whole.count, 1)

    def spread(array: Array) -> Array:
        return np.repeat(array * share, groups, axis=0)

    weight = np.full(groups, strength)
    origin = np.repeat(whole.origin, groups, axis=0)
    return LogMoments(weight, origin, spread(whole.count), spread(whole.first), spread(whole.excess))
