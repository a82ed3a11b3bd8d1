"""Log-likelihoods of the library's families as functions of their parameters, from sums over the rows.

    log L(theta) = sum_i log p(x_i; theta)

Each knows its maximum, the curvature there and the maximum under a restriction, all in closed form. Parameters are one
flat vector theta (p,); `shapes` says which of it belongs to which name. A restriction is such a vector with NaN where a
parameter is free. Not all of theta need be free to vary (shares sum to 1, a covariance is symmetric): `free` are
places that vary freely and fix the others.

This file has the families of one parameter; `likelihoods_of_shares`, `likelihoods_of_counts`,
`likelihoods_of_amounts` and `likelihoods_of_vectors` have the others.
"""

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Floats, Ints

Shapes: TypeAlias = dict[str, tuple[int, ...]]


class Likelihood(Protocol):
    """The log-likelihood of one group of data under one family."""

    @property
    def constant(self) -> float | None:
        """The part in which no parameter stands (log n! and the like); None: the sums do not hold it."""
        ...

    @property
    def shapes(self) -> Shapes: ...
    @property
    def rows(self) -> float: ...
    @property
    def best(self) -> Floats:
        """Where the likelihood is highest (p,)."""
        ...

    @property
    def low(self) -> Floats:
        """The least value of each parameter (p,)."""
        ...

    @property
    def high(self) -> Floats: ...
    @property
    def free(self) -> Ints: ...
    def log_likelihood(self, theta: Floats) -> float:
        """But for the constant."""
        ...

    def information(self) -> Floats:
        """Minus the second derivatives at the maximum, of the free parameters; infinite at a boundary."""
        ...

    def errors(self) -> Floats:
        """Standard errors of all estimates (p,): from the inverse information, in units that do not overflow."""
        ...

    def correlations(self) -> Floats:
        """Of all estimates (p, p); 0 where a standard error is 0."""
        ...

    def restricted(self, fixed: Floats) -> Floats:
        """Where the likelihood is highest if some parameters are fixed (NaN: free)."""
        ...

    def dimensions(self, fixed: Floats) -> int:
        """How many free parameters a restriction takes away."""
        ...


@dataclass(frozen=True)
class ChanceLikelihood:
    """Successes and failures: s log p + f log(1 - p), with p = s / (s + f) best and s + f over p (1 - p) its curvature.

    >>> tack = ChanceLikelihood(3.0, 2.0)
    >>> tack.best, tack.information().round(4)
    (array([0.6]), array([[20.8333]]))
    """

    successes: float
    failures: float
    estimate: float | None = None  # as the family has it; None: the share of successes
    constant: float | None = 0.0

    @property
    def shapes(self) -> Shapes:
        return {"probability": ()}

    @property
    def rows(self) -> float:
        return self.successes + self.failures

    @property
    def best(self) -> Floats:
        return np.array([self.successes / self.rows if self.estimate is None else self.estimate])

    @property
    def low(self) -> Floats:
        return np.zeros(1)

    @property
    def high(self) -> Floats:
        return np.ones(1)

    @property
    def free(self) -> Ints:
        return np.zeros(1, dtype=np.int64)

    def log_likelihood(self, theta: Floats) -> float:
        from scipy.special import xlog1py, xlogy

        return float(xlogy(self.successes, theta[0]) + xlog1py(self.failures, -theta[0]))

    def information(self) -> Floats:
        p = self.best
        with np.errstate(divide="ignore"):
            return np.asarray(self.rows / (p * (1 - p)))[:, None]

    def errors(self) -> Floats:
        p = self.best
        return np.asarray(np.sqrt(p * (1 - p) / self.rows))

    def correlations(self) -> Floats:
        return np.ones((1, 1))

    def restricted(self, fixed: Floats) -> Floats:
        return np.where(np.isnan(fixed), self.best, fixed)

    def dimensions(self, fixed: Floats) -> int:
        return int(np.isfinite(fixed).sum())


@dataclass(frozen=True)
class RateLikelihood:
    """Events over an exposure: a log r - b r, with r = a / b best and a / r^2 its curvature.

    Poisson counts have their sum for events and the rows for exposure; waiting times the rows for events and their sum
    for exposure.

    >>> RateLikelihood(12.0, 4.0, 4.0).best, RateLikelihood(12.0, 4.0, 4.0).information()
    (array([3.]), array([[1.33333333]]))
    """

    events: float
    exposure: float
    rows: float
    estimate: float | None = None  # as the family has it; None: events over exposure
    constant: float | None = 0.0

    @property
    def shapes(self) -> Shapes:
        return {"rate": ()}

    @property
    def best(self) -> Floats:
        return np.array([self.events / self.exposure if self.estimate is None else self.estimate])

    @property
    def low(self) -> Floats:
        return np.zeros(1)

    @property
    def high(self) -> Floats:
        return np.full(1, np.inf)

    @property
    def free(self) -> Ints:
        return np.zeros(1, dtype=np.int64)

    def log_likelihood(self, theta: Floats) -> float:
        from scipy.special import xlogy

        return float(xlogy(self.events, theta[0]) - self.exposure * theta[0])

    def information(self) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            return np.asarray(self.exposure / self.best)[:, None]

    def errors(self) -> Floats:
        return np.asarray(np.sqrt(self.best) / np.sqrt(self.exposure))

    def correlations(self) -> Floats:
        return np.ones((1, 1))

    def restricted(self, fixed: Floats) -> Floats:
        return np.where(np.isnan(fixed), self.best, fixed)

    def dimensions(self, fixed: Floats) -> int:
        return int(np.isfinite(fixed).sum())


def no_maximum(why: str) -> InputError:
    """The error of data under which the likelihood has no highest point."""
    return InputError(f"there is no maximum-likelihood estimate: {why}")
