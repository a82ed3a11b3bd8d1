"""Cost curves: what a classifier costs under every prior and every ratio of costs (Drummond and Holte 2006).

With prior p of the positive class, and C_fp and C_fn what a false alarm and a miss cost more than the right answer,

    probability-cost  x = p C_fn / (p C_fn + (1 - p) C_fp)
    normalized cost   y = (1 - x) FPR + x FNR = expected cost / its worst value

An operating point, a point of the ROC curve, is a straight line from (0, FPR) to (1, FNR). Never saying positive is the
line y = x and always saying it y = 1 - x: a classifier is of use where it lies below both. The lower envelope of all
lines, made of the corners of the ROC curve's convex hull, is the cost of the best threshold for each x.

The band around the envelope is pointwise: at each x, the interval of the cost of the operating point that is best there
on these rows. The two rates are independent shares, so Wilson's intervals of either are combined as Zou and Donner
(2008) do (MOVER); that the point was chosen on the same rows is not allowed for. The two trivial rules have no
uncertainty.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np

from likely.decisions.costs import CostMatrix
from likely.errors import InputError
from likely.evaluation.curves.roc import RocCurve
from likely.figures.canvas import BAND, MUTED, canvas
from likely.figures.curves.rankings import Rankings, posterior_threshold, read_estimator, read_predictions
from likely.figures.curves.style import beside, curve_legend, curve_style, drawn_before, named_frames
from likely.intervals.proportions import proportion_bounds
from likely.numeric.arrays import Array, Floats, Ints

_LINES = 60  # operating points drawn, evenly chosen among more
_CLEAR = 3  # curves whose bands can still be told apart


@dataclass(frozen=True, eq=False)
class CostCurve:
    """The lower envelope of the operating points of a ROC curve.

    >>> curve = CostCurve(RocCurve.of([0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.4, 0.7]))
    >>> curve.changes.round(3)
    array([0. , 0.4, 1. ])
    >>> curve.cost([0.0, 0.3, 0.5, 1.0]).round(3)
    array([0.   , 0.15 , 0.167, 0.   ])
    """

    steps: RocCurve

    @cached_property
    def corners(self) -> Ints:
        """The steps of the ROC curve that are best somewhere (c,), in the order of the probability-cost."""
        return self.steps.hull

    @cached_property
    def changes(self) -> Floats:
        """Where one corner takes over from the one before (c - 1,)."""
        across = np.diff(self.steps.false_alarm_rate[self.corners])
        up = np.diff(self.steps.sensitivity[self.corners])
        return np.asarray(across / (across + up))

    def best_step(self, probability_cost: Any) -> Ints:
        """The step of the ROC curve that is best at each probability-cost."""
        return np.asarray(self.corners[np.searchsorted(self.changes, _probabilities(probability_cost))])

    def cost(self, probability_cost: Any) -> Floats:
        """The envelope: the normalized cost of the best operating point."""
        x = _probabilities(probability_cost)
        step = self.best_step(x)
        return np.asarray((1 - x) * self.steps.false_alarm_rate[step] + x * (1 - self.steps.sensitivity[step]))

    def bounds(self, probability_cost: Any) -> tuple[Floats, Floats]:
        """Ends of the interval of the envelope, at the operating point that is best there."""
        x = _probabilities(probability_cost)
        return cost_bounds(self.steps, self.best_step(x), 1 - x, x)

    def probability_cost(self, costs: Any = None, prior: float | None = None) -> float:
        """Where costs and a prior lie on the axis; without them, the share of positives in the data."""
        return 1.0 / (1.0 + self.steps.isometric_slope(costs, prior))

    def frame(self, points: int = 101) -> Any:
        """The envelope at evenly spaced probability-costs and where its corners change, as a Polars frame."""
        import polars as pl

        x = np.union1d(np.linspace(0.0, 1.0, points), self.changes)
        step, (low, high) = self.best_step(x), self.bounds(x)
        return pl.DataFrame(
            {
                "probability_cost": x,
                "normalized_cost": self.cost(x),
                "low": low,
                "high": high,
                "threshold": self.steps.thresholds[step],
                "false_alarm_rate": self.steps.false_alarm_rate[step],
                "miss_rate": 1 - self.steps.sensitivity[step],
            }
        )


@dataclass(eq=False)
class CostCurveDisplay:
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
    prior: float | None = None
    lines: bool | None = None  # draw the operating points; None: where there is one curve
    band: bool | None = None  # draw the intervals; None: where there are at most three curves
    ax_: Any = field(default=None, init=False, repr=False)
    figure_: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if len(self.names) != len(self.curves):
            raise InputError(f"give one name per curve: {len(self.names)} for {len(self.curves)}")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        positive: Hashable = None,
        name: str | None = None,
        ax: Any = None,
        sample_weight: Any = None,
        confidence: float = 0.95,
        costs: Any = None,
        prior: float | None = None,
        lines: bool | None = None,
        band: bool | None = None,
    ) -> Self:
        """Draw the curves of a fitted classifier; where costs and a prior lie is marked, or else the data's prior."""
        read = read_estimator(estimator, X, y, positive, sample_weight)
        label = type(estimator).__name__ if name is None else name
        return cls._drawn(read, label, ax, confidence, costs, prior, lines, band)

    @classmethod
    def from_predictions(
        cls,
        y: Any,
        scores_or_posterior: Any,
        *,
        positive: Hashable = None,
        name: str | None = None,
        ax: Any = None,
        classes: Sequence[Hashable] | None = None,
        sample_weight: Any = None,
        confidence: float = 0.95,
        costs: Any = None,
        prior: float | None = None,
        lines: bool | None = None,
        band: bool | None = None,
    ) -> Self:
        """Draw the curves of scores: (n,) of the positive class, or (n, k) with a column per class."""
        read = read_predictions(y, scores_or_posterior, positive, classes, sample_weight)
        return cls._drawn(read, name, ax, confidence, costs, prior, lines, band)

    @classmethod
    def _drawn(
        cls,
        read: Rankings,
        name: str | None,
        ax: Any,
        confidence: float,
        costs: Any,
        prior: float | None,
        lines: bool | None,
        band: bool | None,
    ) -> Self:
        curves = tuple(CostCurve(steps) for steps in read.curves(confidence))
        return cls(curves, read.names(name), read.posterior, read.costs(costs), prior, lines, band).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw on the axes given, or on new ones; curves drawn before keep their places in the legend."""
        self.figure_, self.ax_ = canvas(ax, 6.0 + beside(len(self.curves)), 4.6)
        ax = self.ax_
        first = drawn_before(ax)
        if not first:
            trivial = {"color": MUTED, "linewidth": 1.2, "linestyle": (0, (4, 3)), "zorder": 1}
            ax.plot([0, 0.5, 1], [0, 0.5, 1], label="never or always positive", **trivial)
            ax.plot([0, 0.5, 1], [1, 0.5, 0], **trivial)
        for place, _ in enumerate(self.curves):
            self._draw(place, curve_style(first + place))
        ax.set(xlabel=r"Probability-cost of the positive class, $p\,C_{FN}\,/\,(p\,C_{FN} + (1-p)\,C_{FP})$")
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
            limit = posterior_threshold(curve.steps, self.costs, self.prior)
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

    @property
    def _banded(self) -> bool:
        return len(self.curves) <= _CLEAR if self.band is None else self.band

    def _title(self) -> str:
        if not self._banded:
            return "class against the rest"
        percent = f"{100 * self.curves[0].steps.confidence:.6g} %"
        return f"band: {percent} at each point,\nWilson of both rates combined (MOVER)"


def cost_bounds(steps: RocCurve, step: Array, alarm: Array, miss: Array) -> tuple[Floats, Floats]:
    """Interval of alarm x FPR + miss x FNR at steps of a curve: Wilson's of either rate, combined (MOVER).

    The first and last step say the same of all rows, so that their rates are certain.
    """
    rates = (steps.false_alarm_rate[step], 1 - steps.sensitivity[step])
    sizes = (_effective(steps.alarms, steps.alarm_squares), _effective(steps.hits, steps.hit_squares))
    sure = (np.asarray(step) == 0) | (np.asarray(step) == len(steps.hits) - 1)
    down = up = np.zeros(())
    for rate, n, price in zip(rates, sizes, (alarm, miss), strict=True):
        low, high = proportion_bounds(rate * n, np.full(np.shape(rate), n), steps.confidence)
        down = down + np.where(sure, 0.0, price * (rate - low)) ** 2
        up = up + np.where(sure, 0.0, price * (high - rate)) ** 2
    cost = alarm * rates[0] + miss * rates[1]
    return np.asarray(cost - np.sqrt(down)), np.asarray(cost + np.sqrt(up))


def _effective(sums: Array, squares: Array | None) -> float:
    """Rows of a class that count, from the last of the cumulated weights."""
    return float(sums[-1]) if squares is None else float(sums[-1]) ** 2 / float(squares[-1])


def _probabilities(values: Any) -> Floats:
    x = np.asarray(values, dtype=np.float64)
    if not ((x >= 0) & (x <= 1)).all():
        raise InputError(f"a probability-cost lies between 0 and 1, got {values!r}")
    return x
