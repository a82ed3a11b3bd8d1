"""The face of a fitted model: what it is, how much it saw, its classes, its columns; as text and as HTML.

An estimator says what it knows in a `Face`, and the two ways of showing it are written once.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any, Self

from likely.data.columns.schema import Schema
from likely.data.printing.html_table import html_table
from likely.data.printing.wording import counted, shortened
from likely.numeric.arrays import Array

COLUMNS_SHOWN = 12
LONGEST_TITLE = 500  # characters: kinds of many columns, or a pool inside a wrapper, go on for pages


@dataclass(frozen=True)
class Section:
    """A small table."""

    heads: tuple[str, ...]  # of its columns
    rows: Sequence[tuple[str, ...]]
    label: str = ""  # text has all rows in one line of this name; "": a line for each
    more: str = ""  # what was left out


@dataclass(frozen=True)
class Face:
    """What a model shows of itself."""

    title: str  # the model as Python writes it
    size: str = ""  # how much it saw
    sections: tuple[Section, ...] = ()

    def with_section(self, section: Section) -> Self:
        """With one more table at its end."""
        return replace(self, sections=(*self.sections, section))


def classes_in_face(classes: Array, count: Array | None = None) -> Section:
    """Names of classes, and how many rows (or how much weight) each had."""
    names = [shortened(str(name)) for name in classes.tolist()]
    if count is None:
        return Section(("class",), [(name,) for name in names], "classes")
    rows = [(name, number_in_face(weight)) for name, weight in zip(names, count.tolist(), strict=True)]
    return Section(("class", "rows"), rows, "classes")


def columns_in_face(schema: Schema) -> Section:
    """Names of columns and what they are taken for, of the first where there are many."""
    shown = [(shortened(column.name), column.kind.replace("_", "-")) for column in schema.columns[:COLUMNS_SHOWN]]
    return Section(("feature", "kind"), shown, more=columns_left_out(schema.width))


def columns_left_out(width: int) -> str:
    """How many columns a face of so many does not show, in words; empty where it shows all."""
    more = width - COLUMNS_SHOWN
    return counted(more, "more feature") if more > 0 else ""


def size_in_face(model: object) -> str:
    """How many rows (or how much weight) a model saw, if it knows, and how many features."""
    features = counted(model.n_features_in_, "feature") if hasattr(model, "n_features_in_") else ""
    weight = _rows_learned(model)
    rows = "" if weight is None else "1 row" if weight == 1 else f"{number_in_face(weight)} rows"
    return ", ".join(filter(None, [rows, features]))


def _rows_learned(model: Any) -> float | None:
    """The sum of the rows' weights where the model keeps it, else their number where it keeps the rows."""
    if hasattr(model, "class_count_"):
        return float(model.class_count_.sum())
    if hasattr(model, "sums_"):  # of the columns that a design is made of
        return float(model.sums_.weight.sum())
    rows = getattr(model, "n_samples_fit_", None)
    rows = len(model.labels_) if rows is None and hasattr(model, "labels_") else rows
    return None if rows is None else float(rows)


def number_in_face(value: Any) -> str:
    """A sum of weights: whole where it is.

    >>> number_in_face(1200.0), number_in_face(2.5)
    ('1,200', '2.50')
    """
    return f"{float(value):,.0f}" if float(value).is_integer() else f"{float(value):,.2f}"


def as_text(face: Face) -> str:
    """A face as plain text.

    >>> face = Face("NaiveBayes()", "3 rows, 2 features", (Section(("class", "rows"), [("no", "2")], "classes"),))
    >>> print(as_text(face))
    NaiveBayes()
      3 rows, 2 features
      classes  no (2)
    """
    title = shortened(face.title, LONGEST_TITLE)
    lines = [title, f"  {face.size}"] if face.size else [title]
    for section in face.sections:
        if section.label:
            lines.append(f"  {section.label}  " + ", ".join(map(_inline, section.rows)))
        else:
            lines += [_line(row) for row in section.rows]
        if section.more:
            lines.append(f"  ... and {section.more}")
    return "\n".join(lines)


def as_html(face: Face) -> str:
    """A face as an HTML fragment, for notebooks."""
    title = f"<pre>{escape(shortened(face.title, LONGEST_TITLE))}</pre>"
    if not face.size and not face.sections:
        return title
    size = f"<p>{escape(face.size)}</p>" if face.size else ""
    return f"<div>{title}{size}{''.join(map(_table, face.sections))}</div>"


def _inline(row: tuple[str, ...]) -> str:
    return f"{row[0]} ({', '.join(row[1:])})" if len(row) > 1 else row[0]


def _line(row: tuple[str, ...]) -> str:
    name, kind, *rest = (*row, "")
    return f"  {name:<20} {kind:<10} {' '.join(rest)}".rstrip()


def _table(section: Section) -> str:
    more = f"<p>… and {escape(section.more)}</p>" if section.more else ""
    return html_table(section.heads, section.rows) + more
