"""`likely update`: teach a model more rows."""

import click

from likely.cli.options import Reading, known_target_option, model_and_data, reading_options, reweigh_option, verb


@verb(
    "update",
    "likely update model.likely more.csv",
    "likely update model.likely january.csv -o february.likely",
    "zcat rows.csv.gz | likely update model.likely -",
)
@model_and_data
@click.option("-o", "--output", metavar="FILE", help="Write the model there; otherwise MODEL itself is replaced.")
@known_target_option
@click.option("--inner", is_flag=True, help="Take the model inside calibration and decisions.")
@reweigh_option
@reading_options
@click.option("--json", "form", flag_value="json", help="What was learned as JSON.")
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
    """Teach MODEL the rows of DATA: the same model as one that had learned all rows at once.

    New classes and new levels are welcome. A calibration is learned again, with what was said of the new rows before
    they were learned; it knows no new class and is left behind where one appears. Decisions by costs are kept. The
    weights of a pool stay as they are, unless --reweigh gives rows to learn them from.
    """
    from likely.cli.inputs.alignment import rows_with_labels, target_of
    from likely.cli.inputs.large import Batches, is_large
    from likely.cli.inputs.reweighing import reweighed, weights_stay
    from likely.cli.inputs.tables import additive, open_model, read_for
    from likely.cli.stages import doing
    from likely.cli.writing.learned import keep, note_calibration
    from likely.cli.writing.places import check_model_place, in_place
    from likely.decisions import learn_more

    place = output or model
    check_model_place(place, (data, reweigh), "MODEL" if output is None else "-o")
    with in_place(model, place) as unchanged:
        learner = additive(open_model(model, learning=True), model, "learn more rows", inner)
        column = target_of(learner, target)
        if is_large(data, reading):
            taught = learner
            for batch in Batches.of(learner, data, reading, column).batches():
                with weights_stay():
                    taught = learn_more(taught, batch.drop(column), batch[column])
        else:
            table = read_for(learner, data, reading, column)
            doing(f"learning {table.height:,} rows")
            with weights_stay():
                taught = learn_more(learner, *rows_with_labels(table, learner, column, learning=True))
        taught = reweighed(taught, reweigh, reading, target)
        unchanged()
        keep(taught, place, form)
        note_calibration(taught)
