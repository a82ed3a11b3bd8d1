"""Columns made ready to be learned from: dates as days, and numbers that no sum can hold as missing."""

import polars as pl

from likely.data.columns.encoding import LARGEST
from likely.data.features.dates import as_days


def prepared_column(column: pl.Series, kind: str, pattern: str | None = None) -> pl.Series:
    """A column of a kind; dates that are written as text follow a pattern."""
    return as_days(column, pattern) if kind == "date" else without_extremes(column)


def without_extremes(column: pl.Series) -> pl.Series:
    """The column with NaN, infinite numbers and those that cannot be squared as missing."""
    if not column.dtype.is_float():
        return column
    return column.set(~(column.is_finite() & (column.abs() <= LARGEST)), None)
