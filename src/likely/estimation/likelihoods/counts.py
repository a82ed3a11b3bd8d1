"""The log-likelihood of negative binomial counts, which vary more than Poisson's.

    log L = sum_v n_v log p(v; m, f),   mean m, dispersion f, variance m + f m^2

with n_v how often the value v occurs. The most likely mean is that of the rows, whatever the dispersion; the dispersion
is found by search. In the estimates the two are uncorrelated. A dispersion of 0 is Poisson's law and lies on the
boundary: a test of it by chi-square is too cautious, its p-value up to twice the right one (Self and Liang 1987).
"""

from dataclasses import dataclass

import numpy as np

from likely.distributions.counts.negative_binomial import NARROWEST, WIDEST, NegativeBinomial
from likely.estimation.likelihoods.functions import Shapes
from likely.numeric.arrays import Array, Floats, Ints


@dataclass(frozen=True)
class CountsLikelihood:
    """Counts with a mean and a dispersion.

    >>> one = CountsLikelihood(np.array([0.0, 4.0]), np.array([1.0, 1.0]), 2.0, 1.0, 1.2)
    >>> round(one.log_likelihood(one.best), 4)  # log 1/3 + log 16/243
    -3.8191
    """

    values: Array  # (v,)
    counts: Array  # (v,)
    mean: float
    dispersion: float
    error: float  # of the dispersion; 0 on the boundary
    constant: float | None = 0.0

    @property
    def shapes(self) -> Shapes:
        return {"mean": (), "dispersion": ()}

    @property
    def rows(self) -> float:
        return float(self.counts.sum())

    @property
    def best(self) -> Floats:
        return np.array([self.mean, self.dispersion])

    @property
    def low(self) -> Floats:
        return np.zeros(2)

    @property
    def high(self) -> Floats:
        return np.full(2, np.inf)

    @property
    def free(self) -> Ints:
        return np.arange(2)

    def log_likelihood(self, theta: Floats) -> float:
        mean, dispersion = theta
        if not (mean > 0 and dispersion >= 0):
            return -np.inf
        law = NegativeBinomial(np.array([[mean]]), np.array([[dispersion]]))
        return float(law.log_density(np.ascontiguousarray(self.values[:, None]))[:, 0] @ self.counts)

    def information(self) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            return np.diag(self.errors() ** -2)

    def errors(self) -> Floats:
        return np.array([np.sqrt((self.mean + self.dispersion * self.mean**2) / self.rows), self.error])

    def correlations(self) -> Floats:
        return np.eye(2)

    def restricted(self, fixed: Floats) -> Floats:
        mean, dispersion = fixed
        mean = self.mean if np.isnan(mean) else mean
        if np.isnan(dispersion):
            dispersion = self.dispersion if mean == self.mean else self._dispersion(float(mean))
        return np.array([mean, dispersion])

    def dimensions(self, fixed: Floats) -> int:
        return int(np.isfinite(fixed).sum())

    def _dispersion(self, mean: float) -> float:
        """The most likely dispersion about another mean."""
        from scipy.optimize import minimize_scalar

        def fall(log_dispersion: float) -> float:
            return -self.log_likelihood(np.array([mean, np.exp(log_dispersion)]))

        ends = (np.log(NARROWEST / (1 + mean)), np.log(WIDEST))
        start = np.log(max(self.dispersion, np.exp(ends[0])))
        near = (max(ends[0], start - 5), min(ends[1], start + 5))
        found = min(
            (minimize_scalar(fall, bounds=b, method="bounded", options={"xatol": 1e-9}) for b in (ends, near)),
            key=lambda result: float(result.fun),
        )
        return float(np.exp(found.x)) if found.fun < -self.log_likelihood(np.array([mean, 0.0])) else 0.0
