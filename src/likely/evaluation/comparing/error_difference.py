"""Two figures side by side: the difference of two error rates, and a relative change.

    d = e_1 - e_2,   sigma_d = sqrt(e_1 (1 - e_1) / n_1 + e_2 (1 - e_2) / n_2)
    interval         d +- z sigma_d
    P(d > 0)         Phi(d / sigma_d): how sure the first error is the larger one
    p-value          1 - Phi(d / sigma_d): of a difference so large if the second error were as large

The samples are taken to be independent. For two classifiers on the same rows the interval is too wide as a rule,
because their errors tend to fall on the same rows: compare them paired instead.

A relative change a / b - 1 gets its interval from those of a and b (Donner and Zou 2012, method of variance estimates
recovery), each of which keeps its own shape near 0 or 1.
"""

from dataclasses import dataclass
from math import copysign, inf, nan, sqrt

import numpy as np

from likely.data.printing.html_table import text_as_html
from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.proportions import standard_error
from likely.intervals.quantiles import Side, Table, normal_quantile
from likely.numeric.arrays import Array


@dataclass(frozen=True)
class ErrorDifference:
    """The difference of two error rates on independent samples, and the test that the first is larger."""

    difference: Estimate
    z: float  # d / sigma_d
    probability: float  # P(d > 0)
    p_value: float  # one-sided: of the hypothesis that the first error is not larger

    @property
    def standard_error(self) -> float:
        """Of the difference."""
        return self.difference.standard_error

    def larger(self, level: float = 0.05) -> bool:
        """Whether the test rejects, at this level, that the first error is not larger."""
        return self.p_value <= level

    def __str__(self) -> str:
        return (
            f"{self.difference}; z = {self.z:.3f}, P(d > 0) = {self.probability:.4f}, one-sided p = {self.p_value:.4f}"
        )

    _repr_html_ = text_as_html


def error_difference(
    e1: float,
    n1: float,
    e2: float,
    n2: float,
    confidence: float = 0.95,
    side: Side = "two",
    table: Table = "exact",
) -> ErrorDifference:
    """The difference of two error rates and its test: by how much e1 on n1 rows exceeds e2 on n2 other rows.

    When neither sample varies (errors of 0 or 1) the standard error is 0, z infinite or, for a difference of 0, 0.

    Parameters
    ----------
    e1, e2 : the error rates
    n1, n2 : how many rows each was counted on
    table : of normal quantiles: exact, or as a textbook prints them

    >>> print(error_difference(0.30, 100, 0.20, 100))
    0.100 [-0.019, 0.219] 95 % normal, n=200; z = 1.644, P(d > 0) = 0.9499, one-sided p = 0.0501
    """
    from scipy.special import ndtr

    d = e1 - e2
    deviation = sqrt(standard_error(e1, n1) ** 2 + standard_error(e2, n2) ** 2)
    half = normal_quantile(confidence, side, table) * deviation
    certain = copysign(inf, d) if d else 0.0
    z = d / deviation if deviation > 0 else certain
    low = -1.0 if side == "upper" else max(d - half, -1.0)
    high = 1.0 if side == "lower" else min(d + half, 1.0)
    method = "normal" if side == "two" else f"normal ({side} bound)"
    difference = Estimate(d, low, high, confidence, method, n1 + n2, deviation)
    return ErrorDifference(difference, z, float(ndtr(z)), float(ndtr(-z)))


def relative_change(a: Estimate | float, b: Estimate | float) -> Estimate:
    """Relative change a / b - 1: by which share a lies above b, as training accuracy may above test accuracy.

    A plain number is taken as exact. Undefined when b is 0; the interval is unbounded when that of b reaches 0.

    Parameters
    ----------
    a : the figure, with its interval or exact
    b : what it is compared with

    >>> round(relative_change(0.766, 0.72).value, 4)
    0.0639
    >>> from likely.evaluation import proportion_interval
    >>> print(relative_change(proportion_interval(383, 500), proportion_interval(360, 497)))
    0.058 [-0.017, 0.138] 95 % MOVER, n=997
    """
    first, second = _as_estimate(a), _as_estimate(b)
    levels = {e.confidence for e in (first, second) if e.method != "exact number"}
    if len(levels) > 1:
        raise InputError(f"the two figures have different confidence: {sorted(levels)}")
    if min(first.value, second.value, first.low, second.low) < 0:
        raise InputError("a relative change is between figures that are not negative")
    confidence = levels.pop() if levels else 1.0
    n = first.n + second.n
    if second.value == 0 or not (first.defined and second.defined):
        return Estimate(nan, -1.0, inf, confidence, "MOVER", n, note="the figure compared with is 0 or undefined")
    low = _ratio_end(first.value, second.value, first.low, second.high, -1.0)
    high = _ratio_end(first.value, second.value, first.high, second.low, 1.0)
    return Estimate(first.value / second.value - 1, low - 1, high - 1, confidence, "MOVER", n)


def true_error(probability: Array, said: Array, truth: Array) -> float:
    """The error of a classifier over a known law D of the inputs: the sum of D(x) where it says the wrong class.

    It is a property of the classifier, not an estimate, and so has no interval.

    probability: D(x) of every input x, which sum to 1.
    said: what the classifier says of each.
    truth: what each is.

    >>> true_error([0.125, 0.5, 0.125, 0.25], said=[0, 1, 1, 0], truth=[1, 1, 0, 0])
    0.25
    """
    p, h, f = np.asarray(probability, dtype=np.float64), np.asarray(said), np.asarray(truth)
    if p.ndim != 1 or h.shape != p.shape or f.shape != p.shape:
        raise InputError(
            f"probability, said and truth have one entry per input each; got shapes {p.shape}, {h.shape}, {f.shape}"
        )
    if not (p >= 0).all() or abs(p.sum() - 1) > 1e-9:
        raise InputError(
            f"the probabilities of the inputs must not be negative and sum to 1; they sum to {p.sum():.12g}"
        )
    return float(p[h != f].sum())


def _as_estimate(figure: Estimate | float) -> Estimate:
    if isinstance(figure, Estimate):
        return figure
    return Estimate(float(figure), float(figure), float(figure), 1.0, "exact number", 0)


def _ratio_end(a: float, b: float, a_end: float, b_end: float, sign: float) -> float:
    """One end of the interval of a / b: the low one (sign -1) from a's low and b's high end, the high one crosswise."""
    leading = b_end * (2 * b - b_end)
    if leading <= 0:  # b's interval reaches twice its value, or 0: the ratio of the outermost ends
        return a_end / b_end if b_end > 0 else inf
    root = (a * b) ** 2 - a_end * b_end * (2 * a - a_end) * (2 * b - b_end)
    return (a * b + sign * sqrt(max(root, 0.0))) / leading
