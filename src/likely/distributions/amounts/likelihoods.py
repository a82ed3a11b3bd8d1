"""Log-likelihoods of a Gaussian (also of logarithms) and of a gamma density.

    Gaussian   -n/2 [ log(2 pi v) + (s^2 + (x - m)^2) / v ]     s^2 and x the variance and mean of the rows
    gamma      n [ c(s) - s (g + u - log(1 + u)) - mean log x ]   u = mean x / m - 1, c(s) = s log s - s - log G(s)

with g = log(mean x) - mean(log x) the gap of the rows. In both the two estimates are uncorrelated.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.distributions.capabilities.likelihood import Uncorrelated
from likely.numeric.arrays import Floats
from likely.numeric.special.log_gamma import gamma_constant, shape_of_gap, trigamma_minus_inverse


@dataclass(frozen=True)
class GaussianLikelihood(Uncorrelated):
    """Numbers with a mean and a variance.

    >>> one = GaussianLikelihood(6.0, 10.0, 1.0)
    >>> one.restricted(np.array([11.0, np.nan]))  # the spread about another mean
    array([11.,  2.])
    """

    rows: float
    mean: float
    variance: float
    constant: float | None = 0.0
    names: ClassVar[tuple[str, ...]] = ("mean", "variance")
    ends: ClassVar[tuple[tuple[float, float], ...]] = ((-np.inf, np.inf), (0.0, np.inf))

    @property
    def best(self) -> Floats:
        return np.array([self.mean, self.variance])

    def log_likelihood(self, theta: Floats) -> float:
        mean, variance = theta
        if not variance > 0:
            return -np.inf
        spread = self.variance + (self.mean - mean) ** 2
        return float(-0.5 * self.rows * (np.log(2 * np.pi * variance) + spread / variance))

    def errors(self) -> Floats:
        return np.array([np.sqrt(self.variance / self.rows), self.variance * np.sqrt(2.0 / self.rows)])

    def restricted(self, fixed: Floats) -> Floats:
        mean, variance = fixed
        mean = self.mean if np.isnan(mean) else mean
        return np.array([mean, self.variance + (self.mean - mean) ** 2 if np.isnan(variance) else variance])


@dataclass(frozen=True)
class GammaLikelihood(Uncorrelated):
    """Positive amounts with a mean and a shape.

    >>> one = GammaLikelihood(4.0, 3.0, 2.99, gap=0.17, mean_log=0.92)
    >>> one.restricted(np.array([np.nan, 1.0]))  # the exponential density
    array([3., 1.])
    """

    rows: float
    mean: float
    shape: float
    gap: float
    mean_log: float
    constant: float | None = 0.0
    names: ClassVar[tuple[str, ...]] = ("mean", "shape")
    ends: ClassVar[tuple[tuple[float, float], ...]] = ((0.0, np.inf), (0.0, np.inf))

    @property
    def best(self) -> Floats:
        return np.array([self.mean, self.shape])

    def log_likelihood(self, theta: Floats) -> float:
        mean, shape = theta
        if not (mean > 0 and shape > 0):
            return -np.inf
        inner = float(gamma_constant(np.asarray(shape))) - shape * self._gap(mean)
        return float(self.rows * (inner - self.mean_log))

    def errors(self) -> Floats:
        bend = float(trigamma_minus_inverse(np.asarray(self.shape)))
        return np.array([self.mean / np.sqrt(self.rows * self.shape), 1.0 / np.sqrt(self.rows * bend)])

    def restricted(self, fixed: Floats) -> Floats:
        mean, shape = fixed
        mean = self.mean if np.isnan(mean) else mean
        if np.isnan(shape):
            shape = float(shape_of_gap(np.asarray(self._gap(mean)))) if mean > 0 else np.nan
        return np.array([mean, shape])

    def _gap(self, mean: float) -> float:
        """How far the mean logarithm of the rows lies below what this mean would have with infinite shape."""
        excess = self.mean / mean - 1
        log = np.log1p(excess) if excess > -0.5 else np.log(self.mean) - np.log(mean)
        return float(self.gap + excess - log)
