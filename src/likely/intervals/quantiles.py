"""How many standard errors an interval reaches: quantiles of the normal and of Student's t.

    P(|Z| <= z) = confidence      two sides: the tail above z holds (1 - confidence) / 2
    P(Z <= z) = confidence        one side: the tail holds 1 - confidence

Quantiles are exact unless a table is asked for. The printed tables are those of textbooks, two digits and linear
interpolation between their rows; they are here to check results that were found with them, not to find better ones.
"""

from collections.abc import Sequence
from math import nan
from numbers import Real
from typing import Literal, TypeAlias

import numpy as np

from likely.errors import InputError

Side: TypeAlias = Literal["two", "lower", "upper"]
Table: TypeAlias = Literal["exact", "printed", "printed-central"] | Sequence[tuple[float, float]]

# Probability above z, and z. The third digit of 1.65 is wrong (1.645); the table is kept as it is printed.
UPPER_TAIL_TABLE = ((0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.1, 1.28))
# Probability between -z and z, and z. 1.00 belongs to 68.27 %; 68 % is 0.994.
CENTRAL_TABLE = ((0.5, 0.67), (0.68, 1.0), (0.8, 1.28), (0.9, 1.64), (0.95, 1.96), (0.98, 2.33), (0.99, 2.58))


def normal_quantile(confidence: float = 0.95, side: Side = "two", table: Table = "exact") -> float:
    """The quantile z of the normal law: how many deviations from its mean it stays with this confidence.

    `table` is "exact", "printed" (tail probabilities), "printed-central" (central probabilities), or pairs of a tail
    probability and its z.

    >>> round(normal_quantile(0.95), 6)
    1.959964
    >>> round(normal_quantile(0.95, side="upper"), 6)
    1.644854
    >>> round(normal_quantile(0.95, table="printed"), 6), normal_quantile(0.95, table="printed-central")
    (2.075, 1.96)
    """
    tail = _tail(confidence, side)
    if isinstance(table, str):
        if table == "exact":
            from scipy.special import ndtri

            return float(-ndtri(tail))
        if table == "printed":
            return _interpolated(tail, UPPER_TAIL_TABLE)
        if table == "printed-central":
            return _interpolated(1.0 - 2.0 * tail, CENTRAL_TABLE)
        raise InputError(f"unknown table {table!r}; use 'exact', 'printed', 'printed-central' or pairs of tail and z")
    return _interpolated(tail, table)


def t_quantile(confidence: float, degrees: float, side: Side = "two") -> float:
    """The quantile of Student's t law with so many degrees of freedom.

    >>> round(t_quantile(0.95, 4), 4), round(t_quantile(0.95, 1e9), 4)
    (2.7764, 1.96)
    """
    from scipy.special import stdtrit

    if not degrees > 0:
        raise InputError(f"Student's t needs more than 0 degrees of freedom, got {degrees}")
    return float(-stdtrit(degrees, _tail(confidence, side)))


def check_confidence(confidence: object) -> float:
    """A confidence strictly between 0 and 1, or a complaint.

    >>> check_confidence(95)
    Traceback (most recent call last):
    likely.errors.InputError: the confidence must lie between 0 and 1, got 95; did you mean 0.95?
    """
    value = float(confidence) if isinstance(confidence, Real) else nan
    if not 0 < value < 1:
        hint = f"; did you mean {value / 100:g}?" if 1 < value < 100 else ""
        raise InputError(f"the confidence must lie between 0 and 1, got {confidence!r:.60}{hint}")
    return value


def _tail(confidence: float, side: Side) -> float:
    beyond = 1.0 - check_confidence(confidence)
    if side == "two":
        return beyond / 2
    if side in ("lower", "upper"):
        return beyond
    raise InputError(f"unknown side {side!r}; use 'two', 'lower' or 'upper'")


def _interpolated(probability: float, table: Sequence[tuple[float, float]]) -> float:
    rows = np.array(sorted(table), dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 2:
        raise InputError("a table is pairs of a probability and its z")
    low, high = rows[0, 0], rows[-1, 0]
    slack = 1e-12
    if not low - slack <= probability <= high + slack:
        raise InputError(
            f"the table runs from probability {low:g} to {high:g} and has no row for {probability:g}; use table='exact'"
        )
    return float(np.interp(probability, rows[:, 0], rows[:, 1]))
