"""A Dask frame as a source: a partition is a batch, computed when it is read, its columns by name."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import polars as pl


@dataclass(frozen=True)
class DaskFrame:
    """The partitions of a Dask frame; a sum over batches has as many of them in memory as it has threads."""

    frame: Any
    target: str | None = None

    @property
    def columns(self) -> list[str]:
        return [str(name) for name in self.frame.columns]

    @property
    def n_batches(self) -> int:
        return int(self.frame.npartitions)

    def batch(self, number: int) -> pl.DataFrame:
        from likely.data.frames import to_polars

        part = to_polars(self.frame.get_partition(number).compute())
        return part.rename(dict(zip(part.columns, self.columns, strict=True)))

    def batches(self) -> Iterator[pl.DataFrame]:
        """The partitions that hold rows."""
        found = map(self.batch, range(self.n_batches))
        return (part for part in found if part.height)

    def first_row(self, number: int) -> int:
        return sum(self._lengths[:number])

    def whole(self) -> pl.DataFrame:
        """All rows, one partition after the other."""
        parts = [self.batch(number) for number in range(self.n_batches)]
        return pl.concat(parts, how="vertical_relaxed", rechunk=True)

    @cached_property
    def _lengths(self) -> list[int]:
        return [int(length) for length in self.frame.map_partitions(len).compute()]
