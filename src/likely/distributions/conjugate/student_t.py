"""Student's t distribution: what is believed of a mean whose variance is unknown too.

    (x - m) / s  has Student's distribution with f degrees of freedom

It is a marginal of `NormalInverseGamma`, and its prediction of a new value. The density is that of
`StudentDistribution`, which describes columns of several groups and has no quantiles.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.amounts.student import StudentDistribution
from likely.distributions.conjugate.belief import Belief, Interval, draws, not_negative
from likely.distributions.vectors.student_vectors import MultivariateStudent
from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats
from likely.numeric.random_state import Seed, as_generator
from likely.probability.given import number, plain


@dataclass(frozen=True)
class StudentT(Belief):
    """The belief that (x - centre) / scale has Student's t distribution with `freedom` degrees of freedom.

    >>> belief = StudentT(10.0, 2.0, freedom=4.0)
    >>> belief.mean, belief.variance
    (10.0, 8.0)
    >>> [round(end, 3) for end in belief.interval(0.95)]
    [4.447, 15.553]
    """

    centre: float
    scale: float
    freedom: float

    def __post_init__(self) -> None:
        not_negative(scale=self.scale, freedom=self.freedom)
        if not np.isfinite(number(self.centre, "centre")):
            raise InputError(f"centre must be a finite number, got {self.centre!r}")

    @property
    def mean(self) -> float:
        """NaN for at most one degree of freedom: the tails are too heavy for one."""
        self._check()
        return self.centre if self.freedom > 1 else float("nan")

    @property
    def mode(self) -> float:
        """The centre."""
        self._check()
        return self.centre

    @property
    def variance(self) -> float:
        """Infinite for at most two degrees of freedom, NaN where there is no mean."""
        if self.mean != self.mean:
            return float("nan")
        return self.scale**2 * (self.freedom / (self.freedom - 2)) if self.freedom > 2 else float("inf")

    def _log_density(self, x: Floats) -> Floats:
        law = StudentDistribution(*(np.array([[part]]) for part in (self.centre, self.scale, self.freedom)))
        log = law.log_density(np.where(np.isnan(x), self.centre, x).reshape(-1, 1)).reshape(x.shape)
        return np.asarray(np.where(np.isnan(x), np.nan, log))

    def _highest_density(self, confidence: float) -> Interval:
        return self.interval(confidence)  # symmetric

    def _quantile(self, p: float, upper: bool) -> float:
        from scipy.special import stdtrit

        t = -abs(float(stdtrit(self.freedom, min(p, 1 - p))))  # SciPy turns to plus infinity below 1e-290
        return self.centre + self.scale * (t if (p <= 0.5) != upper else -t)

    def _tail(self, x: float, upper: bool) -> float:
        from scipy.special import stdtr

        t = (x - self.centre) / self.scale
        return float(stdtr(self.freedom, -t if upper else t))

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return np.asarray(self.centre + self.scale * rng.standard_t(self.freedom, n))

    def _check(self) -> None:
        if self.scale == 0 or self.freedom == 0:
            raise InputError(f"{self} is improper: it takes at least two different values, or a prior, to say anything")


@dataclass(frozen=True, eq=False)
class MultivariateT:
    """Student's t of whole vectors: of a mean whose covariance is unknown too, or of a new row.

    `law` is the distribution of `likely.distributions`; here it is of one group and takes and gives plain arrays.

    >>> from likely.estimation import NormalInverseWishart
    >>> row = NormalInverseWishart([0, 0], 1, 4, [[3, 0], [0, 3]]).predictive
    >>> row.freedom, row.mean, round(row.log_density([0, 0]), 4)
    (3.0, array([0., 0.]), -2.531)
    >>> round(row.marginal(0).scale, 12), row.interval(0.9).round(3)
    (1.414213562373, array([[-3.328,  3.328],
           [-3.328,  3.328]]))
    """

    law: MultivariateStudent

    @property
    def freedom(self) -> float:
        """Degrees of freedom."""
        return float(self.law.freedom[0])

    @property
    def mean(self) -> Floats:
        """The centre (d,)."""
        return np.asarray(self.law.mean[0], dtype=np.float64)

    @property
    def covariance(self) -> Floats:
        """(d, d); infinite for at most two degrees of freedom."""
        return np.asarray(self.law.covariance[0])

    def marginal(self, column: int) -> StudentT:
        """Of one column, the others left open."""
        if not 0 <= column < len(self.mean):
            raise InputError(f"there are {len(self.mean)} columns, none at {column!r}")
        square = float(self.law.shape.covariance[0, column, column])
        return StudentT(float(self.mean[column]), float(np.sqrt(square)), self.freedom)

    def interval(self, confidence: float = 0.95) -> Floats:
        """Of each column by itself (d, 2)."""
        return np.array([self.marginal(column).interval(confidence) for column in range(len(self.mean))])

    def log_density(self, x: ArrayLike) -> Any:
        """Of a vector (d,), a number; of rows (n, d), an array (n,)."""
        rows = as_floats(x, "x")
        log = self.law.log_density(np.ascontiguousarray(np.atleast_2d(rows)))[:, 0]
        return log if rows.ndim > 1 else float(log[0])

    def density(self, x: ArrayLike) -> Any:
        """Of a vector (d,), a number; of rows (n, d), an array (n,)."""
        return plain(np.exp(self.log_density(x)))

    def sample(self, n: int = 1, random_state: Seed = None) -> Floats:
        """Independent draws (n, d)."""
        member = np.zeros(draws(n), dtype=np.int64)
        return np.asarray(self.law.sample(member, as_generator(random_state)))
