"""Inverse gamma distribution: what is believed of a variance.

    p(v) = s^a / G(a) v^(-a - 1) exp(-s / v),   v > 0

with shape a and scale s; 1 / v has a gamma distribution with rate s. It is a marginal of `NormalInverseGamma`.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.distributions.conjugate.belief import Belief, not_negative
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.special.deviance import deviance
from likely.numeric.special.log_gamma import gamma_constant


@dataclass(frozen=True)
class InverseGamma(Belief):
    """The belief InverseGamma(shape, scale) about a variance v: p(v) = s^a / G(a) v^(-a - 1) exp(-s / v).

    After n values about a known mean, from no prior: shape n / 2 and scale half their sum of squares about it.

    >>> belief = InverseGamma(3.0, 4.0)
    >>> belief.mean, belief.mode, belief.variance
    (2.0, 1.0, 4.0)
    """

    shape: float  # a: half of the rows that it weighs
    scale: float  # s: half of their sum of squares
    support: ClassVar[tuple[float, float]] = (0.0, np.inf)

    def __post_init__(self) -> None:
        not_negative(shape=self.shape, scale=self.scale)

    @property
    def mean(self) -> float:
        """Infinite for a shape of at most 1."""
        self._check()
        return self.scale / (self.shape - 1) if self.shape > 1 else float("inf")

    @property
    def mode(self) -> float:
        """Scale / (shape + 1)."""
        self._check()
        return self.scale / (self.shape + 1)

    @property
    def variance(self) -> float:
        """Infinite for a shape of at most 2."""
        return self.mean**2 / (self.shape - 2) if self.shape > 2 else float("inf")

    def _log_density(self, x: Floats) -> Floats:
        inside = (x > 0) & np.isfinite(x)
        y = np.where(inside, x, 1.0)
        with np.errstate(over="ignore"):
            away = deviance(np.array(self.shape), np.minimum(self.scale / y, 1e300))
        log = float(gamma_constant(np.array(self.shape))) - away - np.log(y)
        return np.asarray(np.where(inside, log, np.where(np.isnan(x), np.nan, -np.inf)))

    def _quantile(self, p: float, upper: bool) -> float:
        from scipy.special import gammainccinv, gammaincinv

        inverse = float((gammaincinv if upper else gammainccinv)(self.shape, p))
        return self.scale / inverse if inverse > self.scale / np.finfo(np.float64).max else float("inf")

    def _tail(self, x: float, upper: bool) -> float:
        from scipy.special import gammainc, gammaincc

        if x <= 0:
            return float(upper)
        return float((gammainc if upper else gammaincc)(self.shape, min(self.scale / x, np.finfo(np.float64).max)))

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return np.asarray(self.scale / np.maximum(rng.standard_gamma(self.shape, n), 1e-300))

    def _check(self) -> None:
        if self.shape == 0 or self.scale == 0:
            raise InputError(f"{self} is improper: it takes at least two different values, or a prior, to say anything")
