"""`likely study`: from a table to a classifier that can be trusted, and a report."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from likely.cli.mistakes import ATTENTION, INTERRUPTED
from likely.cli.options import (
    Columns,
    Parts,
    Reading,
    check_reject,
    class_named,
    column_options,
    decision_options,
    part_options,
    positive_option,
    read_kinds,
    read_prior,
    read_seconds,
    reading_options,
    seed_option,
    verb,
)
from likely.cli.signals import code_of_signal
from likely.errors import InputError, readable


@verb(
    "study",
    "likely study --demo",
    "likely study data.csv --target species",
    "likely study mail/ --target class",
    "likely study data.csv.gz --target sick -o report --costs costs.csv --prior no=0.99,yes=0.01",
    "likely study data.csv --target y --kind zip=nominal --drop id --time-limit 60s",
)
@click.argument("data", metavar="DATA", required=False)
@click.option("--target", metavar="COLUMN", help="The column to predict.")
@click.option("--demo", is_flag=True, help="Study the Palmer penguins that ship with the package.")
@click.option("-o", "--output", default="study", show_default=True, metavar="FOLDER", help="For report and model.")
@decision_options
@column_options
@part_options("When each row was: the last fifth is judged, by models of the earlier rows. It is not learned itself.")
@positive_option
@click.option(
    "--keep-best", is_flag=True, help="Keep the best log score, not the simplest model that is about as good."
)
@click.option(
    "--folds",
    type=click.IntRange(2),
    help="Of the cross-validation; 10, 5 beyond 10,000 rows, or one a row where there are fewer.",
)
@click.option("--repeats", type=click.IntRange(1), help="Of the cross-validation; 3 up to 200 rows, 1 beyond.")
@click.option("--no-yardsticks", is_flag=True, help="Without scikit-learn's models for comparison.")
@click.option(
    "--prefer",
    type=click.Choice(["simple", "accurate", "fast"]),
    default="simple",
    show_default=True,
    help="Which of the models that are as good as the best is kept.",
)
@click.option("--time-limit", metavar="TIME", help="60s, 5m, 1h: what would not be done in time is left out.")
@seed_option
@reading_options
@click.option("--json", "form", flag_value="json", help="The whole report as JSON on standard output.")
def command(
    data: str | None,
    target: str | None,
    demo: bool,
    output: str,
    costs: str | None,
    prior: str | None,
    reject: float | None,
    columns: Columns,
    parts: Parts,
    positive: str | None,
    keep_best: bool,
    folds: int | None,
    repeats: int | None,
    no_yardsticks: bool,
    prefer: str,
    time_limit: str | None,
    seed: int,
    form: str | None,
    reading: Reading,
) -> int:
    """Compare models on DATA honestly, keep the simplest good one, calibrate it, and write a report.

    Writes report.html, report.md, report.json and model.likely into a folder. Every figure is of rows that the model
    had not seen. The exit code is 1 where no model is shown to be better than always saying the commonest class, where
    another does better than the one kept, where rows set aside do worse than folds, or where a column may give the
    class away.
    """
    from likely.cli.compiling import compiling_beside
    from likely.cli.inputs.tables import cost_file, costs_between, read_data, spelled_kinds, with_text, without
    from likely.cli.messages import say
    from likely.cli.stages import Stages, doing
    from likely.cli.writing.places import check_place
    from likely.cli.writing.results import as_json
    from likely.data.sources.places.user_paths import user_path
    from likely.reports.choosing.clock import Clock
    from likely.reports.looking import look
    from likely.reports.rendering.first_screen.answer import needs_attention
    from likely.reports.study import stages_of, study_of
    from likely.reports.writing import FILES

    name, column = _what_to_study(data, target, demo)
    folder = user_path(output)
    for place in (folder / file for file in FILES):
        if place.exists():
            check_place(str(place), (None if demo else name, costs))
    check_reject(reject)
    click.get_current_context().with_resource(compiling_beside())
    given, clock, cost_table = read_kinds(columns.kinds), Clock(read_seconds(time_limit)), cost_file(costs)
    table = with_text(read_data(name, reading, spelled_kinds(given)), given)
    without(table, columns.drop, column)
    doing("looking at the columns")
    title = "standard input" if name == "-" else name if demo else Path(name).name
    origin = None if name == "-" else name
    looked = look(table, column, given, columns.keep, columns.drop, title, origin, *parts)
    classes = sorted(label for label, _ in looked.findings.classes)
    shares = read_prior(prior, classes)
    about = None if positive is None else class_named(positive, classes, "--positive")
    costs_between(cost_table, classes, costs)
    if folds is not None and folds > looked.facts.rows:
        raise InputError(f"--folds {folds}: there are {looked.facts.rows} rows with a class; say fewer folds")
    arguments = {
        "costs": costs, "prior": shares, "reject": reject, "kinds": dict(given), "keep": list(columns.keep),
        "drop": list(columns.drop), "cv": folds, "repeats": repeats, "time_limit": clock.limit, "seed": seed,
        "prefer": prefer, "yardsticks": not no_yardsticks,
        "keep_best": keep_best, "positive": about, **parts._asdict(), "reading": _spelled(reading),
    }  # fmt: skip
    say(str(looked.findings))
    writing = "writing the report"
    with _ready(folder), Stages(*stages_of(looked, not no_yardsticks), writing) as stages:
        try:
            found = study_of(looked, arguments, not no_yardsticks, clock, stages)
            stages(writing)
            written = found.save(folder)
        except KeyboardInterrupt:
            stages.close()
            say(f"interrupted: {stages.finished(folder)}")
            return code_of_signal() or INTERRUPTED
    click.echo(as_json(found.record()) if form == "json" else readable("\n".join(found.answer)), nl=form != "json")
    say("wrote " + ", ".join(map(str, written)))
    return ATTENTION if needs_attention(found) else 0


def _spelled(reading: Reading) -> dict[str, str | tuple[str, ...]]:
    """How DATA were said to be written, by option, to run it again."""
    decimal = "" if reading.decimal == "." else reading.decimal
    given = {"missing": reading.spellings, "separator": reading.separator, "decimal": decimal}
    return {name: value for name, value in {**given, "format": reading.file_format}.items() if value}


def _what_to_study(data: str | None, target: str | None, demo: bool) -> tuple[str, str]:
    """The data and the target."""
    from likely.cli.inputs.tables import BUNDLED, is_bundled

    if demo:
        if data is not None:
            raise click.UsageError(f"--demo studies the penguins; leave it out to study {data}")
        data = "penguins"
    if data is None:
        raise click.UsageError("name the DATA to study, or say --demo")
    column = BUNDLED[data] if target is None and is_bundled(data) else target
    if column is None:
        raise click.UsageError("name the column to predict: --target COLUMN")
    return data, column


@contextmanager
def _ready(folder: Path) -> Iterator[None]:
    """Make sure before the long work that the folder can be written; it goes again if nothing comes of it."""
    if folder.exists() and not folder.is_dir():
        raise InputError(f"-o: {folder} is a file; name a folder")
    made = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError as wrong:
            raise InputError(f"-o: cannot write into the folder {folder}: {wrong.strerror or wrong}") from None
        yield
    finally:
        for path in made:  # the deepest first; those that hold something stay
            with suppress(OSError):
                path.rmdir()
