"""What every threshold costs: expected cost against the threshold on the score of the positive class.

    cost(t) = (1 - p) [C_nn + FPR(t) (C_np - C_nn)] + p [C_pp + FNR(t) (C_pn - C_pp)]

for costs C[truth][said] and the prior p of the positive class; without costs it is the error rate, without a prior p is
the share of positives in the data. A row is called positive where its score lies above t. Each curve is a
ThresholdCurve; the best threshold is chosen on the same rows, so that its cost looks slightly lower than it is. The
theoretical one, which calibrated posteriors would make the best, is marked where the scores are posteriors.

The band is pointwise: Wilson's intervals of the two rates at each threshold, combined as Zou and Donner (2008) do
(MOVER), with p given. Where sensitivity and specificity are drawn, their bands are Wilson's.
"""

from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from likely.decisions.costs import CostMatrix
from likely.decisions.thresholds import ThresholdCurve
from likely.errors import InputError
from likely.evaluation.curves.cost_curve import cost_bounds
from likely.evaluation.curves.roc import RocCurve
from likely.figures.curves.curve_display import CurveDisplay
from likely.figures.curves.rankings import Rankings
from likely.figures.curves.style import beside, curve_legend, curve_style, drawn_before, named_frames
from likely.figures.drawing.bands import step_band
from likely.figures.drawing.canvas import BAND, INK, Axes, canvas, plain_names
from likely.figures.drawing.labels import label_across
from likely.numeric.arrays import Array, Floats

_NARROW = 0.004  # of the width of the axes
_RATES = (("sensitivity", "#009e73", "--"), ("specificity", "#d55e00", "-."))


