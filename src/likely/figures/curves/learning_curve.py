"""The learning curve as a picture: a measure against the number of rows that were learned.

Two curves: on withheld rows, which is what counts, and on the learned rows themselves; what lies between them is
optimism, and where the lower one still rises, more rows would help. The band of the withheld curve is that of the
`LearningCurve`. The learned rows of different repeats have m / n of all rows in common, m the size, so their band is
the corrected resampled t with m / (n - m) in place of n2 / n1. One repeat has a band on the withheld rows only.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.errors import InputError, check_type
from likely.evaluation.resampling.learning_curve import LearningCurve, learning_curve
from likely.figures.drawing.canvas import BAND, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.intervals.estimate import Estimate
from likely.intervals.resampled import corrected_t_interval
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Floats

Scale: TypeAlias = Literal["auto", "log", "linear"]


@dataclass(eq=False)
class LearningCurveDisplay(Drawn):
    """A learning curve with bands.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from likely import NaiveBayes
    >>> X, y = load_iris(return_X_y=True)
    >>> display = LearningCurveDisplay.from_estimator(NaiveBayes(), X, y, sizes=[10, 30, 90], repeats=5)
    >>> display.frame()["size"].to_list(), display.ax_.get_xlabel()
    ([10, 30, 90], 'rows learned')
    >>> matplotlib.pyplot.close(display.figure_)
    """

    curve: LearningCurve  # what `learning_curve` gave
    name: str | None = None
    scale: Scale = "auto"  # of the sizes; "auto" is "log" where they span a factor of eight

    @classmethod
    def from_estimator(
        cls,
        estimator: Learner,
        X: TableLike,
        y: TargetLike,
        *,
        name: str | None = None,
        ax: Axes | None = None,
        scale: Scale = "auto",
        **options: Any,
    ) -> Self:
        """Let a classifier learn from more and more rows, and draw; the options are those of `learning_curve`."""
        _check(scale)
        return cls(learning_curve(estimator, X, y, **options), name or type(estimator).__name__, scale).plot(ax)

    @classmethod
    def from_curve(
        cls, result: LearningCurve, *, name: str | None = None, ax: Axes | None = None, scale: Scale = "auto"
    ) -> Self:
        """Draw what `learning_curve` returned."""
        check_type(result, LearningCurve, "what learning_curve returns")
        _check(scale)
        return cls(result, name, scale).plot(ax)

    @cached_property
    def training(self) -> tuple[Estimate, ...]:
        """The measure on the learned rows at each size, with its band."""
        c = self.curve
        return tuple(
            corrected_t_interval(column, size / (c.rows - size), c.confidence, c.criterion.bounds, c.rows, "splits")
            for size, column in zip(c.sizes, c.training_scores.T, strict=True)
        )

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones; another curve on the same axes gets another colour."""
        self.figure_, self.ax_ = canvas(ax)
        shade = colour(len(self.ax_.lines) // 2)  # every display draws two lines
        named, held = (f"{self.name}, " if self.name else ""), self.curve.estimates
        self._draw(held, f"{named}{self.curve.withheld:,} withheld rows", shade, "-", "o", True)
        self._draw(self.training, f"{named}learned rows", shade, "--", "s", len(self.curve.scores) > 1)
        self._scale()
        self.ax_.set_xlabel("rows learned")
        unit = f" ({self.curve.criterion.unit})" if self.curve.criterion.unit == "nats" else ""
        self.ax_.set_ylabel(f"{self.curve.criterion.name.replace('_', ' ')}{unit}")
        legend(self.ax_, "lower right")
        return self

    def frame(self) -> Any:
        """One size a row, withheld and learned rows with their bands, as a Polars frame."""
        import polars as pl

        held, learned = self.curve.estimates, self.training
        return pl.DataFrame(
            {
                "size": list(self.curve.sizes),
                "value": [e.value for e in held],
                "low": [e.low for e in held],
                "high": [e.high for e in held],
                "training": [e.value for e in learned],
                "training_low": [e.low for e in learned],
                "training_high": [e.high for e in learned],
            }
        )

    def _draw(
        self, figures: tuple[Estimate, ...], label: str, shade: str, line: str, marker: str, banded: bool
    ) -> None:
        sizes = np.array(self.curve.sizes)
        value, low, high = (_finite(figures, end) for end in ("value", "low", "high"))
        filled = shade if line == "-" else "white"
        if banded:
            label += f", {100 * figures[-1].confidence:g} % {figures[-1].method}"
        self.ax_.plot(sizes, value, line, color=shade, marker=marker, markersize=4, markerfacecolor=filled, label=label)
        if banded:
            opacity = BAND if line == "-" else BAND / 2
            self.ax_.fill_between(sizes, low, high, color=shade, alpha=opacity, linewidth=0)

    def _scale(self) -> None:
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        sizes = self.curve.sizes
        logarithmic = self.scale == "log" or (self.scale == "auto" and sizes[-1] >= 8 * sizes[0])
        if logarithmic:
            self.ax_.set_xscale("log")
            self.ax_.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            self.ax_.xaxis.set_minor_formatter(NullFormatter())
        self.ax_.xaxis.set_major_formatter(FuncFormatter(lambda size, _: f"{size:,.0f}"))


def _check(scale: str) -> None:
    if scale not in ("auto", "log", "linear"):
        raise InputError(f"unknown scale={scale!r}; choose 'auto', 'log' or 'linear'")


def _finite(figures: tuple[Estimate, ...], end: str) -> Floats:
    """Values to draw; an infinite loss leaves a gap in the curve."""
    values = np.array([getattr(figure, end) for figure in figures])
    return np.where(np.isfinite(values), values, np.nan)
