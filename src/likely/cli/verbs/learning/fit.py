"""`likely fit`: learn one model from a table."""

from typing import Any

import click

from likely.cli.options import (
    Columns,
    Reading,
    check_reject,
    column_options,
    data_and_target,
    decision_options,
    model_options,
    read_prior,
    reading_options,
    seed_option,
    verb,
)
from likely.cli.recipes import NAMES, OF_TEXTS, Options
from likely.errors import InputError

_MODELS = f"{', '.join(NAMES)}; of texts also {', '.join(OF_TEXTS)}."


@verb(
    "fit",
    "likely fit penguins.csv --target species",
    "likely fit data.csv --target y --model gaussian-shared -o shared.likely",
    "likely fit data.csv --target y --kind zip=nominal --drop id --calibrate isotonic",
    "likely fit data.csv --target y --no-calibrate",
    "likely fit data.csv --target y --costs costs.csv --reject 0.5",
    "likely fit mails/ --target class",
    "likely fit texts/ --target class --words bernoulli --ngrams 2 --min-df 2",
    "likely fit huge.jsonl --target label --stream",
)
@data_and_target
@click.option("--model", "name", default="naive", show_default=True, metavar="NAME", help=_MODELS)
@click.option("-o", "--output", default="model.likely", show_default=True, metavar="FILE", help="The model file.")
@column_options
@model_options
@click.option(
    "--calibrate",
    type=click.Choice(["auto", "logistic", "isotonic", "temperature", "beta", "gaussian"]),
    help="How probabilities are made to come true as often as they say, by out-of-fold scores; by default the best.",
)
@click.option("--no-calibrate", "raw", is_flag=True, help="Leave the probabilities as the model has them.")
@click.option("--stream", is_flag=True, help="Read DATA in batches: for files that do not fit in memory.")
@decision_options
@seed_option
@reading_options
@click.option("--json", "form", flag_value="json", help="What was learned as JSON.")
def command(
    data: str,
    target: str,
    name: str,
    output: str,
    columns: Columns,
    options: Options,
    calibrate: str | None,
    raw: bool,
    stream: bool,
    costs: str | None,
    prior: str | None,
    reject: float | None,
    seed: int,
    form: str | None,
    reading: Reading,
) -> None:
    """Learn one model from the rows of DATA and write it to a file.

    Kinds of columns are guessed and said. A model that learns by sums can go on learning (update), be added to another
    (merge) and unlearn rows (forget); so can --model pool-updatable, a pool of such models alone. Its
    probabilities are calibrated on rows left out, unless told not to. Rows of a single class make a model that is not
    calibrated, to be merged with others.
    """
    from likely.cli.inputs.streaming import learn_in_batches
    from likely.cli.inputs.tables import cost_file, costs_between, read_training
    from likely.cli.messages import note, say
    from likely.cli.recipes import recipe
    from likely.cli.stages import doing
    from likely.cli.writing.learned import keep as keep_model
    from likely.cli.writing.places import check_model_place
    from likely.models.any_classifier.inside import know_table, name_target
    from likely.models.roster import TableFacts

    if raw and calibrate is not None:
        raise InputError(f"--calibrate {calibrate} and --no-calibrate contradict each other; give one")
    check_model_place(output, (data, costs))
    check_reject(reject)
    cost_table = cost_file(costs)
    if stream:
        _refuse_with_stream(calibrate=calibrate, costs=costs, prior=prior, reject=reject)
        learned = learn_in_batches(
            data, target, lambda found, first: recipe(name, TableFacts.found(found, first), options), columns, reading
        )
        keep_model(learned, output, form)
        if not raw:
            note("the probabilities are not calibrated, which takes all rows at once; judge them with likely evaluate")
        return
    whole, findings, prepared, facts, *_ = read_training(data, target, columns, reading, to_merge=True)
    classes = sorted(label for label, _ in findings.classes)
    shares = read_prior(prior, classes)
    model = recipe(name, facts, options)
    cost_table = costs_between(cost_table, classes, costs)
    say(str(findings))
    if alike := [name for name in findings.left_out if name in prepared.columns and name not in columns.keep]:
        note(f"{', '.join(alike)}: learned all the same, so that models of tables where it varies can be merged")
    why_not = _why_uncalibrated(raw, name, [rows for _, rows in findings.classes]) if calibrate is None else None
    if why_not is None:
        from likely.decisions import Calibrated

        model = Calibrated(model, calibrate or "auto", random_state=seed)
    elif why_not:
        note(f"the probabilities are not calibrated: {why_not}")
    if cost_table is not None or shares is not None or reject is not None:
        from likely.decisions import Decider

        model = Decider(model, costs=cost_table, prior=shares, reject=reject, random_state=seed, calibrate=None)
    doing(f"learning from {prepared.height:,} rows")
    fitted = name_target(model.fit(prepared, target), target)
    keep_model(know_table(fitted, whole.columns, findings.dates), output, form)


def _why_uncalibrated(raw: bool, name: str, rows: list[int]) -> str | None:
    """Why a model is not calibrated although nobody said how; "" where there is nothing to say, None where it is."""
    if raw or name in ("majority", "pool", "pool-updatable"):  # the shares of the classes; weights that calibrate
        return ""
    if len(rows) == 1:
        return "there is one class, so there is nothing to learn it from; merge the model with models of other classes"
    return "a class has a single row, and scores out of fold need two of every class" if min(rows) < 2 else None


def _refuse_with_stream(**given: Any) -> None:
    """Calibration and decisions need all rows more than once."""
    for name, value in given.items():
        if value is not None:
            raise InputError(f"--{name} needs all rows at once, and --stream reads them in batches; give one")
