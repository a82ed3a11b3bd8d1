"""`likely update`: teach a model more rows."""

from typing import Any

from likely.cli.options import Changing, Reading, changing_options, model_and_data, reading_options, verb


@verb(
    "update",
    "likely update model.likely more.csv",
    "likely update model.likely january.csv -o february.likely",
    "zcat rows.csv.gz | likely update model.likely -",
)
@model_and_data
@changing_options
@reading_options
def command(model: str, data: str, changing: Changing, reading: Reading) -> None:
    """Teach MODEL the rows of DATA: the same model as one that had learned all rows at once, if it learns by sums.

    Such a model welcomes new classes and new levels; one that learns row by row goes on from where it is. A calibration
    is learned again, with what was said of the new rows before they were learned; it knows no new class and is left
    behind where one appears. Decisions by costs are kept. The weights of a pool stay as they are, unless --reweigh
    gives rows to learn them from.
    """
    from likely.cli.inputs.alignment import rows_with_labels
    from likely.cli.inputs.changing import change_model
    from likely.cli.inputs.large import Batches, is_large
    from likely.cli.inputs.tables import read_for
    from likely.cli.stages import doing
    from likely.decisions import learn_more

    def taught(learner: Any, column: str) -> Any:
        if is_large(data, reading):
            for batch in Batches.of(learner, data, reading, column).batches():
                learner = learn_more(learner, batch.drop(column), batch[column])
            return learner
        table = read_for(learner, data, reading, column)
        doing(f"learning {table.height:,} rows")
        return learn_more(learner, *rows_with_labels(table, learner, column, learning=True))

    change_model(model, data, changing, reading, "update", taught)
