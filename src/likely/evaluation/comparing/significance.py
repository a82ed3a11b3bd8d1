"""Tests of whether two classifiers differ, on plain arrays.

    mcnemar                 rows that only one of them calls right: under no difference, a fair coin for each of them
    paired_t                mean of differences +- t_{k-1} psi, psi = sqrt(sum (delta_i - mean)^2 / (k (k - 1)));
                            takes the differences as independent, which those of folds are not
    corrected_resampled_t   the same with psi = S sqrt(1 / k + n2 / n1), for folds that share training rows (Nadeau
                            and Bengio 2003)
    bayesian_correlated_t   the posterior of the mean difference, a Student t about the mean with that same psi as its
                            scale (Corani and Benavoli 2015): how probable it is that the difference matters
    holm                    p-values of several tests, adjusted so that any false alarm among them is as rare as said

Differences that are all equal leave nothing to vary: t is infinite and p = 0, or 0 and 1 when they are all 0. Who has
the rows behind the scores knows better, and gives `least_error`, below which the standard error is not taken to be.
"""

from dataclasses import dataclass
from math import copysign, inf, sqrt

import numpy as np
from numpy.typing import ArrayLike

from likely.data.printing.html_table import text_as_html
from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence, t_quantile
from likely.numeric.arrays import Array, Floats
from likely.numeric.special.binomial import binomial_cdf


@dataclass(frozen=True)
class McNemar:
    """The rows on which two classifiers disagree, and how surprising their shares are under no difference."""

    only_first: int  # rows that only the first calls right
    only_second: int
    p_value: float  # two-sided, exact
    note: str = ""  # what a reader must know besides

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        return (
            f"only the first right {self.only_first}, only the second {self.only_second}, p = {self.p_value:.4g}{note}"
        )

    _repr_html_ = text_as_html


@dataclass(frozen=True)
class TTest:
    """The mean of differences with its interval, and the test that it is zero."""

    difference: Estimate
    t: float
    degrees: int
    p_value: float  # two-sided

    @property
    def standard_error(self) -> float:
        """The deviation psi of the mean difference."""
        return self.difference.standard_error

    def __str__(self) -> str:
        return f"{self.difference}; t = {self.t:.3f}, p = {self.p_value:.4g}"

    _repr_html_ = text_as_html


