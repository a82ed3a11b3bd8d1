"""The weights of a pool that has learned on, merged or forgotten: they stay, or are learned anew from rows given."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from likely.cli.messages import note, say
from likely.cli.options import Reading
from likely.errors import InputError
from likely.models.any_classifier.inside import unwrap


@contextmanager
def weights_stay() -> Iterator[None]:
    """Inside, a pool does not say with every batch that its weights stay as they are; `reweighed` says it."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "the weights of the pool stay")
        yield


def note_stale(model: object, place: str = "") -> None:
    """Say where the members of a pool have learned other rows than its weights."""
    if getattr(unwrap(model), "stale_", False):
        note(
            f"{place}the weights of the pool stay as they were learned, from other rows than its members now know; "
            "update, merge and forget learn them anew with --reweigh FILE"
        )


def reweighed(model: Any, path: str | None, reading: Reading | None = None, target: str | None = None) -> Any:
    """The model, the weights of its pool learned from the rows of a file; as it is where there is no file, and said."""
    if path is None:
        note_stale(model)
        return model
    from likely.cli.inputs.alignment import rows_with_labels, target_of
    from likely.cli.inputs.tables import read_for
    from likely.cli.stages import doing
    from likely.decisions import Pool

    pool = unwrap(model)
    if not isinstance(pool, Pool):
        raise InputError(f"--reweigh: a {type(pool).__name__} has no weights of members; leave it out")
    column = target_of(model, target)
    table = read_for(model, path, reading or Reading(), column)
    doing(f"weighing the members by {table.height:,} rows")
    pool.reweigh(*rows_with_labels(table, model, column, learning=True))
    say(f"the weights of the pool were learned from {path}")
    return model
