"""`likely evaluate`: how good a model is on rows with known classes."""

from typing import Any

import click

from likely.cli.options import (
    Parts,
    Reading,
    Result,
    class_named,
    in_and_out,
    known_target_option,
    model_and_data,
    part_options,
    place_option,
    plot_option,
    positive_option,
    read_prior,
    verb,
)
from likely.errors import InputError


@verb(
    "evaluate",
    "likely evaluate model.likely test.csv",
    "likely evaluate model.likely test.csv --positive ill --costs costs.csv",
    "likely evaluate model.likely test.csv --target species --json",
)
@model_and_data
@known_target_option
@positive_option
@click.option("--costs", metavar="FILE", help="What mistakes cost: answers are decided by it; otherwise as fitted.")
@place_option
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@part_options(
    "When each row was: besides all rows, each fifth of them by time is judged by itself.",
    "Rows that belong together, as of one patient: intervals are about other groups.",
    "Which rows are for testing (train, test): they alone are judged.",
)
@click.option("--thresholds", is_flag=True, help="What each threshold on the probability of --positive does.")
@plot_option
@in_and_out
def command(
    model: str,
    data: str,
    target: str | None,
    positive: str | None,
    costs: str | None,
    prior: str | None,
    confidence: float,
    parts: Parts,
    thresholds: bool,
    plot: str | None,
    result: Result,
    reading: Reading,
) -> None:
    """Judge MODEL on the rows of DATA, which it should not have learned; every figure with its interval.

    With --costs rows are answered as the costs call for, beside the best answer that is always the same; log-loss
    stands beside that of the classes' shares. A model that was fitted for other shares of the classes (--prior) is
    judged for those: rows count as their classes are frequent there. --groups makes intervals about other groups,
    --split judges the rows for testing alone, and --time tells earlier from later rows, each fifth of them by itself.
    """
    from likely.cli.inputs.alignment import rarer_class, rows_with_labels, target_of
    from likely.cli.inputs.judged_parts import groups_of, judged_rows, note_learned, over_time, with_unknown_classes
    from likely.cli.inputs.large import Batches, is_large
    from likely.cli.inputs.tables import cost_file, costs_between, open_model, read_for
    from likely.cli.stages import doing
    from likely.cli.writing.pictures import check_plot, draw_evaluation
    from likely.cli.writing.places import check_place
    from likely.cli.writing.results import show, table_text
    from likely.evaluation import evaluate
    from likely.evaluation.place_of_use import OBSERVED

    check_place(result.output, (model, data, costs))
    check_plot(plot)
    fitted = open_model(model)
    cost_table = costs_between(cost_file(costs, fitted.classes_), fitted.classes_.tolist(), costs)
    chosen = rarer_class(fitted) if positive is None else class_named(positive, fitted.classes_, "--positive")
    there = read_prior(prior, fitted.classes_, (OBSERVED,))
    column = target_of(fitted, target)
    features: Any
    labels: Any
    members = table = classes = None
    large = is_large(data, reading)
    if large and parts.given:
        raise InputError("--groups, --time and --split are for tables that fit in memory")
    if large:  # a few numbers of every row are kept, and nothing else of it
        features, labels = Batches.of(fitted, data, reading, column), column
    else:
        table = judged_rows(read_for(fitted, data, reading, column), fitted, column, parts)
        features, labels = rows_with_labels(table, fitted, column, parts.given)
        members = groups_of(table, parts)
        priced = cost_table is not None or getattr(fitted, "costs", None) is not None
        classes = with_unknown_classes(labels, fitted, priced)
        doing(f"judging {len(labels):,} rows")
    found = evaluate(
        fitted,
        features,
        labels,
        pos_label=chosen,
        confidence=confidence,
        groups=members,
        costs=getattr(fitted, "costs", None) if cost_table is None else cost_table,
        reject_cost=getattr(fitted, "reject", None),
        prior=there,
        classes=classes,
    )
    if cost_table is not None:
        found = found.deciding(cost_table, found.reject_cost)
    periods = None if parts.time is None or table is None else over_time(found, table, parts.time)

    def record() -> Any:
        return {
            "rows": found.n,
            "classes": found.classes,
            "figures": found.figures,
            "confusion": {"matrix": found.confusion.matrix.tolist(), "rejected": found.confusion.rejected.tolist()},
            "measures": found.confusion.frame().to_dicts(),
            "notes": found.notes,
            "log_loss_of_shares": found.log_loss_of_shares,
            **({} if found.costs is None or found.costs_per_row else {"best_constant": found.best_constant}),
            **({"thresholds": found.thresholds().to_dicts()} if thresholds else {}),
            **({} if periods is None else {"periods": periods.to_dicts()}),
        }

    def text() -> str:
        tables = [] if periods is None else [table_text(periods, decimals=3)]
        if thresholds:
            taken = (
                "" if members is None else "\nintervals of this table take rows one by one, those above count groups"
            )
            tables.insert(0, f"{table_text(found.thresholds(), decimals=3)}{taken}")
        return "\n\n".join([str(found), *tables])

    if thresholds and found.positive is None:
        raise InputError(f"--thresholds are of one class, and there are {len(found.classes)}: name it by --positive")
    note_learned(found, fitted, table, parts.time)
    show(result, text, found.thresholds if thresholds else found.frame, record)
    if plot is not None:
        draw_evaluation(found, plot)
