"""From data, counts or a statistic to the likelihood of a family.

What the data may be, by family:

| family                | raw data                                   | statistic        |
| --------------------- | ------------------------------------------ | ---------------- |
| bernoulli             | zeros and ones                             | `Totals`         |
| binomial              | pairs (successes, trials)                  | `Totals` of bits |
| categorical           | values of any kind                         | `CategoryCounts` |
| multinomial           | a row of counts, or rows of them           | `Totals`         |
| poisson, exponential  | numbers                                    | `Totals`         |
| gaussian, log-normal  | numbers                                    | `Moments`        |
| gamma                 | positive numbers                           | `LogMoments`     |
| negative binomial     | whole numbers                              | `ValueCounts`    |
| multivariate gaussian | rows of numbers                            | `Scatter`        |

A column of values may also be counted: a mapping from each value to how often it occurred. A missing value (NaN or
None) is left out; rows of vectors must be complete. A statistic of several groups or features holds the one that
`group` and `feature` name.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likely.distributions import (
    BernoulliFamily,
    CategoricalFamily,
    ExponentialFamily,
    GammaFamily,
    GaussianFamily,
    LogNormalFamily,
    MultinomialFamily,
    MultivariateGaussianFamily,
    NegativeBinomialFamily,
    PoissonFamily,
)
from likely.distributions.conjugate.summaries import picked
from likely.errors import InputError, InputTypeError
from likely.estimation.likelihoods.families import likelihood_of, log_factorials
from likely.estimation.likelihoods.functions import Likelihood
from likely.numeric.arrays import Floats
from likely.statistics import Additive, CategoryCounts, Membership, Moments, Scatter, Totals
from likely.statistics.categories import sort_key
from likely.statistics.log_moments import LogMoments
from likely.statistics.values import ValueCounts

_COLUMN_FAMILIES: dict[str, Any] = {  # name, family
    "bernoulli": BernoulliFamily(estimation="ml"),
    "poisson": PoissonFamily(),
    "negative binomial": NegativeBinomialFamily(estimation="ml"),
    "exponential": ExponentialFamily(),
    "gaussian": GaussianFamily(),
    "log-normal": LogNormalFamily(),
    "gamma": GammaFamily(),
}
_FAMILIES: dict[str, Any] = {
    **_COLUMN_FAMILIES,
    "binomial": BernoulliFamily(estimation="ml"),
    "categorical": CategoricalFamily(estimation="ml"),
    "multinomial": MultinomialFamily(estimation="ml"),
    "multivariate gaussian": MultivariateGaussianFamily(),
}


@dataclass(frozen=True)
class Data:
    """One group of data, summarised as a family does it."""

    name: str
    family: Any  # set to maximum likelihood
    statistic: Any  # of one group
    feature: int
    constant: float | None  # the log of what the rows' probability has without parameters; None: not known


@dataclass(frozen=True)
class Observed:
    """The likelihood of one group of data under one family."""

    family: str
    likelihood: Likelihood
    levels: tuple[Any, ...] = ()  # the outcomes of a categorical family


def observe(data: Any, family: Any, group: int | None = None, feature: int | None = None) -> Observed:
    """The likelihood of data under a family.

    >>> observe({"heads": 3, "tails": 2}, "categorical").likelihood.best
    array([0.6, 0.4])
    """
    seen = read_data(data, family, group, feature)
    likelihood = likelihood_of(seen.name, seen.family, seen.statistic, (0, seen.feature), seen.constant)
    counted = seen.name == "categorical"
    levels = tuple(seen.family.estimate(seen.statistic).levels[seen.feature]) if counted else ()
    return Observed(seen.name, likelihood, levels)


def read_data(data: Any, family: Any, group: int | None = None, feature: int | None = None) -> Data:
    """Raw data, counts or a statistic, as the statistic of one group.

    >>> read_data([2.0, 4.0], "poisson").statistic.sum
    array([[6]])
    """
    name, plain = _named(family)
    statistic: Any
    constant: float | None = None
    if isinstance(data, Additive):
        statistic = data.taken(np.array([picked(data, 1, group, None)[0]]))
    else:
        statistic, constant = _summary(data, name, plain)
    _check_kind(statistic, name)
    return Data(name, plain, statistic, picked(statistic, _width(statistic, name), None, feature)[1], constant)


def _named(family: Any) -> tuple[str, Any]:
    """The name of a family, and the family set to maximum likelihood."""
    if isinstance(family, str):
        name = family.strip().lower().replace("_", " ")
        name = {"lognormal": "log-normal", "log normal": "log-normal", "normal": "gaussian"}.get(name, name)
        if name in _FAMILIES:
            return name, _FAMILIES[name]
        raise InputError(f"unknown family {family!r}; choose one of {', '.join(_FAMILIES)}")
    for name, known in _FAMILIES.items():
        if type(family) is type(known):
            options = {"estimation": "ml", **({"ddof": 0} if hasattr(family, "ddof") else {})}
            if getattr(family, "covariance", "full") != "full":
                raise InputError(f"covariance={family.covariance!r}: only the full covariance has its likelihood here")
            return name, replace(family, **options)
    raise InputTypeError(
        f"{type(family).__name__} has no likelihood here; choose one of {', '.join(_FAMILIES)}, "
        "or take the information of your own log-likelihood with observed_information"
    )


_KINDS: dict[str, type[Additive]] = {
    "categorical": CategoryCounts,
    "gaussian": Moments,
    "log-normal": Moments,
    "gamma": LogMoments,
    "negative binomial": ValueCounts,
    "multivariate gaussian": Scatter,
}


def _check_kind(statistic: Additive, name: str) -> None:
    kind = _KINDS.get(name, Totals)
    if not isinstance(statistic, kind):
        raise InputTypeError(f"the statistic of the {name} family is {kind.__name__}, got {type(statistic).__name__}")


def _width(statistic: Any, name: str) -> int:
    """How many features there are to choose from."""
    if name in ("multinomial", "multivariate gaussian"):
        return 1
    if name == "negative binomial":
        return len(statistic.values)
    return len(statistic.levels) if name == "categorical" else int(statistic.count.shape[1])


def _summary(data: Any, name: str, family: Any) -> tuple[Any, float | None]:
    """The statistic of raw data, and the log of what their probability has without parameters."""
    if name == "categorical":
        return _counted_values(data), 0.0
    if name == "binomial":
        return _trials(data, family)
    if name in _COLUMN_FAMILIES:
        x, weight = _weighted(data)
        statistic = family.summarize(x, Membership.whole(len(x), weight))
        return statistic, -log_factorials(x, weight) if name == "poisson" else 0.0
    rows = _numbers(data)
    rows = np.ascontiguousarray(rows[None] if rows.ndim == 1 and name == "multinomial" else rows)
    if rows.ndim != 2 or not rows.shape[1]:
        raise InputError(f"the {name} family takes rows (n, d), got data of shape {rows.shape}")
    if np.isnan(rows).any():
        raise InputError("a row has a missing cell, and then the likelihood has no closed form; leave the row out")
    statistic = family.summarize(rows, Membership.whole(len(rows)))
    if name == "multinomial":
        return statistic, log_factorials(rows.sum(axis=1, keepdims=True)) - log_factorials(rows)
    return statistic, 0.0


def _weighted(data: Any) -> tuple[Floats, Floats | None]:
    """A column (n, 1) of values, with weights if they were counted."""
    if isinstance(data, Mapping):
        x, weight = _numbers(list(data)), _numbers(list(data.values()))
        _check_counts(weight)
        return np.ascontiguousarray(x.reshape(-1, 1)), weight
    x = _numbers(data)
    if x.ndim > 2 or (x.ndim == 2 and x.shape[1] != 1):
        raise InputError(f"expected one column of values, got data of shape {x.shape}; take one column at a time")
    return np.ascontiguousarray(x.reshape(-1, 1)), None


def _counted_values(data: Any) -> CategoryCounts:
    """How often each value occurs, a value that is named and counted 0 times included; None and NaN are missing."""
    counted: Mapping[Any, Any] = data if isinstance(data, Mapping) else Counter(_flat(data))
    weight = _numbers(list(counted.values()))
    _check_counts(weight)
    seen = {v: n for v, n in counted.items() if v is not None and v == v}  # NaN is not equal to itself
    levels = sorted(seen, key=sort_key)
    return CategoryCounts(np.array([weight.sum()]), (tuple(levels),), np.array([[seen[level] for level in levels]]))


def _flat(data: Any) -> list[Any]:
    """The values of one column, as Python's own where they are NumPy's."""
    if not isinstance(data, np.ndarray):
        return list(data)
    if data.ndim > 2 or (data.ndim == 2 and data.shape[1] != 1):
        raise InputError(f"expected one column of values, got data of shape {data.shape}; take one column at a time")
    return list(data.ravel().tolist())


def _trials(data: Any, family: BernoulliFamily) -> tuple[Totals, float]:
    """Experiments of several trials each, as so many ones and zeros."""
    pairs = np.atleast_2d(_numbers(data))
    if pairs.ndim != 2 or pairs.shape[1] != 2 or np.isnan(pairs).any():
        raise InputError(f"the binomial family takes pairs (successes, trials), got {data!r:.60}")
    successes, trials = pairs.T
    if ((successes < 0) | (successes > trials) | ~np.isfinite(trials)).any():
        raise InputError("every experiment must have at least 0 successes and at most as many as trials")
    from scipy.special import gammaln

    coefficient = gammaln(trials + 1) - gammaln(successes + 1) - gammaln(trials - successes + 1)
    weight = np.array([successes.sum(), (trials - successes).sum()])
    statistic = family.summarize(np.array([[1.0], [0.0]]), Membership.whole(2, weight))
    return statistic, float(coefficient.sum())


def _numbers(data: Any) -> Floats:
    try:
        values = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"expected numbers, got {data!r:.60}") from None
    if np.isinf(values).any():
        raise InputError("the data hold an infinite value; remove it")
    return values


def _check_counts(weight: Floats) -> None:
    if not (weight >= 0).all():
        raise InputError("a value was counted less than zero times or not at all; counts are numbers from 0 on")
