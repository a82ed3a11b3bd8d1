"""A result in a notebook: the text that a terminal shows, and a table of its figures."""

from collections.abc import Sequence
from html import escape


def as_html(text: str, head: Sequence[str] = (), rows: Sequence[Sequence[object]] = ()) -> str:
    """Text as it is spaced, and below it a table.

    >>> as_html("1 < 2"), "<td>&lt;b&gt;</td>" in as_html("", ["a"], [["<b>"]])
    ('<pre style="white-space: pre-wrap">1 &lt; 2</pre>', True)
    """
    shown = f'<pre style="white-space: pre-wrap">{escape(text, quote=False)}</pre>' if text else ""
    if not head:
        return shown
    heads = "".join(f'<th scope="col">{escape(str(name), quote=False)}</th>' for name in head)
    cells = ("".join(f"<td>{escape(str(cell), quote=False)}</td>" for cell in row) for row in rows)
    body = "".join(f"<tr>{row}</tr>" for row in cells)
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
    return f'{shown}<div style="overflow-x: auto">{table}</div>'
