"""The rows that a model of neighbours keeps: their cells, what is known of each, and its weight.

This is the statistic of these models. Rows are added and taken away exactly: what is left is what would have been
learned without them.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.data.distances.cells import CellPlan, Cells, rows_of_keys
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats

_ROUNDING = 1e-9  # of a weight that was added up


@dataclass(frozen=True, eq=False)
class Known:
    """Rows with a class or an amount each."""

    plan: CellPlan
    cells: Cells
    y: Array  # (n,)  codes of classes, int64, or amounts
    weight: Floats  # (n,)

    def __len__(self) -> int:
        return len(self.y)

    def taken(self, rows: Array) -> Self:
        """Some of the rows."""
        return replace(self, cells=self.cells.taken(rows), y=self.y[rows], weight=self.weight[rows])

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            cells=self.cells + other.cells,
            y=np.concatenate([self.y, other.y]),
            weight=np.concatenate([self.weight, other.weight]),
        )

    def without(self, gone: Self) -> Self:
        """The rows that are left; refused where some of those to go are not there, or weigh more than they do."""
        mine, its = rows_of_keys(self._keys(), gone._keys(self))
        most = max(int(mine.max()), int(its.max())) + 1
        had = np.bincount(mine, self.weight, most)
        off = np.bincount(its, gone.weight, most)
        short = off > had * (1 + _ROUNDING)
        if short.any():
            row = int(np.flatnonzero(short[its])[0])
            raise InputError(
                f"these rows cannot be forgotten: row {row}, with its label, was never learned, or not as often"
            )
        left = np.where(off >= had * (1 - _ROUNDING), 0.0, had - off)
        touched = np.bincount(its, minlength=most) > 0
        first = np.zeros(len(mine), dtype=bool)
        first[np.unique(mine, return_index=True)[1]] = True
        kept = np.flatnonzero(~touched[mine] | (first & (left[mine] > 0)))
        if not len(kept):
            raise InputError("forgetting these rows would leave nothing; make a new model instead")
        rest = self.taken(kept)
        return replace(rest, weight=np.where(touched[mine[kept]], left[mine[kept]], rest.weight))

    def alike(self, other: Self) -> bool:
        """Whether both keep rows of the same columns."""
        a, b = self.plan, other.plan
        named = a.schema.named and b.schema.named
        places = all(getattr(a, part) == getattr(b, part) for part in ("numbers", "ranks", "codes", "texts"))
        return places and (not named or a.schema.names == b.schema.names)

    def _keys(self, among: Self | None = None) -> Array:
        cells = self.cells if among is None else self.cells.with_levels(among.cells.levels, learning=False)
        return _with(cells.keys(), self.y)


def _with(keys: Array, y: Array) -> Array:
    """Keys of rows together with what is known of them."""
    out = np.empty(len(keys), dtype=[("row", keys.dtype), ("y", np.int64)])
    out["row"] = keys
    out["y"] = y if y.dtype.kind == "i" else (y.astype(np.float64) + 0.0).view(np.int64)
    return out.view(f"V{out.dtype.itemsize}")
