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
                f"column {column.name!r}, row {row}: {column[row]!r} is not a date written as the others are, like "
                f"{_like(pattern)}. Correct it, or make it missing."
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


def _like(pattern: str) -> str:
    """A date written so, in which day and month cannot be taken for each other.

    >>> _like("%d.%m.%Y"), _like("%Y-%m-%d %H:%M:%S%.f")
    ('31.12.2024', '2024-12-31 23:59:00')
    """
    from datetime import datetime

    return datetime(2024, 12, 31, 23, 59).strftime(pattern.replace("%.f", ""))


def read_dates(cells: "pl.Series", pattern: str) -> "pl.Series":
    """Texts as dates; null for what is none."""
    if "%H" in pattern:
        return cells.str.to_datetime(pattern, time_unit="us", strict=False)
    return cells.str.to_date(pattern, strict=False)


PARTS = ("year", "month", "weekday", "hour")  # of a date, as columns of their own: "NAME: year"


def with_parts(frame: "pl.DataFrame", patterns: "dict[str, str]") -> "pl.DataFrame":
    """The table with the year, month, weekday and hour of its dates, each where it is not the same in every row.

    `patterns` are those of dates that are written as text, by column.

    >>> import polars as pl
    >>> from datetime import date
    >>> with_parts(pl.DataFrame({"day": [date(2024, 5, 6), date(2024, 5, 7)]}), {}).columns
    ['day', 'day: weekday']
    """
    found = []
    for name in frame.columns:
        dates = _dates_of(frame[name], patterns.get(name))
        if dates is not None:
            found += [cells for part in PARTS if (cells := date_part(dates, name, part)).drop_nulls().n_unique() > 1]
    return frame.with_columns(cells for cells in found if cells.name not in frame.columns)


def with_asked_parts(
    frame: "pl.DataFrame", names: "tuple[str, ...]", patterns: "dict[str, str | None]"
) -> "pl.DataFrame":
    """The table with the parts of dates that a model learned, where it has the dates and not the parts."""
    added = []
    for name in names:
        source, colon, part = name.rpartition(": ")
        if colon and part in PARTS and name not in frame.columns and source in frame.columns:
            dates = _dates_of(frame[source], patterns.get(source) or None)
            if dates is not None:
                added.append(date_part(dates, source, part))
    return frame.with_columns(added) if added else frame


def date_part(dates: "pl.Series", name: str, part: str) -> "pl.Series":
    """A part of dates: the year and the hour as numbers, the month and the weekday by name."""
    import polars as pl

    if part == "hour":
        has_time = isinstance(dates.dtype, pl.Datetime)
        # An hour is no count: midnight is not the absence of hours, as whole numbers from 0 on would have it.
        cells = (dates.dt.hour() if has_time else pl.Series([None] * len(dates), dtype=pl.Int8)).cast(pl.Float64)
    elif part == "year":
        cells = dates.dt.year()
    else:
        cells = dates.dt.strftime("%b" if part == "month" else "%a")
    return cells.alias(f"{name}: {part}")


def _dates_of(column: "pl.Series", pattern: str | None) -> "pl.Series | None":
    """Dates, or None where the column holds none."""
    import polars as pl

    if column.dtype == pl.Date or isinstance(column.dtype, pl.Datetime):
        return column
    return read_dates(column, pattern) if pattern and column.dtype == pl.String else None
