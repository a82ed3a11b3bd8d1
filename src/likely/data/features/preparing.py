"""Columns made ready to be learned from: dates as days, and numbers that no sum can hold as missing."""

import polars as pl

from likely.data.encoding import LARGEST
from likely.data.findings import suspicions
from likely.errors import InputError


def prepared_column(column: pl.Series, kind: str, pattern: str | None = None) -> pl.Series:
    """A column of a kind; dates that are written as text follow a pattern."""
    if kind != "date":
        return without_extremes(column)
    if pattern is not None and column.dtype == pl.String:
        dates = suspicions.read_dates(column, pattern)
        lost = column.is_not_null() & dates.is_null()
        if lost.any():
            row = int(lost.arg_max() or 0)
            raise InputError(
                f"column {column.name!r}, row {row}: {column[row]!r} is not a date written as {pattern}, as the "
                "others are. Correct it, or make it missing."
            )
        column = dates
    return days(column)


def without_extremes(column: pl.Series) -> pl.Series:
    """The column with NaN, infinite numbers and those that cannot be squared as missing."""
    if not column.dtype.is_float():
        return column
    return column.set(~(column.is_finite() & (column.abs() <= LARGEST)), None)


def days(column: pl.Series) -> pl.Series:
    """Dates as days since 1970-01-01, times and durations as days."""
    if column.dtype == pl.Date:
        return column.cast(pl.Int32)
    if column.dtype == pl.Time:
        return column.cast(pl.Int64) / 86_400e9
    if isinstance(column.dtype, pl.Datetime):
        return column.dt.timestamp("us") / 86_400e6
    if isinstance(column.dtype, pl.Duration):
        return column.dt.total_microseconds() / 86_400e6
    return column
