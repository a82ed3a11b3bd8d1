"""A document as one HTML page: no network, no scripts, light and dark, for a screen of any width and for paper."""

from importlib.resources import files

from likely._version import __version__
from likely.reports.rendering.document import (
    Block,
    Bullets,
    Code,
    Document,
    Heading,
    Picture,
    Pictures,
    Section,
    Table,
    Text,
)
from likely.reports.rendering.markup import Html, bullets, paragraphs, table, tag
from likely.reports.rendering.pictures import picture

# Nothing is fetched, run, sent or framed: styles are in the page, and pictures of grids are data in it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"


def page(document: Document) -> str:
    """The whole page as text."""
    style = files("likely.reports").joinpath("page.css").read_text(encoding="utf-8")
    links = [tag("a", section.title, href=f"#s{i}") for i, section in enumerate(document.sections)]
    warning = " warn" if document.attention else ""
    body = tag(
        "main",
        tag("h1", document.title),
        tag("p", document.subtitle, class_="small"),
        tag("div", paragraphs(*document.answer), class_=f"verdict{warning}"),
        tag("nav", *links),
        *(_section(section, i) for i, section in enumerate(document.sections)),
        tag("p", f"Written by likely {__version__}.", class_="small"),
    )
    head = tag(
        "head",
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="color-scheme" content="light dark">'),
        tag("title", document.title),
        tag("style", Html(style)),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', body), lang='en')}\n"


def _section(section: Section, number: int) -> Html:
    return tag("section", tag("h2", section.title), *(_block(block) for block in section.blocks), id=f"s{number}")


def _block(block: Block) -> Html:
    match block:
        case Text(text, small):
            return tag("p", text, **({"class_": "small"} if small else {}))
        case Bullets(items):
            return bullets(items)
        case Heading(text):
            return tag("h3", text)
        case Code(text):
            return tag("pre", tag("code", text))
        case Picture(draw, caption, width, height):
            try:
                return picture(draw, caption, width, height)
            except Exception as wrong:  # of whatever kind: a picture is not worth the work of a whole study
                return tag("p", f"Not drawn ({caption}): {wrong}", class_="small")
        case Pictures(pictures):
            return tag("div", *(_block(one) for one in pictures), class_="figures")
        case Table(head, rows, numbers, strong, faint):
            classes = {**dict.fromkeys(strong, "chosen"), **dict.fromkeys(faint, "aside")}
            return table(head, rows, numbers, classes)
