"""Shares of a sample, and how far from the truth they may be.

A count s of n independent rows is binomial: P(s) = C(n, s) P^s (1 - P)^(n - s), with mean n P and variance n P (1 -
P). The share p = s / n has the standard error sqrt(p (1 - p) / n). With z the normal quantile of the confidence:

    wilson         (p + z^2/2n +- z sqrt(p/n - p^2/n + z^2/4n^2)) / (1 + z^2/n): all P whose own standard error,
                   z times, reaches p; the default, also called the score interval
    normal         p +- z sqrt(p (1 - p) / n), cut at 0 and 1; too short for few rows or a share near 0 or 1, so it
                   warns when n p (1 - p) < 5 and n < 30
    exact          Clopper and Pearson: all P that a test of either tail would not reject; covers at least as often as
                   it says, usually more
    jeffreys       quantiles of Beta(s + 1/2, n - s + 1/2), with an end at 0 or 1 when s is 0 or n
    agresti-coull  the normal interval around (s + z^2/2) / (n + z^2), cut at 0 and 1

Counts are whole, so that coverage jumps with P. That of a 95 % Wilson interval, exactly, for P from 0.01 to 0.99:
95.3 % on average and 89.9 to 98.1 % at n = 30 (from 92.2 % for P within 0.1 to 0.9), 95.1 % and 92.1 to 97.7 % at
100, 95.0 % and 94.0 to 96.5 % at 1,000.

s and n need not be whole: rows with unequal weights count as their effective number.
"""

import warnings
from collections.abc import Callable
from math import nan, sqrt
from typing import Literal, TypeAlias

import numpy as np

from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import Side, Table, normal_quantile
from likely.numeric.arrays import Array, Floats

Method: TypeAlias = Literal["wilson", "normal", "exact", "jeffreys", "agresti-coull"]
Bounds: TypeAlias = tuple[Floats, Floats]


def proportion_interval(
    successes: float,
    n: float,
    confidence: float = 0.95,
    method: Method = "wilson",
    side: Side = "two",
    table: Table = "exact",
) -> Estimate:
    """A proportion, successes of n rows, with its confidence interval.

    `side="upper"` bounds the share from above only (the lower end is 0), "lower" from below only. The limits of a
    two-sided interval with confidence 1 - a are one-sided bounds with confidence 1 - a / 2.

    Parameters
    ----------
    table : of normal quantiles: exact, or as a textbook prints them

    >>> print(proportion_interval(256, 300))
    0.853 [0.809, 0.889] 95 % Wilson, n=300
    >>> print(proportion_interval(0, 20, method="exact"))
    0.000 [0.000, 0.168] 95 % exact (Clopper-Pearson), n=20
    >>> print(proportion_interval(30, 100, method="normal", side="upper"))
    0.300 [0.000, 0.375] 95 % normal (upper bound), n=100
    """
    if method not in _BOUNDS:
        raise InputError(f"unknown method {method!r}; use one of {', '.join(map(repr, _BOUNDS))}")
    z = normal_quantile(confidence, side, table)
    s, n = _count(successes, n)
    name, bounds = _BOUNDS[method]
    if side != "two":
        name = f"{name} ({side} bound)"
    if n == 0:
        return Estimate(nan, 0.0, 1.0, confidence, name, 0, note="0/0: no rows")
    if method == "normal" and not normal_is_valid(s / n, n):
        warnings.warn(
            f"the normal interval is not to be trusted: n p (1 - p) = {s * (1 - s / n):.3g} < 5 and n = {n:g} < 30; "
            "use method='wilson' or 'exact'",
            UserWarning,
            stacklevel=2,
        )
    low, high = (float(end) for end in bounds(np.asarray(s), np.asarray(n), z))
    low = 0.0 if side == "upper" else low
    high = 1.0 if side == "lower" else high
    return Estimate(s / n, low, high, confidence, name, n, standard_error(s / n, n))


