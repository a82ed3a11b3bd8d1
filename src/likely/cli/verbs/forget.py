"""`likely forget`: unlearn rows."""

import click

from likely.cli.options import Reading, known_target_option, model_and_data, reading_options, reweigh_option, verb


@verb(
    "forget",
    "likely forget model.likely withdrawn.csv -o without.likely",
    "likely forget model.likely withdrawn.csv",
)
@model_and_data
@click.option("-o", "--output", metavar="FILE", help="Write the model there; otherwise MODEL itself is replaced.")
@known_target_option
@click.option("--inner", is_flag=True, help="Take the model inside calibration and decisions.")
@reweigh_option
@reading_options
@click.option("--json", "form", flag_value="json", help="What is left as JSON.")
def command(
    model: str,
    data: str,
    output: str | None,
    target: str | None,
    inner: bool,
    reweigh: str | None,
    form: str | None,
    reading: Reading,
) -> None:
    """Unlearn the rows of DATA: MODEL as it would be had it never seen them.

    Rows that were not learned are refused where that can be seen. A calibration is learned again without them; with
    --inner it is left behind. The weights of a pool stay as they are, unless --reweigh gives rows to learn them from.
    """
    from likely.cli.inputs.alignment import rows_with_labels, target_of
    from likely.cli.inputs.reweighing import reweighed, weights_stay
    from likely.cli.inputs.tables import additive, open_model, read_for
    from likely.cli.stages import doing
    from likely.cli.writing.learned import keep, note_calibration
    from likely.cli.writing.places import check_model_place, in_place
    from likely.decisions import forget_rows

    place = output or model
    check_model_place(place, (data, reweigh), "MODEL" if output is None else "-o")
    with in_place(model, place) as unchanged:
        learner = additive(open_model(model, learning=True), model, "forget rows", inner)
        column = target_of(learner, target)
        table = read_for(learner, data, reading, column)
        doing(f"forgetting {table.height:,} rows")
        with weights_stay():
            left = forget_rows(learner, *rows_with_labels(table, learner, column, learning=True))
        left = reweighed(left, reweigh, reading, target)
        unchanged()
        keep(left, place, form)
        note_calibration(left, forgotten=True)
