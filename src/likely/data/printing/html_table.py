"""A result in a notebook: the text that a terminal shows, and a table of its figures."""

import re
from collections.abc import Sequence
from html import escape

_WORDS = ' style="text-align: left; white-space: pre-wrap"'  # notebooks align to the right, and swallow leading spaces
_NUMBER = re.compile(r"[-+\u2212]?[\d.,]+(e[-+]?\d+)?( ?%)?|nan|[-+]?inf|")


def as_html(text: str, head: Sequence[str] = (), rows: Sequence[Sequence[object]] = ()) -> str:
    """Text as it is spaced, and below it a table; words are aligned to the left, numbers to the right.

    >>> as_html("1 < 2"), "<td>1</td>" in as_html("", ["a"], [["<b>", 1]])
    ('<pre style="white-space: pre-wrap">1 &lt; 2</pre>', True)
    """
    shown = f'<pre style="white-space: pre-wrap">{escape(text, quote=False)}</pre>' if text else ""
    if not head:
        return shown
    return f'{shown}<div style="overflow-x: auto">{html_table(head, rows)}</div>'


def text_as_html(result: object) -> str:
    """The face in a notebook of a result whose text says it all: that text, as it is spaced.

    >>> class Result:
    ...     def __str__(self):
    ...         return "two  columns"
    ...     _repr_html_ = text_as_html
    >>> Result()._repr_html_()
    '<pre style="white-space: pre-wrap">two  columns</pre>'
    """
    return as_html(str(result))


def html_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table by itself."""
    ranged = [all(_is_number(row[place]) for row in rows if place < len(row)) for place in range(len(head))]
    heads = "".join(
        f'<th scope="col"{"" if right else _WORDS}>{escape(str(name), quote=False)}</th>'
        for name, right in zip(head, ranged, strict=True)
    )
    body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def _cell(value: object) -> str:
    return f"<td{'' if _is_number(value) else _WORDS}>{escape(str(value), quote=False)}</td>"


def _is_number(value: object) -> bool:
    return _NUMBER.fullmatch(str(value)) is not None
