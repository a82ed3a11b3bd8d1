"""Asymptotic posteriors, of parameters without a conjugate prior: the shape that they have in large samples.

The logarithm of each parameter is taken to be normal about its estimate t, with the deviation e / t that its standard
error e gives it. The mean and the dispersion of a negative binomial, or the mean and the shape of a gamma, are
uncorrelated in large samples, so each is drawn by itself. A deviation that the data cannot give (no rows) or that is
above 2 counts as 2: a factor of 7 either way.

Of n rows the deviation itself is hardly known where they are few: intervals are those of Student's t with n - 1 degrees
and the deviation sqrt(n / (n - 1)) e / t. So those of gamma samples of 2, 3, 5 and 10 rows hold the mean in 94 to 95 %
and the shape in 94 to 100 % of the cases, where normal ones hold 60, 74, 84 and 90 %.

A dispersion that is estimated as zero (Poisson) has no logarithm. It is taken to be the positive half of a normal with
deviation sqrt(2 / n) / m, which is one over the root of the information of n counts with mean m at a dispersion of 0.
"""

from dataclasses import dataclass
from math import inf, sqrt
from typing import Any

import numpy as np

from likely.distributions.conjugate.belief import Interval, draws
from likely.errors import InputError
from likely.intervals.quantiles import normal_quantile, t_quantile
from likely.numeric.arrays import Array, Floats
from likely.numeric.random_state import Seed, as_generator

WIDEST = 2.0  # deviation of the logarithm of a parameter


@dataclass(frozen=True)
class LargeSample:
    """Asymptotic posterior of several parameters: what is believed of each by the shape that it has in large samples.

    The logarithm of a parameter is normal about that of its estimate; one with the estimate 0 is the positive half of a
    normal about 0. Every answer is by the parameter's name.

    >>> belief = LargeSample(estimate={"mean": 6.0, "shape": 3.0}, deviation={"mean": 0.1, "shape": 0.2})
    >>> {name: (round(low, 2), round(high, 2)) for name, (low, high) in belief.interval(0.95).items()}
    {'mean': (4.93, 7.3), 'shape': (2.03, 4.44)}
    >>> round(belief.mean["mean"], 3), belief.sample(2, random_state=0)["mean"].shape
    (6.03, (2,))
    """

    estimate: dict[str, float]  # also the median, but for an estimate of 0
    deviation: dict[str, float]  # of the logarithm; of the parameter itself where the estimate is 0
    rows: float = inf  # that were seen

    @property
    def mean(self) -> dict[str, float]:
        """The expectations: above the estimates, as the logarithms are symmetric."""
        return {
            name: float(
                t * np.exp(self.deviation[name] ** 2 / 2) if t > 0 else self.deviation[name] * np.sqrt(2 / np.pi)
            )
            for name, t in self.estimate.items()
        }

    @property
    def standard_deviation(self) -> dict[str, float]:
        mean = self.mean
        return {
            name: float(mean[name] * np.sqrt(np.expm1(s**2)) if self.estimate[name] > 0 else s * np.sqrt(1 - 2 / np.pi))
            for name, s in self.deviation.items()
        }

    def interval(self, confidence: float = 0.95) -> dict[str, Interval]:
        """Credible interval of each parameter, in which it lies with a given probability: equal tails."""
        rows = max(self.rows, 2.0)
        z = t_quantile(confidence, rows - 1) / sqrt(1 - 1 / rows)
        low, high = normal_quantile((1 - confidence) / 2), normal_quantile((1 + confidence) / 2)  # of the half
        ends = {}
        for name, t in self.estimate.items():
            s = self.deviation[name]
            with np.errstate(over="ignore"):
                pair = (t * np.exp(-s * z), t * np.exp(s * z)) if t > 0 else (s * low, s * high)
            ends[name] = Interval(float(pair[0]), float(pair[1]))
        return ends

    def sample(self, n: int = 1, random_state: Seed = None) -> dict[str, Floats]:
        """Independent draws (n,) of each parameter."""
        n, rng = draws(n), as_generator(random_state)
        return {name: _drawn(np.array(t), np.array(self.deviation[name]), n, rng) for name, t in self.estimate.items()}


@dataclass(frozen=True)
class LargeSamplePosterior:
    """Estimates of two parameters of each class and column, and the deviations of their logarithms.

    >>> from likely.distributions import NegativeBinomial
    >>> counts = NegativeBinomial(mean=np.array([[4.0]]), dispersion=np.array([[0.0]]))
    >>> one = LargeSamplePosterior(counts, {"mean": np.array([[0.1]]), "dispersion": np.array([[0.0]])})
    >>> one.draw(2000, np.random.default_rng(0)).mean.mean().round(1)
    np.float64(4.0)
    """

    fitted: Any  # the distribution, its parameters (k, d) each
    deviation: dict[str, Floats]  # (k, d) each; of the parameter itself where it was estimated as 0
    rows: Floats | None = None  # (k, d)  that were seen; None: so many that it does not matter

    @classmethod
    def learned(cls, fitted: Any, errors: dict[str, Array], rows: Array) -> "LargeSamplePosterior":
        """From estimates and their standard errors, by name, and the rows (k, d) that they were learned from."""
        deviation = {}
        for name, error in errors.items():
            estimate = np.asarray(getattr(fitted, name), dtype=np.float64)
            with np.errstate(divide="ignore", invalid="ignore"):
                # n = m / e^2 counts are behind the mean where the dispersion is 0
                at_zero = np.sqrt(2.0) * errors["mean"] / fitted.mean**1.5
                relative = np.where(estimate > 0, error / estimate, at_zero)
            deviation[name] = np.where(np.isnan(relative), WIDEST, np.clip(relative, 0.0, WIDEST))
        return cls(fitted, deviation, np.asarray(rows, dtype=np.float64))

    def of(self, member: int, column: int) -> LargeSample:
        estimate = {name: float(getattr(self.fitted, name)[member, column]) for name in self.deviation}
        if not np.isfinite(list(estimate.values())).all():
            raise InputError(f"column {column} of the part never varied: there is nothing to be believed of it")
        deviation = {name: float(part[member, column]) for name, part in self.deviation.items()}
        return LargeSample(estimate, deviation, inf if self.rows is None else float(self.rows[member, column]))

    def draw(self, n: int, rng: np.random.Generator) -> Any:
        drawn = {}
        for name, deviation in self.deviation.items():
            value = _drawn(np.asarray(getattr(self.fitted, name)), deviation, n, rng)
            drawn[name] = value.reshape(-1, value.shape[2])
        return type(self.fitted)(**drawn)


def _drawn(estimate: Floats, deviation: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Draws (n, ...) of parameters."""
    step = deviation * rng.standard_normal((n, *estimate.shape))
    return np.asarray(np.where(estimate == 0, np.abs(step), estimate * np.exp(step)))
