"""Tables that laws are tried on, cut and pasted: a matrix of numbers or texts, or a Polars frame."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from likely.data import inputs
from likely.numeric.arrays import Array

Table: TypeAlias = Any  # a matrix of numbers, an array of texts, or a Polars frame


def taken(X: Table, index: ArrayLike) -> Table:
    return X[np.asarray(index).tolist()] if isinstance(X, pl.DataFrame) else X[index]


def joined(*tables: Table) -> Table:
    return pl.concat(tables) if isinstance(tables[0], pl.DataFrame) else np.concatenate(tables)


def blanked(X: Table, column: int) -> Table:
    """The column missing."""
    if isinstance(X, pl.DataFrame):
        name = X.columns[column]
        return X.with_columns(pl.lit(None, dtype=X[name].dtype).alias(name))
    out = X.astype(np.float64)
    out[:, column] = np.nan
    return out


def without(X: Table, column: int) -> Table:
    return X.drop(X.columns[column]) if isinstance(X, pl.DataFrame) else np.delete(X, column, axis=1)


def missing(X: Table) -> Any:
    """Which cells are missing (n, d)."""
    if isinstance(X, pl.DataFrame):
        return np.stack([column.is_null().to_numpy() for column in X], axis=1)
    return np.isnan(X.astype(np.float64))


def complete(X: Table) -> Table:
    return taken(X, np.flatnonzero(~missing(X).any(axis=1)))


def column_of(X: Table, j: int) -> Any:
    return X[:, j].to_numpy().astype(np.float64) if isinstance(X, pl.DataFrame) else X[:, j]


def rescaled(X: Table, j: int, unit: float) -> Table:
    if isinstance(X, pl.DataFrame):
        return X.with_columns(X[:, j] * unit)
    out = X.copy()
    out[:, j] *= unit
    return out


def parts_of(rng: np.random.Generator, y: Array, count: int = 3) -> list[Any]:
    """A partition of the rows; the first part knows only one class, the last lacks one."""
    part = rng.integers(0, count, size=len(y))
    part[(part == 0) & (y != "birch")] = 1
    part[(part == count - 1) & (y == "ash")] = 1
    part[:count] = np.where(y[:count] == "birch", np.arange(count), 1)
    return [index for index in (np.flatnonzero(part == i) for i in range(count)) if len(index)]


@contextmanager
def small_batches() -> Iterator[None]:
    """Inside, tables are read a few rows at a time, so that small ones come in many batches."""
    usual = inputs._BATCH_ROWS, inputs._BATCH_CELLS
    inputs._BATCH_ROWS, inputs._BATCH_CELLS = 7, 16
    try:
        yield
    finally:
        inputs._BATCH_ROWS, inputs._BATCH_CELLS = usual
