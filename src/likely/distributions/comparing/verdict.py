"""The outcome of a test of two samples, and how far they lie apart in bits.

Under equality 8 log 2 m D, with 1/m = 1/n_a + 1/n_b, is chi-square with as many degrees as parameters f: the estimate
of the divergence D is less by its mean f / (8 log 2 m), and the interval holds every noncentral chi-square for which
the value seen is not unlikely.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

import numpy as np

from likely.distributions.comparing.divergence import LOG_2
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import normal_quantile

TOO_FEW = "too few values"  # why two samples are not compared
_LARGE = 1e4  # a chi-square beyond which its root is as good as normal


@dataclass(frozen=True)
class Verdict:
    """The outcome of one test."""

    p: float
    divergence: float  # bits between the two estimates, bias included
    degrees: float  # parameters that may differ
    n_a: float
    n_b: float
    parts: tuple[tuple[float, str], ...]  # p-value and words
    test: str
    free: float | None = None  # p-value of what does not lean on the family's shape; None: all of it

    @property
    def firm(self) -> float:
        """The p-value that holds whatever the shape of the values."""
        return self.p if self.free is None else self.free

    def bits(self, confidence: float) -> Estimate:
        """The divergence without its bias, with an interval."""
        unit = 8 * LOG_2 * self.n_a * self.n_b / (self.n_a + self.n_b)
        seen = unit * self.divergence
        low, high = (min(end / unit, 1.0) for end in _noncentral(seen, self.degrees, confidence))
        value = min(max(max(seen - self.degrees, 0.0) / unit, low), high)
        return Estimate(value, low, high, confidence, "noncentral chi-square", self.n_a + self.n_b)

    def words(self, level: float) -> str:
        """The parts that are significant at this level, or all."""
        said = [words for p, words in self.parts if p <= level] if self.p <= level else []
        return ", ".join(said or [words for _, words in self.parts])


def either(*p: float) -> float:
    """The p-value of the smallest of independent ones (Tippett)."""
    least = min(p)
    return float(-np.expm1(len(p) * np.log1p(-least))) if least < 1 else 1.0


def _noncentral(seen: float, degrees: float, confidence: float) -> tuple[float, float]:
    """The noncentralities of chi-square under which what was seen is in neither tail."""
    if seen > _LARGE:
        z, root = normal_quantile(confidence), sqrt(seen - degrees)
        return (root - z) ** 2, (root + z) ** 2
    tail = (1 - confidence) / 2
    return _noncentrality(seen, degrees, 1 - tail), _noncentrality(seen, degrees, tail)


def _noncentrality(seen: float, degrees: float, p: float) -> float:
    """The noncentrality at which what was seen is the p-quantile, 0 if there is none."""
    from scipy.special import chndtr

    distribution: Callable[..., float] = chndtr
    low, high = 0.0, seen + 20 * sqrt(seen + degrees) + 60
    if distribution(seen, degrees, 0.0) <= p:
        return 0.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if distribution(seen, degrees, middle) > p else (low, middle)
    return (low + high) / 2
