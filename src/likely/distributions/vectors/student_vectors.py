"""Student's t of whole vectors: the predictive distribution of a Gaussian whose mean and covariance are uncertain.

    log t(x) = log G((f + r) / 2) - log G(f / 2) - r/2 log(f pi) - 1/2 log det S - (f + r)/2 log(1 + q / f)
    q = (x - m)' S^-1 (x - m)

A missing cell is integrated out: the marginal of a t has the same degrees of freedom f and fewer columns r.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from likely.distributions.vectors.elliptical import Elliptical, score_missing_rows
from likely.errors import InputError
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes


@dataclass(frozen=True)
class MultivariateStudent:
    """k members with Student vectors.

    >>> one = MultivariateStudent.of(np.zeros((1, 2)), np.eye(2), np.array([1.0]))
    >>> one.log_density(np.zeros((1, 2))).round(4)  # a Cauchy density, 1 / (2 pi)
    array([[-1.8379]])
    """

    shape: Elliptical  # its covariance is the t's scale matrix
    freedom: Array  # (k,)
    n_parameters: int
    shapes: ClassVar[Shapes] = {"freedom": "k", "shape": "k d"}
    ranges: ClassVar[Ranges] = {"freedom": NOT_NEGATIVE}

    @classmethod
    def of(cls, mean: Array, scale: Array, freedom: Array) -> Self:
        """From means (k, d), scale matrices (k, d, d), or one (d, d) for all, and degrees of freedom (k,)."""
        shape = Elliptical.of(mean, scale)
        f = np.broadcast_to(np.asarray(freedom, dtype=np.float64), (shape.members,))
        if not np.all(f > 0):
            raise InputError(f"degrees of freedom must be positive, got {f.min()}")
        r = shape.rank
        return cls(shape, f, shape.members * (r + 1) + len(shape.factor) * r * (r + 1) // 2)

    @property
    def members(self) -> int:
        return self.shape.members

    @property
    def mean(self) -> Array:
        """The location (k, d); NaN for a column that was never observed."""
        return self.shape.mean

    @property
    def covariance(self) -> Floats:
        """Scale matrix times f / (f - 2) (k, d, d); infinite where f <= 2."""
        f = self.freedom[:, None, None]
        scale = np.broadcast_to(self.shape.covariance, (self.members, *self.shape.covariance.shape[1:]))
        stretched = scale * (f / np.where(f > 2, f - 2, 1.0))
        return np.asarray(np.where((f > 2) | (scale == 0), stretched, np.copysign(np.inf, scale)))

    @property
    def variance(self) -> Floats:
        """Of each column (k, d), or (1, d) if all members share it."""
        return np.asarray(np.diagonal(self.covariance, axis1=1, axis2=2))

    def log_density(self, x: Array) -> Floats:
        """Of rows (n, k), or of a single row (d,) under each member (k,); columns that do not fit are refused."""
        x = np.asarray(x)
        if x.ndim == 1:
            return np.asarray(self.log_density(x[None])[0])
        distance = self.shape.squared_distance(x)
        r = np.full(self.members, self.shape.rank)
        out = self._log_marginal(r, np.broadcast_to(self.shape.half_log_determinant, (self.members,)), distance)
        score_missing_rows(out, x, self.log_density_terms)
        return out

    def log_ratio(self, x: Array) -> Floats:
        """The log density: no term of it is common to all members."""
        return self.log_density(x)

    def log_density_terms(self, x: Array) -> Floats:
        """The chain rule in column order, log p(x_j | x_1 .. x_(j-1)) over the observed columns (n, d, k)."""
        z, log_unit, known = self.shape.chain(x)
        speaks = known[:, :, None]
        count, distance = np.cumsum(speaks, axis=1), np.cumsum(z * z, axis=1)
        earlier = np.zeros_like(distance)
        earlier[:, 1:] = distance[:, :-1]
        terms = self._log_marginal(count, log_unit, distance) - self._log_marginal(count - speaks, 0.0, earlier)
        return np.where(speaks, terms, 0.0)

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        f = self.freedom[member]
        return self.shape.sample(member, rng, np.sqrt(f / rng.chisquare(f)))

    def _log_marginal(self, r: Array, half_log_determinant: Array | float, distance: Array) -> Floats:
        """Log density of r columns at a squared distance; arrays whose last axis is the members."""
        from scipy.special import gammaln

        f = self.freedom
        constant = gammaln((f + r) / 2) - gammaln(f / 2) - r / 2 * np.log(f * np.pi) - half_log_determinant
        return np.asarray(constant - (f + r) / 2 * np.log1p(distance / f))
