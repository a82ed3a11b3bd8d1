"""`likely compare`: which of several models is better."""

from typing import Any

import click

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
@data_argument
@target_option
@click.option("--models", required=True, metavar="NAMES", help=_MODELS)
@click.option("--measure", default="accuracy", show_default=True, help="accuracy, log_loss, brier, f1 and others.")
@click.option("--baseline", metavar="NAME", help="Compare each of the others with this one only.")
@click.option(
    "--folds", type=click.IntRange(2), help="Of the cross-validation; 10, or one a row where there are fewer."
)
@click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, help="Of the cross-validation.")
@click.option("--rope", type=float, default=0.01, show_default=True, help="A difference too small to matter.")
@column_options
@words_options
@seed_option
@result_options
@output_option
@reading_options
def command(
    data: str,
    target: str,
    models: str,
    measure: str,
    baseline: str | None,
    folds: int | None,
    repeats: int,
    rope: float,
    kinds: tuple[str, ...],
    keep: tuple[str, ...],
    drop: tuple[str, ...],
    words: str | None,
    stop_words: str | None,
    ngrams: int | None,
    min_df: int | None,
    seed: int,
    form: str | None,
    output: str | None,
    **reading: Any,
) -> None:
    """Compare models on the same folds of DATA: by how much they differ, and whether that is more than luck.

    What is said of words is for the models that leave it open; candidates of a study keep their own.
    """
    from likely.cli.messages import say
    from likely.cli.reading import read_data, without
    from likely.cli.recipes import recipe, slug
    from likely.cli.results import check_place, show
    from likely.data.findings.table import examine
    from likely.data.text.corpora import known_kinds
    from likely.evaluation import compare
    from likely.models.roster import TableFacts

    check_place(output)
    given, names = read_kinds(kinds), list(dict.fromkeys(name.strip() for name in models.split(",") if name.strip()))
    if len(names) < 2 and names != ["all"]:
        raise InputError("--models: name at least two models, with a comma between them")
    whole = read_data(data, **reading)
    table = without(whole, drop, target)
    findings = examine(table, target, given, known_kinds(whole))
    prepared = findings.prepared(table, keep)
    facts = TableFacts.found(findings, prepared)
    if names == ["all"]:
        from likely.models.roster import candidates

        names = ["majority", *(slug(candidate.name) for candidate in candidates(facts))]
    options = Options(words=words, stop_words=stop_words, ngrams=ngrams, min_df=min_df)
    open_ones = [name for name in names if name in NAMES and name != "majority"]
    if options.about_words and not open_ones:
        options.refuse(names[0], "words", "stop_words", "ngrams", "min_df")
    chosen = {name: recipe(name, facts, options if name in open_ones else None) for name in names}
    say(str(findings))
    found = compare(
        chosen,
        without(prepared, (target,)),
        prepared[target].to_numpy(),
        min(10, prepared.height) if folds is None else folds,
        repeats,
        measure,
        baseline,
        rope,
        random_state=seed,
    )

    def record() -> Any:
        models = {name: found.estimates[name] for name in found.ranking}
        return {"measure": found.criterion.name, "models": models, "differences": found.frame().to_dicts()}

    show(form, output, lambda: str(found), found.frame, record)
