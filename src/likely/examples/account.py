"""An example told: the question, what is given, each computed value beside the printed one, and the misprints."""

import json
from textwrap import fill
from typing import Any

from likely.data.printing.text_table import aligned
from likely.examples.agreement import Agreement, plain
from likely.examples.catalogue import Example
from likely.examples.worked import question

_WIDTH = 100  # of lines of text
_CELL, _GIVEN = 38, 78  # of a value before it is cut short
_KINDS = {
    "printed": "its numbers are printed in the source",
    "printed data": "the source prints the data and leaves the numbers to the reader",
    "substitute": "the source shows its data only in a figure; these stand in for them",
    "constructed": "the source gives the method; these numbers were made to show it",
}


def account(example: Example, found: list[Agreement]) -> str:
    """The whole example as a text.

    >>> from likely.examples import find, lines, run
    >>> ex = find("EX-GEN-12")
    >>> print(account(ex, lines(ex, run(ex.id))).splitlines()[0])
    EX-GEN-12  Density of a temperature
    """
    parts = [f"{example.id}  {example.title}\n{example.group}; {_KINDS[example.kind]}"]
    parts.append("\n".join(_told("Source", source) for source in example.source))
    parts.append(_told("Question", question(example.id)))
    parts.append("Given\n" + _given(example.inputs))
    parts.append(_values(found))
    notes = [_told("Must hold", statement) for statement in example.must_hold]
    if example.note:
        notes.append(_told("Note", example.note))
    if example.erratum:
        notes.append(_told("Erratum", example.erratum))
    return "\n\n".join([*parts, *notes, verdict(found)])


def verdict(found: list[Agreement]) -> str:
    """In one sentence, whether what was computed is what it should be.

    >>> from likely.examples import find, lines, run
    >>> verdict(lines(find("EX-GEN-12"), run("EX-GEN-12")))
    'The one value agrees; the source misprints it, see the erratum.'
    """
    judged = [line for line in found if line.verdict not in ("extra", "not computed")]
    wrong = [line.name for line in judged if line.verdict == "differs"]
    if wrong:
        return f"{len(wrong)} of {len(judged)} values differ from what they should be: {', '.join(wrong)}."
    if not judged:
        return "No value can be compared: what the source reports is of data that are not at hand."
    misprints = sum(line.verdict == "agrees, misprint" for line in judged)
    said = "The one value agrees" if len(judged) == 1 else f"All {len(judged)} values agree"
    which = "it" if len(judged) == 1 else f"{misprints} of them"
    return f"{said}; the source misprints {which}, see the erratum." if misprints else f"{said}."


def shown(value: object, width: int | None = None, digits: int = 6) -> str:
    """A value in a cell.

    >>> shown([0.25, 1 / 3]), shown("spam"), shown(True)
    ('[0.25, 0.333333]', 'spam', 'true')
    """
    text = _written(value, digits)
    return text if width is None or len(text) <= width else text[: width - 2] + " …"


def cell(value: object) -> str | None:
    """A value in full, for a column of a file: texts as they are, all else as JSON."""
    return value if value is None or isinstance(value, str) else json.dumps(_listed(value), ensure_ascii=False)


def _values(found: list[Agreement]) -> str:
    rows = [["", "computed", "printed", "verified", ""]]
    for line in found:
        digits = 12 if line.verdict == "differs" else 6
        cells = (
            "" if line.verdict == absent else shown(value, _CELL, digits)
            for value, absent in ((line.computed, "not computed"), (line.printed, ""), (line.expected, "extra"))
        )
        rows.append([line.name, *cells, "" if line.verdict == "extra" else line.verdict])
    return aligned(rows, left=range(5))


def _given(inputs: dict[str, Any]) -> str:
    rows = []
    for name, value in inputs.items():
        if isinstance(value, dict) and len(shown(value)) > _GIVEN:
            rows += [[f"  {name}.{key}", shown(part, _GIVEN)] for key, part in value.items()]
        else:
            rows.append([f"  {name}", shown(value, _GIVEN)])
    return aligned(rows, left=(0, 1))


def _told(head: str, text: str) -> str:
    return fill(f"{head}: {text}", _WIDTH, subsequent_indent="  ", break_long_words=False)


def _written(value: object, digits: int) -> str:
    match plain(value):
        case None:
            return "–"
        case bool(truth):
            return "true" if truth else "false"
        case float(number):
            return "–" if number != number else f"{number:.{digits}g}"
        case list(parts):
            return "[" + ", ".join(_written(part, digits) for part in parts) + "]"
        case dict(parts):
            return ", ".join(f"{key}: {_written(part, digits)}" for key, part in parts.items())
        case other:
            return str(other)


def _listed(value: object) -> Any:
    """With names for the numbers that JSON has not."""
    if isinstance(value, list):
        return [_listed(part) for part in value]
    if isinstance(value, dict):
        return {key: _listed(part) for key, part in value.items()}
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    return None if value != value else value
