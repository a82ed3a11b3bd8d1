"""`likely fit`: learn one model from a table."""

from typing import Any

import click

from likely.cli.options import (
    check_reject,
    column_options,
    data_argument,
    decision_options,
    read_kinds,
    read_prior,
    reading_options,
    seed_option,
    target_option,
    verb,
    words_options,
)
from likely.cli.recipes import COVARIANCES, NAMES, OF_TEXTS, Options
from likely.errors import InputError

_MODELS = f"{', '.join(NAMES)}; of texts also {', '.join(OF_TEXTS)}."


@verb(
    "fit",
    "likely fit penguins.csv --target species",
    "likely fit data.csv --target y --model gaussian-shared -o shared.likely",
    "likely fit data.csv --target y --kind zip=nominal --drop id --calibrate logistic",
    "likely fit data.csv --target y --costs costs.csv --reject 0.5",
    "likely fit mails/ --target class",
    "likely fit texts/ --target class --words bernoulli --ngrams 2 --min-df 2",
    "likely fit huge.jsonl --target label --stream",
)
@data_argument
@target_option
@click.option("--model", "name", default="naive", show_default=True, metavar="NAME", help=_MODELS)
@click.option("-o", "--output", default="model.likely", show_default=True, metavar="FILE", help="The model file.")
@column_options
@click.option("--covariance", type=click.Choice(COVARIANCES), help="Of the model gaussian; full otherwise.")
@click.option("--alpha", type=float, help="Pseudo-count of every level of a column and of every word; 1 otherwise.")
@click.option("--gaps", type=click.Choice(["ignore", "evidence", "impute", "error"]), help="What a missing cell means.")
@click.option("--unseen", type=click.Choice(["ignore", "prior", "error"]), help="What a new level says later on.")
@click.option(
    "--calibrate",
    type=click.Choice(["logistic", "isotonic", "temperature", "beta"]),
    help="Make the probabilities come true as often as they say, by out-of-fold scores.",
)
@click.option("--stream", is_flag=True, help="Read DATA in batches: for files that do not fit in memory.")
@words_options
@decision_options
@seed_option
@reading_options
@click.option("--json", "form", flag_value="json", help="What was learned as JSON.")
def command(
    data: str,
    target: str,
    name: str,
    output: str,
    kinds: tuple[str, ...],
    keep: tuple[str, ...],
    drop: tuple[str, ...],
    covariance: str | None,
    alpha: float | None,
    gaps: str | None,
    unseen: str | None,
    calibrate: str | None,
    stream: bool,
    words: str | None,
    stop_words: str | None,
    ngrams: int | None,
    min_df: int | None,
    costs: str | None,
    prior: str | None,
    reject: float | None,
    seed: int,
    form: str | None,
    **reading: Any,
) -> None:
    """Learn one model from the rows of DATA and write it to a file.

    Kinds of columns are guessed and said. The model can go on learning (update), be added to another (merge) and
    unlearn rows (forget), unless it is calibrated or decides by costs.
    """
    from likely.cli.learned import keep as keep_model
    from likely.cli.messages import say
    from likely.cli.reading import cost_file, costs_between, read_data, without
    from likely.cli.recipes import recipe
    from likely.cli.results import check_place
    from likely.cli.streaming import learn_in_batches
    from likely.data.findings.table import examine
    from likely.data.text.corpora import known_kinds
    from likely.models.any_classifier.inside import name_target
    from likely.models.roster import TableFacts

    check_place(output)
    check_reject(reject)
    given, cost_table = read_kinds(kinds), cost_file(costs)
    options = Options(covariance, alpha, gaps, unseen, words, stop_words, ngrams, min_df)
    if stream:
        _refuse_with_stream(calibrate=calibrate, costs=costs, prior=prior, reject=reject)
        learned = learn_in_batches(
            data,
            target,
            given,
            lambda found, first: recipe(name, TableFacts.found(found, first), options),
            keep,
            drop,
            **reading,
        )
        keep_model(learned, output, form)
        return
    whole = read_data(data, **reading)
    table = without(whole, drop, target)
    findings = examine(table, target, given, known_kinds(whole))
    classes = sorted(label for label, _ in findings.classes)
    shares = read_prior(prior, classes)
    prepared = findings.prepared(table, keep)
    model = recipe(name, TableFacts.found(findings, prepared), options)
    cost_table = costs_between(cost_table, classes, costs)
    say(str(findings))
    if calibrate is not None:
        from likely.decisions import Calibrated

        model = Calibrated(model, calibrate, random_state=seed)
    if cost_table is not None or shares is not None or reject is not None:
        from likely.decisions import Decider

        model = Decider(model, costs=cost_table, prior=shares, reject=reject, random_state=seed)
    keep_model(name_target(model.fit(prepared, target), target), output, form)


def _refuse_with_stream(**given: Any) -> None:
    """Calibration and decisions need all rows more than once."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"--{name} needs all rows at once, and --stream reads them once, in batches; give one")
