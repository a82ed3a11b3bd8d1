"""`likely explain`: the evidence behind predictions, as bars."""

import sys
from typing import Any

import click

from likely.cli.options import (
    Reading,
    Result,
    carry_option,
    class_named,
    in_and_out,
    model_and_data,
    prior_option,
    read_prior,
    verb,
)
from likely.errors import InputError, readable

_SHOWN = 3  # rows, unless they are named
_WORDS = 12  # shown of a text, unless told
_WIDE = 20  # of a bar on either side
_MIXED = (
    "{model} holds a {kind}, which does not weigh the columns one by one; fit --model logistic or tree for answers "
    "that are explained by columns"
)
_OWN = ("row", "class", "column", "word", "count", "bits", "against", "log2_odds", "prior", "approximate", "words")


@verb(
    "explain",
    "likely explain model.likely new.csv",
    "likely explain model.likely new.csv --row 7 --for Gentoo",
    "likely explain model.likely new.csv --prior ill=0.01,well=0.99",
    "likely explain neighbours.likely new.csv --columns",
    "likely explain model.likely new.csv --for Adelie --against Chinstrap --csv",
    "likely explain model.likely mail/ --keep-column path --csv",
)
@model_and_data
@click.option("--row", "rows", type=int, multiple=True, metavar="N", help="Rows of DATA, counted from 0.")
@click.option("--for", "for_class", metavar="CLASS", help="The class spoken for; otherwise the predicted one.")
@click.option("--against", metavar="CLASS", help="The class spoken against; otherwise all others together.")
@prior_option
@carry_option
@click.option("--columns", is_flag=True, help="Of a model that answers by neighbours: what each column says.")
@click.option("--top", type=click.IntRange(1), metavar="N", help="Only so many columns or words, those that say most.")
@in_and_out
def command(
    model: str,
    data: str,
    rows: tuple[int, ...],
    for_class: str | None,
    against: str | None,
    prior: str | None,
    carried: tuple[str, ...],
    columns: bool,
    top: int | None,
    result: Result,
    reading: Reading,
) -> None:
    """What each column says for the class that predict gives, in bits: one bit more doubles the odds.

    The prior's bits and the columns' bits add up to the log odds of the probability that predict gives, after
    calibration and another prior. Where calibration is more than a slope and an offset, what it does beyond that stands
    beside the columns, and what each says is approximate. A missing cell says nothing to a model that passes over it;
    trees and neighbours, to which a gap is a fact like others, say what it did. Of a text each word is weighed, every
    time it occurs; against all other classes together, after everything else. As CSV there is a line per row, or where
    there are texts, one for each column and each word. Of a model that answers by neighbours, these are shown, unless
    classes, a prior or --columns ask for what the columns say.
    """
    from likely.cli.inputs.alignment import features_for
    from likely.cli.inputs.tables import open_model, read_for
    from likely.cli.messages import note
    from likely.cli.stages import doing
    from likely.cli.writing.answers import carried_columns
    from likely.cli.writing.places import check_place
    from likely.cli.writing.results import form_of, show
    from likely.models.any_classifier.inside import unwrap
    from likely.models.traits.words import word_evidence

    check_place(result.output, (model, data))
    fitted = open_model(model)
    inside = unwrap(fitted)
    if not hasattr(inside, "evidence") and not hasattr(inside, "neighbors"):
        raise InputError(_MIXED.format(model=model, kind=type(inside).__name__))
    spoken = None if for_class is None else class_named(for_class, fitted.classes_, "--for")
    opposed = None if against is None else class_named(against, fitted.classes_, "--against")
    shares = read_prior(prior, fitted.classes_)
    table = read_for(fitted, data, reading, carried=carried, form=form_of(result))
    for row in rows:
        if not 0 <= row < table.height:
            raise InputError(f"--row {row}: the table has the rows 0 to {table.height - 1}")
    chosen = list(rows) or list(range(table.height))
    features = features_for(table, fitted, carried)[chosen]
    doing(f"explaining {len(chosen):,} rows")
    weighs = hasattr(inside, "evidence")
    asked = columns or spoken is not None or opposed is not None or shares is not None
    if asked and not weighs:
        raise InputError(_MIXED.format(model=model, kind=type(inside).__name__))
    if hasattr(inside, "neighbors") and not asked:
        from likely.cli.writing.neighbours import show_neighbours

        show_neighbours(inside, features, chosen, bool(rows), result)
        return
    evidence = fitted.evidence(features, opposed, spoken, shares)
    words = word_evidence(fitted, features, opposed, spoken, shares)
    if (
        spoken is None
        and hasattr(fitted, "decide")
        and (left := int(fitted.decide(features, prior=shares).rejected.sum()))
    ):
        note(f"{left:,} of the rows are better not answered; explained is the class that would cost least")
    taken = _OWN if words else (*_OWN, *evidence.frame().columns)
    kept = [column[chosen] for column in carried_columns(table, carried, taken)]

    def frame() -> Any:
        import polars as pl

        if words:
            return _lines(evidence, words, chosen, kept)
        told = evidence.frame()
        return pl.DataFrame([pl.Series(_free("(row)", told.columns), chosen), *kept, *told.get_columns()])

    def text() -> str:
        shown = range(len(chosen)) if rows else range(min(len(chosen), _SHOWN))
        if len(shown) < len(chosen):
            note(f"the first {len(shown)} of {len(chosen):,} rows are shown; name others with --row, or use --csv")
        return "\n\n".join(f"row {chosen[i]}{_named(kept, i)}: {_explained(evidence, words, i, top)}" for i in shown)

    def record() -> Any:
        return [
            {**_record(evidence, i, chosen[i]), **{each.name: each[i] for each in kept}, **_words(words, i)}
            for i in range(len(chosen))
        ]

    show(result, text, frame, record, coloured=True)


