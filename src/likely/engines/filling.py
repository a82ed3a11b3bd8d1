"""An array filled block by block, side by side: no block is held after it was written."""

from collections.abc import Callable

from likely.numeric.arrays import Array


def fill(out: Array, size: int, work: Callable[[slice], Array]) -> None:
    """Write `work(rows)` into `out[rows]` for every block of so many rows.

    Parameters
    ----------
    out : the array that is written, a row for each row
    size : rows of a block
    work : what gives the values of a block from the slice of its rows

    >>> import numpy as np
    >>> from likely.engines import fill
    >>> squares = np.empty(5)
    >>> fill(squares, 2, lambda rows: np.arange(5)[rows] ** 2)
    >>> squares.tolist()
    [0.0, 1.0, 4.0, 9.0, 16.0]
    """
    from likely.engines import current

    def write(part: tuple[slice, Array]) -> None:
        rows, own = part
        own[:] = work(rows)

    parts = [slice(start, start + size) for start in range(0, len(out), size)]
    current().map([(rows, out[rows]) for rows in parts], write)
