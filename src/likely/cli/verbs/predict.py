"""`likely predict`: classes and their probabilities."""

from typing import Any

import click

from likely.cli.options import (
    data_argument,
    model_argument,
    output_option,
    read_prior,
    reading_options,
    result_options,
    verb,
)


@verb(
    "predict",
    "likely predict model.likely new.csv",
    "likely predict model.likely new.csv --keep-column id -o answers.csv",
    "cat new.jsonl | likely predict model.likely - --json",
)
@model_argument
@data_argument
@click.option("--keep-column", "carried", multiple=True, metavar="COLUMN", help="Carry a column of DATA along.")
@click.option("--prior", metavar="SHARES", help="Of the classes where DATA come from: a=0.2,b=0.8 or uniform.")
@result_options
@output_option
@reading_options
def command(
    model: str,
    data: str,
    carried: tuple[str, ...],
    prior: str | None,
    form: str | None,
    output: str | None,
    **reading: Any,
) -> None:
    """The class of each row of DATA by MODEL, and the probability of every class.

    Columns that the model did not learn are ignored. A model that was fitted with costs says what they call for, which
    need not be the most probable class; a row that it does not answer has no class.
    """
    from likely.cli.alignment import features_for
    from likely.cli.answers import carried_columns, probabilities
    from likely.cli.reading import open_model, read_data
    from likely.cli.results import check_place, show, table_text

    check_place(output)
    fitted = open_model(model)
    table = read_data(data, **reading)
    names = [str(name) for name in fitted.classes_.tolist()]
    kept = carried_columns(table, carried, ("class", "probabilities", *(f"P({name})" for name in names)))
    features = features_for(table, fitted, carried)
    said, shares = probabilities(fitted, features, read_prior(prior, fitted.classes_))

    def frame() -> Any:
        import polars as pl

        columns = {f"P({name})": shares[:, k] for k, name in enumerate(names)}
        return pl.DataFrame({**{each.name: each for each in kept}, "class": said, **columns})

    def record() -> Any:
        rows = zip(frame()[[*(column.name for column in kept), "class"]].to_dicts(), shares.tolist(), strict=True)
        return [{**row, "probabilities": dict(zip(names, p, strict=True))} for row, p in rows]

    show(form, output, lambda: table_text(frame()), frame, record)
