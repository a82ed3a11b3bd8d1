"""Small pieces of HTML: everything that came from the user's data is escaped here and nowhere else."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape


class Html(str):
    """Text that is HTML already; any other text is escaped when it is put into a page."""

    __slots__ = ()


def tag(name: str, *content: object, **attributes: object) -> Html:
    """An element; a trailing underscore of an attribute's name is dropped.

    >>> tag("p", "1 < 2, ", tag("b", "yes"), class_="note")
    '<p class="note">1 &lt; 2, <b>yes</b></p>'
    """
    given = "".join(f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"' for key, value in attributes.items())
    return Html(f"<{name}{given}>{join(content)}</{name}>")


def join(content: Iterable[object]) -> Html:
    """Pieces one after the other."""
    return Html("".join(piece if isinstance(piece, Html) else escape(str(piece), quote=False) for piece in content))


_LONG = 60  # letters of a cell that a narrow screen gives more room, rather than a tower of words


def table(
    head: Sequence[object],
    rows: Iterable[Sequence[object]],
    numbers: Iterable[int] = (),
    classes: Mapping[int, str] | None = None,
    caption: str = "",
) -> Html:
    """A table that scrolls sideways where it does not fit, and can be scrolled by the keyboard.

    `numbers` are the places of right-aligned columns, `classes` the style classes of rows by their place. Heads
    say what they head (`scope`), the first cell of a row too.
    """
    right = set(numbers)

    def cells(name: str, row: Sequence[object], style: str | None = None) -> Html:
        own = (_table_cell(name, cell, i, i in right) for i, cell in enumerate(row))
        return tag("tr", *own, **({} if style is None else {"class_": style}))

    body = tag("tbody", *(cells("td", row, (classes or {}).get(i)) for i, row in enumerate(rows)))
    named = [tag("caption", caption)] if caption else []
    whole = tag("table", *named, tag("thead", cells("th", head)), body)
    return tag("div", whole, class_="scroll", tabindex="0", role="region", aria_label=caption or f"table: {head[0]}")


def _table_cell(name: str, content: object, place: int, right: bool) -> Html:
    attributes = {"class_": "n"} if right else {"class_": "long"} if len(str(content)) > _LONG else {}
    if name == "th":
        return tag("th", content, scope="col", **attributes)
    return tag("th", content, scope="row", **attributes) if place == 0 else tag("td", content, **attributes)


def paragraphs(*texts: object) -> Html:
    """Each text in a paragraph of its own."""
    return join(tag("p", text) for text in texts)


def bullets(texts: Iterable[object]) -> Html:
    """A list."""
    return tag("ul", *(tag("li", text) for text in texts))
