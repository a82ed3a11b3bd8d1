"""`likely forget`: unlearn rows."""

from typing import Any

import click

from likely.cli.options import data_argument, known_target_option, model_argument, reading_options, verb


@verb(
    "forget",
    "likely forget model.likely withdrawn.csv -o without.likely",
    "likely forget model.likely withdrawn.csv -o model.likely",
)
@model_argument
@data_argument
@click.option("-o", "--output", metavar="FILE", required=True, help="The file of the model that is left.")
@known_target_option
@click.option("--inner", is_flag=True, help="Take the model inside calibration and decisions.")
@reading_options
@click.option("--json", "form", flag_value="json", help="What is left as JSON.")
def command(
    model: str, data: str, output: str, target: str | None, inner: bool, form: str | None, **reading: Any
) -> None:
    """Unlearn the rows of DATA: MODEL as it would be had it never seen them.

    Rows that were not learned are refused where that can be seen.
    """
    from likely.cli.alignment import rows_with_labels, target_of
    from likely.cli.learned import keep
    from likely.cli.reading import additive, open_model, read_data
    from likely.cli.results import check_place

    check_place(output)
    learner = additive(open_model(model), model, "forget rows", inner)
    table = read_data(data, **reading)
    learner.forget(*rows_with_labels(table, learner, target_of(learner, target)))
    keep(learner, output, form)
