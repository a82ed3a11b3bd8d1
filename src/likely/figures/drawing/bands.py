"""Bands beside curves of very many steps: what lies within a hair's breadth of the page is one step.

A picture of a million steps would take a hundred megabytes, and nobody sees more than some thousands. Lines are thinned
by Matplotlib; filled areas are not.
"""

from typing import Any, Literal

import numpy as np

from likely.figures.drawing.canvas import BAND, Axes
from likely.numeric.arrays import Floats

_SEEN = 2_000  # steps on the width of a picture


def step_band(
    ax: Axes, x: Floats, low: Floats, high: Floats, step: Literal["pre", "post"], color: Any, alpha: float = BAND
) -> None:
    """Fill between two curves in steps, at places x (n,) in rising order."""
    x, low, high = in_sight(x, low, high, step)
    ax.fill_between(x, low, high, step=step, color=color, alpha=alpha, linewidth=0)


def in_sight(
    x: Floats, low: Floats, high: Floats, step: Literal["pre", "post"], most: int = _SEEN
) -> tuple[Floats, Floats, Floats]:
    """Places and ends of a band, of those too near each other to be told apart the lowest and the highest end.

    >>> x = np.linspace(0, 1, 10_001)
    >>> places, low, high = in_sight(x, x, x + 1, "post", most=10)
    >>> len(places), places[:2].round(4).tolist(), low[:2].round(4).tolist(), high[:2].round(4).tolist()
    (11, [0.0, 0.1], [0.0, 0.1], [1.0999, 1.1999])
    """
    if len(x) <= most or not x[-1] > x[0]:
        return x, low, high
    part = np.floor((x - x[0]) / (x[-1] - x[0]) * most)
    first = np.concatenate([[0], 1 + np.flatnonzero(np.diff(part))])
    last = np.concatenate([first[1:], [len(x)]]) - 1
    return x[first if step == "post" else last], np.fmin.reduceat(low, first), np.fmax.reduceat(high, first)
