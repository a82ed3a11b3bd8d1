"""Many classes below each other: each has a strip of its own in the same axes, where they would hide each other.

Strips share one scale: the axis says how much the height of a strip is. A name stands at the foot of its strip.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.figures.drawing.canvas import MUTED, Axes, at_least
from likely.figures.drawing.labels import short_name
from likely.numeric.arrays import Array, Floats

TOGETHER = 4  # classes that can be told apart where they are drawn over each other or side by side
MOST = 12  # classes of which each has a strip
_FILLED = 0.86  # of a strip, by the highest of all
_STRIP, _TWO_LINES = 0.34, 0.42  # inches of one with a name, and with a remark below that
_AROUND = 1.1  # inches above and below all of them
_LONGEST = 22  # letters of a name


def largest(codes: Array, classes: int) -> list[int]:
    """The places of the classes that are drawn: all, or the commonest of very many, in their order.

    >>> largest(np.repeat(np.arange(14), np.arange(14)), 14)
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    """
    counts = np.bincount(codes[codes >= 0], minlength=classes)
    return sorted(np.argsort(-counts, kind="stable")[:MOST].tolist()) if classes > MOST else list(range(classes))


class Strips:
    """The axes of so many classes, one above the other, the first on top; a remark stands below the name of its class.

    `what` is drawn, at most `highest` of it in any strip.
    """

    def __init__(self, ax: Axes, names: Sequence[str], remarks: Sequence[str], highest: float, what: str) -> None:
        self.count, self.scale = len(names), _FILLED / (highest or 1.0)
        at_least(ax, (_TWO_LINES if any(remarks) else _STRIP) * self.count + _AROUND)
        for place in range(self.count):
            ax.axhline(self.base(place), color=MUTED, lw=0.6, zorder=1)
        told = [
            short_name(name, _LONGEST) + f"\n{remark}" * bool(remark)
            for name, remark in zip(names, remarks, strict=True)
        ]
        ax.set_yticks(
            [self.base(place) for place in range(self.count)], told, va="bottom", linespacing=1.0, parse_math=False
        )
        ax.tick_params(axis="y", length=0)
        ax.spines["left"].set_visible(False)
        ax.set_ylim(-0.04, self.count)
        ax.set_ylabel(f"{what},\nat most {highest:.2g}", fontsize=9)

    def base(self, place: int) -> float:
        """Where the strip of a class stands."""
        return float(self.count - 1 - place)

    def up(self, place: int, heights: Any) -> Floats:
        """Heights in the strip of a class."""
        return np.asarray(self.base(place) + self.scale * np.asarray(heights, dtype=np.float64))
