"""Likelihood of a family given data, counts or a statistic.

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
from typing import Any, get_args, get_type_hints

import numpy as np

from likely.distributions.capabilities.likelihood import Likelihood, log_factorials, missing_cells
from likely.distributions.conjugate.summaries import DataLike, check_counts, column, finite_numbers, picked
from likely.distributions.family import Family
from likely.distributions.names import named_families
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array
from likely.statistics import Additive, CategoryCounts, Membership, Totals
from likely.statistics.counting.categories import sort_key


@dataclass(frozen=True)
class Data:
    """One group of data, summarised as a family does it."""

    name: str
    family: Any  # set to maximum likelihood
    statistic: Any  # of one group
    feature: int
    constant: float | None  # the log of what the rows' probability has without parameters; None: as the family has it


@dataclass(frozen=True)
class Observed:
    """The likelihood of one group of data under one family."""

    family: str
    likelihood: Likelihood
    levels: tuple[Any, ...] = ()  # the outcomes of a categorical family


def observe(data: DataLike, family: Family | str, group: int | None = None, feature: int | None = None) -> Observed:
    """The likelihood of data under a family.

    >>> observe({"heads": 3, "tails": 2}, "categorical").likelihood.best
    array([0.6, 0.4])
    """
    seen = read_data(data, family, group, feature)
    likelihood = seen.family.likelihood(seen.statistic, seen.feature)
    if seen.constant is not None:
        likelihood = replace(likelihood, constant=seen.constant)
    return Observed(seen.name, likelihood, getattr(likelihood, "levels", ()))


def read_data(data: DataLike, family: Family | str, group: int | None = None, feature: int | None = None) -> Data:
    """Raw data, counts or a statistic, as the statistic of one group.

    >>> read_data([2.0, 4.0], "poisson").statistic.sum
    array([[6]])
    """
    name, plain = _named(family)
    statistic: Any
    if isinstance(data, Additive):
        statistic = data.taken(np.array([picked(data, 1, group, None)[0]]))
        _check_kind(statistic, name, plain)
    else:
        statistic, constant = _summary(data, name, plain)
    place = picked(statistic, _width(statistic, plain), None, feature)[1]
    if isinstance(data, Additive):
        constant = _one_experiment(statistic, place) if name == "binomial" else None
    return Data(name, plain, statistic, place, constant)


def _named(family: Family | str) -> tuple[str, Any]:
    """The name of a family, and the family set to maximum likelihood; binomial data are so many Bernoulli trials."""
    known = {name: kind for name, kind in named_families().items() if hasattr(kind, "likelihood")}
    choices = ", ".join(sorted([*map(_spoken, known), "binomial"]))
    if isinstance(family, str):
        asked = "".join(filter(str.isalpha, family.lower()))
        if asked == "binomial":
            return asked, _at_most_likely(known["bernoulli"]())
        asked = {"normal": "gaussian"}.get(asked, asked)
        name = next((name for name in known if name.replace("_", "") == asked), None)
        if name is None:
            raise InputError(f"unknown family {family!r}; choose one of {choices}")
        return _spoken(name), _at_most_likely(known[name]())
    if not hasattr(family, "likelihood"):
        raise InputTypeError(
            f"{type(family).__name__} has no likelihood here; choose one of {choices}, "
            "or take the information of your own log-likelihood with observed_information"
        )
    return _spoken(getattr(family, "name", type(family).__name__)), _at_most_likely(family)


def _spoken(name: str) -> str:
    """A name as it is printed: "negative binomial"."""
    return {"log_normal": "log-normal"}.get(name, name.replace("_", " "))


def _at_most_likely(family: Any) -> Any:
    options = {"estimation": "ml", "ddof": 0}
    return replace(family, **{name: value for name, value in options.items() if hasattr(family, name)})


def _check_kind(statistic: Additive, name: str, family: Any) -> None:
    kind = get_type_hints(type(family).summarize).get("return", Additive)
    kinds = get_args(kind) or (kind,)
    if not isinstance(statistic, kinds):
        expected = " or ".join(one.__name__ for one in kinds)
        raise InputTypeError(f"the statistic of the {name} family is {expected}, got {type(statistic).__name__}")


def _width(statistic: Any, family: Family | str) -> int:
    """How many features there are to choose from."""
    if getattr(family, "of_vectors", False):
        return 1
    several = getattr(statistic, "levels", getattr(statistic, "values", None))
    return int(statistic.count.shape[1]) if several is None else len(several)


def _one_experiment(seen: Totals, feature: int) -> float:
    """The binomial coefficient of bits taken as one experiment of as many trials as there were."""
    rows, successes = float(seen.count[0, feature]), float(seen.sum[0, feature])
    return log_factorials(np.array([rows])) - log_factorials(np.array([successes, rows - successes]))


def _summary(data: DataLike, name: str, family: Any) -> tuple[Any, float | None]:
    """The statistic of raw data, and the log of what their probability has without parameters."""
    if family.form == "codes":
        return _counted_values(data), None
    if name == "binomial":
        return _trials(data, family)
    x, rows = _rows(data, name) if getattr(family, "of_vectors", False) else column(data)
    statistic = family.summarize(x, rows)
    return statistic, family.log_constant(x, rows.weight) if hasattr(family, "log_constant") else None


def _rows(data: Any, name: str) -> tuple[Array, Membership]:
    """Rows (n, d) of vectors; one row of counts may be given by itself."""
    rows = finite_numbers(data)
    rows = np.ascontiguousarray(rows[None] if rows.ndim == 1 and name == "multinomial" else rows)
    if rows.ndim != 2 or not rows.shape[1]:
        raise InputError(f"the {name} family takes rows (n, d), got data of shape {rows.shape}")
    if np.isnan(rows).any():
        raise missing_cells()
    return rows, Membership.whole(len(rows))


def _counted_values(data: DataLike) -> CategoryCounts:
    """How often each value occurs, a value that is named and counted 0 times included; None and NaN are missing."""
    counted: Mapping[Any, Any] = data if isinstance(data, Mapping) else Counter(_flat(data))
    weight = finite_numbers(list(counted.values()))
    check_counts(weight)
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


def _trials(data: Any, family: Any) -> tuple[Totals, float]:
    """Experiments of several trials each, as so many ones and zeros."""
    pairs = np.atleast_2d(finite_numbers(data))
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
