"""An evaluation in a notebook: what was judged, its figures, truth against answer, and figures of each class."""

from collections.abc import Sequence
from typing import Any

from likely.data.printing.html_table import as_html
from likely.data.printing.wording import amount

MOST_TOGETHER, MOST_LISTED = 20, 50  # classes of a confusion table, and of a list


def head_of(found: Any) -> str:
    """What was judged, in a line."""
    shown = ", ".join(str(c) for c in found.classes[:8]) + (", ..." if len(found.classes) > 8 else "")
    positive = f"; positive: {found.positive}" if found.positive is not None else ""
    return f"{found.n} rows of {len(found.classes)} classes: {shown}{positive}"


def class_rows(found: Any) -> list[list[str]]:
    """A line for each class, after one of heads."""
    rows = [["class", "rows", "recall", "precision", "F1"]]
    for c, count in zip(found.classes[:MOST_LISTED], found.confusion.support, strict=False):
        figures = (found.confusion.measure(name, of=c) for name in ("recall", "precision", "F1"))
        rows.append([str(c), amount(count), *(f.short() for f in figures)])
    return rows


def as_page(found: Any, figures: Sequence[Sequence[str]]) -> str:
    """The whole evaluation as an HTML fragment."""
    parts = [as_html(head_of(found), ["figure", "value, interval, method", "how, or beside it"], figures)]
    if len(found.classes) <= MOST_TOGETHER:
        head, *rows = found.confusion.matrix_rows()
        parts.append(as_html("", head, rows))
    head, *rows = class_rows(found)
    parts.append(as_html("", head, rows))
    return "".join([*parts, *(as_html(f"note: {note}") for note in found.notes)])
