"""What the first rows of delimited text hold that is hardly meant so: row numbers, and gaps that have a name."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

import polars as pl

from likely.errors import InputError

_LOOKED_AT = 1_000  # rows
_GAPS = ("NA", "N/A", "NaN", "nan", "?", "-", "NULL", "null")


_UNASKED: ContextVar[bool] = ContextVar("unasked", default=False)


@contextmanager
def without_suspicions() -> Iterator[None]:
    """Open files without a look at their first rows: for whoever looks at them in another way."""
    before = _UNASKED.set(True)
    try:
        yield
    finally:
        _UNASKED.reset(before)


class _Rows(Protocol):
    @property
    def dtypes(self) -> pl.Schema: ...
    def head(self, n: int) -> Any: ...


def warn_of_first_rows(source: _Rows) -> None:
    """Warn of a column without a name that numbers the rows, and of spellings of a gap among numbers."""
    if _UNASKED.get():
        return
    texts = [name for name, dtype in source.dtypes.items() if dtype == pl.String]
    unnamed = "" in source.dtypes and source.dtypes[""].is_integer()
    if not texts and not unnamed:
        return
    try:
        first = source.head(_LOOKED_AT)
    except InputError:  # a mistake in the rows is told to whoever reads them
        return
    if unnamed and first.height > 1 and (first[""].diff().drop_nulls() == 1).all():
        warnings.warn(
            'a column without a name numbers the rows, and would be learned as a feature: leave it out by drop=""',
            stacklevel=3,
        )
    for name in texts:
        spelled = _gaps_among_numbers(first[name])
        if spelled:
            warnings.warn(
                f"column {name!r} holds numbers and {spelled[0]!r}, so that it is read as text; if that is a missing "
                f"cell, say missing={(spelled[0] if len(spelled) == 1 else spelled)!r}",
                stacklevel=3,
            )


def _gaps_among_numbers(column: pl.Series) -> list[str]:
    """The spellings of a gap in a column of texts all of whose other cells are numbers."""
    cells = column.drop_nulls().str.strip_chars()
    others = cells.filter(~cells.is_in(_GAPS))
    if not len(others) or others.cast(pl.Float64, strict=False).null_count():
        return []
    return sorted(set(cells.filter(cells.is_in(_GAPS)).to_list()))
