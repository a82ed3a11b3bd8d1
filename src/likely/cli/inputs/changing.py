"""A model in its file that learns more rows or forgets some: the file is replaced once it has, or stays as it is."""

from collections.abc import Callable
from typing import Any

from likely.cli.inputs.alignment import target_of
from likely.cli.inputs.reweighing import reweighed, weights_stay
from likely.cli.inputs.tables import additive, open_model
from likely.cli.options import Changing, Reading
from likely.cli.writing.learned import keep, note_calibration
from likely.cli.writing.places import check_model_place, in_place


def change_model(
    path: str,
    data: str,
    changing: Changing,
    reading: Reading,
    verb: str,
    change: Callable[[Any, str], Any],
    forgotten: bool = False,
) -> None:
    """Write what `change(model, target)` makes of the model in a file; the verb is update or forget."""
    place = changing.output or path
    check_model_place(place, (data, changing.reweigh), "MODEL" if changing.output is None else "-o")
    with in_place(path, place) as unchanged:
        learner = additive(open_model(path, learning=True), path, verb, changing.inner)
        column = target_of(learner, changing.target)
        with weights_stay():
            changed = change(learner, column)
        changed = reweighed(changed, changing.reweigh, reading, changing.target)
        unchanged()
        keep(changed, place, changing.form)
        note_calibration(changed, forgotten)
