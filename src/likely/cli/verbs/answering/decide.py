"""`likely decide`: from probabilities to actions."""

from typing import Any

from likely.cli.options import (
    Reading,
    Result,
    carry_option,
    check_reject,
    decision_options,
    in_and_out,
    model_and_data,
    read_prior,
    verb,
)
from likely.decisions.decision import DECIDED


@verb(
    "decide",
    "likely decide model.likely new.csv --costs costs.csv",
    "likely decide model.likely new.csv --prior ill=0.01,well=0.99 --reject 0.2",
    'printf ",ill,well\\nill,0,10\\nwell,1,0\\n" > costs.csv     a row per truth, a column per answer',
)
@model_and_data
@decision_options
@carry_option
@in_and_out
def command(
    model: str,
    data: str,
    costs: str | None,
    prior: str | None,
    reject: float | None,
    carried: tuple[str, ...],
    result: Result,
    reading: Reading,
) -> None:
    """What to say of each row of DATA, so that the expected cost is least.

    With a cost of not answering, a row is left to somebody else where every answer is expected to cost more. The margin
    is how much more the next best answer is expected to cost, the error the probability that the best class is wrong.
    The mean expected cost is told, and where DATA have the classes, what was realised: if the two differ by more than
    chance, the probabilities do not hold for these rows.
    """
    from likely.cli.inputs.alignment import features_for, schema_of_model
    from likely.cli.inputs.tables import cost_file, costs_between, open_model, read_for
    from likely.cli.stages import doing
    from likely.cli.writing.answers import carried_columns, decided
    from likely.cli.writing.places import check_place
    from likely.cli.writing.results import form_of, show, table_text

    check_place(result.output, (model, data, costs))
    check_reject(reject)
    fitted = open_model(model)
    cost_table = costs_between(cost_file(costs, fitted.classes_), fitted.classes_.tolist(), costs)
    shares = read_prior(prior, fitted.classes_)
    target = schema_of_model(fitted).target
    table = read_for(fitted, data, reading, target, carried=carried, form=form_of(result))
    kept = carried_columns(table, carried, DECIDED)
    doing(f"deciding on {table.height:,} rows")
    found = decided(fitted, features_for(table, fitted, carried), cost_table, shares, reject)

    def frame() -> Any:
        import polars as pl

        return pl.concat([pl.DataFrame(list(kept)), pl.DataFrame(found.frame())], how="horizontal")

    show(result, lambda: table_text(frame()), frame, lambda: frame().to_dicts())
    if len(found):
        _tell_answers(found)
        _tell_costs(fitted, found, table, target)


def _tell_answers(found: Any) -> None:
    """Say how many rows were given each answer."""
    from collections import Counter

    from likely.cli.messages import say

    said = Counter(str(answer) for answer in found.answers().tolist() if answer is not None)
    told = [f"{name} {count:,}" for name, count in said.most_common(10)]
    told += [f"{len(said) - 10} other answers"] if len(said) > 10 else []
    left = int(found.rejected.sum())
    told += [f"left to somebody else {left:,} ({100 * left / len(found):.1f} %)"] if left else []
    say(f"{len(found):,} rows: {', '.join(told)}")


def _tell_costs(model: Any, found: Any, table: Any, target: str | None) -> None:
    """Say what the decisions are expected to cost, and have cost where the table has the classes."""
    from likely.cli.inputs.alignment import labels_for
    from likely.cli.messages import note, say
    from likely.evaluation import decision_costs

    if target is None or target not in table.columns:
        say(str(decision_costs(found)))
        return
    labels = labels_for(table, target, model)
    known = labels.is_in(model.classes_.tolist()).fill_null(False)
    if not known.any():
        say(str(decision_costs(found)))
        return
    if not known.all():
        left = len(labels) - int(known.sum())
        note(f"costs are of {int(known.sum()):,} rows: the class of {left:,} is missing, or none that the model knows")
    told = decision_costs(found.take(known.to_numpy()), labels.filter(known).to_numpy())
    say(str(told))
    if told.weighed_by:
        note(f"{told.weighed_by}, as in likely evaluate; the rows counted above are not weighed")
    suspects = "the probabilities" if told.weighed_by else "the probabilities, or the shares of the classes,"
    if told.surprising and told.excess is not None and told.excess.value < 0:
        note(
            f"these rows cost less than expected, by more than chance: the model learned from them, or {suspects} do "
            "not hold here. Judge rows that are new to it with likely evaluate"
        )
    elif told.surprising:
        note(
            f"these rows cost more than expected, by more than chance: {suspects} do not hold here. Judge them with "
            "likely evaluate"
        )
