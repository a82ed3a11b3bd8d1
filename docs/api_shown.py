"""Pieces of Markdown: code, cells, tables, and prose in which what stands in columns keeps to its lines."""

import inspect
import re
import textwrap
from collections.abc import Sequence
from typing import Any


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells under their heads."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def cell(text: str) -> str:
    """Text as a cell of a table; what stands between backticks there is taken as it is written."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if place % 2 else part.replace("|", "\\|").replace("<", "&lt;") for place, part in enumerate(parts)
    )


def block(text: str, language: str = "text") -> str:
    """Text as it stands."""
    return f"```{language}\n{text}\n```"


def paragraphs(text: str) -> str:
    """Prose as it is; formulas, which are indented, and words in columns as they stand."""
    blocks = re.split(r"\n{2,}", text)
    return "\n\n".join(piece for one in blocks for piece in _pieces(one))


def _pieces(paragraph: str) -> list[str]:
    """A paragraph, and the lines at its end or beginning whose words stand in columns, as they are written."""
    if paragraph.startswith("    "):
        return [block(textwrap.dedent(paragraph))]
    if paragraph.startswith(">>>"):
        return [block(paragraph, "python")]
    lines = paragraph.split("\n")
    in_columns = [bool(re.match(r"\S.*?\S {2,}\S", line)) for line in lines]
    for place in range(1, len(lines)):  # what is indented goes on with the line before
        in_columns[place] |= in_columns[place - 1] and lines[place].startswith("    ")
    if sum(in_columns) < 2:
        return [paragraph.replace("<", "&lt;")]
    pieces: list[str] = []
    start = 0
    for place in range(1, len(lines) + 1):
        if place == len(lines) or in_columns[place] != in_columns[start]:
            part = "\n".join(lines[start:place])
            pieces.append(block(part) if in_columns[start] else part.replace("<", "&lt;"))
            start = place
    return pieces


def argument(one: inspect.Parameter) -> str:
    """A parameter as it is written in a call."""
    stars = {one.VAR_POSITIONAL: "*", one.VAR_KEYWORD: "**"}.get(one.kind, "")
    return f"{stars}{one.name}" + ("" if one.default is one.empty else f"={shown(one.default)}")


def shown(value: Any) -> str:
    """A value as it is written, cut where it is long."""
    if inspect.isfunction(value):
        names = ", ".join(inspect.signature(value).parameters)
        return f"lambda {names}: ..." if value.__name__ == "<lambda>" else value.__name__
    text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(repr(value).split()))
    return "..." if text == "<factory>" else text if len(text) <= 80 else f"{text[:77]}..."
