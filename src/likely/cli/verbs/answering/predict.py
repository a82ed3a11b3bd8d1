"""`likely predict`: classes and their probabilities."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from likely.cli.options import Reading, Result, carry_option, in_and_out, model_and_data, prior_option, read_prior, verb

if TYPE_CHECKING:
    import polars as pl

    from likely.cli.inputs.large import Batches


@verb(
    "predict",
    "likely predict model.likely new.csv",
    "likely predict model.likely new.csv --keep-column id -o answers.csv",
    "likely predict model.likely new.csv --interval --confidence 0.9",
    "cat new.jsonl | likely predict model.likely - --json",
)
@model_and_data
@carry_option
@prior_option
@click.option("--interval", is_flag=True, help="How far each probability can be trusted: its low and high end.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@in_and_out
def command(
    model: str,
    data: str,
    carried: tuple[str, ...],
    prior: str | None,
    interval: bool,
    confidence: float,
    result: Result,
    reading: Reading,
) -> None:
    """The class of each row of DATA by MODEL, and the probability of every class.

    Columns that the model did not learn are ignored. A model that was fitted with costs says what they call for, which
    need not be the most probable class; a row that it does not answer has no class. With --interval there are columns
    low(...) and high(...): of a calibrated model or a pool, how often rows come true of which this is said, as measured
    on rows that were left out.
    """
    from likely.cli.inputs.alignment import features_for
    from likely.cli.inputs.large import STREAMED, Batches, is_large, write_as_it_comes
    from likely.cli.inputs.tables import open_model, read_for
    from likely.cli.stages import doing
    from likely.cli.writing.answers import carried_columns, intervals, probabilities
    from likely.cli.writing.places import check_place
    from likely.cli.writing.results import form_of, show, table_text

    check_place(result.output, (model, data))
    fitted = open_model(model)
    if form_of(result) in STREAMED and is_large(data, reading):
        there = read_prior(prior, fitted.classes_)
        found = Batches.of(fitted, data, reading, others=carried)
        write_as_it_comes(
            result, form_of(result), _answers(fitted, found, carried, there, confidence if interval else None)
        )
        return
    table = read_for(fitted, data, reading, carried=carried, form=form_of(result))
    names = [str(name) for name in fitted.classes_.tolist()]
    kept = carried_columns(table, carried, _own_names(names))
    features = features_for(table, fitted, carried)
    doing(f"answering {table.height:,} rows")
    there = read_prior(prior, fitted.classes_)
    said, shares = probabilities(fitted, features, there)
    ends = intervals(fitted, features, confidence, there) if interval else None

    def frame() -> Any:
        return _table(names, kept, said, shares, ends)

    def record() -> Any:
        rows = zip(frame()[[*(column.name for column in kept), "class"]].to_dicts(), shares.tolist(), strict=True)
        told = [{**row, "probabilities": dict(zip(names, p, strict=True))} for row, p in rows]
        if ends is None:
            return told
        each = [dict(zip(names, row, strict=True)) for row in ends.tolist()]
        return [{**row, "intervals": pairs} for row, pairs in zip(told, each, strict=True)]

    show(result, lambda: table_text(frame()), frame, record)


def _own_names(classes: list[str]) -> tuple[str, ...]:
    """The columns that a result has beside those carried along."""
    own = [f"{what}({name})" for name in classes for what in ("P", "low", "high")]
    return ("class", "probabilities", "intervals", *own)


def _table(names: list[str], kept: list[Any], said: list[Any], shares: Any, ends: Any) -> Any:
    import polars as pl

    columns = {f"P({name})": shares[:, k] for k, name in enumerate(names)}
    if ends is not None:
        columns |= {
            f"{what}({name})": ends[:, k, i] for k, name in enumerate(names) for i, what in enumerate(("low", "high"))
        }
    return pl.DataFrame({**{each.name: each for each in kept}, "class": said, **columns})


def _answers(
    fitted: Any, batches: "Batches", carried: tuple[str, ...], there: Any, confidence: float | None
) -> "Iterator[pl.DataFrame]":
    """The results of a large file, batch by batch."""
    from likely.cli.writing.answers import carried_columns, intervals, probabilities

    names = [str(name) for name in fitted.classes_.tolist()]
    for table, features in batches.pairs():
        kept = carried_columns(table, carried, _own_names(names))
        said, shares = probabilities(fitted, features, there)
        ends = None if confidence is None else intervals(fitted, features, confidence, there)
        yield _table(names, kept, said, shares, ends)
