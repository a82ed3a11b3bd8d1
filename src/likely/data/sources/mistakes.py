"""What is said about a file that cannot be read."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from likely.errors import InputError

# What polars raises at bytes that it cannot read; a panic is no Exception.
FAILURES = (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError)


def reason(error: BaseException) -> str:
    """The first line of polars' message."""
    return str(error).partition("\n")[0].rstrip(".")


@contextmanager
def in_rows(first: int, count: int) -> Iterator[None]:
    """Inside, what is wrong is said of these rows of the table: a batch counts its own from 0."""
    try:
        yield
    except InputError as error:
        if not first:
            raise
        raise InputError(f"in rows {first:,} to {first + count - 1:,}, there counted from 0: {error}") from None


def not_utf8(path: Path, line: int, error: UnicodeDecodeError) -> InputError:
    """The error for text in another encoding."""
    byte = error.object[error.start]
    return InputError(
        f"{path}, line {line:,}: byte 0x{byte:02x} is not UTF-8 text. Convert the file, "
        f"with iconv -f latin1 -t utf-8 if it is Western European text."
    )


def type_to_give(value: Any) -> str:
    """The type to give to a column that holds this value too.

    >>> type_to_give("1.5"), type_to_give("red")
    ('polars.Float64', 'polars.String')
    """
    if isinstance(value, list | dict):
        return "..."
    try:
        float(value)
    except (TypeError, ValueError):
        return "polars.String"
    return "polars.Float64"
