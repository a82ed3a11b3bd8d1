"""What a source of data is: batches by number, as often as wanted.

Whatever has these members is one, without a base class: a file, a table in memory, a query of a database, a collection
on a cluster. A sum over batches (`likely.engines`) reads batch i where it is worked on, so a source that is to be read
elsewhere can be pickled; one that can only be read from its beginning says so with `n_batches = None`, and its batches
are then sent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    import polars as pl  # noqa: F401  named below in quotes

B = TypeVar("B")
B_co = TypeVar("B_co", covariant=True)


class Source(Protocol[B_co]):
    """Batches that have numbers: what an engine sums over."""

    @property
    def n_batches(self) -> int | None:
        """How many there are; None if only reading them tells."""

    def batch(self, number: int) -> B_co:
        """Batch `number`, counted from 0: the same each time, without reading those before it."""

    def batches(self) -> Iterator[B_co]:
        """All of them, in order, from the beginning each time."""
        for number in range(self.n_batches or 0):
            yield self.batch(number)


@runtime_checkable
class TableSource(Source["pl.DataFrame"], Protocol):
    """Rows of a table in batches, each a Polars frame of the same columns: what an estimator learns from.

    >>> import tempfile, likely, polars as pl
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pl.DataFrame({"x": [1.0, 2.0], "y": ["a", "b"]}).write_csv(f"{folder}/rows.csv")
    ...     source = likely.scan(f"{folder}/rows.csv")
    ...     list(source.columns), sum(len(batch) for batch in source.batches())
    (['x', 'y'], 2)
    """

    @property
    def columns(self) -> Sequence[str]:
        """Names, in the order of the frames."""

    @property
    def target(self) -> str | None:
        """The column that holds the class, if it is known."""

    def first_row(self, number: int) -> int:
        """How many rows come before this batch: messages name a cell by its row in the whole table."""


@dataclass(frozen=True)
class Kept(Source[B], Generic[B]):
    """Batches held in memory, for algorithms that pass over them many times.

    >>> list(Kept(("a", "b")).batches())
    ['a', 'b']
    """

    held: tuple[B, ...]

    @property
    def n_batches(self) -> int:
        return len(self.held)

    def batch(self, number: int) -> B:
        return self.held[number]
