"""Student's t with independent features: the predictive distribution of a Gaussian whose parameters are uncertain.

log t(x) = log G((f + 1) / 2) - log G(f / 2) - 1/2 log(f pi s^2) - (f + 1) / 2 log(1 + z^2 / f),  z = (x - m) / s
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.distributions.features import IndependentFeatures
from likely.distributions.support import checked_table
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes


@dataclass(frozen=True)
class StudentDistribution(IndependentFeatures):
    """k members with independent Student features.

    >>> one = StudentDistribution(mean=np.array([[0.0]]), scale=np.array([[1.0]]), freedom=np.array([[1.0]]))
    >>> float(np.exp(one.log_density(np.array([[0.0]])))[0, 0]) * np.pi  # a Cauchy density
    1.0...
    """

    mean: Array  # (k, d)  NaN: the feature was never observed
    scale: Array  # (k, d)  0: the feature carries no information
    freedom: Array  # (k, d)
    stored_as: ClassVar[str] = "Student"
    shapes: ClassVar[Shapes] = {"mean": "k d", "scale": "k d", "freedom": "k d"}
    ranges: ClassVar[Ranges] = {"scale": NOT_NEGATIVE, "freedom": NOT_NEGATIVE}

    @property
    def n_parameters(self) -> int:
        return 2 * self.mean.size

    @property
    def variance(self) -> Floats:
        """(k, d): s^2 f / (f - 2); infinite where f <= 2. With f <= 1 `mean` is the median: there is no mean."""
        above = self.freedom - 2.0
        return np.where(above <= 0, np.inf, self.scale**2 * (self.freedom / np.where(above > 0, above, np.nan)))

    def log_density(self, x: Array) -> Floats:
        return np.asarray(self.log_density_terms(x).sum(axis=1))

    def log_density_terms(self, x: Array) -> Floats:
        from scipy.special import gammaln

        x = checked_table(x, self.mean.shape[1])
        known = (np.isfinite(self.mean) & (self.scale > 0)).all(axis=0)
        mean, scale = np.where(known, self.mean, 0.0), np.where(known, self.scale, 1.0)
        f = self.freedom
        constant = gammaln((f + 1) / 2) - gammaln(f / 2) - 0.5 * np.log(f * np.pi) - np.log(scale)
        with np.errstate(over="ignore"):
            z = np.abs((x[:, None, :].astype(np.float64) - mean) / scale)
        # log(1 + z^2 / f) without squaring a large z
        with np.errstate(invalid="ignore"):  # a missing cell
            tail = np.logaddexp(0.0, 2 * np.log(np.clip(z, 1e-300, 1e300)) - np.log(f))
        terms = constant - (f + 1) / 2 * tail
        terms = np.where(known & ~np.isnan(z), terms, 0.0)
        return np.asarray(terms.transpose(0, 2, 1))

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        f = self.freedom[member]
        return np.asarray(self.mean[member] + self.scale[member] * rng.standard_t(f))
