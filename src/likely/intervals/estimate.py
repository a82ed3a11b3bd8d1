"""A figure with its uncertainty: no number is shown without one.

    0.853 [0.812, 0.888] 95 % Wilson, n=300

A one-sided estimate has an end at the edge of what is possible: 0 or 1 for a proportion, infinity for an average.
A figure that the data do not define (0/0) has the value NaN and the whole range as its interval.
"""

from dataclasses import dataclass
from math import floor, inf, isfinite, isnan, log10, nan


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

    def __float__(self) -> float:
        return float(self.value)

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

    def short(self, digits: int = 3) -> str:
        """Value and ends alone.

        >>> Estimate(256 / 300, 0.8089, 0.8889, 0.95, "Wilson", 300).short()
        '0.853 [0.809, 0.889]'
        """
        if not self.defined:
            return "undefined"
        return f"{self.value:.{digits}f} [{self.low:.{digits}f}, {self.high:.{digits}f}]"

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
        return f"{self.n:.0f}" if float(self.n).is_integer() else f"{self.n:.1f}"


def _shown(value: float, places: int) -> str:
    return f"{value:.{places}f}" if isfinite(value) else str(value)
