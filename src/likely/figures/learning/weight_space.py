"""Weight space: every row is a plane through the origin, on whose right side the weights must come to lie.

A row x with target d asks that d w x > 0. Of two weights the others are held where they ended, so that each row is a
line; a short stroke points to the side that it asks for. The path of the weights goes along x at every update.
"""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.errors import InputError
from likely.figures.classes.regions import codes_of
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.numeric.arrays import Array, Floats, as_floats, in_brief

_MANY = 40  # rows whose lines can still be told apart


@dataclass(eq=False)
class WeightSpaceDisplay(Drawn):
    """The path of a perceptron's weights, over the lines of its rows.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = WeightSpaceDisplay.from_updates([[1, 2], [1, -1]], [1, -1], [[0, 0], [1, 2]])
    >>> display.frame().shape, display.ax_.get_xlabel()
    ((2, 3), 'w0')
    >>> matplotlib.pyplot.close(display.figure_)
    """

    rows: Floats  # (n, p)  with the constant, if there is one
    target: Array  # (n,)  +1 or -1
    path: Floats  # (u + 1, p)  the weights at the start, and after every update
    weights: tuple[int, int] = (0, 1)  # which two are drawn
    names: tuple[str, ...] = ()  # of all weights

    __repr__ = in_brief

    @classmethod
    def from_updates(
        cls,
        X: TableLike,
        d: ArrayLike,
        path: ArrayLike,
        *,
        weights: tuple[int, int] = (0, 1),
        names: Any = (),
        ax: Axes | None = None,
    ) -> Self:
        """Draw a path of weights (u + 1, p) over rows X (n, p) with targets d, +1 or -1."""
        rows, way, target = as_floats(X), np.atleast_2d(as_floats(path)), np.asarray(d)
        if rows.ndim != 2 or way.shape[1] != rows.shape[1] or target.shape != (len(rows),):
            raise InputError(f"rows {rows.shape}, targets {target.shape} and weights {way.shape} do not fit together")
        if not all(0 <= w < rows.shape[1] for w in weights) or weights[0] == weights[1]:
            raise InputError(f"weights are two places from 0 to {rows.shape[1] - 1}, got {weights}")
        return cls(rows, target, way, weights, tuple(map(str, names))).plot(ax)

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: TableLike, y: TargetLike, *, weights: tuple[int, int] = (0, 1), ax: Axes | None = None
    ) -> Self:
        """Draw the updates of a fitted `Perceptron` of two classes, over the rows X with classes y it learned from.

        The weights are those of the columns of its design matrix, in this order, then the constant's.
        """
        history = getattr(estimator, "history_", None)
        if history is None or not hasattr(history, "weights") or len(estimator.classes_) != 2:
            raise InputError("the weight space is that of a fitted Perceptron of two classes")
        x = estimator.design_.transform(X)
        x = x.toarray() if hasattr(x, "indptr") else x
        constant = float(bool(estimator.fit_intercept))
        rows = np.column_stack([x, np.full(len(x), constant)])
        target = np.where(codes_of(y, estimator.classes_) == 1, 1, -1)
        begin = np.zeros((int(estimator.start is None), rows.shape[1]))  # another start is not in the history
        path = np.vstack([begin, history.weights[:, 0, :]]) if len(history.weights) else estimator.weights_
        names = (*estimator.design_.names, "constant")
        return cls.from_updates(rows, target, path, weights=weights, names=names, ax=ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax, 5.2, 4.8)
        i, j = self.weights
        way = self.path[:, [i, j]]
        middle, reach = (way.min(axis=0) + way.max(axis=0)) / 2, max(float(np.ptp(way, axis=0).max()), 1e-9)
        low, high = middle - 0.85 * reach, middle + 0.85 * reach
        self._draw_rows(low, high)
        for a, b in pairwise(way):
            arrow = {"arrowstyle": "->", "color": INK, "linewidth": 1.2, "shrinkA": 0, "shrinkB": 0}
            self.ax_.annotate("", b, a, arrowprops=arrow)
        self.ax_.plot(*way[0], "o", color="white", markeredgecolor=INK, label="start")
        self.ax_.plot(*way[-1], "o", color=INK, label="end")
        names = self.names or tuple(f"w{place}" for place in range(self.path.shape[1]))
        self.ax_.set_xlabel(names[i])
        self.ax_.set_ylabel(names[j])
        self.ax_.set_xlim(low[0], high[0])
        self.ax_.set_ylim(low[1], high[1])
        legend(self.ax_, "below")
        return self

    def frame(self) -> Any:
        """The path, an update a row, as a Polars frame."""
        import polars as pl

        columns = {f"w{place}": self.path[:, place] for place in range(self.path.shape[1])}
        return pl.DataFrame({"update": np.arange(len(self.path)), **columns})

    def _draw_rows(self, low: Floats, high: Floats) -> None:
        """A line for each row, and a stroke to the side that it asks for."""
        i, j = self.weights
        rest = np.delete(self.path[-1], [i, j])
        labelled: set[int] = set()
        for x, d in list(zip(self.rows, self.target.tolist(), strict=True))[:_MANY]:
            normal, offset = x[[i, j]], float(np.delete(x, [i, j]) @ rest)
            size = float(normal @ normal)
            if size == 0:
                continue
            foot = (low + high) / 2
            foot = foot - normal * (float(normal @ foot) + offset) / size  # the point of the line next to the middle
            along = np.array([-normal[1], normal[0]]) / np.sqrt(size) * 2 * float(np.max(high - low))
            ends = np.array([foot - along, foot + along])
            label = None if d in labelled else f"row of the {'second' if d > 0 else 'first'} class, and its side"
            labelled.add(d)
            shade = colour(1 if d > 0 else 0)
            self.ax_.plot(*ends.T, color=shade, linewidth=0.8, label=label)
            stroke = foot + d * normal / np.sqrt(size) * 0.05 * float(np.max(high - low))
            self.ax_.plot(*np.array([foot, stroke]).T, color=shade, linewidth=1.6)
        if len(self.rows) > _MANY:
            self.ax_.set_title(f"the first {_MANY} of {len(self.rows):,} rows", fontsize=9, color=MUTED)
