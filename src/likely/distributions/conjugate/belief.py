"""Posterior distribution of one unknown number: what is believed of it, with credible intervals and probabilities.

    interval(c)                  from the quantile (1 - c) / 2 to the quantile (1 + c) / 2: equal tails
    interval(c, "highest-density")   the shortest one: [q(t), q(t + c)] with equal densities at both ends
    probability(below=, above=)  that the number lies there

Each tail is computed on its own side, never as one minus the other, so that probabilities of 1e-100 are as good as
those of one half. A density that only falls or only rises has a highest-density interval that begins or ends where
the density does; a flat one takes the middle. If the density rises without bound at both ends its highest part is two
pieces and no interval, which is refused.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.intervals.quantiles import check_confidence
from likely.numeric.arrays import Array, Floats, as_floats
from likely.numeric.random_state import Seed, as_generator
from likely.numeric.special.roots import bracketed_roots
from likely.probability.given import number, plain

Kind: TypeAlias = Literal["equal-tailed", "highest-density"]
KINDS = ("equal-tailed", "highest-density")
REFERENCE = 0.5  # pseudo-counts of Jeffreys' prior, of every level, event or rate of counts
_HUGE = 1e60  # in place of an infinite difference of log densities


class Interval(NamedTuple):
    """Interval: between which two numbers.

    >>> from likely.estimation import Beta
    >>> low, high = Beta(1, 1).interval(0.9)
    >>> round(high - low, 9)
    0.9
    """

    low: float
    high: float


@dataclass(frozen=True)
class Belief:
    """Prior or posterior distribution of one number: intervals, probabilities and moments from a few primitives."""

    support: ClassVar[tuple[float, float]] = (-np.inf, np.inf)

    @property
    def mean(self) -> float:
        """The expectation."""
        raise NotImplementedError

    @property
    def mode(self) -> float:
        """Where the density is highest."""
        raise NotImplementedError

    @property
    def variance(self) -> float:
        """The expected squared distance from the mean."""
        raise NotImplementedError

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return float(np.sqrt(self.variance))

    @property
    def median(self) -> float:
        """The median, as likely exceeded as not."""
        return self._at(0.5, False)

    def log_density(self, x: ArrayLike) -> Any:
        """Logarithm of the density at each x, a number or an array; minus infinity where the number cannot be."""
        self._check()
        return plain(self._log_density(as_floats(x, "x")))

    def density(self, x: ArrayLike) -> Any:
        """At each x: a number for a number, an array for an array.

        >>> from likely.estimation import Beta
        >>> round(Beta(2, 1).density(0.5), 12), Beta(2, 1).density([0.0, 0.25, 1.0]).round(12)
        (1.0, array([0. , 0.5, 2. ]))
        """
        return plain(np.exp(self.log_density(x)))

    def quantile(self, p: ArrayLike, upper: bool = False) -> Any:
        """The number below which (with `upper`: above which) the unknown lies with probability p; of each p of a list.

        >>> from likely.estimation import Beta
        >>> round(Beta(1, 1).quantile(0.1), 12), Beta(1, 1).quantile([0.1, 0.9]).round(12)
        (0.1, array([0.1, 0.9]))
        """
        given = as_floats(p, "p")
        if not ((given >= 0) & (given <= 1)).all():
            raise InputError(f"a quantile is asked of a probability between 0 and 1, got {p!r}")
        self._check()
        found = [self._at(one, upper) for one in given.ravel().tolist()]
        return plain(np.array(found, dtype=np.float64).reshape(given.shape))

    def interval(self, confidence: float = 0.95, kind: Kind = "equal-tailed") -> Interval:
        """Credible interval, in which the number lies with a given probability.

        "equal-tailed" leaves the same probability on both sides; "highest-density" is the shortest interval.

        >>> from likely.estimation import Beta
        >>> [round(end, 4) for end in Beta(10, 2).interval(0.95)]
        [0.5872, 0.9772]
        >>> [round(end, 4) for end in Beta(10, 2).interval(0.95, "highest-density")]
        [0.6325, 0.9937]
        """
        check_interval(confidence, kind)
        self._check()
        if kind == "highest-density":
            return self._highest_density(confidence)
        tail = (1 - confidence) / 2
        return Interval(self._quantile(tail, False), self._quantile(tail, True))

    def probability(self, below: float | None = None, above: float | None = None) -> float:
        """That the number lies below one bound, above another, or between them if both are given.

        >>> from likely.estimation import Beta
        >>> round(Beta(10, 2).probability(below=0.5), 6), round(Beta(10, 2).probability(above=0.5, below=0.9), 4)
        (0.005859, 0.6915)
        """
        check_bounds(below, above)
        self._check()
        if above is None:
            return self._tail(float(below), False)  # type: ignore[arg-type]
        if below is None:
            return self._tail(float(above), True)
        if above >= below:
            return 0.0
        low, high = (self._tail(bound, False) for bound in (float(above), float(below)))
        if low > 0.5:  # the two upper tails are the smaller ones
            low, high = (self._tail(bound, True) for bound in (float(below), float(above)))
        return max(high - low, 0.0)

    def sample(self, n: int = 1, random_state: Seed = None) -> Floats:
        """Independent draws (n,).

        >>> from likely.estimation import Beta
        >>> Beta(10, 2).sample(3, random_state=0).shape
        (3,)
        """
        self._check()
        return self._draw(draws(n), as_generator(random_state))

    def _highest_density(self, confidence: float) -> Interval:
        low, high = self.support
        mode, left = self.mode, 1 - confidence
        if mode == low:
            return Interval(low, self._quantile(left, True))
        if mode == high:
            return Interval(self._quantile(left, False), high)

        def ends(below: float) -> tuple[float, float]:
            return self._at(below, False), self._at(max(left - below, 0.0), True)

        def falls(below: Array) -> Array:  # density above the interval minus that below it, in logarithms
            first, last = self.log_density(np.array(ends(float(below[0])))).tolist()
            return np.array([np.clip(last - first, -_HUGE, _HUGE) if first != last else 0.0])

        return Interval(*ends(float(bracketed_roots(falls, np.zeros(1), np.array([left]))[0])))

    def _at(self, p: float, upper: bool) -> float:
        """The quantile, the ends of the support included."""
        return self.support[int((p == 1) != upper)] if p in (0, 1) else self._quantile(p, upper)

    def _log_density(self, x: Floats) -> Floats:
        raise NotImplementedError

    def _quantile(self, p: float, upper: bool) -> float:
        raise NotImplementedError

    def _tail(self, x: float, upper: bool) -> float:
        raise NotImplementedError

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        raise NotImplementedError

    def _check(self) -> None:
        """Refuse to answer while the distribution is improper."""


def check_interval(confidence: float, kind: str = "equal-tailed") -> None:
    """Refuse an interval that does not exist."""
    check_confidence(confidence)
    if kind not in KINDS:
        raise InputError(f"kind must be one of {', '.join(KINDS)}; got {kind!r}")


def check_bounds(below: float | None, above: float | None) -> None:
    """Refuse a question without a bound."""
    if below is None and above is None:
        raise InputError("say where: probability(below=...), probability(above=...), or both")
    if any(np.isnan(number(bound, "a bound of a probability")) for bound in (below, above) if bound is not None):
        raise InputError("a bound of a probability must be a number, got NaN")


def draws(n: int) -> int:
    """The number of draws asked for, if it is one."""
    if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
        raise InputError(f"the number of draws must be a whole number from 0 up, got {n!r}")
    return int(n)


def not_negative(**parameters: float) -> None:
    """Refuse parameters of a prior that are negative, infinite or NaN."""
    for name, value in parameters.items():
        if np.ndim(value) or not 0 <= number(value, name) < np.inf:
            raise InputError(f"{name} must be a finite number, not negative, got {value!r}")
