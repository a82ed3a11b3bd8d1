"""The label that a posterior calls for where nothing is said of costs: the class that is most probable."""

from typing import Any

import numpy as np

from likely.models.traits.decision_function import DecisionFunction
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats


class MostProbable(DecisionFunction):
    """`predict` and `decision_function` of a classifier whose `predict_log_proba` takes a prior."""

    classes_: Array  # (k,)

    def predict_log_proba(self, X: Any, prior: Any = None) -> Floats:
        """Logarithms of the posterior probabilities (n, k)."""
        raise NotImplementedError

    @of_one_state
    def predict(self, X: Any, prior: Any = None) -> Array:
        """The most probable class of each row; the first of equally probable ones.

        >>> from likely import DecisionTree
        >>> tree = DecisionTree().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
        >>> tree.predict([[1.5], [3.5]])
        array(['a', 'b'], dtype='<U1')
        """
        found = self.predict_log_proba(X, prior)  # first: it knows whether there are classes yet
        return np.asarray(self.classes_[found.argmax(axis=1)])
