"""Names beside bars, the longest bar first: how much each of them counts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.data.printing.wording import shortened
from likely.figures.drawing.canvas import MUTED, Axes, canvas, colour

_LONGEST = 40  # letters of a name beside the axis


def weight_bars(ax: Axes | None, names: Sequence[str], weights: Sequence[float], none: str, label: str) -> Any:
    """Bars of weights from 0 up, each with its number; in place of a weight of 0 stands a word. Figure and axes."""
    figure, ax = canvas(ax, height=max(1.8, 0.28 * len(names) + 1.0))
    at = np.arange(len(names))[::-1]
    ax.barh(at, weights, color=[colour(0) if weight > 0 else MUTED for weight in weights], height=0.6)
    for place, weight in zip(at, weights, strict=True):
        words = f" {weight:.2f}" if weight > 0 else f" {none}"
        ax.text(weight, place, words, va="center", color=MUTED, fontsize=8)
    ax.set_yticks(at, [shortened(name, _LONGEST) for name in names], parse_math=False)
    ax.set_xlim(0, 1.15 * max(weights, default=1.0) or 1.0)
    ax.set_xlabel(label)
    return figure, ax
