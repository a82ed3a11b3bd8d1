"""`likely components`: rows on their principal components."""

from typing import Any

import click

from likely.cli.options import Reading, Result, carry_option, data_argument, in_and_out, seed_option, verb


@verb(
    "components",
    "likely components data.csv -n 2 --keep-column name -o scores.csv",
    "likely components data.csv --share 0.9 --text",
    "likely components data.csv -n 2 --figure plane.png --drop id",
)
@data_argument
@click.option("-n", "--number", type=click.IntRange(1), metavar="N", help="How many components; 2 otherwise.")
@click.option("--share", type=click.FloatRange(0, 1, True, True), help="As many as keep this share of the variance.")
@click.option("--raw", is_flag=True, help="Take numbers as they are; otherwise in standard deviations.")
@click.option("--kind", "kinds", multiple=True, metavar="COLUMN=KIND", help="What a column is, such as nominal.")
@click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out.")
@click.option("--model", "kept", metavar="FILE", help="Keep the components in a file.")
@click.option("--figure", metavar="FILE", help="Draw the rows on the first two components.")
@carry_option
@seed_option
@in_and_out
def command(
    data: str,
    number: int | None,
    share: float | None,
    raw: bool,
    kinds: tuple[str, ...],
    drop: tuple[str, ...],
    kept: str | None,
    figure: str | None,
    carried: tuple[str, ...],
    seed: int,
    result: Result,
    reading: Reading,
) -> None:
    """Find the directions in which rows of DATA differ most, and where the rows lie along them.

    How much of the variance each keeps, with its interval, and how strongly each column goes along with it, are
    messages; the result has a column for each component.
    """
    from likely import PCA
    from likely.cli.inputs.tables import read_data, spelled_kinds, with_text, without
    from likely.cli.messages import say
    from likely.cli.options import read_kinds
    from likely.cli.stages import doing
    from likely.cli.writing.answers import carried_columns
    from likely.cli.writing.places import check_model_place, check_place
    from likely.cli.writing.results import show, table_text
    from likely.errors import InputError

    check_place(result.output, (data,))
    check_place(figure, (data,), "--figure")
    if kept is not None:
        check_model_place(kept, (data,), "--model")
    if number is not None and share is not None:
        raise InputError("say -n or --share, not both")
    given = read_kinds(kinds)
    whole = read_data(data, reading, spelled_kinds(given))
    table = with_text(without(whole, (*drop, *(name for name in carried if name in whole.columns))), given)
    doing(f"finding the components of {table.height:,} rows")
    wanted = share if share is not None else number or min(2, table.width)
    model = PCA(wanted, standardize=not raw, kinds=given or "auto", random_state=seed).fit(table)
    scores = model.transform(table)
    columns = {f"component_{i + 1}": scores[:, i] for i in range(model.n_components_)}
    own = carried_columns(whole, carried, tuple(columns))
    shares = model.share_intervals(table)
    say(_told(model, shares))

    def frame() -> Any:
        import polars as pl

        return pl.DataFrame({**{each.name: each for each in own}, **columns})

    def record() -> Any:
        names = model.design_.names
        return {
            "shares": shares,
            "loadings": {name: model.loadings_[j].tolist() for j, name in enumerate(names)},
            "rows": frame().to_dicts(),
        }

    if kept is not None:
        from likely.store import save

        save(model, kept)
        say(f"wrote {kept}")
    if figure is not None:
        _draw(model, table, figure)
        say(f"wrote {figure}")
    show(result, lambda: table_text(frame()), frame, record)


def _told(model: Any, shares: Any) -> str:
    """Shares with their intervals, and the columns that each component goes along with most."""
    lines = []
    for i, upto in enumerate(shares):
        loadings = model.loadings_[:, i]
        strongest = sorted(range(len(loadings)), key=lambda j: -abs(loadings[j]))[:4]
        words = ", ".join(f"{model.design_.names[j]} {loadings[j]:+.2f}" for j in strongest)
        lines.append(f"component {i + 1}: {model.explained_variance_ratio_[i]:.1%}, so far {upto:.1%}; {words}")
    return "\n".join(lines)


def _draw(model: Any, table: Any, path: str) -> None:
    from matplotlib.figure import Figure

    from likely.errors import InputError
    from likely.figures import ComponentsDisplay

    if model.n_components_ < 2:
        raise InputError("--figure shows two components: say -n 2")
    figure = Figure(figsize=(5.6, 4.2), layout="constrained")
    ComponentsDisplay.from_estimator(model, table, loadings=True, ax=figure.subplots())
    try:
        figure.savefig(path, dpi=150)
    except (OSError, ValueError) as error:
        raise InputError(f"--figure: {path} cannot be drawn: {error}") from None
