"""Sum the statistics of a table: batches in, one `Labelled` statistic out."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from likely import engines
from likely.data.inputs import Input
from likely.data.labels.target import Target
from likely.distributions.combined.product import ProductFamily
from likely.errors import InputError
from likely.models.generative.summing.layout import Layout
from likely.models.learning.batches import Task, Tasks
from likely.numeric.arrays import Floats
from likely.statistics import Labelled, Membership


def learn(data: Input, target: Target | str, weight: Floats | None, layout: Layout) -> Labelled:
    """One pass over the data. The target is given as codes, or as the name of a column of the file."""
    tasks = Tasks(data, target, weight)
    statistic: Labelled | None = engines.current().fold(tasks, _Summary(layout, layout.family))
    if statistic is None:
        raise InputError("the file has no rows: there is nothing to learn from")
    return statistic


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
