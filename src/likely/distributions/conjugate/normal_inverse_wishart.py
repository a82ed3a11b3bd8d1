"""Normal inverse Wishart distribution, conjugate prior of Gaussian vectors: of their mean and covariance.

    S ~ InverseWishart(freedom, scale),   mean | S ~ N(centre, S / strength)

Of n rows of d columns with mean m and scatter C about it:

    strength' = strength + n            centre' = (strength centre + n m) / strength'
    freedom' = freedom + n              scale' = scale + C + n strength (m - centre) (m - centre)' / strength'

    mean        Student with freedom - d + 1 degrees of freedom, scale matrix scale / (freedom - d + 1) / strength
    covariance  InverseWishart(freedom, scale): mean scale / (freedom - d - 1)
    mode        of both together: centre and scale / (freedom + d + 2)
    predictive  Student as of the mean, scale matrix scale / (freedom - d + 1) (1 + 1 / strength)
    marginal    of one column NormalInverseGamma(centre_j, strength, (freedom - d + 1) / 2, scale_jj / 2)

The reference prior det(S)^(-(d + 1) / 2) is freedom -1, strength 0 and scale 0; it is improper until there are more
rows than columns. The centre is kept as a sum of two numbers, as in `NormalInverseGamma`, its case of one dimension.

This is the posterior of `MultivariateGaussianFamily` under "map" and "bayes", whose prior has freedom strength + d - 1
and scale strength W.
"""

from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.conjugate.belief import Kind, draws, not_negative
from likely.distributions.conjugate.normal_inverse_gamma import MeanAndVariance, NormalInverseGamma, moved
from likely.distributions.conjugate.student_t import MultivariateT
from likely.distributions.conjugate.summaries import DataLike, read_scatter
from likely.distributions.vectors.student_vectors import MultivariateStudent
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, as_floats
from likely.numeric.linear.covariance import cholesky, inverse_lower, is_positive_definite, is_positive_semidefinite
from likely.numeric.random_state import Seed, as_generator
from likely.probability.given import number


class MeanAndCovariance(NamedTuple):
    """Something of both parameters: their means, modes or draws."""

    mean: Any
    covariance: Any


