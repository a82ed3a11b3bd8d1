"""Sum the statistics of a table: batches in, one `Labelled` statistic out."""

from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from likely import engines
from likely.data.inputs import Input
from likely.data.target import Target, read_target
from likely.errors import InputError
from likely.models.generative.layout import Layout, len_of, take_rows
from likely.numeric.arrays import Array, Floats
from likely.statistics import Labelled, Membership

Task = tuple[int, Any, Target, Array | None]  # first row, batch, labels, weights


def learn(data: Input, target: Target | str, weight: Floats | None, layout: Layout) -> Labelled:
    """One pass over the data. The target is given as codes, or as the name of a column of the file."""
    family = layout.family

    def summarize(task: Task) -> Labelled:
        start, batch, labels, share = task
        rows = layout.rows(batch, start, learning=True)
        membership = Membership.of_labels(labels.codes, len(labels.classes), share)
        with layout.naming_cells(range(start, start + len(membership))):
            return Labelled(labels.classes, family.summarize(rows, membership))

    statistic: Labelled | None = engines.current().fold(tasks(data, target, weight), summarize)
    if statistic is None:
        raise InputError("the file has no rows: there is nothing to learn from")
    return statistic


def tasks(data: Input, target: Target | str, weight: Floats | None) -> Iterator[Task]:
    """Batches with their labels and weights."""
    for start, batch in data.batches():
        if isinstance(target, str):
            labels = read_target(batch[target])
            if labels.hidden:
                row = start + int(np.flatnonzero(labels.codes < 0)[0])
                raise InputError(
                    f"row {row} of the file has no label; rows without one are learned in many passes over data in "
                    "memory: read the file into a frame, or leave such rows out"
                )
            yield start, batch.drop(target), labels, None
        else:
            stop = start + (len(batch) if isinstance(batch, list) else batch.shape[0])
            share = None if weight is None else weight[start:stop]
            yield start, batch, Target(target.codes[start:stop], target.classes), share


def without_empty_classes(statistic: Labelled, keep: tuple[Hashable, ...] = ()) -> Labelled:
    """Leave out classes of which no row has any weight, unless they were declared."""
    kept = [i for i, name in enumerate(statistic.classes) if statistic.weight[i] != 0 or name in keep]
    if len(kept) == len(statistic.classes):
        return statistic
    return Labelled(tuple(statistic.classes[i] for i in kept), statistic.given.taken(np.array(kept, dtype=np.int64)))


def encoded_batches(
    data: Input, target: Target | str, weight: Floats | None, layout: Layout
) -> list[tuple[tuple[Any, ...], Target, Floats]]:
    """All batches in the family's form, for algorithms that pass over them many times."""
    out = []
    for start, batch, labels, share in tasks(data, target, weight):
        rows = layout.rows(batch, start, learning=True)
        out.append((rows, labels, np.ones(len_of(rows)) if share is None else np.asarray(share)))
    return out


__all__ = ["encoded_batches", "learn", "take_rows", "tasks", "without_empty_classes"]
