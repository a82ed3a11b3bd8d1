"""A document as Markdown: for a terminal, a ticket or a repository. Pictures become numbers or are left to the page."""

import re

from likely.reports.rendering.document import (
    Block,
    Bullets,
    Document,
    Folded,
    Heading,
    Listing,
    Picture,
    Pictures,
    Table,
    Text,
)


def markdown(document: Document) -> str:
    """The whole document as text."""
    parts = [f"# {_plain(document.title)}", _plain(document.subtitle), *(f"> {_plain(s)}" for s in document.answer)]
    if document.tiles:
        rows = [[tile.title, tile.figure, tile.words] for tile in document.tiles]
        parts.append(_block(Table(["question", "answer", "in words"], rows)))
    if document.footnotes:
        parts.append("\n".join(f"{i}. {_plain(note)}" for i, note in enumerate(document.footnotes, 1)))
    for section in document.sections:
        parts.append(f"## {_plain(section.title)}")
        parts += [text for text in map(_block, section.blocks) if text]
    return "\n\n".join(parts) + "\n"


def _block(block: Block) -> str:
    match block:
        case Text(text):
            return _plain(text)
        case Bullets(items):
            return "\n".join(f"- {_plain(item)}" for item in items)
        case Heading(text):
            return f"### {_plain(text)}"
        case Listing(text):
            return "\n".join(f"    {line}" for line in text.splitlines())  # no text can end it, as it could a fence
        case Folded(title, blocks):
            return "\n\n".join([_plain(title), *(text for text in map(_block, blocks) if text)])
        case Table(head, rows, numbers):
            rule = ["---:" if i in set(numbers) else "---" for i in range(len(head))]
            lines = [[_cell(cell) for cell in head], rule, *([_cell(cell) for cell in row] for row in rows)]
            return "\n".join("| " + " | ".join(line) + " |" for line in lines)
        case Picture(caption=caption, instead=Table() as instead):
            return f"{_plain(caption)}\n\n{_block(instead)}"
        case Picture(instead=instead) if instead is not None:
            return _block(instead)
        case Pictures(pictures):
            return "\n\n".join(text for text in map(_block, pictures) if text)
    return ""


def _plain(text: str) -> str:
    """Text that came from data must not turn into Markdown."""
    return re.sub(r"([\\`*_<>#\[\]])", r"\\\1", " ".join(text.split()))


def _cell(value: object) -> str:
    return _plain(str(value)).replace("|", "\\|")
