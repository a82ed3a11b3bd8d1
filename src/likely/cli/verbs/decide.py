"""`likely decide`: from probabilities to actions."""

from typing import Any

import click

from likely.cli.options import (
    check_reject,
    data_argument,
    decision_options,
    model_argument,
    output_option,
    read_prior,
    reading_options,
    result_options,
    verb,
)

_COLUMNS = ("decision", "rejected", "best", "expected_cost", "margin", "error")


@verb(
    "decide",
    "likely decide model.likely new.csv --costs costs.csv",
    "likely decide model.likely new.csv --prior ill=0.01,well=0.99 --reject 0.2",
    'printf ",ill,well\\nill,0,10\\nwell,1,0\\n" > costs.csv     a row per truth, a column per answer',
)
@model_argument
@data_argument
@decision_options
@click.option("--keep-column", "carried", multiple=True, metavar="COLUMN", help="Carry a column of DATA along.")
@result_options
@output_option
@reading_options
def command(
    model: str,
    data: str,
    costs: str | None,
    prior: str | None,
    reject: float | None,
    carried: tuple[str, ...],
    form: str | None,
    output: str | None,
    **reading: Any,
) -> None:
    """What to say of each row of DATA, so that the expected cost is least.

    With a cost of not answering, a row is left to somebody else where every answer is expected to cost more. The margin
    is how much more the next best answer is expected to cost, the error the probability that the best class is wrong.
    """
    from likely.cli.alignment import features_for
    from likely.cli.answers import carried_columns, decided
    from likely.cli.reading import cost_file, costs_between, open_model, read_data
    from likely.cli.results import check_place, show, table_text

    check_place(output)
    check_reject(reject)
    cost_table = cost_file(costs)
    fitted = open_model(model)
    cost_table = costs_between(cost_table, fitted.classes_.tolist(), costs)
    shares = read_prior(prior, fitted.classes_)
    table = read_data(data, **reading)
    kept = carried_columns(table, carried, _COLUMNS)
    found = decided(fitted, features_for(table, fitted, carried), cost_table, shares, reject)

    def frame() -> Any:
        import polars as pl

        said, best = found.answers().tolist(), found.best.tolist()
        values = (said, found.rejected, best, found.expected_cost, found.margin, found.error)
        return pl.DataFrame({**{each.name: each for each in kept}, **dict(zip(_COLUMNS, values, strict=True))})

    show(form, output, lambda: table_text(frame()), frame, lambda: frame().to_dicts())
