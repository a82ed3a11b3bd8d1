"""Predictions of a new value: its distribution, all parameters averaged by what is believed of them.

    P(x) = integral of P(x | theta) p(theta) d theta

Each is a distribution of `likely.distributions` (`law`), which describes columns of several groups; here it is of one
group and one column, and takes and gives plain numbers or levels. Of a Gaussian the prediction is Student's t, a belief
like the others (`StudentT`).

    bernoulli           P(1) = p
    negative binomial   P(X <= k) = I(1 / (1 + m d); 1 / d, k + 1), mean m, dispersion d, I the incomplete beta function
    Lomax               P(X > x) = (1 + x / s)^-a, shape a, scale s

A quantile of whole numbers is the smallest k with P(X <= k) >= p, so that an interval holds at least what it promises.
Predictions are equal where the beliefs are that they come from: compare those.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.distributions.amounts.lomax import Lomax
from likely.distributions.counts.bernoulli import Bernoulli
from likely.distributions.counts.categorical import Categorical
from likely.distributions.counts.negative_binomial import NegativeBinomial
from likely.errors import InputError
from likely.estimation.conjugate.belief import Interval, check_bounds, draws
from likely.estimation.given import numbers, plain
from likely.intervals.quantiles import check_confidence
from likely.numeric.arrays import Floats
from likely.statistics.categories import Codes

_LARGEST = 2**53  # whole numbers beyond are not told apart


@dataclass(frozen=True, eq=False)
class Predictive:
    """The distribution of a new number.

    >>> from likely.estimation import Gamma
    >>> calls = Gamma(14, 4).predictive
    >>> calls.mean, round(calls.probability(above=5), 4), calls.interval(0.9)
    (3.5, 0.1631, Interval(low=1.0, high=7.0))
    >>> calls.density([0, 3]).round(4), calls.sample(4, random_state=0)
    (array([0.044, 0.197]), array([3., 3., 4., 8.]))
    """

    law: Bernoulli | NegativeBinomial | Lomax

    @property
    def mean(self) -> float:
        """The expectation; infinite for a waiting time whose shape is at most 1."""
        if isinstance(self.law, Lomax):
            shape, scale = self.law.shape.item(), self.law.scale.item()
            return float(scale / (shape - 1)) if shape > 1 else float("inf")
        return float((self.law.mean if isinstance(self.law, NegativeBinomial) else self.law.probability).item())

    def log_density(self, x: Any) -> Any:
        """Logarithm of the density, or of the probability of a whole number, at each x: a number or an array.

        Minus infinity where no value can be.
        """
        x = numbers(x, "x")
        inside = (x >= 0) & np.isfinite(x)
        if not isinstance(self.law, Lomax):
            inside &= (x == np.floor(x)) & ((x <= 1) | isinstance(self.law, NegativeBinomial))
        log = self.law.log_density(np.where(inside, x, 0.0).reshape(-1, 1)).reshape(x.shape)
        return plain(np.where(inside, log, np.where(np.isnan(x), np.nan, -np.inf)))

    def density(self, x: Any) -> Any:
        """Of each x; of whole numbers this is their probability."""
        return plain(np.exp(self.log_density(x)))

    def quantile(self, p: Any) -> Any:
        """The smallest number that is not exceeded with probability p; of each p of a list."""
        given = numbers(p, "p")
        if not ((given >= 0) & (given <= 1)).all():
            raise InputError(f"a quantile is asked of a probability between 0 and 1, got {p!r}")
        found = [self._quantile(one, 1 - one) for one in given.ravel().tolist()]
        return plain(np.array(found, dtype=np.float64).reshape(given.shape))

    def interval(self, confidence: float = 0.95) -> Interval:
        """In which a new value lies with at least this probability, the rest shared by both sides."""
        tail = (1 - check_confidence(confidence)) / 2
        return Interval(self._quantile(tail, 1 - tail), self._quantile(1 - tail, tail))

    def probability(self, below: float | None = None, above: float | None = None) -> float:
        """That a new value is smaller than one bound, larger than another, or between them; the bounds left out."""
        check_bounds(below, above)
        if above is None:
            return self._smaller(float(below))  # type: ignore[arg-type]
        if below is None:
            return self._larger(float(above))
        return max(self._larger(float(above)) - self._at_least(float(below)), 0.0)

    def sample(self, n: int = 1, random_state: Any = None) -> Floats:
        """Independent draws (n,)."""
        member = np.zeros(draws(n), dtype=np.int64)
        return np.asarray(self.law.sample(member, np.random.default_rng(random_state)))[:, 0]

    def _larger(self, x: float) -> float:
        """P(X > x)."""
        if x < 0:
            return 1.0
        if isinstance(self.law, Lomax):
            return float(np.exp(-self.law.shape.item() * np.log1p(x / self.law.scale.item())))
        if isinstance(self.law, Bernoulli):
            return float(self.law.probability.item()) if x < 1 else 0.0
        from scipy.special import betaincc

        size, chance = self._size()
        return float(betaincc(size, np.floor(x) + 1, chance)) if np.isfinite(x) else 0.0

    def _smaller(self, x: float) -> float:
        """P(X < x)."""
        if x <= 0:
            return 0.0
        if isinstance(self.law, Lomax):
            return float(-np.expm1(-self.law.shape.item() * np.log1p(x / self.law.scale.item())))
        if isinstance(self.law, Bernoulli):
            return 1 - float(self.law.probability.item()) if x <= 1 else 1.0
        from scipy.special import betainc

        size, chance = self._size()
        return float(betainc(size, np.ceil(x), chance)) if np.isfinite(x) else 1.0

    def _at_least(self, x: float) -> float:
        """P(X >= x)."""
        return self._larger(x if isinstance(self.law, Lomax) else float(np.ceil(x)) - 1)

    def _quantile(self, p: float, rest: float) -> float:
        """For p = P(X <= x) and rest = 1 - p, of which the smaller one is exact."""
        if isinstance(self.law, Lomax):
            fall = -np.log(rest) if rest < 0.5 and rest > 0 else -np.log1p(-p) if p < 1 else np.inf
            with np.errstate(over="ignore"):
                return float(self.law.scale.item() * np.expm1(fall / self.law.shape.item()))
        if isinstance(self.law, Bernoulli):
            return float(p > 1 - self.law.probability.item())
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

    def _size(self) -> tuple[float, float]:
        """Of the negative binomial: 1 / dispersion, and the probability of stopping."""
        assert isinstance(self.law, NegativeBinomial)
        dispersion = float(self.law.dispersion.item())
        return 1 / dispersion, 1 / (1 + dispersion * float(self.law.mean.item()))


@dataclass(frozen=True, eq=False)
class PredictiveLevel:
    """The distribution of a new level.

    >>> from likely.estimation import Dirichlet
    >>> colour = Dirichlet([2, 1, 5], levels=("red", "green", "blue")).predictive
    >>> colour.density("red"), colour.density(["green", "blue"])
    (0.25, array([0.125, 0.625]))
    >>> colour.sample(3, random_state=0)
    ['blue', 'green', 'red']
    """

    law: Categorical

    @property
    def levels(self) -> tuple[Hashable, ...]:
        """The levels, in the order of the belief."""
        return tuple(self.law.levels[0])

    @property
    def probabilities(self) -> dict[Any, float]:
        """Of each level."""
        return dict(zip(self.levels, np.exp(self.law.log_probability[0]).tolist(), strict=True))

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
        found = self.law.log_probability[0][[places[one] for one in asked]]
        return found if several else float(found[0])

    def density(self, x: Any) -> Any:
        """The probability of a level, or of each of a list of levels."""
        return plain(np.exp(self.log_density(x)))

    def sample(self, n: int = 1, random_state: Any = None) -> list[Any]:
        """Independent draws: a list of n levels."""
        drawn = self.law.sample(np.zeros(draws(n), dtype=np.int64), np.random.default_rng(random_state))
        return [self.levels[place] for place in drawn.x[:, 0].tolist()]
