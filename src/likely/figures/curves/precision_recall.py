"""Precision-recall curves drawn, with the average precision's interval and what calling all rows positive attains.

Each curve is a PrecisionRecallCurve, drawn in steps: the average precision is the area below them. The band is the
Wilson interval of the precision at each threshold, of the rows called positive there: pointwise, not of the whole
curve. The dotted line is the share of positives, the precision of any rule that does not look at the rows.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.evaluation.curves.precision_recall import PrecisionRecallCurve
from likely.figures.curves.curve_display import CurveDisplay
from likely.figures.curves.rankings import Rankings
from likely.figures.curves.style import (
    beside,
    curve_legend,
    curve_style,
    drawn_before,
    figure_and_mark,
    interval_title,
    named_frames,
)
from likely.figures.drawing.bands import step_band
from likely.figures.drawing.canvas import MUTED, Axes, canvas, plain_names


@dataclass(eq=False)
class PrecisionRecallDisplay(CurveDisplay):
    """Precision against recall, for each class against the rest where there are more than two.

    >>> import matplotlib; matplotlib.use("agg")
    >>> y = ["ham", "spam", "ham", "spam", "spam", "ham"]
    >>> display = PrecisionRecallDisplay.from_predictions(y, [0.1, 0.9, 0.4, 0.7, 0.3, 0.2])
    >>> display.frame().select("threshold", "precision", "recall").row(2)
    (0.4, 0.6666666666666666, 0.6666666666666666)
    >>> matplotlib.pyplot.close(display.figure_)
    """

    curves: tuple[PrecisionRecallCurve, ...]
    names: tuple[str, ...]
    band: bool | None = None  # draw the intervals of the precision; None: where there are at most three curves

    @classmethod
    def _of(cls, read: Rankings, names: tuple[str, ...], confidence: float, **options: Any) -> Self:
        return cls(tuple(PrecisionRecallCurve(steps) for steps in read.curves(confidence)), names, **options)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the axes given, or on new ones; curves drawn before keep their places in the legend."""
        self.figure_, self.ax_ = canvas(ax, 5.6 + beside(2 * len(self.curves)), 4.6)
        ax = self.ax_
        first = drawn_before(ax)
        for place, _ in enumerate(self.curves):
            self._draw(place, curve_style(first + place))
        self._draw_shares(first)
        ax.set(xlabel="Recall, TP / (TP + FN)", ylabel="Precision, TP / (TP + FP)")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
        title = interval_title("average precision", [curve.average_precision for curve in self.curves])
        if self._banded:
            title += "\nband: Wilson, at each threshold"
        curve_legend(ax, title, first + 2 * len(self.curves), "lower left")
        return self

    def frame(self) -> Any:
        """The numbers drawn as a Polars frame: counts, precision and recall of each threshold with Wilson intervals."""
        return named_frames([curve.table() for curve in self.curves], self.names)

    def _draw(self, place: int, style: dict[str, Any]) -> None:
        curve, ax = self.curves[place], self.ax_
        recall = np.concatenate([[0.0], curve.recall])

        def from_zero(values: Any) -> Any:
            return np.concatenate([values[:1], values])

        every = [each.average_precision for each in self.curves]
        label = f"{self.names[place]}: {figure_and_mark(every[place], every)}"
        line = {"drawstyle": "steps-pre", "linewidth": 1.8, "gid": "curve", "label": label}
        ax.plot(recall, from_zero(curve.precision), **line, **style)
        if self._banded:
            table = curve.table()
            low, high = (from_zero(table[f"precision_{end}"].to_numpy()) for end in ("low", "high"))
            step_band(ax, recall, low, high, step="pre", color=style["color"])

    def _draw_shares(self, first: int) -> None:
        alone = len(self.curves) == 1
        said = self.ax_.get_legend_handles_labels()[1]
        for place, curve in enumerate(self.curves):
            share = curve.precision[-1]
            text = f"all called positive: {share:.3f}" if alone else "all called positive" if place == 0 else None
            text = None if text in said else text  # a model drawn before may have the same rows
            tone = MUTED if alone else curve_style(first + place)["color"]
            self.ax_.axhline(share, color=tone, linewidth=1, linestyle=":", label=text, zorder=1)
