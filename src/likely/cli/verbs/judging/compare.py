"""`likely compare`: which of several models is better."""

from typing import Any

import click

from likely.cli.options import (
    Columns,
    Parts,
    Reading,
    Result,
    class_named,
    column_options,
    data_and_target,
    in_and_out,
    part_options,
    plot_option,
    seed_option,
    verb,
    words_options,
)
from likely.cli.recipes import NAMES, OF_TEXTS, Options
from likely.errors import InputError

_MODELS = f"Two or more, with commas, or all: {', '.join(NAMES)}; of texts also {', '.join(OF_TEXTS)}."


@verb(
    "compare",
    "likely compare data.csv --target y --models naive,gaussian-shared,gaussian-full",
    "likely compare data.csv --target y --models all --measure log_loss --repeats 3",
    "likely compare data.csv --target y --models naive,histogram --baseline naive --json",
)
@data_and_target
@click.option("--models", required=True, metavar="NAMES", help=_MODELS)
@click.option("--measure", default="accuracy", show_default=True, help="accuracy, log_loss, brier, f1 and others.")
@click.option("--positive", metavar="CLASS", help="The class that recall, precision or f1 is of.")
@click.option("--baseline", metavar="NAME", help="Compare each of the others with this one only.")
@click.option(
    "--folds", type=click.IntRange(2), help="Of the cross-validation; 10, or one a row where there are fewer."
)
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, help="Of the cross-validation.")
@click.option("--rope", type=float, default=0.01, show_default=True, help="A difference too small to matter.")
@column_options
@part_options("When each row was: folds are fifths of the rows by time, and the column is not learned.")
@plot_option
@words_options
@seed_option
@in_and_out
def command(
    data: str,
    target: str,
    models: str,
    measure: str,
    positive: str | None,
    baseline: str | None,
    folds: int | None,
    repeats: int,
    rope: float,
    columns: Columns,
    parts: Parts,
    plot: str | None,
    options: Options,
    seed: int,
    result: Result,
    reading: Reading,
) -> None:
    """Compare models on the same folds of DATA: by how much they differ, and whether that is more than luck.

    With --split they learn the rows for training, and are compared on those for testing, row by row.

    What is said of words is for the models that leave it open; candidates of a study keep their own.
    """
    from likely.cli.inputs.judged_parts import folds_for, with_later
    from likely.cli.inputs.tables import read_training, without
    from likely.cli.messages import say
    from likely.cli.recipes import recipe, slug
    from likely.cli.stages import doing
    from likely.cli.writing.pictures import check_plot, draw_comparison
    from likely.cli.writing.places import check_place
    from likely.cli.writing.results import show
    from likely.evaluation import compare

    check_place(result.output, (data,))
    check_plot(plot)
    names = list(dict.fromkeys(name.strip() for name in models.split(",") if name.strip()))
    if len(names) < 2 and names != ["all"]:
        raise InputError("--models: name at least two models, with a comma between them")
    training = read_training(data, target, columns, reading, parts)
    findings, prepared, facts, parting = training.findings, training.prepared, training.facts, training.parting
    if names == ["all"]:
        from likely.models.roster import candidates

        names = ["majority", *(slug(candidate.name) for candidate in candidates(facts))]
    open_ones = [name for name in names if name in NAMES and name not in ("majority", "tree", "forest")]
    if options.about_words and not open_ones:
        options.refuse(names[0], "words", "stop_words", "ngrams", "min_df")
    chosen = {name: recipe(name, facts, options if name in open_ones else None) for name in names}
    pos_label = None if positive is None else class_named(positive, prepared[target].unique(), "--positive")
    say(str(findings))
    doing(f"comparing {len(chosen)} models on {prepared.height:,} rows")
    judged, groups, cv = prepared, parting.groups, folds_for(parting, folds, prepared.height)
    if training.later is not None:
        judged, groups, cv = with_later(training)
    found = compare(
        chosen,
        without(judged, (target,)),
        judged[target].to_numpy(),
        cv,
        repeats if parting.folds is None and training.later is None else 1,
        measure,
        baseline,
        rope,
        groups=groups,
        random_state=seed,
        pos_label=pos_label,
    )

    def record() -> Any:
        models = {name: found.estimates[name] for name in found.ranking}
        return {"measure": found.criterion.name, "models": models, "differences": found.frame().to_dicts()}

    show(result, lambda: str(found), found.frame, record)
    if plot is not None:
        draw_comparison(found, plot)
