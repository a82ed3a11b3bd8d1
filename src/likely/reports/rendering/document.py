"""A report as values, before it is HTML or Markdown: sections of paragraphs, lists, tables, pictures and code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Text:
    """A paragraph; `small` for remarks."""

    text: str
    small: bool = False


@dataclass(frozen=True)
class Bullets:
    """A list of remarks."""

    items: Sequence[str]


@dataclass(frozen=True)
class Table:
    """Rows under a head; `numbers` are the places of columns that hold numbers."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    numbers: Sequence[int] = ()
    strong: Sequence[int] = ()  # rows to stress
    faint: Sequence[int] = ()  # rows that are only there for the record
    caption: str = ""  # what the table is of


@dataclass(frozen=True)
class Picture:
    """A drawing on axes that are given to `draw`, and what it shows."""

    draw: Callable[[Any], object]
    caption: str
    width: float = 4.2
    height: float = 3.3
    instead: "Text | Table | None" = None  # the same in words or numbers, for where there are no pictures
    signs: str = ""  # what its signs mean, which is said where it is drawn


@dataclass(frozen=True)
class Pictures:
    """Pictures side by side where there is room."""

    pictures: Sequence[Picture]


@dataclass(frozen=True)
class Listing:
    """What can be typed."""

    text: str


@dataclass(frozen=True)
class Heading:
    """A part of a section."""

    text: str


@dataclass(frozen=True)
class Folded:
    """Details that are shown when they are asked for, under a line that says what they are."""

    title: str
    blocks: "Sequence[Block]"


@dataclass(frozen=True)
class Tile:
    """A question of the first screen, its answer in a figure or a word, and a sentence."""

    title: str
    figure: str
    words: str
    tone: str = "fair"  # good, fair or bad


Block: TypeAlias = Text | Bullets | Table | Picture | Pictures | Listing | Heading | Folded


@dataclass(frozen=True)
class Section:
    """A titled part of the report."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True)
class Document:
    """The report: its title, the answer, and the sections behind it."""

    title: str
    subtitle: str
    answer: Sequence[str]
    attention: bool  # whether the answer is a warning
    sections: Sequence[Section] = field(default_factory=tuple)
    tiles: Sequence[Tile] = ()
    picture: Picture | None = None  # of the answer
    footnotes: Sequence[str] = ()  # how the figures of the answer were found
