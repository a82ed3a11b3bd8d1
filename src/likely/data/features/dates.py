"""Dates as numbers: days since 1970-01-01, which a family of amounts can learn."""

from typing import TYPE_CHECKING

from likely.errors import InputError

if TYPE_CHECKING:
    import polars as pl


def as_days(column: "pl.Series", pattern: str | None = None) -> "pl.Series":
    """A column of dates as days; texts are read by a pattern where there is one, and numbers stay as they are.

    >>> import polars as pl
    >>> as_days(pl.Series(["1970-01-02", None]), "%Y-%m-%d").to_list()
    [1, None]
    """
    import polars as pl

    if pattern and column.dtype == pl.String:
        dates = read_dates(column, pattern)
        lost = column.is_not_null() & dates.is_null()
        if lost.any():
            row = int(lost.arg_max() or 0)
            raise InputError(
                f"column {column.name!r}, row {row}: {column[row]!r} is not a date written as {pattern}, as the "
                "others are. Correct it, or make it missing."
            )
        column = dates
    if column.dtype == pl.Date:
        return column.cast(pl.Int32)
    if column.dtype == pl.Time:
        return column.cast(pl.Int64) / 86_400e9
    if isinstance(column.dtype, pl.Datetime):
        return column.dt.timestamp("us") / 86_400e6
    if isinstance(column.dtype, pl.Duration):
        return column.dt.total_microseconds() / 86_400e6
    return column


def read_dates(cells: "pl.Series", pattern: str) -> "pl.Series":
    """Texts as dates; null for what is none."""
    if "%H" in pattern:
        return cells.str.to_datetime(pattern, time_unit="us", strict=False)
    return cells.str.to_date(pattern, strict=False)
