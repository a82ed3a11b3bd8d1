"""What a bundled example is: rows with names and perhaps classes, or a table over levels of variables."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, frozen

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Dataset:
    """Rows of attributes, their classes if they have any, and where they come from.

    >>> coins = Dataset(rows=((1.0,), (3.0,)), columns=("weight",), target=("light", "heavy"), source="made up")
    >>> coins.x.ravel(), coins.y
    (array([1., 3.]), array(['light', 'heavy'], dtype='<U5'))
    """

    rows: Sequence[Sequence[Any]] | Array  # (n, d)
    columns: tuple[str, ...]  # (d,)
    source: str
    target: Sequence[Hashable] | Array | None = None  # (n,)  None: there are no classes
    target_name: str = "class"
    names: tuple[str, ...] = ()  # (n,)  of the rows, if they have any

    def __post_init__(self) -> None:
        widths = {self.rows.shape[1]} if isinstance(self.rows, np.ndarray) else {len(row) for row in self.rows}
        if widths - {len(self.columns)}:
            raise InputError(f"{len(self.columns)} columns are named, but rows have {sorted(widths)} values")
        if self.target is not None and len(self.target) != len(self.rows):
            raise InputError(f"{len(self.rows)} rows have {len(self.target)} classes")
        if self.names and len(self.names) != len(self.rows):
            raise InputError(f"{len(self.rows)} rows have {len(self.names)} names")

    @property
    def x(self) -> Array:
        """The rows as an array (n, d)."""
        return np.array(self.rows)

    @property
    def y(self) -> Array:
        """The classes as an array (n,)."""
        if self.target is None:
            raise InputError("these rows have no classes")
        return np.array(self.target)

    def frame(self) -> "polars.DataFrame":
        """A Polars frame: the rows' names if any, the columns, and the class last."""
        import polars

        columns: dict[str, Any] = {"name": self.names} if self.names else {}
        values = self.rows.T if isinstance(self.rows, np.ndarray) else list(zip(*self.rows, strict=True))
        columns |= dict(zip(self.columns, values, strict=True))
        if self.target is not None:
            columns[self.target_name] = self.target
        return polars.DataFrame(columns)


@dataclass(frozen=True)
class Table:
    """A number for every combination of levels: counts, or a joint probability.

    >>> table = Table(np.array([[2, 6], [3, 1]]), ("box", "fruit"), (("red", "green"), ("apple", "orange")), "made up")
    >>> table.at("green", "apple")
    3
    """

    cells: Array  # one axis per variable
    axes: tuple[str, ...]
    levels: tuple[tuple[Hashable, ...], ...]  # of each axis
    source: str

    def __post_init__(self) -> None:
        shape = tuple(len(names) for names in self.levels)
        if self.cells.shape != shape or len(self.axes) != len(shape):
            raise InputError(f"cells of shape {self.cells.shape} do not fit axes {self.axes} with {shape} levels")
        object.__setattr__(self, "cells", frozen(self.cells))

    def at(self, *levels: Hashable) -> Any:
        """The number in one cell, by the names of its levels."""
        place = tuple(names.index(level) for names, level in zip(self.levels, levels, strict=True))
        return self.cells[place].item()

    def frame(self) -> "polars.DataFrame":
        """A Polars frame with one row per cell: the levels and the count or probability."""
        import polars

        columns: dict[str, Any] = dict(zip(self.axes, zip(*product(*self.levels), strict=True), strict=True))
        columns["count" if self.cells.dtype.kind == "i" else "probability"] = self.cells.ravel()
        return polars.DataFrame(columns)
