"""`likely audit`: which rows are probably mislabelled, influential or repeated."""

from typing import Any

import click

from likely.cli.mistakes import ATTENTION
from likely.cli.options import (
    Columns,
    Reading,
    Result,
    carry_option,
    column_options,
    data_and_target,
    in_and_out,
    seed_option,
    verb,
)

_MOST_ROWS, _MOST_COLUMNS = 20_000, 60  # of a table of which logistic regression is asked too
_CLEARLY = 0.02  # nats, and share of the log-loss
_LIKELY = 0.5  # the probability of a wrong label that asks for attention
_LONGEST = 60  # characters of a cell of text
_OWN = ("row", "label", "suggested", "bits", "p_mislabelled", "influence", "duplicate_of", "contradictory")


@verb(
    "audit",
    "likely audit data.csv --target y",
    "likely audit data.csv --target y --model gaussian-shared --top 50 -o suspicious.csv",
    "likely audit data.csv --target y --all --json > rows.json",
    "likely audit mail/ --target class --keep-column path",
)
@data_and_target
@click.option(
    "--model", "name", metavar="NAME", help="As for likely fit; without it naive, or where that is no judge, another."
)
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many rows to show.")
@click.option("--all", "everything", is_flag=True, help="Show all rows.")
@carry_option
@column_options
@seed_option
@in_and_out
def command(
    data: str,
    target: str,
    name: str | None,
    top: int,
    everything: bool,
    carried: tuple[str, ...],
    columns: Columns,
    seed: int,
    result: Result,
    reading: Reading,
) -> int:
    """Judge every row of DATA by all the others: what its own label costs, in bits.

    1 bit is the toss of a coin, 10 bits are odds of a thousand to one against the label. Rows are counted from 0. The
    judge is naive Bayes, or where another of a few quick models has a clearly better log-loss on rows left out, that
    one; it is named. The exit code is 1 where a label is more probably wrong than right.
    """
    from likely.cli.inputs.tables import read_training, without
    from likely.cli.messages import say
    from likely.cli.recipes import recipe
    from likely.cli.stages import doing
    from likely.cli.writing.answers import carried_columns
    from likely.cli.writing.places import check_place
    from likely.cli.writing.results import show, table_text

    check_place(result.output, (data,))
    whole, findings, prepared, facts, *_ = read_training(data, target, columns, reading)
    kept = carried_columns(whole, carried, _OWN)
    X, y = without(prepared, (target,)), prepared[target].to_numpy()
    models = {one: recipe(one, facts) for one in (_judges(facts) if name is None else [name])}
    say(str(findings))
    doing(f"judging {prepared.height:,} rows by all others")
    judge, found = _audited(models, X, y, seed)
    labelled = _labelled_rows(whole, target)
    shown = found.frame() if everything else found.suspicious(min(top, len(labelled)))

    def frame() -> Any:
        import polars as pl

        place = pl.Series(labelled, dtype=pl.Int64)
        rows = place[shown["row"]]
        told = shown.with_columns(row=rows, duplicate_of=_places(place, shown["duplicate_of"]))
        return told.with_columns(*(column[rows] for column in kept))

    def text() -> str:
        told = frame()
        texts = [c for c in findings.columns if c.kind == "text" and c.name in prepared.columns]
        if texts and texts[0].name not in told.columns:  # what the row says, for those who read the rows
            told = told.with_columns(whole[texts[0].name][told["row"]])
        told = told.rename({"p_mislabelled": "P(wrong)"})
        return (
            f"judge            {judge}\n{found.summary()}\n\n{table_text(_short(told), rows=told.height, decimals=3)}"
        )

    def record() -> Any:
        return {
            "rows": len(labelled),
            "judge": judge,
            "exact": found.exact,
            "label_errors": found.error_rate,
            "repeated_rows": found.duplicates.extra,
            "repeated_by_chance": found.by_chance.repeated,
            "suspicious": frame().to_dicts(),
        }

    show(result, text, frame, record)
    wrong = int((found.p_mislabelled > _LIKELY).sum())
    if wrong:
        say(f"{wrong:,} label{'s are' if wrong > 1 else ' is'} more probably wrong than right, as {judge} sees it")
    return ATTENTION if wrong else 0


def _judges(facts: Any) -> list[str]:
    """The models that are asked where none is named: of texts and of long tables naive Bayes alone, which is quick."""
    if facts.of_kind("text") or facts.rows > _MOST_ROWS:
        return ["naive"]
    return ["naive", "logistic"] if len(facts.kinds) <= _MOST_COLUMNS else ["naive"]


def _audited(models: Any, X: Any, y: Any, seed: int) -> Any:
    """The name of the judge and what it finds: the first, unless another says clearly more of the labels."""
    from likely.errors import LikelyError
    from likely.evaluation.audit.rows import audit

    name, *others = models
    found = audit(models[name], X, y, random_state=seed)
    for other in others:
        try:
            again = audit(models[other], X, y, random_state=seed)
        except LikelyError:
            continue  # a table that it cannot learn
        if again.log_loss < found.log_loss - max(_CLEARLY, _CLEARLY * found.log_loss):
            name, found = other, again
    return name, found


def _short(frame: Any) -> Any:
    """The frame with the beginnings of long cells."""
    import polars as pl

    from likely.data.printing.wording import shortened

    def cells(column: pl.Series) -> pl.Series:
        flat = [None if cell is None else " ".join(str(cell)[: 4 * _LONGEST].split()) for cell in column.to_list()]
        return pl.Series(column.name, [cell if cell is None else shortened(cell, _LONGEST) for cell in flat])

    return frame.with_columns(*(cells(frame[name]) for name in frame.columns if frame[name].dtype == pl.String))


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
