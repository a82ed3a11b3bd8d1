"""The majority baseline: the commonest class of the training data, whatever the input.

Statistic: the weight of each class. Its probabilities are the classes' shares. A classifier that is not better than
this has learned nothing from the features.
"""

from typing import Any, Self

import numpy as np

from likely.data.inputs import Input, read_input
from likely.data.schema import Schema, schema_of
from likely.data.target import read_target, split_target
from likely.data.weights import read_weight
from likely.errors import InputError
from likely.models.any_classifier.posteriors import read_classes
from likely.models.estimator import Classifier
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of


class MajorityClassifier(Classifier):
    """Always says the commonest class; of equally common ones the first.

    Examples
    --------
    >>> from likely.decisions import MajorityClassifier
    >>> model = MajorityClassifier().fit([[1], [2], [3]], ["ham", "spam", "ham"])
    >>> model.predict([[7]]), model.predict_proba([[7]]).round(3)
    (array(['ham'], dtype='<U4'), array([[0.667, 0.333]]))
    """

    classes_: Array  # (k,)
    class_count_: Floats  # (k,)  sum of weights
    class_prior_: Floats  # (k,)
    n_features_in_: int

    def __init__(self) -> None:
        """There is nothing to choose."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Count the classes y of rows X; y may name a column of a frame."""
        data, labels = split_target(read_input(X), y)
        if isinstance(labels, str):
            raise InputError("the majority is counted from rows in memory: read the file first")
        target = read_target(labels, data.rows)
        seen = target.codes >= 0
        weight = read_weight(sample_weight, len(seen))
        amount = np.ones(len(seen)) if weight is None else weight
        count = np.zeros(len(target.classes))
        np.add.at(count, target.codes[seen], amount[seen])
        present = np.flatnonzero(count)
        if len(present) == 0:
            raise InputError("y names no class: every label is missing")
        self.class_count_ = count[present]
        self.class_prior_ = count[present] / count.sum()
        names = tuple(target.classes[i] for i in present)
        self.classes_ = read_classes(names, len(names))
        self._note_columns(data)
        return self

    def predict(self, X: Any) -> Array:
        """The commonest class for every row."""
        rows = self._rows(X)
        return np.repeat(self.classes_[[int(self.class_count_.argmax())]], rows)

    def predict_proba(self, X: Any) -> Floats:
        """The share of each class, for every row (n, k)."""
        rows = self._rows(X)
        return np.tile(self.class_prior_, (rows, 1))

    def predict_log_proba(self, X: Any) -> Floats:
        """Its logarithm."""
        return log_of(self.predict_proba(X))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # it does not look at the features
        return tags

    def _note_columns(self, data: Input) -> None:
        names = data.names or tuple(f"x{j}" for j in range(data.width))
        self.schema_: Schema = schema_of(data, dict.fromkeys(names, "nominal"))
        self.n_features_in_ = self.schema_.width
        vars(self).pop("feature_names_in_", None)
        if self.schema_.named:
            self.feature_names_in_ = np.array(self.schema_.names, dtype=object)

    def _rows(self, X: Any) -> int:
        self._check_fitted()
        data = self.schema_.align(read_input(X), type(self).__name__)
        return sum(batch.shape[0] for _, batch in data.batches()) if data.rows is None else data.rows
