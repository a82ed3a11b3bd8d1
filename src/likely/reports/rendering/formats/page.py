"""A document as one HTML page: no network, no scripts, light and dark, for a screen of any width and for paper."""

import re
from importlib.resources import files

from likely._version import __version__
from likely.reports.choosing.clock import Clock
from likely.reports.rendering.document import (
    Block,
    Bullets,
    Document,
    Folded,
    Heading,
    Listing,
    Picture,
    Pictures,
    Section,
    Table,
    Text,
    Tile,
)
from likely.reports.rendering.formats.markup import Html, bullets, paragraphs, table, tag
from likely.reports.rendering.pictures import Easel

# Nothing is fetched, run, sent or framed: styles are in the page, and pictures of grids are data in it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def page(document: Document, clock: Clock | None = None) -> str:
    """The whole page as text; pictures for which a clock has no time are left out and named."""
    easel = Easel(clock)
    style = files("likely.reports").joinpath("page.css").read_text(encoding="utf-8")
    links = [tag("a", section.title, href=f"#s{i}") for i, section in enumerate(document.sections)]
    body = tag(
        "main",
        tag("h1", document.title),
        tag("p", document.subtitle, class_="small"),
        *([tag("div", *map(_tile, document.tiles), class_="tiles")] if document.tiles else []),
        _answer(document, easel),
        *([tag("ol", *(tag("li", note) for note in document.footnotes), class_="notes")] if document.footnotes else []),
        *(_section(section, i, easel) for i, section in enumerate(document.sections)),
        tag("p", f"Written by likely {__version__}. {easel.words}".rstrip(), class_="small"),
    )
    contents = tag("nav", tag("strong", "Contents"), *links, aria_label="Contents")
    head = tag(
        "head",
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="color-scheme" content="light dark">'),
        tag("title", document.title),
        tag("style", Html(style)),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', contents, body), lang='en')}\n"


def _answer(document: Document, easel: Easel) -> Html:
    """The answer in words, beside its picture where there is one and room; there is always time for a few bars."""
    verdict = tag("div", paragraphs(*document.answer), class_=f"verdict{' warn' if document.attention else ''}")
    return verdict if document.picture is None else tag("div", easel.draw(document.picture), verdict, class_="top")


def first_screen(document: Document) -> str:
    """The tiles, the picture and the answer alone, with the styles they need: for a notebook."""
    style = files("likely.reports").joinpath("page.css").read_text(encoding="utf-8")
    one_column = re.sub(r"@media \(min-width: 80rem\) \{\n.*?\n\}\n", "", style, flags=re.DOTALL)  # no contents aside
    scoped = (
        f".likely {{\n{re.sub(r':root|html(?= {)|body(?= {)', '&', one_column)}}}"  # the rest of a notebook has its own
    )
    tiles = tag("div", *map(_tile, document.tiles), class_="tiles")
    return tag(
        "div",
        tag("style", Html(scoped)),
        tag("h2", document.title),
        tag("p", document.subtitle, class_="small"),
        tiles,
        _answer(document, Easel()),
        class_="likely",
    )


def _tile(tile: Tile) -> Html:
    return tag(
        "div",
        tag("h2", tile.title),
        tag("p", tile.figure, class_="figure"),
        tag("p", tile.words),
        class_=f"tile {tile.tone}",
    )


def _section(section: Section, number: int, easel: Easel) -> Html:
    blocks = (_block(block, easel) for block in section.blocks)
    return tag("section", tag("h2", section.title), *blocks, id=f"s{number}")


def _block(block: Block, easel: Easel) -> Html:
    match block:
        case Text(text, small):
            return tag("p", text, **({"class_": "small"} if small else {}))
        case Bullets(items):
            return bullets(items)
        case Heading(text):
            return tag("h3", text)
        case Listing(text):
            return tag("pre", tag("code", text))
        case Picture(caption=caption, instead=instead):
            if easel.allows():
                return easel.draw(block)
            said = isinstance(instead, Text) and instead.text.startswith(caption)
            words = tag("p", "Not drawn, for lack of time" + ("." if said else f": {caption}"), class_="small")
            return words if instead is None else tag("div", words, _block(instead, easel))
        case Pictures(pictures):
            return tag("div", *(_block(one, easel) for one in pictures), class_="figures")
        case Folded(title, blocks):
            return tag("details", tag("summary", title), *(_block(one, easel) for one in blocks))
        case Table(head, rows, numbers, strong, faint, caption):
            classes = {**dict.fromkeys(strong, "chosen"), **dict.fromkeys(faint, "aside")}
            return table(head, rows, numbers, classes, caption)
