"""ROC curves drawn: sensitivity against false alarm rate, with the area's interval and the points that matter.

Each curve is a RocCurve, and its legend says the area with DeLong's interval. Two points may be marked, each with the
Wilson intervals of its two rates:

    MAP, or minimum risk   call a row positive where its posterior reaches the threshold that theory says,
                           t / (1 - t) = C_fp (1 - p) / (C_fn p) x q / (1 - q)
    best                   the point of these rows on the highest line of equal accuracy, or of equal expected cost

with C_fp and C_fn what a false alarm and a miss cost more than the right answer, p the prior asked for and q the share
of positives in the data, for which the posteriors are taken to hold. They differ where posteriors are not calibrated.
The best point is chosen on the rows that judge it, so that it looks slightly better than it is.

After cross-validation the curves of the folds are averaged vertically (RocBands). Their spread is drawn as what it is,
spread over folds; the interval of the area is the corrected resampled t.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from likely.decisions.costs import CostMatrix
from likely.errors import InputError
from likely.evaluation.curves.operating_points import OperatingPoint
from likely.evaluation.curves.roc import RocCurve
from likely.evaluation.curves.roc_bands import RocBands
from likely.evaluation.judged_input import Ranking, choose_positive
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.figures.curves.curve_display import CurveDisplay
from likely.figures.curves.rankings import Rankings
from likely.figures.curves.style import (
    beside,
    curve_legend,
    curve_name,
    curve_style,
    drawn_before,
    figure_and_mark,
    interval_title,
    named_frames,
)
from likely.figures.drawing.canvas import BAND, MUTED, Axes, canvas, plain_names
from likely.figures.drawing.subjects import check_result, name_of
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence
from likely.intervals.resampled import corrected_t_interval
from likely.numeric.arrays import Floats
from likely.statistics.counting.categories import sort_key

Spread: TypeAlias = Literal["deviation", "range"]


@dataclass(eq=False)
class RocDisplay(CurveDisplay):
    """ROC curves, one per class against the rest where there are more than two, or their bands over folds.

    >>> import matplotlib; matplotlib.use("agg")
    >>> y = [1, 1, 0, 1, 0, 1, 0, 1, 0, 0]
    >>> display = RocDisplay.from_predictions(y, [0.95, 0.9, 0.8, 0.7, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1], name="A")
    >>> display.names, print(display.areas[0])
    0.740 [0.333, 0.942] 95 % DeLong (logit scale), n=10
    (('A',), None)
    >>> display.frame().columns
    ['curve', 'threshold', 'false_alarm_rate', 'sensitivity', 'alarms', 'hits', 'hull']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    curves: tuple[RocCurve, ...]  # none after cross-validation
    names: tuple[str, ...]
    areas: tuple[Estimate, ...] = ()  # of the curves, unless given
    bands: tuple[RocBands, ...] = ()  # of the folds, one for each class, after cross-validation
    posterior: bool = False  # whether the scores are probabilities
    costs: CostMatrix | None = None
    prior: float | None = None  # None: the share of positives in the data
    hull: bool = False  # draw the convex hull
    isometrics: bool = False  # draw lines of equal accuracy, or of equal expected cost
    mark: bool | None = None  # mark the points; None: where there is one curve
    spread: Spread = "deviation"  # what the bands show: one standard deviation either way, or lowest to highest

    def __post_init__(self) -> None:
        self.areas = self.areas or tuple(curve.area for curve in self.curves)
        if not len(self.names) == len(self.areas) == len(self.bands or self.curves):
            raise InputError(f"give one name per curve: {len(self.names)} for {len(self.bands or self.curves)}")
        if self.spread not in ("deviation", "range"):
            raise InputError(f"unknown spread {self.spread!r}; use 'deviation' or 'range'")

    @classmethod
    def from_cross_validation(
        cls,
        result: CrossValidation,
        *,
        pos_label: Hashable = None,
        name: str | None = None,
        ax: Axes | None = None,
        confidence: float = 0.95,
        spread: Spread = "deviation",
        points: int = 101,
    ) -> Self:
        """Draw the mean of the folds' curves with their spread; the interval of the area allows for shared rows."""
        check_confidence(confidence)
        check_result(result)
        fold_curves = _fold_curves(result, pos_label, confidence)
        several = len(fold_curves) > 1
        areas = [
            corrected_t_interval(
                np.reshape([curve.area.value for curve in curves], (result.repeats, -1)),
                result.test_ratio,
                confidence,
                (0.0, 1.0),
                len(result.y),
            )
            for curves in fold_curves
        ]
        bands = [RocBands.of(curves, points) for curves in fold_curves]
        names = tuple(curve_name(name_of(result, name), curves[0].positive, several) for curves in fold_curves)
        return cls((), names, tuple(areas), tuple(bands), posterior=True, spread=spread).plot(ax)

    @classmethod
    def _of(cls, read: Rankings, names: tuple[str, ...], confidence: float, **options: Any) -> Self:
        return cls(read.curves(confidence), names, posterior=read.posterior, **options)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the axes given, or on new ones; curves drawn before keep their places in the legend."""
        self.figure_, self.ax_ = canvas(ax, 5.2 + beside(len(self.names)), 5.0)
        ax = self.ax_
        first = drawn_before(ax)
        if not first:
            ax.plot([0, 1], [0, 1], color=MUTED, linewidth=1, linestyle=(0, (4, 3)), label="chance", zorder=1)
        for place, _ in enumerate(self.names):
            draw = self._draw_band if self.bands else self._draw_curve
            draw(place, curve_style(first + place))
        ax.set(xlabel="False alarm rate, FP / (FP + TN)", ylabel="Sensitivity, TP / (TP + FN)")
        ax.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
        curve_legend(ax, self._title(), first + len(self.names), "lower right")
        return self

    def frame(self) -> Any:
        """The numbers drawn as a Polars frame."""
        import polars as pl

        if self.bands:
            parts = [
                bands.frame().with_columns(low=pl.Series(low), high=pl.Series(high))
                for bands, (low, high) in zip(self.bands, map(self._ends, self.bands), strict=True)
            ]
        else:
            parts = [
                curve.frame().with_columns(hull=pl.Series(np.isin(np.arange(len(curve.hits)), curve.hull)))
                for curve in self.curves
            ]
        return named_frames(parts, self.names)

    def _draw_curve(self, place: int, style: dict[str, Any]) -> None:
        curve, ax = self.curves[place], self.ax_
        label = f"{self.names[place]}: {figure_and_mark(self.areas[place], self.areas)}"
        ax.plot(curve.false_alarm_rate, curve.sensitivity, label=label, gid="curve", linewidth=1.8, **style)
        if self.hull:
            corners = curve.points[curve.hull]
            text = f"convex hull, area {curve.hull_area:.3f}" if len(self.curves) == 1 else None
            ax.plot(*corners.T, color=style["color"], linewidth=1, linestyle=":", label=text)
        if self.isometrics and place == 0:
            self._draw_isometrics(curve, style["color"])
        if self.mark or (self.mark is None and len(self.curves) == 1):
            self._mark_points(curve, style["color"], labelled=len(self.curves) == 1)

    def _draw_band(self, place: int, style: dict[str, Any]) -> None:
        bands, ax = self.bands[place], self.ax_
        label = f"{self.names[place]}: {figure_and_mark(self.areas[place], self.areas)}"
        ax.plot(bands.false_alarm_rate, bands.mean, label=label, gid="curve", linewidth=1.8, **style)
        low, high = self._ends(bands)
        ax.fill_between(bands.false_alarm_rate, low, high, color=style["color"], alpha=BAND, linewidth=0)

    def _ends(self, bands: RocBands) -> tuple[Floats, Floats]:
        if self.spread == "range":
            return bands.lowest, bands.highest
        low, high = bands.mean - bands.standard_deviation, bands.mean + bands.standard_deviation
        return np.maximum(low, 0.0), np.minimum(high, 1.0)

    def _mark_points(self, curve: RocCurve, tone: str, labelled: bool) -> None:
        best = curve.best_point(self.costs, self.prior)
        self._mark_point(curve, best, tone, "*", f"best: threshold {best.threshold:.3g}" if labelled else None)
        if self.posterior:
            limit = curve.posterior_threshold(self.costs, self.prior)
            rule, reaches = "MAP" if self.costs is None else "minimum risk", "≥"
            if curve.negative is not None and sort_key(curve.negative) < sort_key(curve.positive):
                reaches, least = ">", float(np.nextafter(limit, 2.0))  # a tie is the first class, as in `decide`
            else:
                least = limit
            text = f"{rule}: posterior {reaches} {limit:.3g}" if labelled else None
            self._mark_point(curve, curve.at(least, self.costs, self.prior), tone, "o", text)

    def _mark_point(self, curve: RocCurve, point: OperatingPoint, tone: str, marker: str, text: str | None) -> None:
        judged = curve.confusion(point.threshold)
        x, y = point.false_alarm_rate, point.sensitivity
        across, up = (judged.measure(m, of=curve.positive) for m in ("false positive rate", "recall"))
        if text is not None:
            value = (
                f"accuracy {round(point.accuracy, 12):.3f}" if self.costs is None else f"cost {point.expected_cost:.3g}"
            )
            text = f"{text}, {value}"
        reach = ([[x - across.low], [across.high - x]], [[y - up.low], [up.high - y]])
        self.ax_.errorbar(x, y, reach[1], reach[0], fmt="none", ecolor=tone, elinewidth=0.9, alpha=0.6, zorder=3)
        size = 13 if marker == "*" else 7
        face = tone if marker == "*" else "white"
        shape = {"marker": marker, "markersize": size, "markerfacecolor": face, "markeredgecolor": tone}
        edge = {"markeredgewidth": 1.5 if marker == "o" else 0.5, "linestyle": "none", "zorder": 4, "label": text}
        self.ax_.plot([x], [y], **shape, **edge)

    def _draw_isometrics(self, curve: RocCurve, tone: str) -> None:
        from matplotlib.ticker import MaxNLocator

        # expected cost = nothing + alarms x - hits y, from its value at three corners of the square
        at = [self._corner(curve, *corner) for corner in ((0, 0), (1, 0), (0, 1))]
        nothing, alarms, hits = at[0], at[1] - at[0], at[0] - at[2]
        lowest, highest = min(nothing - hits, nothing + alarms - hits), max(nothing, nothing + alarms)
        for level in MaxNLocator(8).tick_values(lowest, highest):
            ends = _across_square(nothing - level, alarms, hits)
            if ends is not None:
                self.ax_.plot(*ends.T, color=MUTED, linewidth=0.6, alpha=0.7, zorder=0)
                shown = 1 - level if self.costs is None else level
                where = {"xytext": (2, 2), "textcoords": "offset points", "annotation_clip": False}
                self.ax_.annotate(f"{shown:.3g}", ends[1], color=MUTED, fontsize=7, **where)
        best = _across_square(nothing - curve.best_point(self.costs, self.prior).expected_cost, alarms, hits)
        if best is not None:  # at a corner the line only touches the square
            self.ax_.plot(*best.T, color=tone, linewidth=0.9, linestyle="--", alpha=0.7, zorder=1)

    def _corner(self, curve: RocCurve, alarm_rate: float, sensitivity: float) -> float:
        names = ("rest" if curve.negative is None else curve.negative, curve.positive)
        share = curve.positives / (curve.positives + curve.negatives) if self.prior is None else self.prior
        return OperatingPoint.of(0.0, alarm_rate, sensitivity, share, self.costs, names).expected_cost

    def _title(self) -> str:
        title = interval_title("area under the curve", self.areas)
        if self.bands:
            folds = len(self.bands[0].areas)
            reach = "± 1 standard deviation" if self.spread == "deviation" else "lowest to highest"
            return f"{title}\nband: {reach} over {folds} folds,\nspread of the folds, not a confidence band"
        if self.isometrics:
            title += f"\ngrey: equal {'accuracy' if self.costs is None else 'expected cost'}"
        if self.mark and len(self.curves) > 1:
            title += "\nstars: best points" + ("; circles: thresholds of theory" if self.posterior else "")
        return title


def _fold_curves(result: CrossValidation, pos_label: Hashable, confidence: float) -> list[list[RocCurve]]:
    """The curves of all folds of all repeats, for each class that is drawn."""
    classes, posterior, found = tuple(result.classes.tolist()), result.posterior, []
    wanted = [pos_label] if pos_label is not None or len(classes) == 2 else list(classes)
    for one in wanted:
        name, rest = choose_positive(classes, one)
        place, curves = classes.index(name), []
        for repeat, folds in enumerate(result.folds):
            for fold in range(result.n_folds):
                rows = np.flatnonzero(folds == fold)
                weight = None if result.weight is None else result.weight[rows]
                score = np.ascontiguousarray(posterior[repeat, rows, place])
                ranking = Ranking(result.y[rows] == place, score, weight, name, rest)
                try:
                    curves.append(RocCurve.of_ranking(ranking, confidence))
                except InputError as error:
                    raise InputError(f"fold {fold}: {error}; use fewer or stratified folds") from None
        found.append(curves)
    return found


def _across_square(constant: float, x_factor: float, y_factor: float) -> Floats | None:
    """Where the line constant + x_factor x - y_factor y = 0 enters and leaves the unit square; None: it does not."""
    ends = []
    if y_factor:
        ends += [(x, (constant + x_factor * x) / y_factor) for x in (0.0, 1.0)]
    if x_factor:
        ends += [((y_factor * y - constant) / x_factor, y) for y in (0.0, 1.0)]
    inside = sorted({(round(x, 9), round(y, 9)) for x, y in ends if -1e-9 <= x <= 1 + 1e-9 and -1e-9 <= y <= 1 + 1e-9})
    return np.array([inside[0], inside[-1]]) if len(inside) > 1 else None
