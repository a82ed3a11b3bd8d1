"""Clusters and components in a file: the sums behind their design, and what they learned besides.

The design is made from the sums again, so a file cannot hold columns that do not fit together. What the model learned
(centres, joins, components) it gives and takes back itself, and checks. The clusters stand where a classifier has its
classes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.data.columns.schema import Schema
from likely.errors import InputError
from likely.models.learning.unlabelled import MatrixEstimator
from likely.statistics import CategoryCounts, Moments, SideBySide
from likely.statistics.counting.terms import TermCounts
from likely.store.models.learned import Learned, check_names, check_numbers, check_summary, summary
from likely.store.shapes import check_statistic
from likely.store.values import Encoder

KIND = MatrixEstimator
_OF_FORM = {"real": Moments, "codes": CategoryCounts, "text": TermCounts}


def encode(model: MatrixEstimator, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put sums, and what was learned, into the node."""
    weight = _weight(model)
    node["fitted"] = {
        "classes": encoder.encode(tuple(range(len(weight))), f"{path}.classes"),
        "training": summary(weight, None, encoder, path),
        "schema": encoder.encode(model.schema_, f"{path}.schema"),
        "centred": model.design_.plan.centred,
        "sums": encoder.encode(model.sums_, f"{path}.sums"),
        "learned": encoder.encode(model._parameters_learned(), f"{path}.learned"),
    }


def decode(new: Callable[[], MatrixEstimator], learned: Learned) -> MatrixEstimator:
    """The model of a node."""
    model = new()
    schema, sums = learned("schema", Schema), learned("sums", SideBySide)
    check_names(schema)
    plan = model._plan(schema, learned("centred", bool))
    check_statistic(sums, 1, schema.width)
    if len(sums.parts) != len(plan.parts):
        raise InputError("the sums have not one part for each group of columns")
    for part, seen in zip(plan.parts, sums.parts, strict=True):
        if not isinstance(seen, _OF_FORM[part.form]):
            raise InputError("the sums are not those of the columns")
        check_statistic(seen, 1, len(part.columns))
        check_numbers(seen)
    model._begin(plan, sums)
    parameters = learned("learned", dict)
    try:
        check_numbers(tuple(parameters.values()))
        model._learned_again(parameters)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("what the model learned is not what it should be") from None
    weight = _weight(model)
    if learned("classes", tuple) != tuple(range(len(weight))):
        raise InputError("its clusters are not numbered from 0")
    check_summary(learned, weight)
    return model


def _weight(model: MatrixEstimator) -> Any:
    """What each cluster weighs; nothing of a model without clusters."""
    if hasattr(model, "cluster_weight_"):
        return model.cluster_weight_
    return np.bincount(model.labels_) if hasattr(model, "labels_") else np.empty(0)