@dataclass(frozen=True, eq=False)
class NormalInverseWishart:
    """The belief about the mean and the covariance S of Gaussian vectors: S ~ InverseWishart(freedom, scale), and
    given S the mean is Gaussian about `centre` with covariance S / strength.

    `strength` is how many rows the belief about the mean weighs, `freedom` how many that about the covariance does,
    and `scale` their sum of products: the expected covariance is scale / (freedom - d - 1).

    >>> prior = NormalInverseWishart([0, 0], strength=1, freedom=4, scale=[[1, 0], [0, 1]])
    >>> prior.update([[3, 0], [3, 3]])
    NormalInverseWishart(centre=array([2., 1.]), strength=3.0, freedom=6.0, scale=array([[7., 3.],
           [3., 7.]]))
    >>> rows = np.array([[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 2.0]])
    >>> belief = NormalInverseWishart.reference(2).update(rows)
    >>> belief.centre, belief.freedom, belief.scale.tolist()
    (array([1., 1.]), 3.0, [[4.0, 0.0], [0.0, 4.0]])
    >>> belief.marginal(0).of_mean.freedom
    2.0
    """

    centre: Any  # (d,)  an array, given as one or as a list
    strength: float
    freedom: float
    scale: Any  # (d, d)  sum of products that the belief stands for
    remainder: Any = field(default=0.0, repr=False)  # (d,)  what rounding takes from the centre

    def __post_init__(self) -> None:
        centre, scale = np.atleast_1d(as_floats(self.centre, "centre")), as_floats(self.scale, "scale")
        if centre.ndim != 1 or not np.isfinite(centre).all():
            raise InputError(f"centre must be a list of finite numbers, got {self.centre!r}")
        if scale.shape != (len(centre), len(centre)) or not is_positive_semidefinite(scale):
            raise InputError(f"scale must be a positive semidefinite matrix of {len(centre)} rows, as the centre has")
        not_negative(strength=self.strength)
        if not -1 <= number(self.freedom, "freedom") < np.inf:
            raise InputError(f"freedom must be a finite number of at least -1, got {self.freedom!r}")
        remainder = np.broadcast_to(np.asarray(self.remainder, dtype=np.float64), centre.shape)
        for name, value in (("centre", centre), ("scale", scale), ("remainder", remainder)):
            object.__setattr__(self, name, value)
        for name in ("strength", "freedom"):
            object.__setattr__(self, name, float(getattr(self, name)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NormalInverseWishart):
            return NotImplemented
        same = (self.strength, self.freedom) == (other.strength, other.freedom)
        return same and np.array_equal(self.centre, other.centre) and np.array_equal(self.scale, other.scale)

    def __hash__(self) -> int:
        numbers_of_all = (*self.centre.tolist(), self.strength, self.freedom, *self.scale.ravel().tolist())
        return hash(numbers_of_all)

    @classmethod
    def reference(cls, columns: int) -> Self:
        """The prior det(S)^(-(d + 1) / 2), which says as little as possible."""
        return cls(np.zeros(columns), 0.0, -1.0, np.zeros((columns, columns)))

    @property
    def columns(self) -> int:
        """How many there are."""
        return len(self.centre)

    def update(self, data: DataLike, *, group: int | None = None) -> Self:
        """The posterior after rows (n, d), or a `Scatter` of them, without missing cells.

        >>> prior = NormalInverseWishart([0, 0], strength=1, freedom=4, scale=[[1, 0], [0, 1]])
        >>> prior.update([[1, 0], [1, 2]]).centre.round(4)
        array([0.6667, 0.6667])
        """
        seen = read_scatter(data, self.columns, group)
        if seen.rows <= 0:
            return self
        at = moved(self.centre, self.remainder, self.strength, seen)
        scale = self.scale + seen.scatter + at.pull * np.outer(at.away, at.away)
        return type(self)(at.centre, at.strength, self.freedom + seen.rows, scale, at.remainder)

    @property
    def equivalent_sample_size(self) -> float:
        """Equivalent sample size: how many rows this belief about the mean weighs as much as."""
        return self.strength

    def marginal(self, column: int) -> NormalInverseGamma:
        """Marginal distribution of the mean and the variance of one column."""
        if not 0 <= column < self.columns:
            raise InputError(f"there are {self.columns} columns, none at {column!r}")
        shape = (self.freedom - self.columns + 1) / 2
        return NormalInverseGamma(
            float(self.centre[column]),
            self.strength,
            max(shape, -0.5),
            float(self.scale[column, column]) / 2,
            float(np.asarray(self.remainder)[column]),
        )

    def taken(self, columns: ArrayLike) -> Self:
        """The belief about the mean and the covariance of some of the columns, the others left open."""
        index = np.asarray(columns, dtype=np.int64)
        return replace(
            self,
            centre=self.centre[index],
            remainder=np.asarray(self.remainder)[index],
            freedom=max(self.freedom - (self.columns - len(index)), -1.0),
            scale=self.scale[np.ix_(index, index)],
        )

    @property
    def of_mean(self) -> MultivariateT:
        """Marginal distribution of the mean, whatever the covariance."""
        self._check()
        return self._student(1 / self.strength)

    @property
    def mean(self) -> MeanAndCovariance:
        """The expectations of both; that of the covariance is infinite for freedom of at most d + 1."""
        self._check()
        left = self.freedom - self.columns - 1
        covariance = self.scale / left if left > 0 else np.where(self.scale == 0, 0.0, np.copysign(np.inf, self.scale))
        return MeanAndCovariance(self.centre, covariance)

    @property
    def mode(self) -> MeanAndCovariance:
        """Maximum a posteriori: where the density of both together is highest."""
        self._check()
        return MeanAndCovariance(self.centre, self.scale / (self.freedom + self.columns + 2))

    @property
    def variance(self) -> MeanAndVariance:
        """The variances of the beliefs about the mean and the variance of each column, (d,) each."""
        return MeanAndVariance(
            *(np.array(part) for part in zip(*(one.variance for one in self._marginals()), strict=True))
        )

    @property
    def standard_deviation(self) -> MeanAndVariance:
        """The square roots of these variances."""
        return MeanAndVariance(*(np.sqrt(part) for part in self.variance))

    def interval(self, confidence: float = 0.95, kind: Kind = "equal-tailed") -> MeanAndVariance:
        """Credible intervals of the mean and the variance of each column by itself, (d, 2) each."""
        ends = [one.interval(confidence, kind) for one in self._marginals()]
        return MeanAndVariance(*(np.array(part) for part in zip(*ends, strict=True)))

    def probability(self, below: float | None = None, above: float | None = None) -> Floats:
        """That the mean of each column by itself lies below one bound, above another or between them (d,)."""
        return np.array([one.probability(below, above) for one in self._marginals()])

    @property
    def predictive(self) -> MultivariateT:
        """Posterior predictive distribution of a new row: Student's t of vectors."""
        self._check()
        return self._student(1 + 1 / self.strength)

    def log_density(self, mean: ArrayLike, covariance: ArrayLike) -> float:
        """Of one mean (d,) and covariance (d, d) together; minus infinity for a matrix that is no covariance."""
        from scipy.special import multigammaln

        self._check()
        mean, covariance = as_floats(mean, "mean"), as_floats(covariance, "covariance")
        if mean.shape != self.centre.shape or covariance.shape != self.scale.shape:
            raise InputError(f"expected a mean of {self.columns} numbers and their covariance matrix")
        if not is_positive_definite(covariance):
            return -np.inf
        d, f = self.columns, self.freedom
        white = inverse_lower(_factor(covariance))
        half = -float(np.log(np.diagonal(white)).sum())  # half the log determinant of the covariance
        own = float(np.log(np.diagonal(_factor(self.scale))).sum())
        wishart = f * own - f * d / 2 * np.log(2) - float(multigammaln(f / 2, d)) - (f + d + 1) * half
        wishart -= 0.5 * float(np.square(white @ _factor(self.scale)).sum())
        away = white @ ((mean - self.centre) - self.remainder)
        normal = 0.5 * d * np.log(self.strength / (2 * np.pi)) - half - 0.5 * self.strength * float(away @ away)
        return float(wishart + normal)

    def density(self, mean: Any, covariance: Any) -> float:
        """Of one mean (d,) and covariance (d, d) together."""
        return float(np.exp(self.log_density(mean, covariance)))

    def sample(self, n: int = 1, random_state: Seed = None) -> MeanAndCovariance:
        """Independent draws of both parameters, (n, d) and (n, d, d)."""
        rng = as_generator(random_state)
        self._check()
        root = wishart_roots(draws(n), self.freedom - np.arange(self.columns), rng)
        factor = _factor(self.scale) @ np.linalg.inv(root).transpose(0, 2, 1)
        white = rng.standard_normal((n, self.columns, 1)) / np.sqrt(self.strength)
        mean = self.centre + (self.remainder + (factor @ white)[:, :, 0])
        return MeanAndCovariance(mean, factor @ factor.transpose(0, 2, 1))

    def _marginals(self) -> list[NormalInverseGamma]:
        self._check()
        return [self.marginal(column) for column in range(self.columns)]

    def _student(self, stretch: float) -> MultivariateT:
        freedom = self.freedom - self.columns + 1
        scale = self.scale / freedom * stretch
        return MultivariateT(MultivariateStudent.of(self.centre[None], scale, np.array([freedom])))

    def _check(self) -> None:
        if self.freedom <= self.columns - 1 or self.strength == 0 or not is_positive_definite(self.scale):
            raise InputError(
                f"the belief about mean and covariance of {self.columns} columns is improper: it takes more rows than "
                "columns, in general position, or a prior, to say anything"
            )


def wishart_roots(n: int, freedom: Array, rng: np.random.Generator) -> Floats:
    """Draws (n, d, d) of a lower triangular T such that T T' has Wishart's distribution with the unit matrix.

    Bartlett: chi with these degrees of freedom (d,), f, f - 1, ... for f rows, on the diagonal and normals below it.
    """
    d = len(freedom)
    root = np.tril(rng.standard_normal((n, d, d)), -1)
    root[:, np.arange(d), np.arange(d)] = np.sqrt(np.maximum(rng.chisquare(freedom, (n, d)), 1e-300))
    return root


def _factor(matrix: Array) -> Floats:
    factor = cholesky(matrix)
    assert factor is not None
    return factor
