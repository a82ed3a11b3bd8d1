"""`likely evaluate`: how good a model is on rows with known classes."""

from typing import Any

import click

from likely.cli.options import Reading, Result, class_named, in_and_out, known_target_option, model_and_data, verb


@verb(
    "evaluate",
    "likely evaluate model.likely test.csv",
    "likely evaluate model.likely test.csv --positive ill --costs costs.csv",
    "likely evaluate model.likely test.csv --target species --json",
)
@model_and_data
@known_target_option
@click.option("--positive", metavar="CLASS", help="The class that recall, precision and curves are about.")
@click.option("--costs", metavar="FILE", help="What mistakes cost; otherwise those that the model was fitted with.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="Of the intervals.")
@in_and_out
def command(
    model: str,
    data: str,
    target: str | None,
    positive: str | None,
    costs: str | None,
    confidence: float,
    result: Result,
    reading: Reading,
) -> None:
    """Judge MODEL on the rows of DATA, which it should not have learned; every figure with its interval."""
    from likely.cli.alignment import rows_with_labels, target_of
    from likely.cli.large import Batches, is_large
    from likely.cli.places import check_place
    from likely.cli.reading import cost_file, costs_between, open_model, read_for
    from likely.cli.results import show
    from likely.cli.stages import doing
    from likely.evaluation import evaluate

    check_place(result.output, (model, data, costs))
    cost_table = cost_file(costs)
    fitted = open_model(model)
    cost_table = costs_between(cost_table, fitted.classes_.tolist(), costs)
    chosen = None if positive is None else class_named(positive, fitted.classes_, "--positive")
    column = target_of(fitted, target)
    features: Any
    labels: Any
    if is_large(data, reading):  # a few numbers of every row are kept, and nothing else of it
        features, labels = Batches.of(fitted, data, reading, column), column
    else:
        features, labels = rows_with_labels(read_for(fitted, data, reading, column), fitted, column)
        doing(f"judging {len(labels):,} rows")
    found = evaluate(
        fitted,
        features,
        labels,
        pos_label=chosen,
        confidence=confidence,
        costs=getattr(fitted, "costs", None) if cost_table is None else cost_table,
        reject_cost=getattr(fitted, "reject", None),
    )

    def record() -> Any:
        return {
            "rows": found.n,
            "classes": found.classes,
            "figures": found.figures,
            "confusion": {"matrix": found.confusion.matrix.tolist(), "rejected": found.confusion.rejected.tolist()},
            "measures": found.confusion.frame().to_dicts(),
            "notes": found.notes,
        }

    show(result, lambda: str(found), found.frame, record)