@dataclass(frozen=True)
class CorrelatedT:
    """The posterior of the mean difference, and its share below, inside and above a region of practical equivalence."""

    location: float
    scale: float
    degrees: int
    rope: float  # the region is -rope to rope
    below: float
    inside: float
    above: float

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Between which ends the difference lies with this probability."""
        half = t_quantile(confidence, self.degrees) * self.scale
        return self.location - half, self.location + half

    def __str__(self) -> str:
        return f"P(below) {self.below:.3f}, P(within {self.rope:g}) {self.inside:.3f}, P(above) {self.above:.3f}"

    _repr_html_ = text_as_html


def mcnemar(first_right: ArrayLike, second_right: ArrayLike) -> McNemar:
    """McNemar's test, exact, from whether each of two classifiers is right about each row.

    >>> print(mcnemar([1, 1, 1, 1, 1, 1, 0, 0], [0, 0, 0, 0, 0, 1, 0, 1]))
    only the first right 5, only the second 1, p = 0.2188
    """
    a, b = (np.asarray(right, dtype=bool) for right in (first_right, second_right))
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError(f"McNemar's test is paired: one truth value per row each; got shapes {a.shape} and {b.shape}")
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    n = only_a + only_b
    p = 1.0 if n == 0 else min(1.0, 2.0 * float(binomial_cdf(min(only_a, only_b), n, 0.5)))
    return McNemar(only_a, only_b, p)


def paired_t(first: ArrayLike, second: ArrayLike = 0.0, confidence: float = 0.95) -> TTest:
    """The paired t test, from scores of two classifiers on the same folds, or from their differences alone.

    >>> print(paired_t([0.20, 0.22, 0.18, 0.25, 0.21], [0.17, 0.20, 0.18, 0.21, 0.20]))
    0.020 [0.000, 0.040] 95 % paired t, n=5; t = 2.828, p = 0.04742
    """
    delta = _differences(first, second)
    return _t_test(delta, float(delta.std(ddof=1)) / sqrt(len(delta)), confidence, "paired t")


def corrected_resampled_t(
    first: ArrayLike,
    second: ArrayLike = 0.0,
    test_ratio: float = 1 / 9,
    confidence: float = 0.95,
    least_error: float = 0.0,
) -> TTest:
    """The corrected resampled t test (Nadeau and Bengio); `test_ratio` is test rows over training rows of a fold.

    For K-fold cross-validation, repeated or not, that is 1 / (K - 1).

    >>> print(corrected_resampled_t([0.03, 0.02, 0.0, 0.04, 0.01], test_ratio=1 / 4))
    0.020 [-0.009, 0.049] 95 % corrected resampled t, n=5; t = 1.886, p = 0.1324
    """
    delta = _differences(first, second)
    return _t_test(delta, max(_corrected(delta, test_ratio), least_error), confidence, "corrected resampled t")


def bayesian_correlated_t(
    first: ArrayLike,
    second: ArrayLike = 0.0,
    test_ratio: float = 1 / 9,
    rope: float = 0.01,
    least_error: float = 0.0,
) -> CorrelatedT:
    """The Bayesian correlated t test: how probable the mean difference is below -rope, within +-rope, above rope.

    The prior is flat in the mean and in the logarithm of the deviation; scores of folds correlate by
    n2 / (n1 + n2), test_ratio = n2 / n1.

    >>> print(bayesian_correlated_t([0.03, 0.02, 0.0, 0.04, 0.01], test_ratio=1 / 4, rope=0.01))
    P(below) 0.024, P(within 0.01) 0.176, P(above) 0.800
    """
    delta = _differences(first, second)
    if not rope >= 0:
        raise InputError(f"rope is half the width of the region of practical equivalence, 0 or more; got {rope}")
    return _posterior(float(delta.mean()), max(_corrected(delta, test_ratio), least_error), len(delta) - 1, rope)


def _posterior(mean: float, scale: float, degrees: int, rope: float) -> CorrelatedT:
    from scipy.special import stdtr

    if scale == 0:
        return CorrelatedT(mean, 0.0, degrees, rope, float(mean < -rope), float(abs(mean) <= rope), float(mean > rope))
    below, above = (float(stdtr(degrees, (-rope - side * mean) / scale)) for side in (1, -1))
    return CorrelatedT(mean, scale, degrees, rope, below, max(0.0, 1.0 - below - above), above)


def of_rows(difference: Estimate) -> TTest:
    """The test of a difference whose interval and standard error are of the rows: one split, without folds.

    >>> print(of_rows(Estimate(0.1, 0.02, 0.18, 0.95, "paired rows", 100, 0.04)))
    0.100 [0.020, 0.180] 95 % paired rows, n=100; t = 2.500, p = 0.01406
    """
    from scipy.special import stdtr

    error, degrees = difference.standard_error, max(int(difference.n) - 1, 1)
    certain = copysign(inf, difference.value) if difference.value else 0.0
    t = difference.value / error if error > 0 else certain
    return TTest(difference, t, degrees, float(min(1.0, 2.0 * stdtr(degrees, -abs(t)))))


def posterior_of_rows(test: TTest, rope: float = 0.01) -> CorrelatedT:
    """How probable it is that a difference of rows matters, with a flat prior."""
    return _posterior(test.difference.value, test.standard_error, test.degrees, rope)


def holm(p_values: ArrayLike) -> Floats:
    """Holm's adjusted p-values (m,): reject those at or below the level, and the chance of any false alarm keeps to it.

    The i-th smallest of m is multiplied by m - i + 1; none is smaller than one before it.

    >>> holm([0.01, 0.04, 0.03]).round(4).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p_values, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise InputError(f"p-values are numbers from 0 to 1, got {p_values!r}")
    order = np.argsort(p, kind="stable")
    raised = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(raised, 1.0)
    return adjusted


def _t_test(delta: Floats, error: float, confidence: float, method: str) -> TTest:
    from scipy.special import stdtr

    check_confidence(confidence)
    mean, degrees = float(delta.mean()), len(delta) - 1
    half = t_quantile(confidence, degrees) * error
    certain = copysign(inf, mean) if mean else 0.0
    t = mean / error if error > 0 else certain
    note = "" if error > 0 else "all differences are equal; the interval shows no more than that"
    difference = Estimate(mean, mean - half, mean + half, confidence, method, len(delta), error, note)
    return TTest(difference, t, degrees, float(min(1.0, 2.0 * stdtr(degrees, -abs(t)))))


def _corrected(delta: Floats, test_ratio: float) -> float:
    from likely.intervals.resampled import corrected_error

    if not test_ratio > 0:
        raise InputError(f"test_ratio is the test rows over the training rows of a fold, above 0; got {test_ratio}")
    return corrected_error(delta, test_ratio)


def _differences(first: ArrayLike, second: ArrayLike) -> Array:
    a, b = (np.asarray(scores, dtype=np.float64) for scores in (first, second))
    if b.ndim and a.shape != b.shape:
        raise InputError(f"scores must be paired: the same folds for both; got shapes {a.shape} and {b.shape}")
    with np.errstate(invalid="ignore"):
        delta = np.ravel(a - b)
    if len(delta) < 2:
        raise InputError("a test over folds needs the scores of at least two")
    if not np.isfinite(delta).all():
        place = int(np.flatnonzero(~np.isfinite(delta))[0])
        raise InputError(f"the difference in fold {place} is {delta[place]}; only finite scores can be compared")
    return delta
