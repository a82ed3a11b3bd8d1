"""Posterior predictive distributions: of a new value, all parameters averaged by what is believed of them.

    P(x) = integral of P(x | theta) p(theta) d theta

Each is a distribution of `likely.distributions` (`law`), which describes columns of several groups; here it is of one
group and one column, and takes and gives plain numbers or levels. Of a Gaussian the prediction is Student's t, a belief
like the others (`StudentT`).

    bernoulli           P(1) = p
    negative binomial   P(X <= k) = I(1 / (1 + m d); 1 / d, k + 1), mean m, dispersion d, I the incomplete beta function
    Lomax               P(X > x) = (1 + x / s)^-a, shape a, scale s

A quantile of whole numbers is the smallest k with P(X <= k) >= p, so that an interval holds at least what it promises.
Predictions are equal where the beliefs are that they come from: compare those. The families stand above the beliefs
that they learn with, so a law is looked up where it is asked for.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.conjugate.belief import Interval, check_bounds, draws
from likely.errors import InputError
from likely.intervals.quantiles import check_confidence
from likely.numeric.arrays import Floats, as_floats, in_brief
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed, as_generator
from likely.probability.given import plain
from likely.statistics.counting.categories import Codes

_LARGEST = 2**53  # whole numbers beyond are not told apart


class Predictive:
    """The posterior predictive distribution of a new number.

    >>> from likely.estimation import Gamma
    >>> calls = Gamma(14, 4).predictive
    >>> calls.mean, round(calls.probability(above=5), 4), calls.interval(0.9)
    (3.5, 0.1631, Interval(low=1.0, high=7.0))
    >>> calls.density([0, 3]).round(4), calls.sample(4, random_state=0)
    (array([0.044, 0.197]), array([3., 3., 4., 8.]))
    """

    @property
    def law(self) -> Any:
        """The distribution of one group and one column."""
        raise NotImplementedError

    @property
    def mean(self) -> float:
        """The expectation; infinite for a waiting time whose shape is at most 1."""
        raise NotImplementedError

    @property
    def variance(self) -> float:
        """The expected squared distance from the mean; infinite where the tail is too heavy for one."""
        return float(self.law.variance[0, 0])

    def log_density(self, x: ArrayLike) -> Any:
        """Logarithm of the density, or of the probability of a whole number, at each x: a number or an array.

        Minus infinity where no value can be.
        """
        x = as_floats(x, "x")
        inside = (x >= 0) & np.isfinite(x) & self._possible(x)
        log = self.law.log_density(np.where(inside, x, 0.0).reshape(-1, 1)).reshape(x.shape)
        return plain(np.where(inside, log, np.where(np.isnan(x), np.nan, -np.inf)))

    def density(self, x: ArrayLike) -> Any:
        """Of each x; of whole numbers this is their probability."""
        return plain(np.exp(self.log_density(x)))

    def quantile(self, p: ArrayLike) -> Any:
        """The smallest number that is not exceeded with probability p; of each p of a list."""
        given = as_floats(p, "p")
        if not ((given >= 0) & (given <= 1)).all():
            raise InputError(f"a quantile is asked of a probability between 0 and 1, got {p!r}")
        found = [self._quantile(one, 1 - one) for one in given.ravel().tolist()]
        return plain(np.array(found, dtype=np.float64).reshape(given.shape))

    def interval(self, confidence: float = 0.95) -> Interval:
        """Prediction interval, in which a new value lies with at least this probability, equal tails on both sides."""
        tail = (1 - check_confidence(confidence)) / 2
        return Interval(self._quantile(tail, 1 - tail), self._quantile(1 - tail, tail))

    def probability(self, below: float | None = None, above: float | None = None) -> float:
        """That a new value is smaller than one bound, larger than another, or between them; the bounds left out."""
        check_bounds(below, above)
        if above is None:
            return self._smaller(float(below)) if float(below) > 0 else 0.0  # type: ignore[arg-type]
        rest = self._at_least(float(below)) if below is not None else 0.0
        return max((self._larger(float(above)) if above >= 0 else 1.0) - rest, 0.0)

    def sample(self, n: int = 1, random_state: Seed = None) -> Floats:
        """Independent draws (n,)."""
        member = np.zeros(draws(n), dtype=np.int64)
        return np.asarray(self.law.sample(member, as_generator(random_state)))[:, 0]

    def _at_least(self, x: float) -> float:
        """P(X >= x)."""
        last = float(np.ceil(x)) - 1
        return self._larger(last) if last >= 0 else 1.0

    def _possible(self, x: Floats) -> Any:
        """Which of some numbers from 0 on can be."""
        return x == np.floor(x)

    def _larger(self, x: float) -> float:
        """P(X > x), x from 0 on."""
        raise NotImplementedError

    def _smaller(self, x: float) -> float:
        """P(X < x), x above 0."""
        raise NotImplementedError

    def _quantile(self, p: float, rest: float) -> float:
        """For p = P(X <= x) and rest = 1 - p, of which the smaller one is exact."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class PredictiveTrial(Predictive):
    """Of a new trial, 1 for a success: Bernoulli."""

    chance: float

    @property
    def law(self) -> Any:
        from likely.distributions.counts.bernoulli import Bernoulli

        return Bernoulli(np.array([[self.chance]]))

    @property
    def mean(self) -> float:
        return self.chance

    def _possible(self, x: Floats) -> Any:
        return (x == 0) | (x == 1)

    def _larger(self, x: float) -> float:
        return self.chance if x < 1 else 0.0

    def _smaller(self, x: float) -> float:
        return 1 - self.chance if x <= 1 else 1.0

    def _quantile(self, p: float, rest: float) -> float:
        return float(p > 1 - self.chance)


