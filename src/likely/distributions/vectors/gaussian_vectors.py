"""The Gaussian of whole vectors, with a covariance per member or one for all.

    log N(x; m, S) = -1/2 [ r log 2 pi + log det S + (x - m)' S^-1 (x - m) ]

A missing cell is integrated out: the density is that of the observed columns, exactly. Columns that are constant or
repeat others add nothing (`Elliptical`).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from likely.distributions.capabilities.linear import LinearTerms, features
from likely.distributions.capabilities.operators import Graph
from likely.distributions.support import checked_table
from likely.distributions.vectors.capabilities.discriminant import Discriminant
from likely.distributions.vectors.elliptical import Elliptical, score_missing_rows
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, Shapes

_HALF_LOG_TAU = 0.5 * np.log(2 * np.pi)


@dataclass(frozen=True)
class MultivariateGaussian:
    """k members with Gaussian vectors.

    >>> two = MultivariateGaussian.of(np.array([[0.0, 0.0], [2.0, 1.0]]), np.array([[1.0, -1.0], [-1.0, 4.0]]))
    >>> x = np.array([[1.0, 1.0], [1.0, np.nan]])
    >>> two.log_density(x).round(4)
    array([[-3.5538, -3.0538],
           [-1.4189, -1.4189]])
    >>> two.density([1.0, 1.0]).round(4)  # of one point
    array([0.0286, 0.0472])
    >>> two.linear()
    (array([[0., 0.],
           [3., 1.]]), array([ 0. , -3.5]))
    """

    shape: Elliptical  # means and covariances
    shapes: ClassVar[Shapes] = {"shape": "k d"}

    @classmethod
    def of(cls, mean: Array, covariance: Array) -> Self:
        """From means (k, d) and covariances (k, d, d), or one covariance (d, d) for all members."""
        return cls(Elliptical.of(mean, covariance))

    @property
    def members(self) -> int:
        return self.shape.members

    @property
    def mean(self) -> Array:
        """(k, d); NaN for a column that was never observed."""
        return self.shape.mean

    @property
    def covariance(self) -> Floats:
        """(k, d, d), or (1, d, d) if all members share it; zero for a constant column."""
        return self.shape.covariance

    def as_gaussians(self) -> tuple[Array, Floats]:
        """Means and covariances, of every member."""
        return self.mean, np.broadcast_to(self.covariance, (self.members, *self.covariance.shape[1:]))

    @property
    def log_determinant(self) -> Floats:
        """Of the covariance among the columns that carry information (k,), or (1,) if all members share it."""
        return 2 * self.shape.half_log_determinant

    @property
    def log_scale(self) -> Floats:
        """The log density at the mean (k,), or (1,) if all members share their covariance."""
        return np.asarray(-self.shape.half_log_determinant - self.shape.rank * _HALF_LOG_TAU)

    @property
    def n_parameters(self) -> int:
        """A mean has r, a covariance r (r + 1) / 2, of the r columns that carry information."""
        r = self.shape.rank
        return self.members * r + len(self.shape.factor) * r * (r + 1) // 2

    @property
    def variance(self) -> Floats:
        """Of each column (k, d), or (1, d) if all members share it."""
        return np.asarray(np.diagonal(self.covariance, axis1=1, axis2=2))

    def log_density(self, x: Array) -> Floats:
        """Of rows (n, k), or of a single row (d,) under each member (k,); columns that do not fit are refused."""
        x = np.asarray(x)
        if x.ndim == 1:
            return np.asarray(self.log_density(x[None])[0])
        out = self.shape.squared_distance(x)
        out *= -0.5
        out += self.log_scale
        score_missing_rows(out, x, self.log_density_terms)
        return out

    def density(self, x: Array) -> Floats:
        """The density itself, of rows or of a single row; it may be too small for a number."""
        return np.asarray(np.exp(self.log_density(x)))

    def log_ratio(self, x: Array) -> Floats:
        """The log density but for a term common to all members: linear in x if they share their covariance."""
        if not self.shape.shared:
            return self.log_density(x)
        out = self._discriminant.score(checked_table(x, self.mean.shape[1]))
        score_missing_rows(out, x, self.log_density_terms)
        return out

    def log_density_terms(self, x: Array) -> Floats:
        """The chain rule in column order, log p(x_j | x_1 .. x_(j-1)) over the observed columns (n, d, k)."""
        z, log_unit, known = self.shape.chain(x)
        terms = -0.5 * z * z
        terms -= log_unit
        terms -= _HALF_LOG_TAU * known[:, :, None]
        return np.asarray(terms)

    def linear(self, centred: bool = False) -> tuple[Floats, Floats]:
        """Coefficients S^-1 m (k, d) and intercepts -1/2 m' S^-1 m (k,), without the prior; a shared S only.

        Far from the origin these lose digits. With `centred` the coefficients are S^-1 (m - c), with c amid the
        members, which differ by what is common to all members and are as good as any (see `Discriminant.linear`).
        """
        if not self.shape.shared:
            raise InputError("the members have covariances of their own: their boundaries are not linear")
        if centred:
            return self._discriminant.linear(self.mean.shape[1])
        shape, columns = self.shape, self.shape.columns
        unit = shape.inverse_scale[columns]
        coef, intercept = _solve(shape.whitening[0], shape.mean[:, columns] * unit)
        wide = np.zeros(shape.mean.shape)
        wide[:, columns] = coef * unit
        return wide, intercept

    def linear_terms(self, names: tuple[str, ...]) -> LinearTerms:
        """Linear in x, about a centre amid the members; a shared covariance only."""
        return LinearTerms(*self.linear(centred=True), features, names)

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """Whitened about a centre amid the members: (x - c) / unit, then the members' factors."""
        shape = self.shape
        x = graph.numbers([columns[j] for j in shape.columns])
        unit = shape.inverse_scale[shape.columns]
        scaled = graph.add("Sub", x, graph.constant(shape.centre[shape.columns]))
        scaled = graph.add("Mul", scaled, graph.constant(unit))
        each = []
        for k in range(self.members):
            whitening = shape.whitening[0 if shape.shared else k]
            away = graph.add("Sub", scaled, graph.constant(shape.offset[k, shape.columns]))
            z = graph.add("MatMul", away, graph.constant(np.ascontiguousarray(whitening.T)))
            each.append(graph.add("ReduceSumSquare", z, axes=[1], keepdims=1))
        squares = graph.add("Mul", graph.add("Concat", *each, axis=1), graph.constant(np.array(-0.5)))
        return graph.add("Sub", squares, graph.constant(np.broadcast_to(shape.half_log_determinant, self.members)))

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        return self.shape.sample(member, rng)

    @cached_property
    def _discriminant(self) -> Discriminant:
        shape = self.shape
        return Discriminant(*shape.standard, *_solve(shape.whitening[0], shape.offset[:, shape.columns]))


def _solve(whitening: Array, mean: Array) -> tuple[Floats, Floats]:
    white = mean @ whitening.T
    return np.asarray(white @ whitening), np.asarray(0.0 - 0.5 * (white**2).sum(axis=1))
