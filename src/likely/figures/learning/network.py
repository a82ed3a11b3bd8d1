"""A network drawn: units in layers, connections by sign and size, and for one row its values and error signals."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np

from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.numeric.arrays import Array, Floats, as_floats, in_brief

_MOST = 10  # units of a layer that are drawn one by one


@dataclass(eq=False)
class NetworkDisplay(Drawn):
    """The units and connections of a feed-forward network.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = NetworkDisplay.from_matrices([[[0.1, 0.4, -0.2], [-0.3, 0.2, 0.5]], [[0.2, 0.6, -0.1]]])
    >>> display.frame().shape
    (9, 4)
    >>> matplotlib.pyplot.close(display.figure_)
    """

    matrices: tuple[Floats, ...]  # (units, 1 + inputs) of each layer; the first column is the constant
    values: tuple[Floats, ...] = ()  # of each layer, inputs included, for one row
    signals: tuple[Floats, ...] = ()  # error signals of each layer after the inputs
    inputs: tuple[str, ...] = ()  # names
    outputs: tuple[str, ...] = ()  # names

    __repr__ = in_brief

    @classmethod
    def from_matrices(cls, matrices: Any, *, ax: Axes | None = None, **options: Any) -> Self:
        """Draw layers (units, 1 + inputs), the constants first; the options are fields of the display."""
        parts = tuple(as_floats(layer) for layer in matrices)
        for one, other in pairwise(parts):
            if other.shape[1] != one.shape[0] + 1:
                raise InputError(f"a layer of {one.shape[0]} units is followed by one of {other.shape[1] - 1} inputs")
        return cls(parts, **options).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw a fitted `NeuralNetwork`: the columns of its design matrix in, its classes out."""
        if not hasattr(estimator, "layers_"):
            raise InputError("a network is drawn of a fitted NeuralNetwork or NeuralNetworkRegressor")
        parts = tuple(as_floats(m) for m in estimator.layers_.as_matrices(estimator.weights_))
        names = tuple(str(name) for name in getattr(estimator, "classes_", ("amount",)))
        outputs = names if len(names) == parts[-1].shape[0] else names[-1:]
        return cls(parts, inputs=tuple(estimator.design_.names), outputs=outputs).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        sizes = [self.matrices[0].shape[1] - 1, *(len(layer) for layer in self.matrices)]
        self.figure_, self.ax_ = canvas(ax, 2.4 + 1.9 * len(sizes), 4.2)
        for side in ("left", "bottom"):
            self.ax_.spines[side].set_visible(False)
        hidden = [f"hidden {place}" for place in range(1, len(sizes) - 1)]
        self.ax_.set_xticks(range(len(sizes)), ["inputs", *hidden, "outputs"])
        self.ax_.tick_params(length=0)
        self.ax_.set_yticks([])
        shown = [np.arange(min(size, _MOST)) for size in sizes]
        places = [np.linspace(0, 1, len(units) + 2)[1:-1][::-1] if len(units) else np.empty(0) for units in shown]
        largest = max(float(np.abs(layer[:, 1:]).max(initial=0.0)) for layer in self.matrices) or 1.0
        for layer, matrix in enumerate(self.matrices):
            for to in shown[layer + 1]:
                for source in shown[layer]:
                    w = float(matrix[to, 1 + source])
                    ends = [layer, layer + 1], [places[layer][source], places[layer + 1][to]]
                    self.ax_.plot(*ends, color=colour(0 if w >= 0 else 1), linewidth=0.3 + 2.4 * abs(w) / largest)
        for layer, size in enumerate(sizes):
            self._draw_units(layer, size, places[layer])
        self.ax_.set_xlim(-0.75, len(sizes) - 0.25)
        self.ax_.set_ylim(-0.06, 1.06)
        self.ax_.set_title("connections above 0 blue, below 0 orange", fontsize=9, color=MUTED)
        self.ax_.set_xlabel("layers of units")
        return self

    def frame(self) -> Any:
        """One connection a row, constants from unit -1, as a Polars frame."""
        import polars as pl

        rows = [
            (layer, source - 1, to, float(matrix[to, source]))
            for layer, matrix in enumerate(self.matrices)
            for to in range(matrix.shape[0])
            for source in range(matrix.shape[1])
        ]
        return pl.DataFrame(rows, schema=["layer", "from", "to", "weight"], orient="row")

    def _draw_units(self, layer: int, size: int, places: Array) -> None:
        last = layer == len(self.matrices)
        for unit, y in enumerate(places):
            self.ax_.plot(layer, y, "o", markersize=17, color="white", markeredgecolor=INK, zorder=3)
            said = f"{self.values[layer][unit]:.2f}" if self.values else ""
            self.ax_.text(layer, y, said, ha="center", va="center", fontsize=6.5, color=INK, zorder=4)
            if self.signals and layer:
                signal = f"δ {self.signals[layer - 1][unit]:+.3f}"
                self.ax_.text(layer, y - 0.085, signal, ha="center", va="center", fontsize=7, color=INK, zorder=4)
            names = self.inputs if layer == 0 else self.outputs if last else ()
            if unit < len(names):
                side = {"ha": "right"} if layer == 0 else {"ha": "left"}
                self.ax_.text(layer + (0.14 if last else -0.14), y, names[unit][:18], va="center", fontsize=8, **side)
        if size > len(places):
            self.ax_.text(layer, 0.0, f"… {size:,} units", ha="center", va="center", fontsize=8, color=MUTED)