@dataclass(frozen=True, eq=False)
class PredictiveTime(Predictive):
    """Of a new waiting time: Lomax."""

    shape: float
    scale: float

    @property
    def law(self) -> Any:
        from likely.distributions.amounts.lomax import Lomax

        return Lomax(np.array([[self.shape]]), np.array([[self.scale]]))

    @property
    def mean(self) -> float:
        return self.scale / (self.shape - 1) if self.shape > 1 else float("inf")

    def _possible(self, x: Floats) -> Any:
        return True

    def _at_least(self, x: float) -> float:
        return self._larger(x) if x >= 0 else 1.0

    def _larger(self, x: float) -> float:
        return float(np.exp(-self.shape * np.log1p(x / self.scale)))

    def _smaller(self, x: float) -> float:
        return float(-np.expm1(-self.shape * np.log1p(x / self.scale)))

    def _quantile(self, p: float, rest: float) -> float:
        fall = -np.log(rest) if rest < 0.5 and rest > 0 else -np.log1p(-p) if p < 1 else np.inf
        with np.errstate(over="ignore"):
            return float(self.scale * np.expm1(fall / self.shape))


@dataclass(frozen=True, eq=False)
class PredictiveCount(Predictive):
    """Of a new count: negative binomial."""

    shape: float
    rate: float

    @property
    def law(self) -> Any:
        from likely.distributions.counts.negative_binomial import NegativeBinomial

        return NegativeBinomial(np.array([[self.mean]]), np.array([[1 / self.shape]]))

    @property
    def mean(self) -> float:
        return self.shape / self.rate

    def _larger(self, x: float) -> float:
        from scipy.special import betaincc

        return float(betaincc(self.shape, np.floor(x) + 1, self._stop)) if np.isfinite(x) else 0.0

    def _smaller(self, x: float) -> float:
        from scipy.special import betainc

        return float(betainc(self.shape, np.ceil(x), self._stop)) if np.isfinite(x) else 1.0

    def _quantile(self, p: float, rest: float) -> float:
        if p == 1:
            return float("inf")

        def reached(k: int) -> bool:
            return self._smaller(k + 1.0) >= p if p < 0.5 else self._larger(float(k)) <= rest

        low, high = -1, 0  # not reached at low, reached at high
        while not reached(high) and high < _LARGEST:
            low, high = high, 2 * high + 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reached(middle) else (middle, high)
        return float(high)

    @property
    def _stop(self) -> float:
        """The probability of stopping."""
        return self.rate / (1 + self.rate)


@dataclass(frozen=True, eq=False)
class PredictiveLevel:
    """The posterior predictive distribution of a new level.

    >>> from likely.estimation import Dirichlet
    >>> colour = Dirichlet([2, 1, 5], levels=("red", "green", "blue")).predictive
    >>> colour.density("red"), colour.density(["green", "blue"])
    (0.25, array([0.125, 0.625]))
    >>> colour.sample(3, random_state=0)
    ['blue', 'green', 'red']
    """

    levels: tuple[Hashable, ...]  # in the order of the belief
    shares: Floats  # (K,)  the probability of each level

    __repr__ = in_brief

    @property
    def law(self) -> Any:
        """The distribution of one group and one column."""
        from likely.distributions.counts.level_table import Categorical

        return Categorical((self.levels,), log_of(self.shares)[None], np.zeros((1, 1)))

    @property
    def probabilities(self) -> dict[Any, float]:
        """Of each level."""
        return dict(zip(self.levels, self.shares.tolist(), strict=True))

    def log_density(self, x: Any) -> Any:
        """Logarithm of the probability of a level, of each of a list of levels, or of `Codes` (n, 1)."""
        if isinstance(x, Codes):
            return self.law.log_density(x)
        places = {level: place for place, level in enumerate(self.levels)}
        several = isinstance(x, list) or (hasattr(x, "__len__") and not isinstance(x, str | bytes | tuple))
        asked = (x.tolist() if hasattr(x, "tolist") else list(x)) if several else [x]
        unknown = [one for one in asked if not isinstance(one, Hashable) or one not in places]
        if unknown:
            known = ", ".join(map(repr, self.levels[:10]))
            raise InputError(f"there is no level {unknown[0]!r:.60}; known are {known}")
        found = log_of(self.shares)[[places[one] for one in asked]]
        return found if several else float(found[0])

    def density(self, x: ArrayLike) -> Any:
        """The probability of a level, or of each of a list of levels."""
        return plain(np.exp(self.log_density(x)))

    def sample(self, n: int = 1, random_state: Seed = None) -> list[Any]:
        """Independent draws: a list of n levels."""
        drawn = self.law.sample(np.zeros(draws(n), dtype=np.int64), as_generator(random_state))
        return [self.levels[place] for place in drawn.x[:, 0].tolist()]
