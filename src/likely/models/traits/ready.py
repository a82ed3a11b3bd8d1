"""Rows that a fitted model has read and encoded: they stand for X where the same model is asked about them again.

What wraps a model asks it twice, what it says of the rows and then how it came to say so. Whoever asks twice makes the
rows ready first, and the table is read and encoded once. No other model understands them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from likely import engines
from likely.data.accepted import Prepared
from likely.data.inputs import Batch, Input


@dataclass(frozen=True)
class Ready(Prepared):
    """Rows as one model takes them, in batches."""

    encoded: list[Batch]
    like: Any  # the table that was read, which says in what precision answers are wanted

    def batches(self) -> Iterator[Batch]:
        """The number of the first row of each batch, and its rows."""
        return iter(self.encoded)

    @classmethod
    def of(cls, data: "Input | Ready", encode: Callable[[Any, int], Any]) -> "Ready":
        """The rows of a table, by what makes rows of a batch and the number of its first row; ready ones as they are.

        >>> from likely.data.inputs import read_input
        >>> Ready.of(read_input([[1.0], [2.0]]), lambda x, first: x.ravel()).encoded
        [(0, array([1., 2.]))]
        """
        if isinstance(data, Ready):
            return data
        found = engines.current().map(data.batches(), lambda batch: (batch[0], encode(batch[1], batch[0])))
        return cls(list(found), getattr(data, "x", getattr(data, "like", None)))


def encoded(data: Input | Ready, encode: Callable[[Any, int], Any]) -> Iterator[Batch]:
    """The batches as one model takes them, one after another: made now, unless they are ready."""
    if isinstance(data, Ready):
        return data.batches()
    return ((start, encode(batch, start)) for start, batch in data.batches())
