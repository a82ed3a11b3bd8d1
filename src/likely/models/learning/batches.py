"""The batches of a table with the labels and weights of their rows: what a model that learns sums over."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from likely.data.inputs import Batch, Input
from likely.data.labels.target import Target, read_target
from likely.data.sources import Source
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats

Task: TypeAlias = tuple[int, Any, Target, Array | None]  # first row, batch, labels, weights


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
