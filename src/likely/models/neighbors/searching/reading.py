"""Labelled rows as models of neighbours keep them: read, aligned, and their classes numbered."""

from dataclasses import replace
from typing import Any

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.columns.schema import schema_of
from likely.data.distances.cells import CellPlan, in_memory
from likely.data.distances.pairs import Metric
from likely.data.inputs import Input, SourceInput, taken
from likely.data.labels.target import Target, read_target, split_target, target_name
from likely.data.labels.weights import learning_weight
from likely.errors import InputError
from likely.models.any_classifier.asking import note_hidden
from likely.models.neighbors.searching.known import Known
from likely.numeric.arrays import Floats, PerRow
from likely.statistics.counting.categories import union_of


def plan_of(data: Input, kinds: Kinds, metric: Metric) -> CellPlan:
    """How the columns of a table are compared; under the edit distance, levels by their letters."""
    schema = schema_of(data, kinds)
    if metric == "edit":
        letters = [replace(c, kind="text") if c.kind == "nominal" else c for c in schema.columns]
        schema = replace(schema, columns=tuple(letters))
    return CellPlan.of(schema)


def labelled_rows(
    model: Any, X: TableLike, y: TargetLike, sample_weight: PerRow, whole: bool = False
) -> tuple[Known, tuple[Any, ...]]:
    """The rows of a table and the names of their classes.

    Rows without a label or without weight are left out, with a note; with `whole` all rows stay, each with a label.
    """
    data, labels, plan = aligned_rows(model, X, y)
    target, weight = read_target(labels, data.rows), learning_weight(sample_weight, data.rows)
    data, target, weight = _that_count(data, target, weight, whole)
    cells = plan.cells(data, learning=True)
    share = np.ones(len(cells)) if weight is None else np.asarray(weight, dtype=np.float64)
    return Known(plan, cells, target.codes.astype(np.int64), share), target.classes


def aligned_rows(model: Any, X: TableLike, y: TargetLike) -> tuple[Input, Any, CellPlan]:
    """The features of a table in line with the columns that are known, its target, and how cells are compared.

    What the columns are is remembered when the table is the first.
    """
    table = model._read(X)
    if isinstance(table, SourceInput):
        named = target_name(table, y)
        table, y = in_memory(table), y if named is None else named
    data, target = split_target(table, y)
    if model.__sklearn_is_fitted__():
        return model._align(data), target, model.known_.plan
    plan = model._plan(data)
    plan = replace(plan, schema=replace(plan.schema, target=target_name(table, y)))
    model._remember(plan.schema)
    return data, target, plan


def _that_count(data: Input, target: Target, weight: Floats | None, whole: bool) -> tuple[Input, Target, Floats | None]:
    """The rows that have a label and a weight; that others have no label is said."""
    counts = target.codes >= 0
    if not counts.all():
        if whole:
            raise InputError(f"the label of row {int(np.flatnonzero(~counts)[0])} of y is missing (NaN)")
        note_hidden(int((~counts).sum()), len(counts))
    if weight is not None and not whole:
        counts &= weight > 0
    if counts.all():
        return data, target, weight
    rows = np.flatnonzero(counts)
    if not len(rows):
        raise InputError("y names no class: every label is missing, or its row has no weight")
    return taken(data, rows), Target(target.codes[rows], target.classes), None if weight is None else weight[rows]


def present(known: Known, classes: tuple[Any, ...]) -> tuple[Known, tuple[Any, ...]]:
    """Rows that weigh something, and their classes alone."""
    if not (known.weight > 0).all():
        known = known.taken(np.flatnonzero(known.weight > 0))
    if not len(known):
        raise InputError("every row weighs nothing: there is nothing to learn from")
    present, codes = np.unique(known.y, return_inverse=True)
    if len(present) == len(classes):
        return known, classes
    return replace(known, y=codes.astype(np.int64)), tuple(classes[i] for i in present)


def over(known: Known, classes: tuple[Any, ...], others: tuple[Any, ...]) -> tuple[Known, tuple[Any, ...]]:
    """The rows with codes among these classes and others."""
    union = union_of(classes, others)
    if union == classes:
        return known, classes
    place = np.array([union.index(name) for name in classes], dtype=np.int64)
    return replace(known, y=place[known.y]), union
