"""Rows that are alike in every feature.

Cells are equal when their values are; missing cells (null, NaN) equal each other, and so do 0 and -0. Columns are
hashed and grouped by Polars; a row of a sparse matrix is the list of its stored columns and values.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from likely.data.accepted import TableLike
from likely.data.frames import to_polars
from likely.numeric.arrays import Array, Ints


@dataclass(frozen=True, eq=False)
class Duplicates:
    """The group of rows with the same features that each row belongs to."""

    first: Ints  # (n,)  number of the first row with the same features: its own, if there is none before it

    @property
    def duplicated(self) -> Array:
        """Whether another row has the same features (n,)."""
        return np.asarray(np.bincount(self.first, minlength=len(self.first))[self.first] > 1)

    @property
    def extra(self) -> int:
        """How many rows repeat one before them."""
        return int((self.first != np.arange(len(self.first))).sum())

    @property
    def other(self) -> Ints:
        """The first other row with the same features (n,); -1 where there is none."""
        rows = np.arange(len(self.first))
        later = np.flatnonzero(self.first != rows)
        out = np.where(self.first != rows, self.first, -1)
        out[self.first[later[::-1]]] = later[::-1]  # of several the last one written, which is the lowest, stays
        return out

    def groups(self) -> list[Ints]:
        """Numbers of the rows of each group of two rows or more."""
        rows = np.flatnonzero(self.duplicated)
        order = rows[np.argsort(self.first[rows], kind="stable")]
        return [g for g in np.split(order, np.flatnonzero(np.diff(self.first[order])) + 1) if len(g)]

    def within(self, names: Array) -> "Duplicates":
        """The groups of rows that are alike and have the same name, too; names (n,) are numbers.

        >>> Duplicates(np.array([0, 0, 0, 3])).within(np.array([7, 8, 8, 8])).first.tolist()
        [0, 1, 1, 3]
        """
        _, start, place = np.unique(np.stack([self.first, names]), axis=1, return_index=True, return_inverse=True)
        return Duplicates(start[place.ravel()])

    def contradictory(self, codes: Array) -> Array:
        """Whether a row with the same features has another label (n,)."""
        differs = codes != codes[self.first]
        return np.asarray(np.bincount(self.first, weights=differs, minlength=len(codes))[self.first] > 0)


def duplicate_rows(X: TableLike) -> Duplicates:
    """Find the rows that are alike in a frame, an array, a sparse matrix or a list of texts.

    >>> found = duplicate_rows([[1.0, "a"], [None, "a"], [1.0, "a"], [None, "a"], [2.0, "b"]])
    >>> found.first.tolist(), found.extra
    ([0, 1, 0, 1, 4], 2)
    >>> found.contradictory(np.array([0, 0, 1, 0, 1])).tolist()
    [True, False, True, False, False]
    """
    frame = _sparse_rows(X) if hasattr(X, "tocsr") else cells_of(X)
    names = frame.columns
    number = "row"
    while number in names:
        number += "_"
    first = frame.with_row_index(number).select(pl.col(number).min().over(names))
    return Duplicates(first[number].to_numpy().astype(np.int64))


def cells_of(X: Any) -> pl.DataFrame:
    """The cells of a table or of a list of texts, of which those that count as equal are equal."""
    return _canonical(_table(X))


def _table(X: Any) -> pl.DataFrame:
    listed = isinstance(X, list | tuple) and bool(X) and isinstance(X[0], str)
    if listed or getattr(X, "ndim", 2) == 1:
        return pl.DataFrame({"x0": [None if v is None else str(v) for v in X]})
    return to_polars(X)


def _canonical(frame: pl.DataFrame) -> pl.DataFrame:
    floats = [name for name, kind in frame.schema.items() if kind.is_float()]
    return frame.with_columns(pl.col(floats).fill_nan(None) + 0.0) if floats else frame


def _sparse_rows(X: Any) -> pl.DataFrame:
    matrix = X.tocsr().copy()
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    row = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    cells = pl.DataFrame({"row": row, "column": matrix.indices.astype(np.int64), "value": matrix.data})
    lists = cells.group_by("row", maintain_order=True).agg("column", "value")
    every = pl.DataFrame({"row": np.arange(matrix.shape[0])})
    return every.join(lists, on="row", how="left", maintain_order="left").drop("row")
