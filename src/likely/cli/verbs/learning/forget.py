"""`likely forget`: unlearn rows."""

from typing import Any

from likely.cli.options import Changing, Reading, changing_options, model_and_data, reading_options, verb


@verb(
    "forget",
    "likely forget model.likely withdrawn.csv -o without.likely",
    "likely forget model.likely withdrawn.csv",
)
@model_and_data
@changing_options
@reading_options
def command(model: str, data: str, changing: Changing, reading: Reading) -> None:
    """Unlearn the rows of DATA: MODEL as it would be had it never seen them.

    Rows that were not learned are refused where that can be seen. A calibration is learned again without them; with
    --inner it is left behind. The weights of a pool stay as they are, unless --reweigh gives rows to learn them from.
    """
    from likely.cli.inputs.alignment import rows_with_labels
    from likely.cli.inputs.changing import change_model
    from likely.cli.inputs.tables import read_for
    from likely.cli.stages import doing
    from likely.decisions import forget_rows

    def without(learner: Any, column: str) -> Any:
        table = read_for(learner, data, reading, column)
        doing(f"forgetting {table.height:,} rows")
        return forget_rows(learner, *rows_with_labels(table, learner, column, learning=True))

    change_model(model, data, changing, reading, "forget", without, forgotten=True)
