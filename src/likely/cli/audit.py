"""`likely audit`: which rows are probably mislabelled, influential or repeated."""

from typing import Any

import click

from likely.cli.mistakes import ATTENTION
from likely.cli.options import (
    column_options,
    data_argument,
    output_option,
    read_kinds,
    reading_options,
    result_options,
    seed_option,
    target_option,
    verb,
)

_LIKELY = 0.5  # the probability of a wrong label that asks for attention


@verb(
    "audit",
    "likely audit data.csv --target y",
    "likely audit data.csv --target y --model gaussian-shared --top 50 -o suspicious.csv",
    "likely audit data.csv --target y --all --json > rows.json",
)
@data_argument
@target_option
@click.option("--model", "name", default="naive", show_default=True, metavar="NAME", help="As for likely fit.")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many rows to show.")
@click.option("--all", "everything", is_flag=True, help="Show all rows.")
@column_options
@seed_option
@result_options
@output_option
@reading_options
def command(
    data: str,
    target: str,
    name: str,
    top: int,
    everything: bool,
    kinds: tuple[str, ...],
    keep: tuple[str, ...],
    drop: tuple[str, ...],
    seed: int,
    form: str | None,
    output: str | None,
    **reading: Any,
) -> int:
    """Judge every row of DATA by all the others: what its own label costs, in bits.

    1 bit is the toss of a coin, 10 bits are odds of a thousand to one against the label. Rows are counted from 0. The
    exit code is 1 where a label is more probably wrong than right.
    """
    from likely.cli.messages import say
    from likely.cli.reading import read_data, without
    from likely.cli.recipes import facts_of, recipe
    from likely.cli.results import check_place, show, table_text
    from likely.data.findings import examine
    from likely.evaluation.audit import audit

    check_place(output)
    given = read_kinds(kinds)
    table = without(read_data(data, **reading), drop, target)
    findings = examine(table, target, given)
    prepared = findings.prepared(table, keep)
    model = recipe(name, facts_of(findings, prepared))
    say(str(findings))
    found = audit(model, without(prepared, (target,)), prepared[target].to_numpy(), random_state=seed)
    labelled = _labelled_rows(table, target)
    shown = found.frame() if everything else found.suspicious(min(top, len(labelled)))

    def frame() -> Any:
        import polars as pl

        place = pl.Series(labelled)
        return shown.with_columns(row=place[shown["row"]], duplicate_of=_places(place, shown["duplicate_of"]))

    def text() -> str:
        summary = str(found).split("\nrow ", 1)[0].rstrip()
        head = [line for line in summary.splitlines() if not line.lstrip().startswith("row ")]
        return "\n".join([*head, "", table_text(frame(), rows=frame().height, decimals=3)])

    def record() -> Any:
        return {
            "rows": len(labelled),
            "exact": found.exact,
            "label_errors": found.error_rate,
            "repeated_rows": found.duplicates.extra,
            "suspicious": frame().to_dicts(),
        }

    show(form, output, text, frame, record)
    wrong = int((found.p_mislabelled > _LIKELY).sum())
    if wrong:
        say(f"{wrong:,} labels are more probably wrong than right")
    return ATTENTION if wrong else 0


def _labelled_rows(table: Any, target: str) -> list[int]:
    """The rows of the table that were audited."""
    labels = table[target]
    labels = labels.fill_nan(None) if labels.dtype.is_float() else labels
    rows: list[int] = labels.is_not_null().arg_true().to_list()
    return rows


def _places(place: Any, rows: Any) -> Any:
    import polars as pl

    known = place.to_list()
    return pl.Series(rows.name, [None if row is None else known[row] for row in rows.to_list()], dtype=pl.Int64)
