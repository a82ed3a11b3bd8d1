"""Cost curves drawn: what a classifier costs under every prior and every ratio of costs, with its interval.

Each curve is a CostCurve, the lower envelope of the operating points; the straight lines behind a single one are the
points themselves. Below both trivial rules, never and always saying positive, a classifier is of use.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.decisions.costs import CostMatrix
from likely.evaluation.curves.cost_curve import CostCurve
from likely.evaluation.curves.roc import RocCurve
from likely.figures.curves.curve_display import CurveDisplay
from likely.figures.curves.rankings import Rankings
from likely.figures.curves.style import beside, curve_legend, curve_style, drawn_before, named_frames
from likely.figures.drawing.canvas import BAND, MUTED, Axes, canvas, plain_names

_LINES = 60  # operating points drawn, evenly chosen among more


@dataclass(eq=False)
class CostCurveDisplay(CurveDisplay):
    """Cost curves, one per class against the rest where there are more than two.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = CostCurveDisplay.from_predictions([0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.4, 0.7], costs=[[0, 1], [6, 0]])
    >>> round(display.curves[0].probability_cost(display.costs), 3)
    0.8
    >>> display.frame().filter(probability_cost=0.5)["threshold"].item()
    0.4
    >>> matplotlib.pyplot.close(display.figure_)
    """

    curves: tuple[CostCurve, ...]
    names: tuple[str, ...]
    posterior: bool = False  # whether the scores are probabilities
    costs: CostMatrix | None = None
    prior: float | None = None  # of the positive class; None: its share in the data
    lines: bool | None = None  # draw the operating points; None: where there is one curve
    band: bool | None = None  # draw the intervals; None: where there are at most three curves

    @classmethod
    def _of(cls, read: Rankings, names: tuple[str, ...], confidence: float, **options: Any) -> Self:
        curves = tuple(CostCurve(steps) for steps in read.curves(confidence))
        return cls(curves, names, read.posterior, **options)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the axes given, or on new ones; curves drawn before keep their places in the legend."""
        self.figure_, self.ax_ = canvas(ax, 6.0 + beside(len(self.curves)), 4.6)
        ax = self.ax_
        first = drawn_before(ax)
        if not first:
            trivial: dict[str, Any] = {"color": MUTED, "linewidth": 1.2, "linestyle": (0, (4, 3)), "zorder": 1}
            ax.plot([0, 0.5, 1], [0, 0.5, 1], label="never or always positive", **trivial)
            ax.plot([0, 0.5, 1], [1, 0.5, 0], **trivial)
        for place, _ in enumerate(self.curves):
            self._draw(place, curve_style(first + place))
        ax.set(xlabel=r"Probability-cost of the positive class, $p\,C_{FN}\,/\,(p\,C_{FN} + (1-p)\,C_{FP})$")
        ax.xaxis.label.set_parse_math(True)
        ax.set(ylabel="Normalized expected cost (1: always wrong)")
        top = max(0.55, 1.15 * float(self.frame()["high" if self._banded else "normalized_cost"].max()))
        ax.set(xlim=(-0.01, 1.01), ylim=(0.0, top if not first else max(top, ax.get_ylim()[1])))
        # operating points and costs of a second model leave no free corner
        curve_legend(ax, self._title(), first + len(self.curves), "below" if first else "upper left")
        return self

    def frame(self) -> Any:
        """The envelopes drawn as a Polars frame."""
        return named_frames([curve.frame() for curve in self.curves], self.names)

    def _draw(self, place: int, style: dict[str, Any]) -> None:
        curve, ax, alone = self.curves[place], self.ax_, len(self.curves) == 1
        numbers = curve.frame()
        x, y, low, high = (numbers[c].to_numpy() for c in ("probability_cost", "normalized_cost", "low", "high"))
        if self.lines or (self.lines is None and alone):
            self._draw_lines(curve.steps)
        if self._banded:
            ax.fill_between(x, low, high, color=style["color"], alpha=BAND, linewidth=0)
        ax.plot(x, y, label=f"{self.names[place]}: best threshold", gid="curve", linewidth=2, **style)
        if not alone:
            return
        if self.posterior:
            limit = curve.steps.posterior_threshold(self.costs, self.prior)
            point = curve.steps.at(limit)
            ends = [point.false_alarm_rate, 1 - point.sensitivity]
            text = f"{self.names[place]}: posterior ≥ {limit:.3g}"
            ax.plot([0, 1], ends, color=style["color"], linewidth=1.2, linestyle="--", label=text)
        at = curve.probability_cost(self.costs, self.prior)
        cost = float(curve.cost(at))
        below, above = (float(end) for end in curve.bounds(at))
        text = f"at {at:.3g}: {cost:.3f} [{below:.3f}, {above:.3f}]"
        shape = {"fmt": "o", "markersize": 6, "capsize": 3, "zorder": 4, "label": text}
        ax.errorbar([at], [cost], [[cost - below], [above - cost]], color=style["color"], **shape)

    def _draw_lines(self, steps: RocCurve) -> None:
        from matplotlib.collections import LineCollection

        chosen = np.unique(np.linspace(0, len(steps.hits) - 1, _LINES).round().astype(int))
        ends = zip(steps.false_alarm_rate[chosen].tolist(), (1 - steps.sensitivity[chosen]).tolist(), strict=True)
        lines = [[(0.0, left), (1.0, right)] for left, right in ends]
        self.ax_.add_collection(LineCollection(lines, colors=MUTED, linewidths=0.5, alpha=0.35, zorder=0))

    def _title(self) -> str:
        if not self._banded:
            return "class against the rest"
        percent = f"{100 * self.curves[0].steps.confidence:.6g} %"
        return f"band: {percent} at each point,\nWilson of both rates combined (MOVER)"
