"""Rows back into the kind of frame that the user has, in the types of the user's columns where the cells fit."""

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl

from likely.data.frames.recognition import (
    column_names,
    is_a,
    is_arrow,
    is_foreign,
    is_pandas,
    is_plain,
    not_tabular,
    numbered,
)
from likely.numeric.arrays import Array


def from_polars(frame: pl.DataFrame, like: object) -> Any:
    """The rows of `frame` in the kind of frame that `like` is, with the types of its columns where they fit.

    A column of integers that has come to hold missing cells becomes floats with NaN in pandas, as pandas does itself.

    >>> from_polars(pl.DataFrame({"age": [31, 47]}), like={"age": [20]})
    {'age': [31, 47]}
    """
    if isinstance(like, pl.DataFrame):
        return frame
    if isinstance(like, pl.LazyFrame):
        return frame.lazy()
    if is_pandas(like):
        return _to_pandas(frame, like)
    if is_arrow(like):
        return _to_arrow(frame, like)
    if isinstance(like, Mapping):
        return frame.to_dict(as_series=False)
    if isinstance(like, list | tuple | np.ndarray):
        return np.array(frame.rows(), dtype=object).reshape(frame.shape)
    if is_foreign(like):
        return _to_foreign(frame, like)
    raise not_tabular(like)


def bare_table(X: Any) -> Any:
    """The user's own table without columns, of pandas with its index, of Arrow without rows; None: neither of these."""
    if is_pandas(X):
        return X.iloc[:, :0]
    if is_a(X, "pandas", "Series"):
        return X.to_frame().iloc[:, :0]
    return X.slice(0, 0).select([]) if is_arrow(X) and hasattr(X, "schema") else None


def told_like(frame: pl.DataFrame, like: Any, rows: Any = None) -> Any:
    """What is told of rows, in the library of the user: `like` is their `bare_table`, a Polars frame where it is None.

    In pandas a row has the label that it has in the user's index. `rows` are numbers of the user's rows, where the
    frame has others than one for each in their order.
    """
    if like is None:
        return frame
    out = from_polars(frame, like)
    if is_pandas(like):
        out.index = like.index if rows is None else like.index[rows]
    return out


def figures_like(frame: pl.DataFrame, like: object) -> Any:
    """Figures about rows, not one for each, in the library of the user: `like` is the `bare_table` of the rows."""
    return frame if like is None else from_polars(frame, like)


def _to_pandas(frame: pl.DataFrame, like: Any) -> Any:
    pandas = sys.modules["pandas"]
    names = column_names(like) or numbered(like.shape[1])
    place = {name: j for j, name in enumerate(names)}
    columns, labels = [], []
    for column in frame:
        j = place.get(column.name)
        columns.append(_to_pandas_column(column, None if j is None else like.dtypes.iloc[j]))
        labels.append(column.name if j is None else like.columns[j])
    out = pandas.DataFrame(dict(enumerate(columns)), index=pandas.RangeIndex(frame.height))
    out.columns = like.columns if frame.columns == names else pandas.Index(labels)
    return out


def _to_pandas_column(column: pl.Series, dtype: object) -> Any:
    pandas: Any = sys.modules["pandas"]
    numeric = column.dtype == pl.Boolean or (column.dtype.is_numeric() and not column.dtype.is_decimal())
    if isinstance(dtype, pandas.CategoricalDtype):
        levels = pl.Enum([str(level) for level in dtype.categories])
        cells = column.cast(pl.String).cast(levels, strict=False)
        if cells.null_count() == column.null_count():
            codes = cells.to_physical().cast(pl.Int64).fill_null(-1).to_numpy()
            return pandas.Series(pandas.Categorical.from_codes(codes, dtype=dtype))
    elif numeric and (dtype is None or (isinstance(dtype, np.dtype) and dtype.kind in "iufb")):
        return pandas.Series(_to_numbers(column, dtype))
    elif dtype is not None:
        try:
            return pandas.Series(column.to_list(), dtype=dtype)
        except (TypeError, ValueError):
            pass  # the cells do not fit the type that the user's column has
    return pandas.Series(column.to_list(), dtype=None if column.len() else object)


def _to_numbers(column: pl.Series, dtype: np.dtype[Any] | None) -> Array:
    """In the type wanted if it holds every cell, else in the type that pandas would give them."""
    if column.null_count() and column.dtype == pl.Boolean:
        return np.array(column.to_list(), dtype=object)
    values = column.to_numpy()
    if dtype is None:
        return np.array(values)
    if dtype.kind == "f":
        return values.astype(dtype)
    with np.errstate(invalid="ignore"):
        cast = values.astype(dtype)
    return cast if np.array_equal(cast, values) else np.array(values)


def _to_arrow(frame: pl.DataFrame, like: Any) -> Any:
    import pyarrow

    columns = [_to_arrow_column(column, like.schema) for column in frame]
    table = pyarrow.table(columns, names=frame.columns)
    if isinstance(like, pyarrow.Table):
        return table
    batches = table.combine_chunks().to_batches()
    return batches[0] if batches else pyarrow.RecordBatch.from_arrays(columns, names=frame.columns)


def _to_arrow_column(column: pl.Series, schema: Any) -> Any:
    import pyarrow

    place = schema.get_field_index(column.name)
    if place < 0:
        return column.to_arrow()
    wanted = schema.field(place).type
    try:
        if pyarrow.types.is_dictionary(wanted):
            return _to_dictionary(column, wanted)
        return column.to_arrow().cast(wanted)
    except (pyarrow.ArrowInvalid, pyarrow.ArrowNotImplementedError, pyarrow.ArrowTypeError):
        return column.to_arrow()  # the cells do not fit the type that the user's column has


def _to_dictionary(column: pl.Series, wanted: Any) -> Any:
    import pyarrow

    levels = (
        column.dtype.categories
        if isinstance(column.dtype, pl.Enum)
        else column.drop_nulls().cast(pl.String).unique(maintain_order=True)
    )
    codes = column.cast(pl.String).cast(pl.Enum(levels)).to_physical().to_arrow().cast(wanted.index_type)
    values = levels.to_arrow().cast(wanted.value_type)
    return pyarrow.DictionaryArray.from_arrays(codes, values, ordered=wanted.ordered)


def _to_foreign(frame: pl.DataFrame, like: Any) -> Any:
    import narwhals

    wrapped = isinstance(like, narwhals.DataFrame | narwhals.LazyFrame)
    native = narwhals.to_native(like) if wrapped else like
    if is_plain(native):
        out = from_polars(frame, native)
    else:
        backend = narwhals.from_native(native, eager_only=True).implementation
        out = narwhals.to_native(narwhals.from_dict(frame.to_dict(as_series=False), backend=backend))
    return narwhals.from_native(out) if wrapped else out
