"""Columns of text that line up."""

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """Rows of cells as lines; the columns in `left` begin at the left, the others end at the right.

    >>> print(aligned([["", "a"], ["recall", "0.5"], ["F1", "10.25"]]))
                 a
    recall     0.5
    F1       10.25
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(w) if i in left else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
    return "\n".join(line.rstrip() for line in lines)