@dataclass(eq=False)
class ThresholdCurveDisplay(CurveDisplay):
    """Expected cost of every threshold, for each class against the rest where there are more than two.

    >>> import matplotlib; matplotlib.use("agg")
    >>> y, posterior = [0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.4, 0.45, 0.7, 0.9]
    >>> display = ThresholdCurveDisplay.from_predictions(y, posterior, costs=[[0, 1], [4, 0]])
    >>> round(display.curves[0].best, 3), round(display.curves[0].best_loss, 3), round(display.theoretical[0], 3)
    (0.35, 0.167, 0.2)
    >>> matplotlib.pyplot.close(display.figure_)
    """

    curves: tuple[ThresholdCurve, ...]
    steps: tuple[RocCurve, ...]  # of the same scores: the rates of every threshold
    names: tuple[str, ...]
    posterior: bool = False  # whether the scores are probabilities
    costs: CostMatrix | None = None
    prior: float | None = None  # of the positive class; None: its share in the data
    rates: bool = False  # draw sensitivity and specificity too
    band: bool | None = None  # draw the intervals of the cost; None: where there are at most three curves
    rates_ax_: Any = field(default=None, init=False, repr=False)  # the axis of the rates, at the right

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rates and len(self.curves) > 1:
            raise InputError(f"rates are drawn for one class, and there are {len(self.curves)}; choose pos_label=...")

    @classmethod
    def _of(
        cls,
        read: Rankings,
        names: tuple[str, ...],
        confidence: float,
        costs: CostMatrix | None = None,
        prior: float | None = None,
        **options: Any,
    ) -> Self:
        steps = read.curves(confidence)
        curves = tuple(one.threshold_curve(costs, prior) for one in steps)
        return cls(curves, steps, names, read.posterior, costs, prior, **options)

    @property
    def theoretical(self) -> tuple[float, ...]:
        """The threshold that theory says for each curve, were its scores calibrated posteriors."""
        return tuple(curve.posterior_threshold(self.costs, self.prior) for curve in self.steps)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the axes given, or on new ones; curves drawn before keep their places in the legend."""
        self.figure_, self.ax_ = canvas(ax, 6.0 + beside(2 * len(self.curves) - 1), 4.4 + 0.7 * self.rates)
        ax = self.ax_
        first = drawn_before(ax)
        left, right = self._range()
        for place, _ in enumerate(self.curves):
            self._draw(place, curve_style(first + place), left, right)
        what = "posterior" if self.posterior else "score"
        one = f" of {self.steps[0].positive}" if len(self.curves) == 1 else " of each class"
        ax.set_xlim(left, right)
        label_across(ax, f"Threshold on the {what}{one}")
        ax.set(ylabel="Error rate" if self.costs is None else "Expected cost per row")
        shown = np.concatenate([self._shown(place, left, right) for place, _ in enumerate(self.curves)])
        before = ax.get_ylim() if first else (0.0, 0.0)
        ax.set_ylim(min(1.05 * float(shown.min()), before[0], 0.0), max(1.05 * float(shown.max()), before[1]))
        if self.rates:
            self._draw_rates(left, right)
        corner = "above" if self.rates else "below" if first else "best"  # two models leave no free corner
        curve_legend(ax, self._title(), first + 2 * len(self.curves) - 1, corner)
        return self

    def frame(self) -> Any:
        """The numbers drawn as a Polars frame: cost, its interval, sensitivity and specificity of each threshold."""
        import polars as pl

        parts = []
        for place, (curve, steps) in enumerate(zip(self.curves, self.steps, strict=True)):
            low, high = self._bounds(place)
            columns = {
                "threshold": curve.threshold,
                "expected_cost": curve.loss,
                "low": low,
                "high": high,
                "sensitivity": steps.sensitivity[::-1],
                "specificity": 1 - steps.false_alarm_rate[::-1],
            }
            parts.append(pl.DataFrame(columns))
        return named_frames(parts, self.names)

    def _draw(self, place: int, style: dict[str, Any], left: float, right: float) -> None:
        curve, ax, alone = self.curves[place], self.ax_, len(self.curves) == 1
        x, tone = _edges(curve, left, right), style["color"]
        line = {"drawstyle": "steps-post", "linewidth": 1.8, "gid": "curve", "label": self.names[place]}
        ax.plot(x, _closed(curve.loss), **line, **style)
        low, high = self._bounds(place)
        if self._banded:
            step_band(ax, x, _closed(low), _closed(high), step="post", color=tone)
        best = min(max(curve.best, left), right)
        text = f"best threshold: {curve.best:.3g}, {self._cost_text(place, curve.best)}" if alone else None
        mark = {"color": tone, "linestyle": "none", "zorder": 4, "clip_on": False}
        ax.plot([best], [curve.best_loss], marker="*", markersize=12, label=text, **mark)
        if self.posterior:
            limit = self.theoretical[place]
            text = f"theoretical: {limit:.3g}, {self._cost_text(place, limit)}" if alone else None
            ax.plot([limit], [curve.at(limit)], marker="o", markersize=6, markerfacecolor="white", label=text, **mark)
            if alone:
                ax.axvline(limit, color=INK, linewidth=0.8, linestyle=":", zorder=1)

    def _draw_rates(self, left: float, right: float) -> None:
        steps, x = self.steps[0], _edges(self.curves[0], left, right)
        self.rates_ax_ = beside = self.ax_.twinx()
        every = np.arange(len(steps.hits))
        for (name, tone, dashes), (alarm, miss) in zip(_RATES, ((0.0, 1.0), (1.0, 0.0)), strict=True):
            rate = steps.sensitivity if name == "sensitivity" else 1 - steps.false_alarm_rate
            low, high = cost_bounds(steps, every, np.full(len(every), alarm), np.full(len(every), miss))
            beside.plot(x, _closed(rate[::-1]), drawstyle="steps-post", color=tone, linestyle=dashes, linewidth=1.2)
            ends = _closed(1 - high[::-1]), _closed(1 - low[::-1])
            step_band(beside, x, *ends, step="post", color=tone, alpha=BAND / 2)
            self.ax_.plot([], [], color=tone, linestyle=dashes, linewidth=1.2, label=f"{name} (right)")
        beside.set(ylim=(0.0, 1.05), ylabel="Sensitivity, specificity")
        beside.spines["top"].set_visible(False)
        beside.spines["right"].set_color(INK)
        beside.tick_params(colors=INK, labelsize=9)
        beside.yaxis.label.set_color(INK)

    def _bounds(self, place: int) -> tuple[Floats, Floats]:
        """Ends of the interval of the cost of each threshold (m,)."""
        steps = self.steps[place]
        base, alarm, miss = steps.prices(self.costs, self.prior)
        every = np.arange(len(steps.hits))[::-1]
        low, high = cost_bounds(steps, every, np.full(len(every), alarm), np.full(len(every), miss))
        return low + base, high + base

    def _cost_text(self, place: int, threshold: float) -> str:
        curve, (low, high) = self.curves[place], self._bounds(place)
        at = int(np.searchsorted(curve.score, threshold, side="right"))
        what = "error" if self.costs is None else "cost"
        return f"{what} {curve.loss[at]:.3f} [{low[at]:.3f}, {high[at]:.3f}]"

    def _range(self) -> tuple[float, float]:
        """What part of the axis to show: all posteriors, or all finite scores and a margin."""
        if self.posterior:
            return 0.0, 1.0
        scores = np.concatenate([curve.score for curve in self.curves])
        finite = scores[np.isfinite(scores)]
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
        margin = 0.05 * (high - low) or 1.0
        return low - margin, high + margin

    def _shown(self, place: int, left: float, right: float) -> Floats:
        """Heights that the axis must reach; those of steps too narrow to see may lie beyond."""
        wide = np.diff(_edges(self.curves[place], left, right)) > _NARROW * (right - left)
        low, high = self._bounds(place)
        ends = (low, high) if self._banded else (self.curves[place].loss,)
        return np.concatenate([end[wide] if wide.any() else end for end in ends])

    def _title(self) -> str:
        lines = []
        if self._banded:
            percent = f"{100 * self.steps[0].confidence:.6g} %"
            lines = [f"band: {percent} at each threshold,", "Wilson of both rates combined (MOVER)"]
        if len(self.curves) > 1:
            lines.append("stars: best thresholds" + ("; circles: theoretical" if self.posterior else ""))
        return "\n".join(lines)


def _edges(curve: ThresholdCurve, left: float, right: float) -> Array:
    """Where the steps begin, within what is shown, and where the last one ends."""
    return np.concatenate([[left], np.clip(curve.score, left, right), [right]])


def _closed(values: Array) -> Array:
    """With the last value again, for the end of the last step."""
    return np.concatenate([values, values[-1:]])
