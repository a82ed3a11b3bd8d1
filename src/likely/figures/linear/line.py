"""A line through points: the points, the line fitted to them with its bands, and how far each point lies off.

The darker band is where the true line lies at each x, the lighter one where a new observation would: both pointwise, by
Student's t. The true line can be drawn beside the fitted one where it is known; points can bear names. One x can be
asked about: it is marked on the line, with the interval of an observation there; or a point (x, y) of which it is asked
how far it lies off.
"""

import itertools
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.errors import InputError, check_type
from likely.estimation.line import Line, fit_line
from likely.figures.drawing.canvas import BAND, INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.figures.drawing.names import check_names, on_the_page, write_apart
from likely.numeric.arrays import Floats, PerRow, in_brief


@dataclass(eq=False)
class LineDisplay(Drawn):
    """Points and a line.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = LineDisplay.from_values([1, 2, 3, 4], [2, 3, 5, 4], true=(1.0, 1.0))
    >>> display.frame().columns
    ['x', 'y', 'fitted', 'residual']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    line: Line  # what `fit_line` gave
    x: Floats  # (n,)  of the points
    y: Floats  # (n,)  of the points
    names: tuple[str, ...] = ()  # of the points; none or n
    true: tuple[float, float] | None = None  # intercept and slope of the line behind the points
    query: float | tuple[float, float] | None = None  # an x to be asked about, or a point beside those of the fit
    band: bool = True  # where the true line lies
    prediction: bool = False  # where a new observation lies
    residuals: bool = True  # a stroke from each point to the line
    confidence: float = 0.95
    labels: tuple[str, str] = ("x", "y")  # of the two axes

    __repr__ = in_brief

    def __post_init__(self) -> None:
        self.x, self.y = (np.asarray(part, dtype=np.float64) for part in (self.x, self.y))
        if self.x.shape != self.y.shape or self.x.ndim != 1:
            raise InputError(f"x and y must be of equal length, got shapes {self.x.shape} and {self.y.shape}")
        self.names = check_names(self.names, len(self.x))
        if self.query is not None and np.size(self.query) > 2:
            raise InputError(f"a query is an x, or a point (x, y); got {self.query!r}")

    @classmethod
    def from_values(
        cls, x: ArrayLike, y: TargetLike, *, sample_weight: PerRow = None, ax: Axes | None = None, **options: Any
    ) -> Self:
        """Fit a line to values and draw both; the options are the fields of the display (names, true, query, ...)."""
        line = fit_line(x, y, sample_weight)
        return cls(line, np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64), **options).plot(ax)

    @classmethod
    def from_line(cls, line: Line, x: Any, y: Any, *, ax: Axes | None = None, **options: Any) -> Self:
        """Draw a line that `fit_line` returned, over these points."""
        check_type(line, Line, "what fit_line returns")
        return cls(line, x, y, **options).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones; another line on the same axes gets another colour."""
        self.figure_, self.ax_ = canvas(ax)
        place = sum(line.get_gid() == "fitted line" for line in self.ax_.lines)
        shade, grid = colour(place), self._grid()
        if self.prediction:
            self._draw_band(
                grid, self.line.prediction_band(grid, self.confidence), shade, BAND / 2, "of an observation"
            )
        if self.band:
            self._draw_band(grid, self.line.confidence_band(grid, self.confidence), shade, BAND, "of the line")
        if self.residuals and len(self.x):
            self.ax_.vlines(self.x, self.line.predict(self.x), self.y, color=MUTED, lw=0.9, zorder=1)
        if self.true is not None:
            height = self.true[0] + self.true[1] * grid
            self.ax_.plot(grid, height, color=INK, lw=1.2, ls="--", label=f"true line, {_equation(*self.true)}")
        fitted = f"fitted line, {_equation(self.line.intercept, self.line.slope)}"
        self.ax_.plot(grid, self.line.predict(grid), color=shade, lw=1.8, label=fitted, gid="fitted line")
        self.ax_.plot(self.x, self.y, "o", color=shade, markersize=5, zorder=3, gid="points")
        if self.query is not None:
            self._mark_query(*np.ravel(self.query).tolist())
        self.ax_.set(xlabel=self.labels[0], ylabel=self.labels[1])
        if self.names:
            self.ax_.margins(0.18)
            self.ax_.autoscale_view()
            self._write_names()
        legend(self.ax_)
        return self

    def frame(self) -> Any:
        """The points, the line at each and how far they lie above it, as a Polars frame."""
        import polars as pl

        columns: dict[str, Any] = {"name": list(self.names)} if self.names else {}
        fitted, left = self.line.predict(self.x), self.line.residuals(self.x, self.y)
        return pl.DataFrame(columns | {"x": self.x, "y": self.y, "fitted": fitted, "residual": left})

    def _grid(self) -> Floats:
        asked = [] if self.query is None else [np.ravel(self.query)[0]]
        known = np.concatenate([self.x, asked]) if len(self.x) or asked else np.array([self.line.mean_x])
        low, high = float(known.min()), float(known.max())
        margin = 0.05 * (high - low) or max(abs(low), 1.0) * 0.05
        return np.linspace(low - margin, high + margin, 201)

    def _draw_band(self, grid: Floats, ends: tuple[Floats, Floats], shade: str, opacity: float, what: str) -> None:
        if np.isfinite(ends[0]).all() and np.isfinite(ends[1]).all():  # two points leave the noise unknown
            text = f"{100 * self.confidence:g} % {what}"
            self.ax_.fill_between(grid, *ends, color=shade, alpha=opacity, linewidth=0, label=text)

    def _write_names(self) -> None:
        """Each name at the corner of its point where it covers least: points, the line, names written before."""
        self.figure_.figure.draw_without_rendering()  # a layout moves the axes
        places = self._in_points(self.x, self.y)
        way = self._in_points(self._grid(), self.line.predict(self._grid()))
        taken = [(x, min(y, v) - 1.5, u, max(y, v) + 1.5) for (x, y), (u, v) in itertools.pairwise(way)]
        if self.residuals:
            feet = self._in_points(self.x, self.line.predict(self.x))
            taken += [(x - 1, min(y, f), x + 1, max(y, f)) for (x, y), (_, f) in zip(places, feet, strict=True)]
        write_apart(self.ax_, self.names, np.column_stack([self.x, self.y]), taken)

    def _in_points(self, x: Floats, y: Floats) -> list[list[float]]:
        return on_the_page(self.ax_, np.column_stack([x, y]))

    def _mark_query(self, x: float, height: float | None = None) -> None:
        y = self.line.predict(x)
        if height is not None:
            text = (
                f"query ({x:.4g}, {height:.4g}), {abs(height - y):.3g} {'above' if height >= y else 'below'} the line"
            )
            self.ax_.plot([x], [height], "*", color=INK, markersize=11, zorder=4, label=text, gid="query")
            return
        low, high = self.line.prediction_band(x, self.confidence)
        if np.isfinite(low) and np.isfinite(high):
            self.ax_.errorbar(x, y, [[y - low], [high - y]], fmt="none", ecolor=INK, elinewidth=1, capsize=3)
        text = f"at {x:g}: {y:.3g}" + (f" [{low:.3g}, {high:.3g}]" if np.isfinite(low) else "")
        self.ax_.plot([x], [y], "s", color="white", markeredgecolor=INK, markersize=6, zorder=4, label=text)


def _equation(intercept: float, slope: float) -> str:
    return f"y = {_short(intercept)} {'+' if slope >= 0 else '−'} {_short(abs(slope))} x"


def _short(number: float) -> str:
    return f"{number:.3g}" if abs(number) < 1000 else f"{number:,.0f}" if abs(number) < 1e6 else f"{number:.4g}"
