"""Laws of one number: distribution function F(x) = P(X <= x), density p = F', P(a < X <= b) = F(b) - F(a).

    uniform     p(x) = 1 / (b - a) from a to b      mean (a + b) / 2     variance (b - a)^2 / 12
    Gaussian    P(mu - k s < X < mu + k s) = erf(k / sqrt 2): 0.683, 0.954, 0.997 for k = 1, 2, 3
    power       p(x) = exp(-|x|^m) / (2 Gamma(1 + 1/m)): Laplace's curve at m = 1, a bell at m = 2, and as m grows a
                step from 1/2 within (-1, 1) to 0 outside

The Gaussian that is learned from rows is `likely.distributions.Gaussian`; here are its masses. At one number these are
floats, at several arrays.
"""

from dataclasses import dataclass
from math import gamma, log, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.random_state import Seed, as_generator
from likely.probability.given import plain


@dataclass(frozen=True)
class Uniform:
    """The continuous uniform distribution: a number anywhere between two others, all places alike.

    >>> bus = Uniform(0, 30)
    >>> bus.mass(15, 21), bus.mean, bus.variance
    (0.2, 15.0, 75.0)
    """

    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        if not (np.isfinite(self.low) and np.isfinite(self.high) and self.low < self.high):
            raise InputError(f"a uniform law needs low < high, both finite, got {self.low} and {self.high}")

    @property
    def mean(self) -> float:
        """The expected value."""
        return self.low + 0.5 * (self.high - self.low)

    @property
    def variance(self) -> float:
        """The mean squared distance from the expected value."""
        return (self.high - self.low) ** 2 / 12

    def pdf(self, x: ArrayLike) -> Any:
        """The density, also at the two ends."""
        at = np.asarray(x, dtype=np.float64)
        return plain(np.where((at >= self.low) & (at <= self.high), 1.0 / (self.high - self.low), 0.0))

    def cdf(self, x: ArrayLike) -> Any:
        """P(X <= x)."""
        at = np.asarray(x, dtype=np.float64)
        return plain(np.clip((at - self.low) / (self.high - self.low), 0.0, 1.0))

    def mass(self, low: ArrayLike, high: ArrayLike) -> Any:
        """P(low < X <= high)."""
        a, b = (np.clip(np.asarray(end, dtype=np.float64), self.low, self.high) for end in (low, high))
        return plain(np.maximum(b - a, 0.0) / (self.high - self.low))

    def sample(self, size: int, random_state: Seed = None) -> Floats:
        """Numbers (size,) drawn from the law."""
        return as_generator(random_state).uniform(self.low, self.high, size)


@dataclass(frozen=True)
class PowerCurve:
    """The law with density proportional to exp(-|x|^m).

    >>> bell = PowerCurve(2)
    >>> round(bell.area, 6), round(bell.curve(1.0), 6), round(bell.variance, 6)
    (1.772454, 0.367879, 0.5)
    """

    m: float  # the power

    def __post_init__(self) -> None:
        if not 0 < self.m < np.inf:
            raise InputError(f"the power m is a finite number above 0, got {self.m}")
        if self.m < 0.01:
            raise InputError(f"the area under exp(-|x|^{self.m:g}) is too large for a number; m must be at least 0.01")

    @property
    def area(self) -> float:
        """Of exp(-|x|^m) over all x, 2 Gamma(1 + 1/m)."""
        return 2.0 * gamma(1.0 + 1.0 / self.m)

    @property
    def mean(self) -> float:
        """The expected value."""
        return 0.0

    @property
    def variance(self) -> float:
        """Gamma(3/m) / Gamma(1/m)."""
        from scipy.special import gammaln

        return float(np.exp(gammaln(3.0 / self.m) - gammaln(1.0 / self.m)))

    def curve(self, x: ArrayLike) -> Any:
        """exp(-|x|^m), 1 at 0."""
        with np.errstate(over="ignore"):
            return plain(np.exp(-(np.abs(np.asarray(x, dtype=np.float64)) ** self.m)))

    def log_pdf(self, x: ArrayLike) -> Any:
        """Ln of the density."""
        with np.errstate(over="ignore"):
            return plain(-(np.abs(np.asarray(x, dtype=np.float64)) ** self.m) - log(self.area))

    def pdf(self, x: ArrayLike) -> Any:
        """The density: the curve over its area."""
        return plain(np.exp(self.log_pdf(x)))

    def cdf(self, x: ArrayLike) -> Any:
        """P(X <= x), by the incomplete gamma function."""
        from scipy.special import gammainc, gammaincc

        at = np.asarray(x, dtype=np.float64)
        with np.errstate(over="ignore"):
            reach = np.abs(at) ** self.m
        upper = 0.5 + 0.5 * gammainc(1.0 / self.m, reach)
        return plain(np.where(at < 0, 0.5 * gammaincc(1.0 / self.m, reach), upper))

    def sample(self, size: int, random_state: Seed = None) -> Floats:
        """Numbers (size,) drawn from the law: |x|^m follows a gamma law of shape 1/m."""
        rng = as_generator(random_state)
        reach = rng.gamma(1.0 / self.m, size=size) ** (1.0 / self.m)
        return np.asarray(np.where(rng.random(size) < 0.5, -reach, reach))


