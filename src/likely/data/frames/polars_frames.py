"""Any table as a polars frame."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from likely.data.accepted import TableLike
from likely.data.frames.columns import narrow, to_series
from likely.data.frames.recognition import (
    column_names,
    is_arrow,
    is_dask,
    is_foreign,
    is_frame,
    is_plain,
    is_records,
    is_stream,
    not_tabular,
    numbered,
)
from likely.errors import InputError
from likely.numeric.arrays import Array


def to_polars(X: TableLike) -> pl.DataFrame:
    """The rows of X as a polars frame: any frame or Arrow stream, a dict of columns, an array (n, d), a list of rows.

    >>> to_polars([[5.1, "red"], [None, "blue"]]).rows()
    [(5.1, 'red'), (None, 'blue')]
    >>> dict(to_polars({"age": [31, 47], "sex": ["f", None]}).schema)
    {'age': Int64, 'sex': String}
    >>> to_polars([{"age": 31}, {"age": 47, "sex": "m"}]).rows()
    [(31, None), (47, 'm')]
    """
    if isinstance(X, pl.DataFrame):
        return _narrowed(X)
    if isinstance(X, pl.LazyFrame):
        return _narrowed(X.collect())
    if is_dask(X):
        from likely.data.sources.dask_frames import DaskFrame

        return DaskFrame(X).whole()
    if is_stream(X):
        return _narrowed(_of_stream(X))
    if is_records(X):
        X = _columns_of_records(X)
    if is_foreign(X):
        return _foreign_to_polars(X)
    if is_frame(X):
        columns = _columns_of_frame(X)
    elif isinstance(X, np.ndarray | list | tuple):
        columns = _columns_of_rows(X)
    else:
        raise not_tabular(X)
    names = column_names(X) or numbered(len(columns))
    series = [to_series(name, values) for name, values in zip(names, columns, strict=True)]
    if len({len(column) for column in series}) > 1:
        lengths = ", ".join(f"{column.name!r} has {len(column)}" for column in series)
        raise InputError(f"the columns differ in length: {lengths}. Give each column one value per row.")
    return pl.DataFrame(dict(zip(names, series, strict=True)))


def in_memory(X: TableLike) -> Any:
    """X, unless its rows cannot be counted and picked where they are: then a polars frame of them.

    That is so of paths, Arrow streams, relations, lazy and Dask frames, rows as mappings and structured arrays.
    """
    if isinstance(X, os.PathLike):
        from likely.data.frames.tables import read_table

        return read_table(X)
    if isinstance(X, np.ndarray):
        return X if X.dtype.names is None else to_polars(X)
    elsewhere = isinstance(X, pl.LazyFrame) or is_dask(X) or is_stream(X) or is_records(X)
    return to_polars(X) if elsewhere else X


def _of_stream(X: Any) -> pl.DataFrame:
    """All rows of an Arrow stream, which may be read once only."""
    try:
        return pl.DataFrame(X) if hasattr(type(X), "__arrow_c_stream__") else X.pl()
    except (ImportError, ValueError, TypeError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{type(X).__name__} cannot be read as a table: {str(error).splitlines()[0]}") from None


def _columns_of_records(X: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Columns in the order in which the rows first name them; a cell that a row does not name is missing."""
    names = dict.fromkeys(name for row in X for name in row)
    return {name: [row.get(name) for row in X] for name in names}


def _narrowed(frame: pl.DataFrame) -> pl.DataFrame:
    """Whole numbers of 128 bits, which arrays cannot hold, in 64 where they fit."""
    wide = [name for name, dtype in frame.schema.items() if dtype in (pl.Int128, pl.UInt128)]
    return frame.with_columns(narrow(frame[name]) for name in wide) if wide else frame


def _columns_of_frame(X: Any) -> list[Any]:
    if isinstance(X, Mapping):
        return list(X.values())
    if isinstance(X, np.ndarray):
        return [X[name] for name in X.dtype.names or ()]
    if is_arrow(X):
        return list(X.columns)
    return [X.iloc[:, j] for j in range(X.shape[1])]


def _columns_of_rows(X: Array | Sequence[Any]) -> list[Any]:
    if isinstance(X, np.ndarray):
        if X.ndim != 2:
            raise _not_two_dimensional(f"{X.ndim}D array")
        return [X[:, j] for j in range(X.shape[1])]
    if not X:
        raise InputError("an empty list has no rows and no columns. Give at least one row.")
    if not all(issubclass(kind, list | tuple | np.ndarray) for kind in set(map(type, X))):
        raise _not_two_dimensional("1D list")
    lengths = list(map(len, X))
    if len(set(lengths)) > 1:
        row = next(i for i, length in enumerate(lengths) if length != lengths[0])
        raise InputError(f"row {row} has {lengths[row]} cells and row 0 has {lengths[0]}. Give every row as many.")
    return [list(cells) for cells in zip(*X, strict=True)]


def _not_two_dimensional(kind: str) -> InputError:
    return InputError(
        f"Expected 2D array, got {kind} instead. Reshape your data either using array.reshape(-1, 1) if your data has "
        "a single feature or array.reshape(1, -1) if it contains a single sample."
    )


def _foreign_to_polars(X: Any) -> pl.DataFrame:
    import narwhals

    frame = narwhals.from_native(X)
    native = narwhals.to_native(frame.collect() if isinstance(frame, narwhals.LazyFrame) else frame)
    if is_plain(native):
        return to_polars(native)
    column_names(X)  # refuses names that cannot be used
    frame = narwhals.from_native(native, eager_only=True)
    return pl.DataFrame(frame.to_polars())
