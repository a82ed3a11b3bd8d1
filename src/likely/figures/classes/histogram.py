"""How many rows of each class have each value, as counts and as shares of their class, with the lines that part them.

Shares are what a class says of a value; counts show how many rows that rests on. A decision line stands where a model,
or you, begin to say another class.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.target import read_target
from likely.errors import InputError
from likely.figures.classes.drawn_numbers import bin_edges
from likely.figures.drawing.canvas import INK, Axes, Drawn, canvas, colour, panels, plain_names
from likely.figures.drawing.legends import legend
from likely.models.any_classifier.posteriors import names_of
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Array, Floats, Ints, as_floats, in_brief

Show: TypeAlias = Literal["count", "share", "both"]
_CLASSES = 8  # more would hide each other
_BINS = 200
_FINE = 2001


@dataclass(eq=False)
class ClassHistogramDisplay(Drawn):
    """Histograms of one feature within each class.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = ClassHistogramDisplay.from_values([4, 5, 5, 6, 7, 7, 7, 8], list("ffffmmmm"), lines=[6.5])
    >>> display.frame().row(1)
    ('f', 4.5, 5.5, 2, 0.5)
    >>> matplotlib.pyplot.close(display.figure_)
    """

    edges: Floats  # (b + 1,)  of the bins
    counts: Ints  # (k, b)  rows of each class in each bin
    classes: tuple[Hashable, ...]
    lines: Sequence[float] = ()  # where the class that is said changes
    show: Show = "both"  # counts of rows, shares of their class, or both
    name: str = "x"
    unit: str = ""
    panels_: Any = field(default=None, init=False, repr=False)

    __repr__ = in_brief

    def __post_init__(self) -> None:
        if self.show not in get_args(Show):
            raise InputError(f"unknown show={self.show!r}; choose {', '.join(get_args(Show))}")
        if len(self.classes) > _CLASSES:
            raise InputError(f"histograms of {len(self.classes)} classes hide each other; draw at most {_CLASSES}")

    @classmethod
    def from_values(
        cls,
        values: ArrayLike,
        y: TargetLike,
        *,
        bins: int | str | ArrayLike = "auto",
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Count values (n,) of the classes y in `bins`: edges, or how many. The options are fields of the display.

        "auto" gives whole numbers a bin each, as long as there are few, and others bins of equal width.
        """
        rows, target = as_floats(values, "values").ravel(), read_target(y)
        if len(rows) != len(target.codes):
            raise InputError(f"{len(rows)} values need as many classes, got {len(target.codes)}")
        known = np.isfinite(rows) & (target.codes >= 0)
        if not known.any():
            raise InputError("no row has both a finite value and a class")
        edges = _edges(rows[known], bins)
        within = [rows[known & (target.codes == k)] for k in range(len(target.classes))]
        counts = np.array([np.histogram(own, edges)[0] for own in within], dtype=np.int64)
        return cls(edges, counts, tuple(target.classes), **options).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: FittedClassifier, X: TableLike, y: TargetLike, **options: Any) -> Self:
        """Draw the rows of a classifier of one feature, with lines where it begins to say another class."""
        table = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
        if table.ndim != 2 or table.shape[1] != 1:
            raise InputError(f"a histogram is of one feature, got a table of shape {table.shape}")
        names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
        if names:
            options = {"name": names[0], **options}
        return cls.from_values(table[:, 0], y, lines=_turns(estimator, table), **options)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, divided in two for both, or on new ones."""
        both = self.show == "both"
        self.figure_, self.ax_ = canvas(ax, 9.0 if both else 5.6, 3.8 if both else 4.2)
        self.panels_ = panels(self.ax_, 2) if both else [self.ax_]
        for panel, what in zip(self.panels_, ("count", "share") if both else (self.show,), strict=True):
            canvas(panel)
            self._draw(panel, what == "share")
        return self

    def frame(self) -> Any:
        """A bin of a class a row, with its count and its share of the class, as a Polars frame."""
        import polars as pl

        low, high = self.edges[:-1], self.edges[1:]
        parts = [
            pl.DataFrame({"low": low, "high": high, "count": row, "share": share}).select(
                pl.lit(str(name)).alias("class"), pl.all()
            )
            for name, row, share in zip(names_of(np.array(self.classes)), self.counts, self._shares(), strict=True)
        ]
        return pl.concat(parts)

    def _shares(self) -> Floats:
        return np.asarray(self.counts / np.maximum(self.counts.sum(axis=1, keepdims=True), 1))

    def _draw(self, ax: Axes, share: bool) -> None:
        heights = self._shares() if share else self.counts
        for k, (name, row) in enumerate(zip(self.classes, heights, strict=True)):
            label = f"{name} ({int(self.counts[k].sum()):,})"
            ax.stairs(row, self.edges, fill=True, color=colour(k), alpha=0.4, label=label, gid="class")
            ax.stairs(row, self.edges, color=colour(k), lw=1.2)
        for place, line in enumerate(self.lines):
            text = ", ".join(f"{at:.4g}" for at in self.lines[:4]) + ", …" * (len(self.lines) > 4)
            ax.axvline(line, color=INK, lw=1, ls="--", label=f"decision line {text}" if place == 0 else None)
        whole = (np.diff(self.edges) == 1).all() and self.edges[0] % 1 == 0.5
        if whole:
            from matplotlib.ticker import MaxNLocator

            ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        axis = f"{self.name} ({self.unit})" if self.unit else self.name
        ax.set(xlabel=axis, ylabel="share of the class" if share else "rows", ylim=(0, None))
        legend(ax)


def _edges(rows: Floats, bins: Any) -> Floats:
    if isinstance(bins, str):
        if bins != "auto":
            raise InputError(f"bins are edges, how many, or 'auto'; got {bins!r}")
        return bin_edges(rows)
    if np.ndim(bins) == 0:
        if not 1 <= int(bins) <= _BINS:
            raise InputError(f"1 to {_BINS} bins can be seen, got {bins}")
        return np.histogram_bin_edges(rows, int(bins))
    edges = as_floats(bins, "bins")
    if edges.ndim != 1 or len(edges) < 2 or not (np.diff(edges) > 0).all():
        raise InputError(f"edges of bins increase and are at least two, got {edges.tolist()}")
    return edges


def _turns(estimator: FittedClassifier, table: Array) -> list[float]:
    """Where a classifier begins to say another class: between whole numbers, where all values are whole."""
    values = table[:, 0].astype(np.float64)
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    known = values[np.isfinite(values)]
    if (known == np.round(known)).all() and high - low <= _FINE:
        grid = np.arange(low, high + 1)
    else:
        grid = np.linspace(low, high, _FINE)
    query: Any = grid[:, None].astype(table.dtype) if table.dtype.kind in "iuf" else grid[:, None]
    if hasattr(estimator, "feature_names_in_"):
        import polars as pl

        query = pl.DataFrame(query, schema=[str(name) for name in estimator.feature_names_in_])
    said = np.asarray(estimator.predict(query))
    turns = np.flatnonzero(said[1:] != said[:-1])
    return [float((grid[i] + grid[i + 1]) / 2) for i in turns]
