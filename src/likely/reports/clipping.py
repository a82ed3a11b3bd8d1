"""A yardstick judged whatever it says: a probability of 0 counts as the smallest that a double can tell from it.

A forest may give 0 to a class that comes true, and its log score would be infinite. scikit-learn's own log_loss moves
such probabilities to 2.2e-16, and so does this: the yardstick pays 36 nats for the row, and is not dropped.
"""

from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.evaluation.comparing.clipping import LEAST
from likely.models.any_classifier.asking import Training, fitted_clone
from likely.models.estimator import Classifier
from likely.models.traits.protocols import Learner


class Clipped(Classifier):
    """A classifier none of whose probabilities is 0."""

    def __init__(self, estimator: Learner) -> None:
        self.estimator = estimator

    def fit(self, X: TableLike, y: TargetLike) -> Self:
        """Fit a clone."""
        self.estimator_ = fitted_clone(self.estimator, Training.of(X, y, None))
        self.classes_ = self.estimator_.classes_
        return self

    def predict(self, X: TableLike) -> Any:
        return self.estimator_.predict(X)

    def predict_proba(self, X: TableLike) -> Any:
        """Probabilities (n, k) of at least 2.2e-16, which sum to 1."""
        p = np.maximum(np.asarray(self.estimator_.predict_proba(X), dtype=np.float64), LEAST)
        return p / p.sum(axis=1, keepdims=True)
