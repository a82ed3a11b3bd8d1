"""Which numbers of a column a picture of densities shows: not a single one that many rows have, nor a few far out."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.numeric.arrays import Floats

MOST_LEVELS = 12  # drawn one by one; more would not be readable
_BINS = 30
_SPIKE = 0.2  # share of the rows that have one and the same number
_FAR = 0.01  # share of the numbers at either end that may be far out
_STRETCHED = 3.0  # times the range of the others, beyond which those far out are not drawn


@dataclass(frozen=True)
class Drawn:
    """Which numbers of a column are drawn."""

    low: float
    high: float
    spike: float  # a number that a large share of all rows have; NaN: none
    beyond: int  # numbers outside
    edges: Floats  # of the bins of a histogram

    @classmethod
    def of(cls, numbers: Floats) -> Self:
        """Of all numbers that are finite.

        >>> seen = Drawn.of(np.concatenate([np.zeros(40), np.arange(1.0, 60.0), [9_000.0]]))
        >>> seen.spike, seen.beyond, seen.high < 100
        (0.0, 1, True)
        """
        values, counts = np.unique(numbers, return_counts=True)
        often = int(counts.argmax())
        one_by_one = (values == np.round(values)).all() and values[-1] - values[0] < _BINS  # each has a bin of its own
        alone = counts[often] > _SPIKE * len(numbers) and len(values) > MOST_LEVELS and not one_by_one
        spike = float(values[often]) if alone else np.nan
        rest = numbers[numbers != spike]
        low, high = float(rest.min()), float(rest.max())
        first, last = (
            float(np.quantile(rest, _FAR, method="higher")),
            float(np.quantile(rest, 1 - _FAR, method="lower")),
        )
        if last > first and high - low > _STRETCHED * (last - first):  # a few numbers far out would hide the others
            low, high = max(low, 2 * first - last), min(high, 2 * last - first)
        kept = rest[(rest >= low) & (rest <= high)]
        low, high = float(kept.min()), float(kept.max())
        return cls(low, high, spike, len(rest) - len(kept), bin_edges(kept))

    def holds(self, numbers: Floats) -> Any:
        """Whether each number is drawn (n,)."""
        margin = 0.1 * (self.high - self.low)  # curves go on a little
        return (numbers >= self.low - margin) & (numbers <= self.high + margin) & (numbers != self.spike)

    def told_of(self, own: Floats) -> str:
        """How many of these are the number that is not drawn."""
        return "" if np.isnan(self.spike) else f"{in_percent(float(np.mean(own == self.spike)))} are {self.spike:g}"

    @property
    def told_beyond(self) -> str:
        """What is not drawn, for the axis."""
        return f"{self.beyond:,} rows farther out are not drawn" if self.beyond else ""


def in_percent(share: float) -> str:
    """A share in whole per cent, with a digit more where that would be none or all.

    >>> in_percent(0.25), in_percent(0.004), in_percent(0.996), in_percent(1.0)
    ('25 %', '0.4 %', '99.6 %', '100 %')
    """
    percent = 100 * share
    return f"{percent:.{1 if 0 < percent < 1 or 99 < percent < 100 else 0}f} %"


def bin_edges(numbers: Floats) -> Floats:
    """Edges of the bins of a histogram: of equal width, and between whole numbers where all numbers are whole.

    >>> bin_edges(np.array([3.0, 4.0, 4.0, 6.0]))
    array([2.5, 3.5, 4.5, 5.5, 6.5])
    """
    if (numbers == np.round(numbers)).all() and np.ptp(numbers) < 1e15:
        low, high = float(numbers.min()), float(numbers.max())
        width = float(np.ceil((high - low + 1) / _BINS))
        return np.arange(low - 0.5, high + 0.5 + width, width)
    return np.histogram_bin_edges(numbers, bins=min(_BINS, max(5, len(numbers) // 10)))
