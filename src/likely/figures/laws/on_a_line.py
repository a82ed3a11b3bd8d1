"""Any law of one number, read for drawing: its density or probabilities, its distribution function, where it lies.

Laws of `likely.probability` and of SciPy have `pdf` or `pmf` and `cdf`; beliefs of `likely.estimation` have `density`,
`probability` and `quantile`; distributions of `likely.distributions` have the log density of a table of one column.
What has no distribution function has its density summed (trapezoids over 4,001 points of where it lies).
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

import numpy as np

from likely.errors import InputTypeError
from likely.numeric.arrays import Floats

_DEVIATIONS = 4.0  # from the mean, that are drawn
_TAIL = 1e-4  # what may lie beyond, on each side
_FINE = 4001


@dataclass(frozen=True)
class LineLaw:
    """A law of one number."""

    density: Callable[[Floats], Floats]  # or the probability of each whole number
    below: Callable[[Floats], Floats]  # P(X <= x)
    low: float  # where nearly all of it lies
    high: float
    discrete: bool = False
    edges: Floats | None = None  # of a histogram

    @classmethod
    def of(cls, law: Any) -> Self:
        """Read a law.

        >>> from likely.probability import Binomial, Uniform
        >>> LineLaw.of(Uniform(0, 30)).mass(15, 21)
        0.2
        >>> round(LineLaw.of(Binomial(8, 0.5)).mass(-1, 3), 4)
        0.3633
        """
        if hasattr(law, "pmf") or hasattr(law, "pdf"):
            return cls._of_functions(law)
        if hasattr(law, "probability") and hasattr(law, "quantile"):
            return cls._of_belief(law)
        if hasattr(law, "log_density") and getattr(law, "members", None) == 1:
            return cls._of_distribution(law)
        raise InputTypeError(
            f"a law of one number has pdf or pmf and cdf, or is a belief or a distribution of one member and one "
            f"column; got {type(law).__name__}"
        )

    @classmethod
    def _of_functions(cls, law: Any) -> Self:
        discrete = hasattr(law, "pmf")
        if hasattr(law, "low") and hasattr(law, "high"):
            edge = 0.2 * (law.high - law.low)  # a law that begins and ends is drawn with a little of nothing around it
            low, high = law.low - edge, law.high + edge
        elif hasattr(law, "ppf"):
            low, high = float(law.ppf(_TAIL)), float(law.ppf(1 - _TAIL))
        else:
            spread = _DEVIATIONS * float(np.sqrt(law.variance))
            low, high = law.mean - spread, law.mean + spread
        if discrete:
            low, high = max(np.floor(low), 0.0), min(np.ceil(high), float(getattr(law, "n", np.inf)))
        height = law.pmf if discrete else law.pdf
        return cls(lambda x: np.asarray(height(x)), lambda x: np.asarray(law.cdf(x)), float(low), float(high), discrete)

    @classmethod
    def _of_belief(cls, law: Any) -> Self:
        low, high = law.quantile(0), law.quantile(1)
        if not (isfinite(low) and isfinite(high)):  # else all of it is drawn
            low, high = law.quantile(_TAIL), law.quantile(1 - _TAIL)

        def below(x: Floats) -> Floats:
            return np.array([law.probability(below=one) for one in np.ravel(x).tolist()]).reshape(np.shape(x))

        return cls(lambda x: np.asarray(law.density(x)), below, float(low), float(high))

    @classmethod
    def _of_gaussian(cls, mean: float, deviation: float, density: Callable[[Floats], Floats]) -> Self:
        from scipy.special import ndtr

        reach = _DEVIATIONS * deviation
        return cls(density, lambda x: np.asarray(ndtr((x - mean) / deviation)), mean - reach, mean + reach)

    @classmethod
    def _of_distribution(cls, law: Any) -> Self:
        def density(x: Floats) -> Floats:
            return np.asarray(np.exp(law.log_density(np.reshape(x, (-1, 1)))).reshape(np.shape(x)))

        if hasattr(law, "as_gaussians") and (found := law.as_gaussians()) is not None:
            return cls._of_gaussian(float(found[0][0, 0]), float(np.sqrt(found[1][0, 0, 0])), density)
        drawn = np.asarray(law.sample(np.zeros(2000, dtype=np.int64), np.random.default_rng(0)), dtype=np.float64)
        discrete = bool((drawn == np.floor(drawn)).all())
        low, high = float(drawn.min()), float(drawn.max())
        if discrete:
            whole = np.arange(np.floor(low), np.ceil(high) + 1)
            heap = np.concatenate([[0.0], np.cumsum(density(whole))])
            return cls(density, lambda x: heap[np.searchsorted(whole, x, side="right")], low, high, True)
        fine = np.linspace(low, high, _FINE)
        height = density(fine)
        mass = np.concatenate([[0.0], np.cumsum((height[1:] + height[:-1]) / 2 * np.diff(fine))])
        edges = getattr(law, "edges", None)
        return cls(density, lambda x: np.interp(x, fine, mass / mass[-1]), low, high, False, _histogram_edges(edges))

    def mass(self, low: float, high: float) -> float:
        """P(low < X <= high); ends may be infinite."""
        ends = [float(self.below(np.array(end))) if isfinite(end) else float(end > 0) for end in (low, high)]
        return round(ends[1] - ends[0], 15)

    def central(self, share: float) -> tuple[float, float]:
        """The interval around the middle that holds this share, with as much below as above."""
        return self._quantile((1 - share) / 2), self._quantile((1 + share) / 2)

    def grid(self, points: int = 601) -> Floats:
        """Where to draw it: whole numbers, or many points."""
        if self.discrete:
            return np.arange(self.low, self.high + 1)
        return np.linspace(self.low, self.high, points)

    def _quantile(self, share: float) -> float:
        if self.discrete:
            whole = self.grid()
            return float(whole[min(int(np.searchsorted(self.below(whole), share)), len(whole) - 1)])
        from scipy.optimize import brentq

        wide = self.high - self.low
        ends = self.low - 4 * wide, self.high + 4 * wide
        if self.below(np.array(ends[0])) >= share or self.below(np.array(ends[1])) <= share:
            ends = self.low, self.high
        return float(brentq(lambda x: float(self.below(np.array(x))) - share, *ends, xtol=1e-12))


def _histogram_edges(edges: Any) -> Floats | None:
    """Of the one member and column of a histogram."""
    if edges is None:
        return None
    found = np.asarray(edges[0] if isinstance(edges, tuple | list) else edges, dtype=np.float64).ravel()
    return found if len(found) > 1 else None
