"""What scikit-learn's scorers and searches rank rows by: one number per row, or one per row and class.

    two classes     log p(second class | x) - log p(first class | x)     (n,)    above 0: the second class
    otherwise       log p(class | x)                                     (n, k)  the largest: the class

Both are exact where probabilities round to 0 and 1. A class that is impossible has a finite score below all others,
because scorers refuse infinite ones; they find those by a sum over the rows, which must stay finite too.
"""

import numpy as np

from likely.data.accepted import TableLike
from likely.numeric.arrays import Floats

_FAR = 1e290  # the score of what is certain; as large as sums and roundings of it allow
_FAR_SINGLE = 1e25  # in single precision


class DecisionFunction:
    """`decision_function` of a classifier with `predict_log_proba`."""

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Logarithms of the posterior probabilities (n, k)."""
        raise NotImplementedError

    def decision_function(self, X: TableLike) -> Floats:
        """Log odds of the second of two classes (n,); of one class or several, the log posterior of each (n, k).

        It ranks by probability. Where costs or a rule decide (`Decider`), what `predict` says need not be its sign.

        >>> from likely import NaiveBayes
        >>> model = NaiveBayes("bernoulli").fit([[1], [1], [0], [0]], ["spam", "spam", "spam", "ham"])
        >>> model.decision_function([[1], [0]]).round(3)
        array([1.686, 0.588])
        """
        found = self.predict_log_proba(X)
        with np.errstate(invalid="ignore"):
            score = found[:, 1] - found[:, 0] if found.shape[1] == 2 else found
        far = _FAR_SINGLE if score.dtype == np.float32 else _FAR
        return np.asarray(np.nan_to_num(score, posinf=far, neginf=-far))
