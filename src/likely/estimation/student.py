"""Student's t: what is believed of a mean whose variance is unknown too.

    (x - m) / s  has Student's distribution with f degrees of freedom

It is a marginal of `NormalInverseGamma`. Its density is that of `distributions.Student`, which has no quantiles.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.distributions.student import Student as Members
from likely.errors import InputError
from likely.estimation.belief import Belief, Interval, not_negative
from likely.numeric.arrays import Floats


@dataclass(frozen=True)
class Student(Belief):
    """Student(centre, scale, freedom).

    >>> belief = Student(10.0, 2.0, freedom=4.0)
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
        if not np.isfinite(self.centre):
            raise InputError(f"centre must be a finite number, got {self.centre!r}")

    @property
    def mean(self) -> float:
        """NaN for at most one degree of freedom: the tails are too heavy for one."""
        self._check()
        return self.centre if self.freedom > 1 else float("nan")

    @property
    def mode(self) -> float:
        self._check()
        return self.centre

    @property
    def variance(self) -> float:
        """Infinite for at most two degrees of freedom, NaN where there is no mean."""
        if self.mean != self.mean:
            return float("nan")
        return self.scale**2 * (self.freedom / (self.freedom - 2)) if self.freedom > 2 else float("inf")

    def log_density(self, x: Any) -> Floats:
        self._check()
        x = np.asarray(x, dtype=np.float64)
        law = Members(*(np.array([[part]]) for part in (self.centre, self.scale, self.freedom)))
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
