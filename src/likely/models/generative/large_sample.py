"""Posteriors without a closed form, by their shape in large samples.

The logarithm of each parameter is taken to be normal about its estimate t, with the deviation e / t that its standard
error e gives it. The mean and the dispersion of a negative binomial, or the mean and the shape of a gamma, are
uncorrelated in large samples, so each is drawn by itself. A deviation that the data cannot give (no rows) or that is
above 2 counts as 2: a factor of 7 either way. A dispersion of zero (Poisson) stays zero.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.distributions.gamma import Gamma, GammaFamily
from likely.distributions.negative_binomial import NegativeBinomial, NegativeBinomialFamily
from likely.numeric.arrays import Floats

WIDEST = 2.0  # deviation of the logarithm of a parameter


@dataclass(frozen=True)
class LargeSamplePosterior:
    """Estimates of two parameters of each class and column, and the deviations of their logarithms.

    >>> counts = NegativeBinomial(mean=np.array([[4.0]]), dispersion=np.array([[0.0]]))
    >>> one = LargeSamplePosterior(counts, {"mean": np.array([[0.1]]), "dispersion": np.array([[0.0]])})
    >>> one.draw(2000, np.random.default_rng(0)).mean.mean().round(1)
    np.float64(4.0)
    """

    fitted: NegativeBinomial | Gamma
    deviation: dict[str, Floats]  # (k, d) each

    @classmethod
    def learned(cls, family: NegativeBinomialFamily | GammaFamily, seen: Any, fitted: Any) -> "LargeSamplePosterior":
        deviation = {}
        for name, error in family.standard_errors(seen).items():
            estimate = np.asarray(getattr(fitted, name), dtype=np.float64)
            with np.errstate(divide="ignore", invalid="ignore"):
                relative = np.where(estimate > 0, error / estimate, 0.0)
            deviation[name] = np.where(np.isnan(relative), WIDEST, np.clip(relative, 0.0, WIDEST))
        return cls(fitted, deviation)

    def draw(self, n: int, rng: np.random.Generator) -> NegativeBinomial | Gamma:
        drawn = {}
        for name, deviation in self.deviation.items():
            value = getattr(self.fitted, name) * np.exp(deviation * rng.standard_normal((n, *deviation.shape)))
            drawn[name] = value.reshape(-1, value.shape[2])
        return type(self.fitted)(**drawn)