def standard_error(share: float, n: float) -> float:
    """The standard error sqrt(p (1 - p) / n) of a share or error rate over samples of n rows.

    >>> round(standard_error(0.08, 100), 6)
    0.027129
    """
    if not 0 <= share <= 1 or not n > 0:
        raise InputError(f"a share lies between 0 and 1 and needs rows, got {share} of {n} rows")
    return sqrt(share * (1 - share) / n)


def normal_is_valid(share: float, n: float) -> bool:
    """Whether the normal curve stands in for the binomial law: n p (1 - p) >= 5 or n >= 30.

    >>> normal_is_valid(0.08, 100), normal_is_valid(0.1, 20)
    (True, False)
    """
    return n * share * (1 - share) >= 5 or n >= 30


def proportion_bounds(successes: Array, n: Array, confidence: float = 0.95, method: Method = "wilson") -> Bounds:
    """Ends of confidence intervals of proportions, for arrays of counts; 0 and 1 where there are no rows.

    >>> low, high = proportion_bounds(np.array([0, 5, 0]), np.array([20, 10, 0]))
    >>> low.round(3), high.round(3)
    (array([0.   , 0.237, 0.   ]), array([0.161, 0.763, 1.   ]))
    """
    s, rows = np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    low, high = _BOUNDS[method][1](s, np.where(rows > 0, rows, 1.0), normal_quantile(confidence))
    return np.where(rows > 0, low, 0.0), np.where(rows > 0, high, 1.0)


def _wilson_bounds(s: Array, n: Array, z: float) -> Bounds:
    p, squared = s / n, z * z / n
    centre = p + squared / 2
    half = np.sqrt(np.maximum(squared * (p * (1 - p) + squared / 4), 0.0))
    low = np.where(s <= 0, 0.0, (centre - half) / (1 + squared))
    high = np.where(s >= n, 1.0, (centre + half) / (1 + squared))
    return low, high


def _normal_bounds(s: Array, n: Array, z: float) -> Bounds:
    half = z * np.sqrt(s / n * (1 - s / n) / n)
    return np.maximum(s / n - half, 0.0), np.minimum(s / n + half, 1.0)


def _agresti_coull_bounds(s: Array, n: Array, z: float) -> Bounds:
    return _normal_bounds(s + z * z / 2, n + z * z, z)


def _exact_bounds(s: Array, n: Array, z: float) -> Bounds:
    return _beta_bounds(s, n - s + 1, s + 1, n - s, z)


def _jeffreys_bounds(s: Array, n: Array, z: float) -> Bounds:
    low, high = _beta_bounds(s + 0.5, n - s + 0.5, s + 0.5, n - s + 0.5, z)
    return np.where(s <= 0, 0.0, low), np.where(s >= n, 1.0, high)


def _beta_bounds(a_low: Array, b_low: Array, a_high: Array, b_high: Array, z: float) -> Bounds:
    """Quantiles of two beta laws at the tails of z; a parameter of 0 puts all weight at its end."""
    from scipy.special import betaincinv, ndtr

    tail = ndtr(-z)
    low = np.where(a_low > 0, betaincinv(np.where(a_low > 0, a_low, 1.0), b_low, tail), 0.0)
    high = np.where(b_high > 0, 1.0 - betaincinv(np.where(b_high > 0, b_high, 1.0), a_high, tail), 1.0)
    return low, high


_BOUNDS: dict[str, tuple[str, Callable[[Array, Array, float], Bounds]]] = {
    "wilson": ("Wilson", _wilson_bounds),
    "normal": ("normal", _normal_bounds),
    "exact": ("exact (Clopper-Pearson)", _exact_bounds),
    "jeffreys": ("Jeffreys", _jeffreys_bounds),
    "agresti-coull": ("Agresti-Coull", _agresti_coull_bounds),
}


def _count(successes: float, n: float) -> tuple[float, float]:
    s, n = float(successes), float(n)
    if not (np.isfinite(n) and n >= 0):
        raise InputError(f"the number of rows must be finite and not negative, got {n}")
    if not -1e-9 * n <= s <= n * (1 + 1e-9):  # sums of weights may miss by rounding
        raise InputError(f"{successes} successes among {n:g} rows: the successes must lie between 0 and n")
    return min(max(s, 0.0), n), n
