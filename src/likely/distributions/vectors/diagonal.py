"""Gaussian members without correlations: a variance per column, or one for all columns, of each member or shared.

`Gaussian` scores them. Beyond it, this knows which variances are the same: members with common variances differ by a
linear function of x alone, and shared parameters are counted once.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from likely.distributions.amounts.gaussian import Gaussian
from likely.distributions.capabilities.linear import LinearTerms, features
from likely.distributions.capabilities.operators import Graph
from likely.distributions.support import checked_table
from likely.distributions.vectors.capabilities.discriminant import Discriminant
from likely.distributions.vectors.elliptical import score_missing_rows
from likely.errors import InputError
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes


@dataclass(frozen=True)
class DiagonalGaussian:
    """k members with independent Gaussian columns.

    >>> nearest = DiagonalGaussian(np.array([[0.0, 0.0], [4.0, 0.0]]), np.ones((1, 2)), spherical=True)
    >>> nearest.log_ratio(np.array([[1.9, 3.0], [2.1, -5.0]])).argmax(axis=1)
    array([0, 1])
    """

    mean: Array  # (k, d)  NaN: the column was never observed
    variance: Array  # (k, d), or (1, d) if all members share it; 0: the column carries no information
    spherical: bool = False  # all columns have the same variance
    shapes: ClassVar[Shapes] = {"mean": "k d", "variance": "k d | 1 d"}
    ranges: ClassVar[Ranges] = {"variance": NOT_NEGATIVE}

    @property
    def members(self) -> int:
        return len(self.mean)

    @property
    def shared(self) -> bool:
        """Whether all members have the same variances."""
        return len(self.variance) == 1

    @property
    def covariance(self) -> Floats:
        """(k, d, d), or (1, d, d) if shared."""
        return np.asarray(self.variance[:, :, None] * np.eye(self.variance.shape[1]))

    def as_gaussians(self) -> tuple[Array, Floats]:
        """Means and covariances, of every member."""
        return self.mean, np.broadcast_to(self.covariance, (self.members, *self.covariance.shape[1:]))

    @property
    def n_parameters(self) -> int:
        """Of the columns that carry information."""
        d = len(self._columns)
        return self.members * d + len(self.variance) * (min(d, 1) if self.spherical else d)

    def log_density(self, x: Array) -> Floats:
        return self._independent.log_density(checked_table(x, self.mean.shape[1]))

    def log_ratio(self, x: Array) -> Floats:
        """The log density but for a term common to all members: linear in x if they share their variances."""
        if not self.shared:
            return self.log_density(x)
        out = self._discriminant.score(checked_table(x, self.mean.shape[1]))
        score_missing_rows(out, x, self.log_density_terms)
        return out

    def log_density_terms(self, x: Array) -> Floats:
        return self._independent.log_density_terms(checked_table(x, self.mean.shape[1]))

    def linear(self, centred: bool = False) -> tuple[Floats, Floats]:
        """Coefficients m / v (k, d) and intercepts -1/2 sum m^2 / v (k,), without the prior; shared v only.

        Far from the origin these lose digits. With `centred` the coefficients are (m - c) / v, with c amid the
        members, which differ by what is common to all members and are as good as any (see `Discriminant.linear`).
        """
        if not self.shared:
            raise InputError("the members have variances of their own: their boundaries are not linear")
        if centred:
            return self._discriminant.linear(self.mean.shape[1])
        columns = self._columns
        deviation = np.sqrt(self.variance[0, columns])
        white = self.mean[:, columns] / deviation
        coef = np.zeros(self.mean.shape)
        coef[:, columns] = white / deviation
        return coef, np.asarray(-0.5 * (white**2).sum(axis=1))

    def linear_terms(self, names: tuple[str, ...]) -> LinearTerms:
        """Linear in x where the variances are shared, otherwise in x and its squares."""
        if not self.shared:
            return self._independent.linear_terms(names)
        return LinearTerms(*self.linear(centred=True), features, names)

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """As of independent Gaussians."""
        variance = np.broadcast_to(self.variance, self.mean.shape)
        return Gaussian(self.mean, variance).onnx_log_density(graph, columns)

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        return self._independent.sample(member, rng)

    @cached_property
    def _columns(self) -> Ints:
        return np.flatnonzero((np.isfinite(self.mean) & (self.variance > 0)).all(axis=0))

    @cached_property
    def _independent(self) -> Gaussian:
        return Gaussian(self.mean, np.broadcast_to(self.variance, self.mean.shape))

    @cached_property
    def _discriminant(self) -> Discriminant:
        columns = self._columns
        mean, unit = self.mean[:, columns], 1 / np.sqrt(self.variance[0, columns])
        centre = mean[0] + (mean - mean[0]).mean(axis=0)
        white = (mean - centre) * unit
        return Discriminant(columns, centre, unit, white, -0.5 * (white**2).sum(axis=1))
