"""Classifiers that learn from a design matrix, in a file: the sums behind it, their classes, and their weights."""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.models.learning.designed import MatrixClassifier
from likely.statistics import Additive
from likely.store.models.design_sums import encode_design, give_back, read_design
from likely.store.models.learned import Learned, check_summary, read_class_names, summary
from likely.store.shapes import check_statistic
from likely.store.values import Encoder

KIND = MatrixClassifier


def encode(model: MatrixClassifier, node: dict[str, Any], encoder: Encoder, path: str) -> None:
    """Put sums and weights into the node."""
    names = tuple(model.classes_.tolist())
    node["fitted"] = {
        "classes": encoder.encode(names, f"{path}.classes"),
        "training": summary(model.class_count_, None, encoder, path),
        "class_count": encoder.encode(model.class_count_, f"{path}.class_count"),
        "class_prior": encoder.encode(model.class_prior_, f"{path}.class_prior"),
        **encode_design(model, encoder, path),
    }


def decode(new: Callable[[], MatrixClassifier], learned: Learned) -> MatrixClassifier:
    """The model of a node."""
    model = new()
    names = read_class_names(learned)
    plan, sums = read_design(model, learned)
    count = learned("class_count", np.ndarray)
    if count.shape != (len(names),) or count.dtype.kind not in "if" or not (np.isfinite(count) & (count >= 0)).all():
        raise InputError("the weights of its classes are not one for each")
    check_summary(learned, count)
    model._begin(plan, sums, names, count, learned.shares("class_prior", len(names)))

    def check(value: object) -> None:
        if isinstance(value, Additive):
            check_statistic(value, len(names), getattr(value, "features", model.schema_.width))

    give_back(model, learned, check)
    return model
