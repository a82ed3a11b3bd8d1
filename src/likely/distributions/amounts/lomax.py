"""Lomax's distribution with independent features: an exponential whose rate is uncertain, by a Gamma(a, s).

log p(x) = log(a / s) - (a + 1) log(1 + x / s),   x >= 0
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.distributions.features import ScoredByKernel
from likely.distributions.support import AMOUNTS, Support
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes, frozen
from likely.numeric.kernels.densities import positive as kernels

MOST = 700.0  # the largest logarithm of a sample: heavy tails leave the range of floats


@dataclass(frozen=True)
class Lomax(ScoredByKernel):
    """k members with independent Lomax features.

    >>> one = Lomax(shape=np.array([[2.0]]), scale=np.array([[1.0]]))
    >>> float(np.exp(one.log_density(np.array([[1.0]])))[0, 0])  # 2 / (1 + 1)^3
    0.25...
    """

    shape: Array  # (k, d)  NaN: the feature carries no information
    scale: Array  # (k, d)
    shapes: ClassVar[Shapes] = {"shape": "k d", "scale": "k d"}
    ranges: ClassVar[Ranges] = {"shape": NOT_NEGATIVE, "scale": NOT_NEGATIVE}
    support: ClassVar[Support] = AMOUNTS

    @property
    def mean(self) -> Floats:
        """(k, d): s / (a - 1); infinite where a <= 1."""
        above = self.shape - 1.0
        return np.where(above <= 0, np.inf, self.scale / np.where(above > 0, above, np.nan))

    @property
    def variance(self) -> Floats:
        """(k, d): mean^2 a / (a - 2); infinite where a <= 2."""
        above = self.shape - 2.0
        return np.where(above <= 0, np.inf, self.mean**2 * (self.shape / np.where(above > 0, above, np.nan)))

    def _add(self, x: Array, out: Floats) -> None:
        kernels.add_lomax(frozen(x), *self._constants(), out)

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        shape, scale = self.shape[member], self.scale[member]
        most = MOST - np.log(np.maximum(scale, 1.0))
        return np.asarray(scale * np.expm1(np.minimum(rng.standard_exponential(shape.shape) / shape, most)))

    def _constants(self) -> tuple[Array, ...]:
        known = ((self.shape > 0) & (self.scale > 0)).all(axis=0)  # a feature speaks for all members or for none
        shape, scale = np.where(known, self.shape, 1.0).T, np.where(known, self.scale, 1.0).T
        constant = np.log(shape) - np.log(scale)
        return np.asarray(known), *(np.ascontiguousarray(part) for part in (shape, scale, constant))
