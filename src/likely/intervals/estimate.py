"""A figure with its uncertainty: no number is shown without one.

    0.853 [0.812, 0.888] 95 % Wilson, n=300

A one-sided estimate has an end at the edge of what is possible: 0 or 1 for a proportion, infinity for an average.
A figure that the data do not define (0/0) has the value NaN and the whole range as its interval.

Estimates are ordered, among themselves and with plain numbers, by their values; whether a difference is real is another
question. Plain numbers can be added, subtracted and multiplied, and the interval goes along: 1 - accuracy is an
estimate of the error. Two estimates cannot be added, for nothing says how they depend on each other.
"""

import json
from dataclasses import dataclass, replace
from html import escape
from math import floor, inf, isfinite, isnan, log10, nan
from numbers import Real
from typing import Any, SupportsFloat

from likely.errors import InputError

_MANY = 100  # rows, from which a digit of their effective number says nothing


@dataclass(frozen=True)
class Estimate:
    """A value, its confidence interval, and how that was found.

    >>> estimate = Estimate(256 / 300, 0.8089, 0.8889, 0.95, "Wilson", 300)
    >>> print(estimate)
    0.853 [0.809, 0.889] 95 % Wilson, n=300
    >>> float(estimate) < 0.9, 0.9 in estimate
    (True, False)
    """

    value: float
    low: float
    high: float
    confidence: float
    method: str
    n: float  # rows behind the figure; with unequal weights the effective number (sum w)^2 / (sum w^2)
    standard_error: float = nan  # NaN where the method has none
    note: str = ""  # what a reader must know besides

    def __eq__(self, other: object) -> bool:
        """Equal in everything, where what is undefined (NaN) equals what is undefined."""
        return self._known() == other._known() if isinstance(other, Estimate) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._known())

    def _known(self) -> tuple[Any, ...]:
        """Every field, None where it is undefined."""
        return tuple(None if isinstance(x, float) and isnan(x) else x for x in self.fields().values())

    def __float__(self) -> float:
        return float(self.value)

    def __format__(self, spec: str) -> str:
        """Value and ends, each in this format; without one, the whole sentence.

        >>> f"{Estimate(256 / 300, 0.8089, 0.8889, 0.95, 'Wilson', 300):.1%}"
        '85.3% [80.9%, 88.9%]'
        """
        if not spec:
            return str(self)
        value, low, high = (format(float(x), spec) for x in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}]" if self.defined else "undefined"

    def _repr_html_(self) -> str:
        return f'<pre style="white-space: pre-wrap">{escape(str(self), quote=False)}</pre>'

    def __lt__(self, other: "Estimate | SupportsFloat") -> bool:
        return float(self) < float(other) if isinstance(other, Estimate | Real) else NotImplemented

    def __le__(self, other: "Estimate | SupportsFloat") -> bool:
        return float(self) <= float(other) if isinstance(other, Estimate | Real) else NotImplemented

    def __gt__(self, other: "Estimate | SupportsFloat") -> bool:
        return float(self) > float(other) if isinstance(other, Estimate | Real) else NotImplemented

    def __ge__(self, other: "Estimate | SupportsFloat") -> bool:
        return float(self) >= float(other) if isinstance(other, Estimate | Real) else NotImplemented

    def __add__(self, other: "Estimate | SupportsFloat") -> "Estimate":
        return self._moved(1.0, float(other)) if isinstance(other, Real) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: "Estimate | SupportsFloat") -> "Estimate":
        return self._moved(1.0, -float(other)) if isinstance(other, Real) else NotImplemented

    def __rsub__(self, other: "Estimate | SupportsFloat") -> "Estimate":
        """As in 1 - accuracy.

        >>> print(1 - Estimate(256 / 300, 0.8089, 0.8889, 0.95, "Wilson", 300))
        0.147 [0.111, 0.191] 95 % Wilson, n=300
        """
        return self._moved(-1.0, float(other)) if isinstance(other, Real) else NotImplemented

    def __mul__(self, other: "Estimate | SupportsFloat") -> "Estimate":
        return self._moved(float(other), 0.0) if isinstance(other, Real) else NotImplemented

    __rmul__ = __mul__

    def __truediv__(self, other: "Estimate | SupportsFloat") -> "Estimate":
        if not isinstance(other, Real):
            return NotImplemented
        if float(other) == 0:
            raise InputError("an estimate cannot be divided by 0")
        return self._moved(1 / float(other), 0.0)

    def __neg__(self) -> "Estimate":
        return self._moved(-1.0, 0.0)

    def _moved(self, factor: float, shift: float) -> "Estimate":
        """A multiple of this, and a shift."""
        if factor == 0 or not isfinite(factor) or not isfinite(shift):
            raise InputError(f"an estimate times {factor} plus {shift} is none; use a finite number that is not 0")
        ends = [factor * float(end) + shift for end in (self.low, self.high)]
        error = abs(factor) * float(self.standard_error)
        value = factor * float(self.value) + shift
        return replace(self, value=value, low=min(ends), high=max(ends), standard_error=error)

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    @property
    def width(self) -> float:
        """From one end of the interval to the other."""
        return self.high - self.low if isfinite(self.high) or isfinite(self.low) else inf

    @property
    def defined(self) -> bool:
        """Whether the data say anything about the figure."""
        return not isnan(self.value)

    def fields(self) -> dict[str, float | str]:
        """Everything by name, for a row of a table."""
        names = ("value", "low", "high", "confidence", "method", "n", "standard_error", "note")
        return {
            name: getattr(self, name) if name in ("method", "note") else float(getattr(self, name)) for name in names
        }

    def to_json(self) -> str:
        """Everything by name, as JSON; what is undefined or without end is null, which JSON has no number for.

        >>> Estimate(0.5, 0.25, float("inf"), 0.95, "Wilson", 30).to_json()
        '{"value": 0.5, "low": 0.25, "high": null, "confidence": 0.95, "method": "Wilson", "n": 30.0, ...}'
        """
        kept = {k: None if isinstance(v, float) and not isfinite(v) else v for k, v in self.fields().items()}
        return json.dumps(kept)

    def short(self, digits: int = 3) -> str:
        """Value and ends alone.

        >>> Estimate(256 / 300, 0.8089, 0.8889, 0.95, "Wilson", 300).short()
        '0.853 [0.809, 0.889]'
        >>> Estimate(0.0012, -0.0003, 0.0027, 0.95, "t", 300).short()
        '0.001 [0.000, 0.003]'
        """
        if not self.defined:
            return "undefined"
        value, low, high = (_shown(x, digits) for x in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}]"

    def __str__(self) -> str:
        note = f" ({self.note})" if self.note else ""
        if not self.defined:
            return f"undefined, n={self._rows()}{note}"
        places = self._decimals()
        value, low, high = (_shown(x, places) for x in (self.value, self.low, self.high))
        percent = f"{100 * self.confidence:.6g} %"
        return f"{value} [{low}, {high}] {percent} {self.method}, n={self._rows()}{note}"

    def _decimals(self) -> int:
        """Enough to show two digits of the interval's width, and three in all of a small number."""
        size = max((abs(x) for x in (self.value, self.low, self.high) if isfinite(x)), default=0.0)
        least = 3 if size < 10 else 1 if size < 1000 else 0
        if not isfinite(self.width) or self.width <= 0:
            return 3
        return min(max(least, 1 - floor(log10(self.width))), 12)

    def _rows(self) -> str:
        """Rows; the effective number of weighted ones with a digit only where there are few of them."""
        return f"{self.n:,.0f}" if self.n >= _MANY or abs(self.n - round(self.n)) < 1e-6 else f"{self.n:.1f}"


def _shown(value: float, places: int) -> str:
    """A number with so many decimals; what rounds to 0 has no sign.

    >>> _shown(-0.0004, 3), _shown(-0.0006, 3)
    ('0.000', '-0.001')
    """
    return f"{value:z.{places}f}" if isfinite(value) else str(value)
