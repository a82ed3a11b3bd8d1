"""A table and its labels as a classifier learns them: rows that count, their classes, and what each class weighs."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.schema import Schema, schema_of
from likely.data.inputs import Input, taken
from likely.data.labels.target import Target, read_target, split_target, target_name
from likely.data.labels.weights import by_name, learning_weight
from likely.errors import InputError
from likely.models.any_classifier.asking import note_hidden
from likely.models.learning.batches import Tasks
from likely.numeric.arrays import Array, Floats, PerRow


def labelled_tasks(
    model: Any, X: TableLike, y: TargetLike, sample_weight: PerRow, known: Schema | None = None
) -> tuple[Tasks, Schema]:
    """Rows with their labels and weights, and the columns: those of this table, or those `known` already."""
    table = model._read(X)
    data, labels = split_target(table, y)
    if known is not None:
        data = known.align(data, type(model).__name__)
    target = labels if isinstance(labels, str) else read_target(labels, data.rows)
    weight = learning_weight(sample_weight, data.rows)
    if isinstance(target, Target):
        data, target, weight = rows_that_count(data, target, weight)
    if known is None:
        known = replace(schema_of(data, model.kinds), target=target_name(table, y))
    return Tasks(data, target, weight), known


def check_known(named: tuple[Hashable, ...], classes: tuple[Hashable, ...]) -> None:
    """Refuse labels that are none of the classes."""
    strange = [name for name in named if name not in classes]
    if strange:
        raise InputError(f"class {strange[0]!r} was not among the classes learned, {', '.join(map(repr, classes))}")


def rows_that_count(data: Input, target: Target, weight: Floats | None) -> tuple[Input, Target, Floats | None]:
    """The rows that have a label and a weight, and the classes of these; that others have no label is said."""
    counts = target.codes >= 0
    if not counts.all():
        note_hidden(int((~counts).sum()), len(counts))
    if weight is not None:
        counts &= weight > 0
    if counts.all():
        return data, target, weight
    rows = np.flatnonzero(counts)
    if not len(rows):
        raise InputError("y names no class: every label is missing")
    present, codes = np.unique(target.codes[rows], return_inverse=True)
    known = Target(codes.astype(np.int32), tuple(target.classes[i] for i in present))
    return taken(data, rows), known, None if weight is None else weight[rows]


def weight_of_classes(given: Any, classes: tuple[Hashable, ...], count: Array) -> Floats | None:
    """One weight for each class: from a mapping, or "balanced", which makes all classes weigh the same in all."""
    if given is None:
        return None
    if isinstance(given, str):
        if given != "balanced":
            raise InputError(f"unknown class_weight={given!r}; give 'balanced' or a mapping from class to weight")
        return np.asarray(count.sum() / (len(classes) * np.where(count > 0, count, 1)))
    weight = np.array(by_name(given, classes, "class_weight", "class"), dtype=np.float64)
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise InputError(f"class_weight {weight.tolist()} must be finite and not negative, and not all zero")
    return weight
