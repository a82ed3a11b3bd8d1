"""Counts with a rate per group: independent Poisson features.

    log p(x) = sum_j [ x_j log r_j - r_j - log x_j! ]     (for large counts see large_counts.py)

Statistic: `Totals`. Prior: Gamma, with `strength` pseudo-rows at the overall mean m0 of that feature (all groups
together). It is made from the same statistic, so it is free of units and of other columns.

    n' = n + strength,  S' = S + strength m0
    ml     S / n
    map    (S' - 1) / n', the mode of the posterior Gamma(S', n')
    bayes  negative binomial with mean S' / n' and dispersion 1 / S'

A group that counted nothing says a rate of zero, which would make every count above zero impossible. Such a group
(and under map one with S' <= 1, whose mode is zero) is taken to have one pseudo-row of prior: rate m0 / (n + 1). A
feature that is zero in all data, or never observed, carries no information: its term is 0 for every group.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.data.columns.kinds import Kind
from likely.distributions.capabilities.likelihood import log_factorials, rows_of
from likely.distributions.comparing import TOO_FEW, Verdict, compare_rates
from likely.distributions.conjugate.components import Component
from likely.distributions.conjugate.gamma import Gamma, RatePosterior, overall_mean
from likely.distributions.counts.large_counts import (
    LARGE,
    count_scores,
    count_terms,
    drawn_counts,
    poisson_log,
    score_large_rows,
)
from likely.distributions.counts.likelihoods import RateLikelihood
from likely.distributions.counts.negative_binomial import NegativeBinomial
from likely.distributions.family import Estimation, Form
from likely.distributions.features import LinearFeatures
from likely.distributions.support import COUNTS, check_options
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Matrix, Ranges, Shapes, frozen
from likely.numeric.kernels.left_out.counts import counts_without_own_row
from likely.numeric.logspace import log_of, weighted_logs
from likely.statistics.additive import check_rows
from likely.statistics.membership import Membership
from likely.statistics.summing.totals import Totals


@dataclass(frozen=True)
class Poisson(LinearFeatures):
    """k members with independent Poisson features.

    >>> two = Poisson(rate=np.array([[1.0], [2.5]]))
    >>> np.exp(two.log_density(np.array([[3.0]]))).round(4)
    array([[0.0613, 0.2138]])
    """

    rate: Array  # (k, d)  NaN: the feature carries no information
    shapes: ClassVar[Shapes] = {"rate": "k d"}
    ranges: ClassVar[Ranges] = {"rate": NOT_NEGATIVE}

    @property
    def mean(self) -> Floats:
        """The rates (k, d)."""
        return np.asarray(self.rate, dtype=np.float64)

    @property
    def variance(self) -> Floats:
        """(k, d): as large as the mean."""
        return self.mean

    def log_density(self, x: Array) -> Floats:
        x = COUNTS.check(x, self.rate.shape[1])
        out = count_scores(x, self._known, *self._coefficients())
        score_large_rows(out, x, self.log_density_terms)
        return out

    def log_density_terms(self, x: Array) -> Floats:
        x = COUNTS.check(x, self.rate.shape[1])
        out = count_terms(x, self._known, *self._coefficients())
        rows, columns = np.nonzero((x >= LARGE) & self._known)
        out[rows, columns] = poisson_log(x[rows, columns, None], self.rate.T[columns])
        return out

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        return drawn_counts(self.rate[member], rng)

    @property
    def _known(self) -> Array:
        """A feature speaks for all members or for none."""
        return np.asarray((self.rate > 0).all(axis=0))

    def _coefficients(self) -> tuple[Floats, Floats]:
        rate = np.where(self._known, self.rate, 1.0)
        return np.log(rate), np.where(self._known, -rate, 0.0)


@dataclass(frozen=True)
class PoissonFamily:
    """Independent Poisson features.

    >>> x = np.array([[1.0], [3.0], [0.0], [0.0]])
    >>> groups = Membership.of_labels(np.array([0, 0, 1, 1]), 2)
    >>> family = PoissonFamily()
    >>> family.estimate(family.summarize(x, groups)).rate.ravel()  # the second group: 1 / (2 + 1)
    array([2.        , 0.33333333])
    """

    estimation: Estimation = "ml"
    strength: float = 1.0
    name: ClassVar[str] = "poisson"
    kind: ClassVar[Kind] = "count"
    form: ClassVar[Form] = "real"
    conjugate_prior: ClassVar[type] = Gamma

    def __post_init__(self) -> None:
        check_options(self)

    def summarize(self, x: Matrix, membership: Membership) -> Totals:
        return Totals.of(COUNTS.check(x), membership)

    def estimate(self, statistic: Totals) -> Poisson | NegativeBinomial:
        posterior = self.parameter_posterior(statistic)
        shape, rows = posterior.shape, posterior.rate
        if self.estimation == "bayes":
            return NegativeBinomial(posterior.mean, np.where(posterior.silent, np.nan, 1.0 / shape))
        if self.estimation == "map":
            spoken, rate = shape > 1, (shape - 1) / rows
        else:
            spoken, rate = statistic.sum > 0, statistic.sum / np.where(statistic.count > 0, statistic.count, 1)
        heard = np.where(spoken, rate, overall_mean(statistic) / (statistic.count + 1))
        return Poisson(np.where(posterior.silent, np.nan, heard))

    def log_prior(self, statistic: Totals, fitted: Poisson | NegativeBinomial) -> float | None:
        """Gamma of the rates; None for the predictive distribution."""
        if self.estimation == "bayes" or not isinstance(fitted, Poisson):
            return None
        if self.estimation == "ml":
            return 0.0
        centre = overall_mean(statistic)
        return weighted_logs(self.strength * centre - 1, log_of(fitted.rate)) - float(
            self.strength * np.nansum(fitted.rate)
        )

    def held_open(self, statistic: Totals, how: Component) -> Poisson | NegativeBinomial:
        """The estimate as components of a mixture: pseudo-rows of the overall mean for each, so that none falls silent.

        Without them a component whose counts of a feature die out jumps to the rate of a silent group, and the
        log-likelihood falls.
        """
        fitted = self.estimate(statistic)
        if self.estimation != "ml" or not how.rows or not isinstance(fitted, Poisson):
            return fitted
        rate = (statistic.sum + how.rows * overall_mean(statistic)) / (statistic.count + how.rows)
        return Poisson(np.where(np.isnan(fitted.rate), np.nan, rate))

    def held_open_log_prior(self, statistic: Totals, fitted: Any, how: Component) -> float | None:
        """The log prior of such an estimate: rows (m0 log r - r), m0 the overall mean."""
        if self.estimation != "ml" or not how.rows or not isinstance(fitted, Poisson):
            return self.log_prior(statistic, fitted)
        centre = overall_mean(statistic)
        return how.rows * (weighted_logs(centre, log_of(fitted.rate)) - float(np.nansum(fitted.rate)))

    def parameter_posterior(self, statistic: Totals) -> RatePosterior:
        """Gamma of the rate of each class and column."""
        return RatePosterior.learned(statistic, None if self.estimation == "ml" else self.strength, "poisson", Poisson)

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` has an answer."""
        return self.estimation != "bayes"

    def leave_one_out(self, statistic: Totals, x: Any, membership: Membership) -> Floats:
        """Log probability (n, k) of each row under the groups estimated without it; the rows must be in the statistic.

        A row with a very large count, or one that outweighs all others, is NaN: estimate without it instead.

        >>> x = np.array([[1.0], [3.0], [2.0], [4.0]])
        >>> groups = Membership.of_labels(np.array([0, 0, 1, 1]), 2)
        >>> family = PoissonFamily()
        >>> family.leave_one_out(family.summarize(x, groups), x, groups)[0]  # rates 3 and 3
        array([-1.90138771, -1.90138771])
        """
        x = COUNTS.check(x, statistic.count.shape[1])
        check_rows(x.shape[0], membership)
        assert membership.labels is not None
        weight = np.ones(len(x)) if membership.weight is None else membership.weight
        out = np.full((len(x), statistic.groups), np.nan)
        if self.estimation == "bayes":
            return out
        counts_without_own_row(
            frozen(x),
            membership.labels,
            frozen(weight),
            statistic.sum.dtype.kind == "i" and membership.weight is None,
            np.maximum(statistic.sum, 0).astype(np.float64),
            statistic.count.astype(np.float64),
            statistic.sum.sum(axis=0).astype(np.float64),
            statistic.count.sum(axis=0).astype(np.float64),
            float(self.strength),
            self.estimation == "map",
            LARGE,
            out,
        )
        return out

    def likelihood(self, statistic: Totals, feature: int = 0) -> RateLikelihood:
        """Log-likelihood of one feature of the first group, highest where the family estimates it."""
        rows, total = rows_of(statistic.count[0, feature]), float(statistic.sum[0, feature])
        # the estimate gives a group that counted nothing a pseudo-row; its likelihood is highest at 0
        rate = float(self.estimate(statistic).rate[0, feature]) if total > 0 else 0.0  # type: ignore[union-attr]
        return RateLikelihood(total, rows, rows, rate, constant=None)

    def log_constant(self, x: Floats, weight: Floats | None = None) -> float:
        """The part of the log-likelihood of rows in which no parameter stands; the statistic does not hold it."""
        return -log_factorials(x, weight)

    def compare(self, before: Totals, after: Totals, i: int, j: int) -> Verdict | str:
        """Exact: given both sums together, one is binomial."""
        sums = [float(x[0, at]) for s, at in ((before, i), (after, j)) for x in (s.count, s.sum)]
        return compare_rates(*sums) or TOO_FEW

    def standard_errors(self, statistic: Totals) -> dict[str, Array]:
        """Of the rate; ml: sqrt(rate / n), otherwise the deviation of the Gamma posterior, sqrt(S') / n'."""
        posterior = self.parameter_posterior(statistic)
        if self.estimation != "ml":
            return {"rate": posterior.deviation}
        with np.errstate(divide="ignore", invalid="ignore"):
            return {"rate": np.where(posterior.silent, np.nan, np.sqrt(statistic.sum) / statistic.count)}
