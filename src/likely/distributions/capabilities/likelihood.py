"""Log-likelihood of a family as a function of its parameters, from sums over the rows.

    log L(theta) = sum_i log p(x_i; theta)

A family that knows its own has a method `likelihood(statistic, feature)`; the estimates at its top are the family's.
Each knows its maximum, the curvature there and the maximum under a restriction, all in closed form. Parameters are one
flat vector theta (p,); `shapes` says which of it belongs to which name. A restriction is such a vector with NaN where a
parameter is free. Not all of theta need be free to vary (shares sum to 1, a covariance is symmetric): `free` are
places that vary freely and fix the others.

Where the likelihood has no highest point (all values of a Gaussian equal) the families lean on a pseudo-row of prior,
because a classifier must answer; here the data are refused.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, TypeAlias

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
class Uncorrelated:
    """What likelihoods of a few numbers share whose estimates are uncorrelated; each adds its own formula.

    A parameter that a restriction leaves free keeps its estimate, unless the likelihood says otherwise.
    """

    names: ClassVar[tuple[str, ...]]
    ends: ClassVar[tuple[tuple[float, float], ...]]  # the least and the largest value of each

    @property
    def best(self) -> Floats:
        raise NotImplementedError

    def errors(self) -> Floats:
        raise NotImplementedError

    @property
    def shapes(self) -> Shapes:
        return dict.fromkeys(self.names, ())

    @property
    def low(self) -> Floats:
        return np.array([low for low, _ in self.ends])

    @property
    def high(self) -> Floats:
        return np.array([high for _, high in self.ends])

    @property
    def free(self) -> Ints:
        return np.arange(len(self.names))

    def information(self) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            return np.diag(self.errors() ** -2)

    def correlations(self) -> Floats:
        return np.eye(len(self.names))

    def restricted(self, fixed: Floats) -> Floats:
        return np.where(np.isnan(fixed), self.best, fixed)

    def dimensions(self, fixed: Floats) -> int:
        return int(np.isfinite(fixed).sum())


def rows_of(count: Any) -> float:
    """How many values were observed, if any were."""
    if not count > 0:
        raise no_maximum("no value was observed")
    return float(count)


def no_maximum(why: str) -> InputError:
    """The error of data under which the likelihood has no highest point."""
    return InputError(f"there is no maximum-likelihood estimate: {why}")


def missing_cells() -> InputError:
    """The error of vectors some cells of which are missing."""
    return InputError("some cells are missing, and then the likelihood has no closed form; leave those rows out")


def log_factorials(x: Floats, weight: Floats | None = None) -> float:
    """Sum of log x! over the cells that are not missing; with the weights of rows of one column.

    >>> round(log_factorials(np.array([3.0, 2.0, np.nan])), 4)  # log 12
    2.4849
    """
    from scipy.special import gammaln

    each = gammaln(np.where(np.isnan(x), 0.0, x) + 1)
    return float(each.sum() if weight is None else each[:, 0] @ weight)
