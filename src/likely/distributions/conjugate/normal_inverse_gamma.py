"""Normal inverse gamma distribution, conjugate prior of a Gaussian: what is believed of its mean and variance.

    v ~ InverseGamma(shape, scale),   mean | v ~ N(centre, v / strength)

Of n values with mean m and sum of squares S about it:

    strength' = strength + n            centre' = (strength centre + n m) / strength'
    shape' = shape + n / 2              scale' = scale + S / 2 + n strength (m - centre)^2 / (2 strength')

    mean        Student with 2 shape degrees of freedom about the centre, squared scale (scale / shape) / strength
    variance    InverseGamma(shape, scale)
    mode        of both together: centre and scale / (shape + 3/2)
    predictive  Student as of the mean, squared scale (scale / shape) (1 + 1 / strength)

The prior acts as `strength` rows at the centre and 2 shape rows with the mean square scale / shape. The reference prior
p(m, v) = 1 / v is NormalInverseGamma(0, 0, -1/2, 0): its posterior gives the usual t interval of a mean and chi-square
interval of a variance. It is improper until two different values have been seen.

The centre is kept as a sum of two numbers, so that data far from zero (mean 1e8, deviation 1) may come one by one or
all at once. This is the posterior of `GaussianFamily` under "map" and "bayes", whose prior has shape = strength / 2 and
scale = strength v0 / 2.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.conjugate.belief import Interval, Kind, draws, not_negative
from likely.distributions.conjugate.inverse_gamma import InverseGamma
from likely.distributions.conjugate.student_t import StudentT
from likely.distributions.conjugate.summaries import CentredSums, DataLike, read_moments
from likely.errors import InputError
from likely.numeric.arrays import as_floats
from likely.numeric.random_state import Seed, as_generator
from likely.probability.given import number, plain


class MeanAndVariance(NamedTuple):
    """Something of both parameters: their means, modes, intervals or draws."""

    mean: Any
    variance: Any


@dataclass(frozen=True)
class NormalInverseGamma:
    """The belief about the mean and the variance v of a Gaussian: v ~ InverseGamma(shape, scale), and given v the mean
    is Gaussian about `centre` with variance v / strength.

    `strength` is how many rows the belief about the mean weighs, `shape` half of those of the belief about the
    variance, and `scale` half of their sum of squares; a guess v0 worth n rows has shape n / 2 and scale n v0 / 2.

    >>> NormalInverseGamma(9.0, strength=2, shape=1, scale=1).update([10.0, 12.0])
    NormalInverseGamma(centre=10.0, strength=4.0, shape=2.0, scale=4.0)
    >>> belief = NormalInverseGamma.reference().update([10.0, 8, 10, 10, 11, 11])
    >>> belief.of_mean
    StudentT(centre=10.0, scale=0.4472135954999579, freedom=5.0)
    >>> [round(end, 3) for end in belief.of_mean.interval(0.95)]
    [8.85, 11.15]
    >>> belief.mode
    MeanAndVariance(mean=10.0, variance=0.75)
    """

    centre: float  # where the mean is believed to be
    strength: float  # the rows that the belief about the mean weighs
    shape: float  # half of the rows that the belief about the variance weighs
    scale: float  # half of their sum of squares
    remainder: float = field(default=0.0, repr=False, compare=False)  # what rounding takes from the centre

    def __post_init__(self) -> None:
        not_negative(strength=self.strength, scale=self.scale)
        if not -0.5 <= number(self.shape, "shape") < np.inf:
            raise InputError(f"shape must be a finite number of at least -1/2, got {self.shape!r}")
        if not np.isfinite(number(self.centre, "centre")):
            raise InputError(f"centre must be a finite number, got {self.centre!r}")
        for name in ("centre", "strength", "shape", "scale", "remainder"):
            object.__setattr__(self, name, float(getattr(self, name)))

    @classmethod
    def reference(cls) -> Self:
        """The prior 1 / v, which says as little as possible."""
        return cls(0.0, 0.0, -0.5, 0.0)

    def update(self, data: DataLike, *, group: int | None = None, feature: int | None = None) -> Self:
        """The posterior after one column of values (n,), values with their counts (a mapping), or a `Moments` of them.

        >>> belief = NormalInverseGamma(9.0, strength=2, shape=1, scale=1)
        >>> belief.update([10.0, 12.0]) == belief.update([10.0]).update([12.0]) == belief.update({10.0: 1, 12.0: 1})
        True
        """
        seen = read_moments(data, group, feature)
        if seen.rows <= 0:
            return self
        at = moved(self.centre, self.remainder, self.strength, seen)
        shape, scale = self.shape + seen.rows / 2, self.scale + (seen.scatter + at.pull * at.away**2) / 2
        return type(self)(at.centre, at.strength, shape, scale, at.remainder)

    @property
    def equivalent_sample_size(self) -> float:
        """Equivalent sample size: how many rows this belief about the mean weighs as much as."""
        return self.strength

    @property
    def of_mean(self) -> StudentT:
        """Marginal distribution of the mean, whatever the variance."""
        self._check()
        return StudentT(self.centre, float(np.sqrt(self.scale / self.shape / self.strength)), 2 * self.shape)

    @property
    def of_variance(self) -> InverseGamma:
        """Marginal distribution of the variance, whatever the mean."""
        self._check()
        return InverseGamma(self.shape, self.scale)

    @property
    def mean(self) -> MeanAndVariance:
        """The expectations of both parameters."""
        return MeanAndVariance(self.of_mean.mean, self.of_variance.mean)

    @property
    def mode(self) -> MeanAndVariance:
        """Maximum a posteriori: where the density of both together is highest."""
        self._check()
        return MeanAndVariance(self.centre, self.scale / (self.shape + 1.5))

    @property
    def variance(self) -> MeanAndVariance:
        """The variances of the beliefs about both parameters."""
        return MeanAndVariance(self.of_mean.variance, self.of_variance.variance)

    @property
    def standard_deviation(self) -> MeanAndVariance:
        """The square roots of these variances."""
        return MeanAndVariance(self.of_mean.standard_deviation, self.of_variance.standard_deviation)

    def interval(self, confidence: float = 0.95, kind: Kind = "equal-tailed") -> MeanAndVariance:
        """Credible interval of each parameter by itself, the other left open."""
        mean: Interval = self.of_mean.interval(confidence, kind)
        return MeanAndVariance(mean, self.of_variance.interval(confidence, kind))

    def probability(self, below: float | None = None, above: float | None = None) -> float:
        """That the mean lies below one bound, above another or between them; of the variance ask `of_variance`."""
        return self.of_mean.probability(below, above)

    @property
    def predictive(self) -> StudentT:
        """Posterior predictive distribution of a new value: Student's t.

        >>> new = NormalInverseGamma(9.0, strength=2, shape=1, scale=1).predictive
        >>> round(new.log_density(9.0), 4), [round(end, 2) for end in new.interval(0.9)]
        (-1.2425, [5.42, 12.58])
        """
        self._check()
        scale = float(np.sqrt(self.scale / self.shape * (1 + 1 / self.strength)))
        return StudentT(self.centre, scale, 2 * self.shape)

    def log_density(self, mean: ArrayLike, variance: ArrayLike) -> Any:
        """Of both parameters together: numbers, or arrays that broadcast."""
        mean, variance = as_floats(mean, "mean"), as_floats(variance, "variance")
        log = self.of_variance.log_density(variance)
        v = np.where(variance > 0, variance, 1.0) / self.strength
        away = (mean - self.centre) - self.remainder
        return plain(log - 0.5 * (np.log(2 * np.pi * v) + away**2 / v))

    def density(self, mean: Any, variance: Any) -> Any:
        """Of both parameters together: numbers, or arrays that broadcast."""
        return plain(np.exp(self.log_density(mean, variance)))

    def sample(self, n: int = 1, random_state: Seed = None) -> MeanAndVariance:
        """Independent draws of both parameters, (n,) each."""
        rng = as_generator(random_state)
        variance = self.of_variance.sample(draws(n), rng)
        mean = self.centre + (self.remainder + np.sqrt(variance / self.strength) * rng.standard_normal(n))
        return MeanAndVariance(mean, variance)

    def _check(self) -> None:
        if self.shape <= 0 or self.scale == 0 or self.strength == 0:
            raise InputError(
                "the belief about mean and variance is improper: it takes at least two different values, or a prior "
                "with strength, shape and scale above zero, to say anything"
            )


class Moved(NamedTuple):
    """The centre of a belief about a mean after data: numbers, or arrays of any shape."""

    centre: Any
    remainder: Any  # what rounding takes from the centre
    strength: Any  # rows behind it
    away: Any  # how far the mean of the data was from the centre before
    pull: Any  # the weight of away^2 in the sum of squares: strength n / (strength + n)


def moved(centre: Any, remainder: Any, strength: Any, seen: CentredSums) -> Moved:
    """The update of a mean that was believed to be at a centre, with so many rows behind it.

    >>> [float(part) for part in moved(9.0, 0.0, 2.0, CentredSums(2.0, 10.0, 1.0, 2.0))]
    [10.0, 0.0, 4.0, 2.0, 1.0]
    """
    rows = strength + seen.rows
    away = (seen.origin - centre) + (seen.shift - remainder)
    heavier = np.greater_equal(seen.rows, strength)  # from the heavier side the step is the shorter one
    start = np.where(heavier, seen.origin, centre)
    step = np.where(heavier, seen.shift - strength / rows * away, remainder + seen.rows / rows * away)
    whole = start + step  # Knuth's two-sum
    back = whole - start
    lost = (start - (whole - back)) + (step - back)
    return Moved(whole, lost, rows, away, strength * (seen.rows / rows))
