"""Nearest neighbours in the plane: the Voronoi cells of training points, the exact boundary of their classes, queries.

A query is a star, with a line to each of its neighbours. For more than one neighbour the regions are drawn by
`DecisionRegionsDisplay`, since their boundary runs between sets of points.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.target import class_array, read_target
from likely.errors import InputError
from likely.figures.drawing.canvas import BAND, INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.models.neighbors import NearestNeighbors, VoronoiCells, voronoi_cells
from likely.numeric.arrays import Array, Floats, Ints, as_floats, in_brief


@dataclass(eq=False)
class VoronoiDisplay(Drawn):
    """Voronoi cells of labelled points.

    >>> import matplotlib; matplotlib.use("agg")
    >>> points, kinds = [[0, 0], [4, 2], [1, 3]], ["a", "b", "b"]
    >>> display = VoronoiDisplay.from_points(points, kinds, queries=[[1, 1]])
    >>> display.frame().height
    2
    >>> matplotlib.pyplot.close(display.figure_)
    """

    cells: VoronoiCells  # what `voronoi_cells` gave
    classes: Array  # (k,)
    queries: Floats | None = None  # (q, 2)  points whose neighbours are shown
    neighbours: Ints | None = None  # (q, k)  among the points
    names: tuple[str, str] = ("x1", "x2")  # of the two axes

    __repr__ = in_brief

    @classmethod
    def from_points(
        cls,
        X: TableLike,
        y: TargetLike,
        *,
        queries: ArrayLike | None = None,
        n_neighbors: int = 1,
        limits: ArrayLike | None = None,
        names: tuple[str, str] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw the cells of rows X (n, 2) with classes y, and queries with their nearest rows, if given."""
        own = tuple(str(name) for name in getattr(X, "columns", ("x1", "x2")))
        rows = as_floats(X.to_numpy() if hasattr(X, "to_numpy") else X, "the points")
        target = read_target(y, len(rows))
        if target.hidden:
            raise InputError("a point has no class: leave such points out")
        classes = class_array(target.classes)
        stars = None if queries is None else np.atleast_2d(as_floats(queries, "the queries"))
        if limits is None and stars is not None:
            both = np.vstack([rows, stars])
            low, high = both.min(axis=0), both.max(axis=0)
            margin = np.where(high > low, high - low, 1.0) / 8
            limits = (low[0] - margin[0], high[0] + margin[0], low[1] - margin[1], high[1] + margin[1])
        cells = voronoi_cells(rows, target.codes, limits)
        near = None
        if stars is not None:
            codes = cells.labels
            model = (
                NearestNeighbors(n_neighbors, kinds="numeric").fit(cells.points, codes) if len(set(codes)) > 1 else None
            )
            near = None if model is None else model.kneighbors(stars).indices
        return cls(cells, classes, stars, near, names or (own[0], own[1])).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax, 6.2, 4.4)
        from matplotlib.collections import LineCollection, PolyCollection

        tones = [colour(int(code)) for code in self.cells.labels]
        shade = PolyCollection(self.cells.cells, facecolors=tones, alpha=BAND, edgecolors="none", gid="cells")
        self.ax_.add_collection(shade)
        self.ax_.add_collection(
            PolyCollection(self.cells.cells, facecolors="none", edgecolors=MUTED, linewidths=0.5, gid="edges")
        )
        edge = LineCollection(list(self.cells.segments), colors=INK, linewidths=1.8, label="boundary", gid="boundary")
        self.ax_.add_collection(edge)
        for code, name in enumerate(self.classes.tolist()):
            own = self.cells.points[self.cells.labels == code]
            self.ax_.plot(*own.T, "o", color=colour(code), markersize=4.5, label=str(name), gid="points")
        if self.queries is not None:
            for i, star in enumerate(self.queries):
                for j in () if self.neighbours is None else self.neighbours[i]:
                    self.ax_.plot(*np.stack([star, self.cells.points[j]]).T, color=INK, lw=0.7, ls=":")
                self.ax_.plot(*star, "*", color=INK, markersize=11, label=None if i else "query", gid="query")
        corners = np.concatenate(self.cells.cells)
        (left, low), (right, high) = corners.min(axis=0), corners.max(axis=0)
        self.ax_.set(xlabel=self.names[0], ylabel=self.names[1], xlim=(left, right), ylim=(low, high))
        legend(self.ax_, "beside")
        return self

    def frame(self) -> Any:
        """A piece of the boundary a row: where it begins and ends, and the classes on its sides."""
        import polars as pl

        names = [str(name) for name in self.classes.tolist()]
        sides = [(names[self.cells.labels[i]], names[self.cells.labels[j]]) for i, j in self.cells.pairs]
        rows = [(*map(float, piece.ravel()), *side) for piece, side in zip(self.cells.segments, sides, strict=True)]
        return pl.DataFrame(rows, schema=["x_from", "y_from", "x_to", "y_to", "one", "other"], orient="row")