def _lines(evidence: Any, words: dict[str, Any], chosen: list[int], kept: list[Any]) -> Any:
    """Row, class, column, word, count and bits: a line for the prior, each other column, and each word of a text."""
    import polars as pl

    lines: list[tuple[Any, ...]] = []
    for place, row in enumerate(chosen):
        here = row, *(column[place] for column in kept), evidence.classes[place].item()
        lines.append((*here, "(prior)", None, None, float(evidence.prior[place])))
        for j, name in enumerate(evidence.names):
            if name not in words:
                lines.append((*here, name, None, None, float(evidence.bits[place, j])))
                continue
            told = words[name]
            if told.absent[place]:
                lines.append((*here, name, "(absent words)", None, float(told.absent[place])))
            lines += [(*here, name, word.word, word.count, word.bits) for word in told.words[place]]
    schema = ["row", *(column.name for column in kept), "class", "column", "word", "count", "bits"]
    types = {"word": pl.String, "count": pl.Int64, **{column.name: column.dtype for column in kept}}
    return pl.DataFrame(lines, schema, orient="row", schema_overrides=types, infer_schema_length=None)


def _named(kept: list[Any], place: int) -> str:
    """The columns that were carried along, after the number of a row."""
    from likely.data.printing.wording import shortened

    cells = [f"{readable(column.name)} {shortened(' '.join(str(column[place])[:400].split()))}" for column in kept]
    return f" ({', '.join(cells)})" if cells else ""


def _free(name: str, taken: list[str]) -> str:
    """The name, marked until no column has it."""
    while name in taken:
        name = f"({name})"
    return name


def _explained(evidence: Any, words: dict[str, Any], row: int, top: int | None) -> str:
    """One row: its columns, and the words of its texts."""
    from likely.models.traits.evidence import BEYOND, CALIBRATION

    columns = [name for name in evidence.names if name not in (CALIBRATION, BEYOND)]
    if len(words) == len(columns) == 1:  # a text is all there is
        return _bars(next(iter(words.values())).of_row(row), 0, top or _WORDS, "words")
    parts = [_bars(evidence, row, top)]
    for name, told in words.items():
        one = told.of_row(row)
        shown = _bars(one, 0, top or _WORDS, "words", "(prior and other columns)").splitlines()[1:]
        parts.append("\n".join([f"  words of {readable(name)}:", *shown]))
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
    from likely.data.printing.wording import shortened

    title = readable(evidence.describe(row, 0).split("\n")[0])
    bits = evidence.bits[row]
    order = sorted(range(len(bits)), key=lambda j: -abs(bits[j]))[:top]
    entries = [(before, float(evidence.prior[row])), *((shortened(evidence.names[j]), float(bits[j])) for j in order)]
    width = max(len(name) for name, _ in entries)
    sized = entries[1:] if what == "words" else entries  # beside all other columns single words would be too short
    finite = [abs(value) for _, value in sized if abs(value) < float("inf")]
    scale = _WIDE / max([*finite, 1e-12])
    mark = "█" if (getattr(sys.stdout, "encoding", "") or "").lower().startswith("utf") else "#"
    lines = []
    for name, value in entries:
        length = round(min(abs(value) * scale, _WIDE))
        bar = click.style(mark * length, fg="green" if value > 0 else "red")
        left, right = (" " * (_WIDE - length) + bar, "") if value < 0 else (" " * _WIDE, bar)
        lines.append(f"  {name:<{width}}  {value + 0.0:+8.2f}  {left}|{right}")
    hidden = len(bits) - len(order)
    less = f"{what} that say less" if hidden > 1 else f"{what.removesuffix('s')} that says less"
    return "\n".join([title, *lines, *([f"  and {hidden} {less}"] if hidden else [])])


def _record(evidence: Any, place: int, row: int) -> dict[str, Any]:
    return {
        "row": row,
        "class": evidence.classes[place].item(),
        "against": None if evidence.against is None else evidence.against[place].item(),
        "log2_odds": float(evidence.log2_odds[place]),
        "prior": float(evidence.prior[place]),
        "bits": dict(zip(evidence.names, evidence.bits[place].tolist(), strict=True)),
        "approximate": evidence.approximate is not None and bool(evidence.approximate[place]),
    }
