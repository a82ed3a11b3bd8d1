"""`likely merge`: add models up."""

import click

from likely.cli.options import reweigh_option, verb
from likely.errors import InputError


@verb(
    "merge",
    "likely merge north.likely south.likely -o both.likely",
    "likely merge site-*.likely -o all.likely",
)
@click.argument("models", metavar="MODEL...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", required=True, help="The file of the sum.")
@click.option("--inner", is_flag=True, help="Take the models inside calibration and decisions.")
@reweigh_option
@click.option("--json", "form", flag_value="json", help="What was learned as JSON.")
def command(models: tuple[str, ...], output: str, inner: bool, reweigh: str | None, form: str | None) -> None:
    """Add models up: the same model as one that had learned the rows of all of them.

    The models must describe the same columns in the same way; where kinds were guessed differently, fit with --kind.
    Of calibrated models the map is learned again, from what both keep of rows left out; of pools the weights are
    the mean, unless --reweigh gives rows to learn them from.
    """
    from likely.cli.inputs.reweighing import reweighed, weights_stay
    from likely.cli.inputs.tables import additive, open_model
    from likely.cli.writing.learned import keep, note_calibration
    from likely.cli.writing.places import check_model_place
    from likely.decisions import merge_models

    if len(models) < 2:
        raise InputError("give at least two models to merge")
    check_model_place(output, (*models, reweigh))
    total = additive(open_model(models[0], learning=True), models[0], "merge", inner)
    for path in models[1:]:
        other = additive(open_model(path, learning=True), path, "merge", inner)
        try:
            with weights_stay():
                total = merge_models(total, other)
        except InputError as error:
            raise InputError(f"{path}: {error}") from None
    total = reweighed(total, reweigh)
    keep(total, output, form)
    note_calibration(total)
