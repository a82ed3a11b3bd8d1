"""`likely diff`: what changed between two models."""

from typing import Any

import click

from likely.cli.mistakes import ATTENTION
from likely.cli.options import Result, result_options, verb


@verb(
    "diff",
    "likely diff january.likely february.likely",
    "likely diff before.likely after.likely --since     where after is before, updated",
    "likely diff a.likely b.likely --json > changes.json",
)
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--since", is_flag=True, help="B is A with more rows: compare A with those rows alone.")
@click.option("--confidence", type=float, default=0.95, show_default=True, help="That there is no false alarm.")
@click.option("--between", metavar="FILE", help="With --since: write the model of the rows in between.")
@result_options
def command(a: str, b: str, since: bool, confidence: float, between: str | None, result: Result) -> int:
    """What changed from model A to model B, without their data: the classes' shares, and every column in every class.

    Divergences are in bits, with intervals; all p-values are adjusted together. The exit code is 1 where there is a
    change.
    """
    from likely.cli.inputs.tables import open_model
    from likely.cli.messages import note, say
    from likely.cli.writing.places import check_model_place, check_place
    from likely.cli.writing.results import show
    from likely.evaluation.drift.models import model_difference
    from likely.models.any_classifier.inside import unwrap
    from likely.store import save

    if between is not None and not since:
        raise click.UsageError("--between needs --since: it is the model of the rows that B learned after A")
    check_place(result.output, (a, b))
    if between is not None:
        check_model_place(between, (a, b), "--between")
    models = [open_model(path) for path in (a, b)]
    if any(unwrap(model) is not model for model in models):
        note("the models inside calibration and decisions are compared")
    found = model_difference(unwrap(models[0]), unwrap(models[1]), since=since, confidence=confidence)
    if between is not None:
        save(found.between, between)
        say(f"wrote {between}")

    def record() -> Any:
        shares = [
            {"class": label, "share_a": before, "share_b": after, "difference": difference}
            for label, (before, after, difference) in found.prior.items()
        ]
        return {
            "attention": found.attention,
            "rows": found.rows,
            "changes": found.changes,
            "compared": found.compared,
            "shares": shares,
            "new_categories": found.new_categories,
            "vanished_categories": found.vanished_categories,
            "not_compared": found.not_compared,
            "comparisons": found.frame().to_dicts(),
        }

    show(result, lambda: str(found), found.frame, record)
    return ATTENTION if found.attention else 0
