"""Invariance of maximum likelihood: the most likely value of a function is that of the most likely parameters.

    g(theta)_ML = g(theta_ML),   se = |g'(theta_ML)| se(theta_ML), to first order (delta method)

A Wald interval of g depends on how g is written: that of the odds is not the odds of that of the probability, and may
reach below 0. The likelihood interval is the same in any form.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.conjugate.belief import Interval
from likely.errors import InputError
from likely.intervals.quantiles import normal_quantile

Method: TypeAlias = Literal["likelihood", "wald"]


class Fit(Protocol):
    """What an estimate is a function of."""

    @property
    def on_boundary(self) -> bool: ...
    @property
    def estimate(self) -> dict[str, Any]: ...
    def interval(self, confidence: float = 0.95, method: Method = "likelihood") -> dict[str, Any]: ...


@dataclass(frozen=True)
class Transformed:
    """Delta method: the estimate of a function of the parameters.

    >>> from likely.estimation.likelihoods.maximum import maximum_likelihood
    >>> odds = maximum_likelihood([1, 0, 0, 1, 1], "bernoulli").of(lambda p: p / (1 - p))
    >>> round(odds.value, 6), round(odds.standard_error, 3)
    (1.5, 1.369)
    >>> print(odds)
    1.5 (standard error 1.37)
    """

    value: Any
    standard_error: Any  # of the value, by the delta method
    fit: Fit  # the estimate that it is a function of
    g: Callable[..., Any]  # the function

    def interval(self, confidence: float = 0.95, method: Method | None = None) -> Any:
        """Confidence interval: a pair for a number, an array (..., 2) for an array.

        A number that depends on one parameter has a likelihood interval, which carries over the ends of that of the
        parameter (g must rise or fall throughout): it is the default, as it is of the fit. Others have Wald's.

        >>> from likely.estimation.likelihoods.maximum import maximum_likelihood
        >>> tack = maximum_likelihood([1, 0, 0, 1, 1], "bernoulli")
        >>> [round(end, 3) for end in tack.of(lambda p: p / (1 - p)).interval()]
        [0.249, 11.387]
        """
        z = normal_quantile(confidence)
        if method is None:
            method = "likelihood" if self._one_parameter and not np.ndim(self.value) else "wald"
        if method == "likelihood":
            return self._carried(confidence)
        if method != "wald":
            raise InputError(f"unknown method {method!r}; choose 'likelihood' or 'wald'")
        refuse_boundary(self.fit.on_boundary)
        ends = np.stack([self.value - z * self.standard_error, self.value + z * self.standard_error], axis=-1)
        return ends if ends.ndim > 1 else Interval(*ends.tolist())

    def __str__(self) -> str:
        return f"{shown(self.value)} {with_error(self.standard_error, self.fit.on_boundary)}"

    @property
    def _one_parameter(self) -> bool:
        return len(self.fit.estimate) == 1 and not np.ndim(next(iter(self.fit.estimate.values())))

    def _carried(self, confidence: float) -> Interval:
        if not self._one_parameter or np.ndim(self.value):
            raise InputError("only a number that depends on one parameter has a likelihood interval; use method='wald'")
        low, high = next(iter(self.fit.interval(confidence).values()))
        with np.errstate(all="ignore"):
            values = np.array([float(self.g(p)) for p in np.linspace(low, high, 101)])
        steps = np.diff(values[np.isfinite(values)])
        if (steps > 0).any() and (steps < 0).any():
            raise InputError(
                "the function rises and falls within the interval, so its ends say nothing; use method='wald'"
            )
        return Interval(float(min(values[0], values[-1])), float(max(values[0], values[-1])))


def refuse_boundary(on_boundary: bool) -> None:
    """A Wald interval needs an estimate within what is possible."""
    if on_boundary:
        raise InputError(
            "an estimate lies on the boundary of what is possible, where a Wald interval means nothing; "
            "use method='likelihood'"
        )


def with_error(error: ArrayLike, on_boundary: bool) -> str:
    """A standard error in brackets; an estimate at the edge of what is possible has none, whatever the formula says.

    >>> with_error(0.25, False), with_error(0.0, True)
    ('(standard error 0.25)', '(at the edge: no standard error)')
    """
    errors = np.asarray(error, dtype=np.float64)
    none = ~((errors > 0) & np.isfinite(errors)) if on_boundary else np.zeros(errors.shape, dtype=bool)
    if none.all():
        return "(at the edge: no standard error)"
    text = shown(np.where(none, np.nan, errors), 3).replace("nan", "none")
    return f"(standard error {text}{'; none at the edge' if none.any() else ''})"


def shown(value: ArrayLike, digits: int = 4) -> str:
    """A number or an array in few digits."""
    return np.array2string(np.asarray(value), formatter={"float_kind": lambda x: f"{x:.{digits}g}"}).replace("\n", "")
