"""Log-likelihoods of chances, rates, shares and of counts that vary more than Poisson's.

    chance     s log p + f log(1 - p),   p = s / (s + f) best
    rate       a log r - b r,   r = a / b best: events a over an exposure b
    shares     sum_k N_k log p_k,   p_k = N_k / N best,   sum_k p_k = 1
    counts     sum_v n_v log p(v; m, f),   mean m, dispersion f, variance m + f m^2, n_v how often the value v occurs

The covariance of estimated shares is (diag p - p p') / N. Their information is of all but the most frequent one (the
last of those), which is 1 less the others: N (diag 1 / p + 1 / p_last). A share of 0 has infinite information.

The most likely mean of negative binomial counts is that of the rows, whatever the dispersion; the dispersion is found
by search. A dispersion of 0 is Poisson's law and lies on the boundary: a test of it by chi-square is too cautious, its
p-value up to twice the right one (Self and Liang 1987).
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from likely.distributions.capabilities.likelihood import Shapes, Uncorrelated
from likely.distributions.counts.negative_binomial import NARROWEST, WIDEST, NegativeBinomial
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints

_SLACK = 1e-9  # of the sum of shares


@dataclass(frozen=True)
class ChanceLikelihood(Uncorrelated):
    """Successes and failures; `estimate` is the probability as the family has it.

    >>> tack = ChanceLikelihood(3.0, 2.0, 0.6)
    >>> tack.best, tack.information().round(4)
    (array([0.6]), array([[20.8333]]))
    """

    successes: float
    failures: float
    estimate: float
    constant: float | None = 0.0
    names: ClassVar[tuple[str, ...]] = ("probability",)
    ends: ClassVar[tuple[tuple[float, float], ...]] = ((0.0, 1.0),)

    @property
    def rows(self) -> float:
        return self.successes + self.failures

    @property
    def best(self) -> Floats:
        return np.array([self.estimate])

    def log_likelihood(self, theta: Floats) -> float:
        from scipy.special import xlog1py, xlogy

        return float(xlogy(self.successes, theta[0]) + xlog1py(self.failures, -theta[0]))

    def errors(self) -> Floats:
        return np.array([np.sqrt(self.estimate * (1 - self.estimate) / self.rows)])


@dataclass(frozen=True)
class RateLikelihood(Uncorrelated):
    """Events over an exposure; `estimate` is the rate as the family has it.

    Poisson counts have their sum for events and the rows for exposure; waiting times the rows for events and their sum
    for exposure.

    >>> RateLikelihood(12.0, 4.0, 4.0, 3.0).information()
    array([[1.33333333]])
    """

    events: float
    exposure: float
    rows: float
    estimate: float
    constant: float | None = 0.0
    names: ClassVar[tuple[str, ...]] = ("rate",)
    ends: ClassVar[tuple[tuple[float, float], ...]] = ((0.0, np.inf),)

    @property
    def best(self) -> Floats:
        return np.array([self.estimate])

    def log_likelihood(self, theta: Floats) -> float:
        from scipy.special import xlogy

        return float(xlogy(self.events, theta[0]) - self.exposure * theta[0])

    def errors(self) -> Floats:
        return np.array([np.sqrt(self.estimate) / np.sqrt(self.exposure)])


@dataclass(frozen=True)
class CountsLikelihood(Uncorrelated):
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
    names: ClassVar[tuple[str, ...]] = ("mean", "dispersion")
    ends: ClassVar[tuple[tuple[float, float], ...]] = ((0.0, np.inf), (0.0, np.inf))

    @property
    def rows(self) -> float:
        return float(self.counts.sum())

    @property
    def best(self) -> Floats:
        return np.array([self.mean, self.dispersion])

    def log_likelihood(self, theta: Floats) -> float:
        mean, dispersion = theta
        if not (mean > 0 and dispersion >= 0):
            return -np.inf
        law = NegativeBinomial(np.array([[mean]]), np.array([[dispersion]]))
        return float(law.log_density(np.ascontiguousarray(self.values[:, None]))[:, 0] @ self.counts)

    def errors(self) -> Floats:
        return np.array([np.sqrt((self.mean + self.dispersion * self.mean**2) / self.rows), self.error])

    def restricted(self, fixed: Floats) -> Floats:
        mean, dispersion = fixed
        mean = self.mean if np.isnan(mean) else mean
        if np.isnan(dispersion):
            dispersion = self.dispersion if mean == self.mean else self._dispersion(float(mean))
        return np.array([mean, dispersion])

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


@dataclass(frozen=True)
class SharesLikelihood:
    """Counts of K outcomes.

    >>> die = SharesLikelihood(np.array([2.0, 3.0, 5.0]), np.array([0.2, 0.3, 0.5]))
    >>> round(die.log_likelihood(die.best), 4), die.information().round(4)
    (-10.2965, array([[70.    , 20.    ],
           [20.    , 53.3333]]))
    """

    counts: Floats  # (K,)
    best: Floats  # (K,)
    constant: float | None = 0.0
    levels: tuple[Any, ...] = ()  # what the outcomes are called

    @property
    def shapes(self) -> Shapes:
        return {"probability": (len(self.counts),)}

    @property
    def rows(self) -> float:
        return float(self.counts.sum())

    @property
    def low(self) -> Floats:
        return np.full(len(self.counts), 0.0 if len(self.counts) > 1 else 1.0)  # an only outcome is certain

    @property
    def high(self) -> Floats:
        return np.ones(len(self.counts))

    @property
    def free(self) -> Ints:
        places = np.arange(len(self.best))
        return np.delete(places, len(places) - 1 - int(np.argmax(self.best[::-1])))

    def log_likelihood(self, theta: Floats) -> float:
        from scipy.special import xlogy

        return float(xlogy(self.counts, theta).sum())

    def information(self) -> Floats:
        p = self.best[self.free]
        with np.errstate(divide="ignore"):
            return np.asarray(self.rows * (np.diag(1.0 / p) + 1.0 / self.best.max()))

    def errors(self) -> Floats:
        return np.asarray(np.sqrt(self.best * (1 - self.best) / self.rows))

    def correlations(self) -> Floats:
        deviation = np.sqrt(self.best * (1 - self.best))
        unit = np.where(deviation > 0, deviation, np.inf)
        return np.asarray((np.diag(self.best) - np.outer(self.best, self.best)) / np.outer(unit, unit))

    def restricted(self, fixed: Floats) -> Floats:
        """What the fixed shares leave is shared out by the counts of the others (evenly, if they have none)."""
        others = np.isnan(fixed)
        left = 1.0 - float(fixed[~others].sum())
        if left < -_SLACK or (not others.any() and abs(left) > _SLACK):
            raise InputError(f"the probabilities must sum to 1, those given sum to {1 - left:.6g}")
        counts = self.counts[others]
        even = np.full(len(counts), 1.0 / max(len(counts), 1))
        out = fixed.copy()
        out[others] = max(left, 0.0) * (counts / counts.sum() if counts.sum() > 0 else even)
        return out

    def dimensions(self, fixed: Floats) -> int:
        return min(int(np.isfinite(fixed).sum()), len(fixed) - 1)
