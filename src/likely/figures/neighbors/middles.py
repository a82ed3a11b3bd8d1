"""Points and what lies in the middle of them: mean, medians and medoids."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike
from likely.data.distances.exemplars import centroid, geometric_median, medoids, total_distance
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.numeric.arrays import Floats, as_floats, in_brief

_MARKS = ("s", "^", "D", "o", "v", "P")


@dataclass(eq=False)
class MiddlesDisplay(Drawn):
    """Points of the plane with their mean, medians and medoids.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = MiddlesDisplay.from_points([[1, 5], [2, 7], [3, 6], [10, 0]])
    >>> display.frame().row(0)
    ('mean', 4.0, 4.5, 15.545...)
    >>> matplotlib.pyplot.close(display.figure_)
    """

    points: Floats  # (n, 2)  whose middles they are
    middles: Mapping[str, Floats]  # (m, 2)  by name, several where they are equally good
    names: tuple[str, str] = ("x1", "x2")  # of the two axes

    __repr__ = in_brief

    @classmethod
    def from_points(cls, X: TableLike, *, names: tuple[str, str] | None = None, ax: Axes | None = None) -> Self:
        """Draw rows X (n, 2), an array or a frame of two columns, with what lies in their middle."""
        own = tuple(str(name) for name in getattr(X, "columns", ("x1", "x2")))
        rows = as_floats(X.to_numpy() if hasattr(X, "to_numpy") else X, "the points")
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise InputError(f"the picture is of points in the plane: expected (n, 2), got shape {rows.shape}")
        found = {
            "mean": centroid(rows, "squared_euclidean")[None],
            "geometric median": geometric_median(rows)[None],
            "median of each coordinate": centroid(rows, "manhattan")[None],
            "medoid (Euclid)": medoids(rows).points,
            "medoid (squares)": medoids(rows, "squared_euclidean").points,
            "medoid (Manhattan)": medoids(rows, "manhattan").points,
        }
        return cls(rows, found, names or (own[0], own[1])).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax, 6.4, 4.2)
        self.ax_.plot(*self.points.T, "o", color=MUTED, markersize=5, label="points", gid="points")
        for place, (name, at) in enumerate(self.middles.items()):
            size = 7 if place < 3 else 9 + 4 * (place - 3)
            hollow = {"markerfacecolor": "none"} if place >= 3 else {}
            style = {"marker": _MARKS[place % len(_MARKS)], "ls": "", "color": colour(place), "markersize": size}
            self.ax_.plot(*np.asarray(at).T, **style, **hollow, label=name, gid="middle")
        self.ax_.set(xlabel=self.names[0], ylabel=self.names[1])
        self.ax_.tick_params(colors=INK)
        legend(self.ax_, "beside")
        return self

    def frame(self) -> Any:
        """A middle a row, with the sum of the Euclidean distances of the points from it."""
        import polars as pl

        rows = [
            (name, *map(float, at), total_distance(at, self.points))
            for name, some in self.middles.items()
            for at in some
        ]
        return pl.DataFrame(rows, schema=["middle", *self.names, "total_distance"], orient="row")
