"""When rows are held between passes, by every algorithm of many passes: one rule.

A table in memory is held as it was encoded. A file is held where what it becomes has at most `MOST_CELLS` numbers
(those stored, of sparse rows), and is read anew at every pass where it has more. What is learned is the same.
"""

from typing import TypeVar

from likely import engines
from likely.data.design import Design
from likely.data.inputs import Input, SourceInput
from likely.data.sources import Source

B = TypeVar("B")

MOST_CELLS = 1 << 26  # half a gigabyte


def held(source: Source[B], cells: float | None) -> Source[B]:
    """The batches held where they are worked on, or this source if they are too many cells of a file (None: no file).

    >>> from likely.data.sources import Kept
    >>> source = Kept(("a", "b"))
    >>> held(source, 2 * MOST_CELLS) is source, held(source, 2) is source
    (True, False)
    """
    return source if cells is not None and cells > MOST_CELLS else engines.current().keep(source)


def cells_of_file(data: Input, rows: float, design: Design) -> float | None:
    """The numbers that are stored of so many rows of a file as matrices; None of a table in memory."""
    if not isinstance(data, SourceInput):
        return None
    return rows * design.width * (design.density if design.sparse else 1.0)
