"""The log-likelihood of each family from its statistic, with the family's own estimate at its top.

The estimates are those of `likely.distributions`, which are the classifiers'. Where the likelihood has no highest point
(all values of a Gaussian equal) the families lean on a pseudo-row of prior, because a classifier must answer; here the
data are refused.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.distributions import GaussianFamily
from likely.errors import InputError
from likely.estimation.likelihoods.amounts import GammaLikelihood, GaussianLikelihood
from likely.estimation.likelihoods.counts import CountsLikelihood
from likely.estimation.likelihoods.functions import ChanceLikelihood, Likelihood, RateLikelihood, no_maximum
from likely.estimation.likelihoods.shares import SharesLikelihood
from likely.estimation.likelihoods.vectors import VectorLikelihood
from likely.numeric.arrays import Floats
from likely.numeric.covariance import correlation, is_positive_definite
from likely.statistics import CategoryCounts, Moments, Scatter, Totals
from likely.statistics.log_moments import LogMoments
from likely.statistics.values import ValueCounts


def likelihood_of(
    name: str, family: Any, statistic: Any, place: tuple[int, int], constant: float | None = None
) -> Likelihood:
    """Of the group and feature at a place; `constant` is what the rows say without parameters (None: not known).

    >>> from likely.distributions import PoissonFamily
    >>> from likely.statistics import Membership
    >>> calls = PoissonFamily().summarize(np.array([[2.0], [4.0]]), Membership.whole(2))
    >>> likelihood_of("poisson", PoissonFamily(), calls, (0, 0)).best
    array([3.])
    """
    return _BY_NAME[name](family, statistic, place, constant)


def log_factorials(x: Floats, weight: Floats | None = None) -> float:
    """Sum of log x! over the cells that are not missing; with the weights of rows of one column.

    >>> round(log_factorials(np.array([3.0, 2.0, np.nan])), 4)  # log 12
    2.4849
    """
    from scipy.special import gammaln

    each = gammaln(np.where(np.isnan(x), 0.0, x) + 1)
    return float(each.sum() if weight is None else each[:, 0] @ weight)


def _rows_of(count: Any) -> float:
    if not count > 0:
        raise no_maximum("no value was observed")
    return float(count)


def _chance(family: Any, seen: Totals, place: tuple[int, int], constant: float | None) -> Likelihood:
    rows = _rows_of(seen.count[place])
    successes = float(seen.sum[place])
    p = float(family.estimate(seen).probability[place])
    failures = max(rows - successes, 0.0)  # weights may leave a little less than nothing
    return ChanceLikelihood(successes, failures, p, 0.0 if constant is None else constant)


def _binomial(family: Any, seen: Totals, place: tuple[int, int], constant: float | None) -> Likelihood:
    """From a statistic of bits: one experiment of as many trials as there were."""
    if constant is None:
        successes, rows = float(seen.sum[place]), _rows_of(seen.count[place])
        constant = log_factorials(np.array([rows])) - log_factorials(np.array([successes, rows - successes]))
    return _chance(family, seen, place, constant)


def _poisson(family: Any, seen: Totals, place: tuple[int, int], constant: float | None) -> Likelihood:
    rows, total = _rows_of(seen.count[place]), float(seen.sum[place])
    # the family gives a group that counted nothing a pseudo-row; its likelihood is highest at 0
    rate = float(family.estimate(seen).rate[place]) if total > 0 else 0.0
    return RateLikelihood(total, rows, rows, rate, constant)


def _exponential(family: Any, seen: Totals, place: tuple[int, int], _: float | None) -> Likelihood:
    rows, total = _rows_of(seen.count[place]), float(seen.sum[place])
    if not total > 0:
        raise no_maximum("all values are 0, and the larger the rate the more likely they are")
    return RateLikelihood(rows, total, rows, float(family.estimate(seen).rate[place]))


def _gaussian(family: Any, seen: Moments, place: tuple[int, int], _: float | None) -> Likelihood:
    rows = _rows_of(seen.count[place])
    if not seen.scatter[place] > 0:
        raise no_maximum("all values are equal, and the smaller the variance the more likely they are")
    fitted = family.estimate(seen)
    return GaussianLikelihood(rows, float(fitted.mean[place]), float(fitted.variance[place]))


def _log_normal(family: Any, seen: Moments, place: tuple[int, int], _: float | None) -> Likelihood:
    logs = _gaussian(GaussianFamily(), seen, place, None)
    mean, variance = logs.best
    return GaussianLikelihood(logs.rows, float(mean), float(variance), -logs.rows * float(mean))


def _gamma(family: Any, seen: LogMoments, place: tuple[int, int], _: float | None) -> Likelihood:
    rows = _rows_of(seen.count[place])
    gap = float(seen.gap[place])
    if not gap > 0:
        raise no_maximum("all values are equal, and the larger the shape the more likely they are")
    fitted = family.estimate(seen)
    mean, shape = float(fitted.mean[place]), float(fitted.shape[place])
    return GammaLikelihood(rows, mean, shape, gap, float(seen.mean_log[place]))


def _negative_binomial(family: Any, seen: ValueCounts, place: tuple[int, int], _: float | None) -> Likelihood:
    j = place[1]
    values, counts = seen.points(j), seen.table(j)[0].astype(np.float64)
    _rows_of(counts.sum())
    if not values @ counts > 0:
        raise no_maximum("all counts are 0, and every dispersion is as likely as another")
    if seen.exponent[j] is not None:
        values = values - 0.5  # the middle of the whole numbers in a cell, as the family has it
    fitted, errors = family.estimate(seen), family.standard_errors(seen)
    dispersion = float(fitted.dispersion[place])
    error = float(errors["dispersion"][place]) if dispersion > 0 else 0.0
    return CountsLikelihood(values, counts, float(fitted.mean[place]), dispersion, error)


def _categorical(family: Any, seen: CategoryCounts, place: tuple[int, int], _: float | None) -> Likelihood:
    fitted = family.estimate(seen)
    counts = seen.over(fitted.levels).table(place[1])[0].astype(np.float64)
    _rows_of(counts.sum())
    best = np.array([p[0] for p in fitted.probability(place[1]).values()])
    return SharesLikelihood(counts, best)


def _multinomial(family: Any, seen: Totals, place: tuple[int, int], constant: float | None) -> Likelihood:
    if (seen.count != seen.weight[:, None]).any():
        raise InputError("some cells were missing, and then the likelihood has no closed form; leave those rows out")
    counts = seen.sum[0].astype(np.float64)
    _rows_of(counts.sum())
    return SharesLikelihood(counts, family.estimate(seen).probability[0], constant)


def _vectors(family: Any, seen: Scatter, place: tuple[int, int], _: float | None) -> Likelihood:
    seen = seen.canonical()
    if not seen.complete:
        raise InputError("some cells were missing, and then the likelihood has no closed form; leave those rows out")
    rows = _rows_of(seen.count[0, 0, 0])
    spread = np.diagonal(seen.deviations[0])
    if not (spread > 0).all() or not is_positive_definite(correlation(seen.deviations[0])):
        raise no_maximum(
            f"{rows:g} rows do not spread in all {len(spread)} directions; take more rows or fewer columns"
        )
    fitted = family.estimate(seen)
    return VectorLikelihood(rows, fitted.mean[0], fitted.covariance[0])


_BY_NAME: dict[str, Callable[[Any, Any, tuple[int, int], float | None], Likelihood]] = {
    "bernoulli": _chance,
    "binomial": _binomial,
    "categorical": _categorical,
    "multinomial": _multinomial,
    "poisson": _poisson,
    "negative binomial": _negative_binomial,
    "exponential": _exponential,
    "gaussian": _gaussian,
    "log-normal": _log_normal,
    "gamma": _gamma,
    "multivariate gaussian": _vectors,
}
