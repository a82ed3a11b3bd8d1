"""`likely explain`: the evidence behind predictions, as bars."""

import sys
from typing import Any

import click

from likely.cli.options import (
    class_named,
    data_argument,
    model_argument,
    output_option,
    reading_options,
    result_options,
    verb,
)
from likely.errors import InputError

_SHOWN = 3  # rows, unless they are named
_WORDS = 12  # shown of a text, unless told
_WIDE = 20  # of a bar on either side


@verb(
    "explain",
    "likely explain model.likely new.csv",
    "likely explain model.likely new.csv --row 7 --for Gentoo",
    "likely explain model.likely new.csv --for Adelie --against Chinstrap --csv",
)
@model_argument
@data_argument
@click.option("--row", "rows", type=int, multiple=True, metavar="N", help="Rows of DATA, counted from 0.")
@click.option("--for", "for_class", metavar="CLASS", help="The class spoken for; otherwise the predicted one.")
@click.option("--against", metavar="CLASS", help="The class spoken against; otherwise all others together.")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Only so many columns or words, those that say most.")
@result_options
@output_option
@reading_options
def command(
    model: str,
    data: str,
    rows: tuple[int, ...],
    for_class: str | None,
    against: str | None,
    top: int | None,
    form: str | None,
    output: str | None,
    **reading: Any,
) -> None:
    """What each column says for a class, in bits: one bit more doubles the odds.

    The prior's bits and the columns' bits add up to the log odds. A missing cell says nothing. Of a text each word is
    weighed, every time it occurs.
    """
    from likely.cli.alignment import features_for
    from likely.cli.messages import note
    from likely.cli.reading import core, open_model, read_data
    from likely.cli.results import check_place, show
    from likely.models.generative.text_evidence import word_evidence

    check_place(output)
    fitted = open_model(model)
    inside = core(fitted)
    if not hasattr(inside, "evidence"):
        raise InputError(f"{model} holds a {type(inside).__name__}, which does not weigh the columns one by one")
    if inside is not fitted:
        note("the evidence is that of the model itself, before calibration and decisions")
    spoken = None if for_class is None else class_named(for_class, inside.classes_, "--for")
    opposed = None if against is None else class_named(against, inside.classes_, "--against")
    table = read_data(data, **reading)
    for row in rows:
        if not 0 <= row < table.height:
            raise InputError(f"--row {row}: the table has the rows 0 to {table.height - 1}")
    chosen = list(rows) or list(range(table.height))
    features = features_for(table, inside)[chosen]
    evidence = inside.evidence(features, opposed, spoken)
    words = word_evidence(inside, features, opposed, spoken)

    def frame() -> Any:
        import polars as pl

        if list(words) == list(features.columns):  # a text is all there is: a line per word
            return _word_lines(next(iter(words.values())), chosen)
        told = evidence.frame()
        return told.insert_column(0, pl.Series(_free("(row)", told.columns), chosen))

    def text() -> str:
        shown = range(len(chosen)) if rows else range(min(len(chosen), _SHOWN))
        if len(shown) < len(chosen):
            note(f"the first {len(shown)} of {len(chosen):,} rows are shown; name others with --row, or use --csv")
        return "\n\n".join(f"row {chosen[i]}: {_explained(evidence, words, i, top)}" for i in shown)

    def record() -> Any:
        return [{**_record(evidence, i, chosen[i]), **_words(words, i)} for i in range(len(chosen))]

    show(form, output, text, frame, record)


def _word_lines(told: Any, chosen: list[int]) -> Any:
    """Row, class, word, count and bits; the prior and words that are absent have a line of their own."""
    import polars as pl

    lines = []
    for place, row in enumerate(chosen):
        name = told.classes[place].item()
        lines.append((row, name, "(prior)", None, float(told.prior[place])))
        if told.absent[place]:
            lines.append((row, name, "(absent words)", None, float(told.absent[place])))
        lines += [(row, name, word.word, word.count, word.bits) for word in told.words[place]]
    return pl.DataFrame(lines, schema=["row", "class", "word", "count", "bits"], orient="row", infer_schema_length=None)


def _free(name: str, taken: list[str]) -> str:
    """The name, marked until no column has it."""
    while name in taken:
        name = f"({name})"
    return name


def _explained(evidence: Any, words: dict[str, Any], row: int, top: int | None) -> str:
    """One row: its columns, and the words of its texts."""
    if len(words) == 1 and len(evidence.names) == 1:  # a text is all there is
        return _bars(next(iter(words.values())).of_row(row), 0, top or _WORDS, "words")
    parts = [_bars(evidence, row, top)]
    for name, told in words.items():
        one = told.of_row(row)
        shown = _bars(one, 0, top or _WORDS, "words", "(all else)").splitlines()[1:]
        parts.append("\n".join([f"  words of {name}:", *shown]))
    return "\n".join(parts)


def _words(words: dict[str, Any], row: int) -> dict[str, Any]:
    """The words of one row, by column."""
    if not words:
        return {}
    return {
        "words": {
            name: [{"word": word.word, "count": word.count, "bits": word.bits} for word in told.words[row]]
            for name, told in words.items()
        }
    }


def _bars(evidence: Any, row: int, top: int | None, what: str = "columns", before: str = "(prior)") -> str:
    """One row, strongest first: bars to the right speak for the class, to the left against it."""
    title = evidence.describe(row, 0).splitlines()[0]
    bits = evidence.bits[row]
    order = sorted(range(len(bits)), key=lambda j: -abs(bits[j]))[:top]
    entries = [(before, float(evidence.prior[row])), *((evidence.names[j], float(bits[j])) for j in order)]
    width = max(len(name) for name, _ in entries)
    finite = [abs(value) for _, value in entries if abs(value) < float("inf")]
    scale = _WIDE / max([*finite, 1e-12])
    mark = "█" if (getattr(sys.stdout, "encoding", "") or "").lower().startswith("utf") else "#"
    lines = []
    for name, value in entries:
        length = round(min(abs(value) * scale, _WIDE))
        bar = click.style(mark * length, fg="green" if value > 0 else "red")
        left, right = (" " * (_WIDE - length) + bar, "") if value < 0 else (" " * _WIDE, bar)
        lines.append(f"  {name:<{width}}  {value + 0.0:+8.2f}  {left}|{right}")
    hidden = len(bits) - len(order)
    return "\n".join([title, *lines, *([f"  and {hidden} {what} that say less"] if hidden else [])])


def _record(evidence: Any, place: int, row: int) -> dict[str, Any]:
    return {
        "row": row,
        "class": evidence.classes[place].item(),
        "against": None if evidence.against is None else evidence.against[place].item(),
        "log2_odds": float(evidence.log2_odds[place]),
        "prior": float(evidence.prior[place]),
        "bits": dict(zip(evidence.names, evidence.bits[place].tolist(), strict=True)),
    }
