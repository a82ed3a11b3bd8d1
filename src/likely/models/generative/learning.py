"""Sum the statistics of a table: batches in, one `Labelled` statistic out."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely import engines
from likely.data.inputs import Batch, Input
from likely.data.sources import Source
from likely.data.target import Target, read_target
from likely.distributions.combined.product import ProductFamily
from likely.errors import InputError
from likely.models.generative.layout import Layout
from likely.numeric.arrays import Array, Floats
from likely.statistics import Labelled, Membership

Task = tuple[int, Any, Target, Array | None]  # first row, batch, labels, weights


def learn(data: Input, target: Target | str, weight: Floats | None, layout: Layout) -> Labelled:
    """One pass over the data. The target is given as codes, or as the name of a column of the file."""
    tasks = Tasks(data, target, weight)
    statistic: Labelled | None = engines.current().fold(tasks, _Summary(layout, layout.family))
    if statistic is None:
        raise InputError("the file has no rows: there is nothing to learn from")
    return statistic


@dataclass(frozen=True)
class Tasks(Source[Task]):
    """The batches of a table with their labels and weights."""

    data: Input
    target: Target | str
    weight: Floats | None  # (n,)

    @property
    def n_batches(self) -> int | None:
        return self.data.n_batches

    def batch(self, number: int) -> Task:
        return self._task(self.data.batch(number))

    def batches(self) -> Iterator[Task]:
        return map(self._task, self.data.batches())

    def _task(self, batch: Batch) -> Task:
        start, rows = batch
        if isinstance(self.target, str):
            labels = read_target(rows[self.target])
            if labels.hidden:
                row = start + int(np.flatnonzero(labels.codes < 0)[0])
                raise InputError(
                    f"row {row} of the file has no label; rows without one are learned in many passes over data in "
                    "memory: read the file into a frame, or leave such rows out"
                )
            return start, rows.drop(self.target), labels, None
        stop = start + (len(rows) if isinstance(rows, list) else rows.shape[0])
        share = None if self.weight is None else self.weight[start:stop]
        return start, rows, Target(self.target.codes[start:stop], self.target.classes), share


@dataclass(frozen=True)
class _Summary:
    """The statistic of a batch."""

    layout: Layout
    family: ProductFamily

    def __call__(self, task: Task) -> Labelled:
        start, batch, labels, share = task
        rows = self.layout.rows(batch, start, learning=True)
        membership = Membership.of_labels(labels.codes, len(labels.classes), share)
        with self.layout.naming_cells(range(start, start + len(membership))):
            return Labelled(labels.classes, self.family.summarize(rows, membership))


def without_empty_classes(statistic: Labelled, keep: tuple[Hashable, ...] = ()) -> Labelled:
    """Leave out classes of which no row has any weight, unless they were declared."""
    kept = [i for i, name in enumerate(statistic.classes) if statistic.weight[i] != 0 or name in keep]
    if len(kept) == len(statistic.classes):
        return statistic
    return Labelled(tuple(statistic.classes[i] for i in kept), statistic.given.taken(np.array(kept, dtype=np.int64)))
