"""Clusters and components in a file: the sums behind their design, and what they learned besides.

The clusters stand where a classifier has its classes.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.models.learning.unlabelled import MatrixEstimator
from likely.store.models.design_sums import encode_design, give_back, read_design
from likely.store.models.learned import Learned, check_summary, summary
from likely.store.values import Encoder

KIND = MatrixEstimator


def encode(model: MatrixEstimator, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put sums, and what was learned, into the node."""
    weight = _weight(model)
    node["fitted"] = {
        "classes": encoder.encode(tuple(range(len(weight))), f"{path}.classes"),
        "training": summary(weight, None, encoder, path),
        **encode_design(model, encoder, path),
    }


def decode(new: Callable[[], MatrixEstimator], learned: Learned) -> MatrixEstimator:
    """The model of a node."""
    model = new()
    model._begin(*read_design(model, learned))
    give_back(model, learned)
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
