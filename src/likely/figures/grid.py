"""Cells drawn as an image: bits or grey levels of a grid, 0 white and 1 black; vectors as the grids they come from.

Several grids stand beside each other, each under its name. A `difference` marks the cells in which two grids differ,
which for bits is what the Hamming distance counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike
from likely.data.features.grids import Order, flatten_grid, unflatten_grid
from likely.errors import InputError
from likely.figures.drawing.canvas import Axes, Drawn, canvas, colour, panels, plain_names
from likely.numeric.arrays import Floats, in_brief

_GRIDS = 30  # more would be too small to see
_ACROSS = 6  # in a row
_TICKS = 10  # cells along a side that still have a number each


@dataclass(eq=False)
class GridDisplay(Drawn):
    """Grids of ink or of grey levels.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = GridDisplay.from_vectors([[0, 1, 0, 1, 1, 1], [0, 1, 1, 1, 0, 1]], (2, 3), difference=True)
    >>> display.frame().filter(differs=True).rows()
    [('1', 0, 2, 1.0, True), ('1', 1, 1, 0.0, True)]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    grids: Floats  # (n, r, c)  in [0, 1], 0 white and 1 black
    names: Sequence[str] = ()  # over the grids; none, or one for each
    difference: bool = False  # mark where a grid differs from the first
    panels_: Any = field(default=None, init=False, repr=False)

    __repr__ = in_brief

    def __post_init__(self) -> None:
        if not 0 < len(self.grids) <= _GRIDS:
            raise InputError(f"1 to {_GRIDS} grids can be seen beside each other, got {len(self.grids)}")
        if self.names and len(self.names) != len(self.grids):
            raise InputError(f"{len(self.grids)} grids need as many names, got {len(self.names)}")
        wrong = ~((self.grids >= 0) & (self.grids <= 1))
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0].tolist())
            raise InputError(
                f"grey levels lie in [0, 1], got {self.grids[place]} in grid {place[0]} at row {place[1]}, column "
                f"{place[2]}; bring other scales there with likely.data.grey_levels"
            )

    @classmethod
    def from_grids(cls, grids: ArrayLike, *, ax: Axes | None = None, **options: Any) -> Self:
        """Draw a grid (r, c), or several of one shape (n, r, c); the options are fields of the display."""
        cells = np.asarray(grids, dtype=object if isinstance(grids, list | tuple) else None)
        if cells.dtype == object:
            cells = np.asarray(grids)
        stack = cells if cells.ndim == 3 else cells[None]
        flat = flatten_grid(stack).astype(np.float64)  # complains of what is no grid
        return cls(flat.reshape(stack.shape), **options).plot(ax)

    @classmethod
    def from_vectors(
        cls, X: TableLike, shape: tuple[int, int], order: Order = "row", *, ax: Axes | None = None, **options: Any
    ) -> Self:
        """Draw rows (n, r * c), or one, as the grids (r, c) that they were read from."""
        rows = np.atleast_2d(np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X, dtype=np.float64))
        return cls(unflatten_grid(rows, shape, order), **options).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, which are divided for several grids, or on new ones."""
        count, (high, wide) = len(self.grids), self.grids.shape[1:]
        rows = -(-count // _ACROSS)
        across = -(-count // rows)
        self.figure_, self.ax_ = canvas(ax, max(3.4, 2.6 * across), max(3.2, 2.9 * rows))
        self.panels_ = panels(self.ax_, count, rows) if count > 1 else [self.ax_]
        for place, (panel, grid) in enumerate(zip(self.panels_, self.grids, strict=False)):
            canvas(panel)
            panel.imshow(grid, cmap="Greys", vmin=0, vmax=1, interpolation="nearest")
            for side in panel.spines.values():
                side.set_visible(True)
            panel.set(xticks=_ticks(wide), yticks=_ticks(high), xlabel="column", ylabel="row" * (place % across == 0))
            panel.tick_params(labelsize=7)
            name = self.names[place] if self.names else ""
            if self.difference and place:
                name = " ".join(filter(None, [name, self._mark(panel, grid)]))
            panel.set_title(name, fontsize=9)
        return self

    def frame(self) -> Any:
        """A cell a row, as a Polars frame."""
        import polars as pl

        place, row, column = (part.ravel() for part in np.indices(self.grids.shape))
        names = np.array(self.names or [str(i) for i in range(len(self.grids))], dtype=object)[place]
        columns: dict[str, Any] = {"grid": names.tolist(), "row": row, "column": column, "grey": self.grids.ravel()}
        if self.difference:
            columns["differs"] = (self.grids != self.grids[0]).ravel()
        return pl.DataFrame(columns)

    def _mark(self, panel: Any, grid: Floats) -> str:
        """Rings in the cells that differ; how many there are."""
        up, across = np.nonzero(grid != self.grids[0])
        if len(up):
            panel.plot(across, up, "o", color=colour(1), markerfacecolor="none", markersize=7, gid="differs")
        return f"({len(up)} cells differ)"


def _ticks(cells: int) -> list[int]:
    step = 1 if cells <= _TICKS else -(-cells // 6)
    return list(range(0, cells, step))