def gaussian_mass(low: ArrayLike, high: ArrayLike, mean: float = 0.0, deviation: float = 1.0) -> Any:
    """Probability P(low < X <= high) of a Gaussian, to full precision also far out in a tail; ends may be infinite.

    A range so narrow that the density within it hardly changes (by less than a factor e) is integrated, which keeps
    the digits that a difference of two probabilities loses.

    >>> gaussian_mass([-1, -2, -3], [1, 2, 3]).round(4)
    array([0.6827, 0.9545, 0.9973])
    >>> gaussian_mass(10, 11)
    7.61...e-24
    >>> gaussian_mass(1, 1 + 2**-50) * 2**50  # the density at 1
    0.24197072451914...
    """
    from scipy.special import erf, ndtr

    if not 0 < deviation < np.inf or not np.isfinite(mean):
        raise InputError(f"a Gaussian needs a finite mean and a deviation above 0, got {mean} and {deviation}")
    ends = [np.asarray(end, dtype=np.float64) for end in (low, high)]
    with np.errstate(over="ignore"):
        a, b = ((end - mean) / deviation for end in ends)
    if np.isnan(a).any() or np.isnan(b).any():
        raise InputError("the ends of an interval must be numbers, not NaN")
    same_side = np.sign(a) * np.sign(b) > 0
    # From the nearer tail, so that nothing close to 1 is subtracted; across the mean by the odd function erf.
    tail = np.where(a > 0, ndtr(-a) - ndtr(-b), ndtr(b) - ndtr(a))
    across = 0.5 * (erf(b / sqrt(2)) - erf(a / sqrt(2)))
    mass = np.where(same_side, tail, across)
    with np.errstate(over="ignore", invalid="ignore"):  # of infinite ends, which are not narrow
        width = (ends[1] - ends[0]) / deviation
        narrow = (width > 0) & (width * np.maximum(np.maximum(np.abs(a), np.abs(b)), 1.0) < 1)
    if narrow.any():
        mass = np.where(narrow, _narrow_mass(np.where(narrow, a, 0.0), np.where(narrow, width, 0.0)), mass)
    return plain(np.maximum(mass, 0.0))


def _narrow_mass(a: Floats, width: Floats) -> Floats:
    """The standard Gaussian's density integrated from a by Gauss and Legendre, exact to rounding where it is flat."""
    nodes, weights = np.polynomial.legendre.leggauss(10)
    step = 0.5 * width[..., None] * (nodes + 1)
    change = np.exp(-step * (a[..., None] + 0.5 * step)) @ weights  # of the density, relative to that at a
    return np.asarray(np.exp(-0.5 * a * a) / sqrt(2 * pi) * 0.5 * width * change)
