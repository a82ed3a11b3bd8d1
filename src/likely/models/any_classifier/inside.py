"""The model inside calibration and decisions."""

from dataclasses import replace
from typing import Any


def unwrap(model: Any) -> Any:
    """The classifier that others were fitted around, or the model itself.

    >>> from likely import Calibrated, Decider, NaiveBayes
    >>> model = Decider(Calibrated(NaiveBayes(), cv=2)).fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> unwrap(model)
    NaiveBayes()
    """
    while hasattr(model, "estimator_"):
        model = model.estimator_
    return model


def name_target(model: Any, target: str) -> Any:
    """The model, which knows the name of the column that it predicts, so that later tables may hold it."""
    inside = unwrap(model)
    if hasattr(inside, "schema_"):
        inside.schema_ = replace(inside.schema_, target=target)
    return model
