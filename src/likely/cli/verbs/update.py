"""`likely update`: teach a model more rows."""

from typing import Any

import click

from likely.cli.options import data_argument, known_target_option, model_argument, reading_options, verb


@verb(
    "update",
    "likely update model.likely more.csv",
    "likely update model.likely january.csv -o february.likely",
    "zcat rows.csv.gz | likely update model.likely -",
)
@model_argument
@data_argument
@click.option("-o", "--output", metavar="FILE", help="Write the model there; otherwise MODEL itself is replaced.")
@known_target_option
@click.option("--inner", is_flag=True, help="Take the model inside calibration and decisions.")
@reading_options
@click.option("--json", "form", flag_value="json", help="What was learned as JSON.")
def command(
    model: str, data: str, output: str | None, target: str | None, inner: bool, form: str | None, **reading: Any
) -> None:
    """Teach MODEL the rows of DATA: the same model as one that had learned all rows at once.

    New classes and new levels are welcome.
    """
    from likely.cli.alignment import rows_with_labels, target_of
    from likely.cli.learned import keep
    from likely.cli.reading import additive, open_model, read_data
    from likely.cli.results import check_place

    check_place(output)
    learner = additive(open_model(model), model, "learn more rows", inner)
    table = read_data(data, **reading)
    learner.partial_fit(*rows_with_labels(table, learner, target_of(learner, target)))
    keep(learner, output or model, form)
