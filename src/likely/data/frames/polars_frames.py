"""Any table as a polars frame."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from likely.data.frames.columns import to_series
from likely.data.frames.recognition import (
    column_names,
    is_arrow,
    is_foreign,
    is_frame,
    is_plain,
    not_tabular,
    numbered,
)
from likely.errors import InputError
from likely.numeric.arrays import Array


def to_polars(X: Any) -> pl.DataFrame:
    """The rows of X as a polars frame: any frame, a dict of columns, an array (n, d) or a list of rows.

    >>> to_polars([[5.1, "red"], [None, "blue"]]).rows()
    [(5.1, 'red'), (None, 'blue')]
    >>> to_polars({"age": [31, 47], "sex": ["f", None]}).schema
    Schema([('age', Int64), ('sex', String)])
    """
    if isinstance(X, pl.DataFrame):
        return X
    if isinstance(X, pl.LazyFrame):
        return X.collect()
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
