"""Parquet and Arrow files, read in slices of rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import polars as pl
from polars.selectors import by_name

from likely.data.inputs import batch_rows
from likely.data.sources.mistakes import FAILURES, reason
from likely.data.sources.parsers.column_types import final_types, typed
from likely.errors import InputError

Layout: TypeAlias = Literal["Parquet", "Arrow"]

_SLICE = 65_536  # rows read at a time, at most
_SLICE_BATCHES = 4  # batches read at a time when they are wide: every slice unpacks whole pages anew


@dataclass(frozen=True)
class Columnar:
    """Parquet or Arrow: columns are stored apart and rows can be addressed."""

    path: Path
    layout: Layout
    own: pl.Schema
    rows: int

    @classmethod
    def open(cls, path: Path, layout: Layout) -> "Columnar":
        with _reading(path, layout):
            lazy = _lazy(path, layout)
            return cls(path, layout, lazy.collect_schema(), int(lazy.select(pl.len()).collect().item()))

    def frames(self, dtypes: pl.Schema) -> Iterator[pl.DataFrame]:
        """The rows in order, a slice at a time."""
        step = min(_SLICE, _SLICE_BATCHES * batch_rows(len(dtypes)))
        for start in range(0, self.rows, step):
            yield self.slice(start, min(start + step, self.rows), dtypes)

    def slice(self, start: int, stop: int, dtypes: pl.Schema) -> pl.DataFrame:
        """The rows from `start` up to `stop`."""
        with _reading(self.path, self.layout):
            lazy = _lazy(self.path, self.layout).select(by_name(*dtypes)).slice(start, stop - start)
            frame = typed(lazy.collect(), final_types(dtypes))
        if frame.height != stop - start:
            raise InputError(f"{self.path}: the file was changed while it was being read. Scan it again.")
        return frame


def _lazy(path: Path, layout: Layout) -> pl.LazyFrame:
    if layout == "Parquet":
        return pl.scan_parquet(path, glob=False, hive_partitioning=False)
    return pl.scan_ipc(path, glob=False, hive_partitioning=False)


@contextmanager
def _reading(path: Path, layout: Layout) -> Iterator[None]:
    try:
        yield
    except FAILURES as error:
        hint = " Arrow streams are not read, only Arrow files (Feather 2)." if layout == "Arrow" else ""
        raise InputError(f"{path} cannot be read as {layout}: {reason(error)}.{hint}") from None
