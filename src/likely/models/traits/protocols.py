"""What a function may expect of a model that somebody hands it: contracts, not ancestors.

Whatever has the methods satisfies them, scikit-learn's estimators and a class of your own alike; nothing is inherited
or registered. Whether the model is really one, the functions check where they ask it, and say so in their errors.
"""

from typing import Any, Protocol

from likely.data.accepted import TableLike, TargetLike
from likely.numeric.arrays import Array, Floats


class Learner(Protocol):
    """Can be fitted to rows and their classes."""

    def fit(self, X: TableLike, y: TargetLike, /) -> Any: ...


class FittedClassifier(Protocol):
    """Knows its classes, and predicts one for every row."""

    @property
    def classes_(self) -> Array: ...  # (k,)

    def predict(self, X: TableLike, /) -> Array: ...  # (n,)


class ProbabilisticClassifier(FittedClassifier, Protocol):
    """Also has the probability of every class."""

    def predict_proba(self, X: TableLike, /) -> Floats: ...  # (n, k)  in the order of classes_


class ClassifierWithPrior(ProbabilisticClassifier, Protocol):
    """Also knows the shares of the classes that its probabilities take for granted, which can be shifted."""

    @property
    def class_prior_(self) -> Floats: ...  # (k,)

    def predict_log_proba(self, X: TableLike, /) -> Floats: ...  # (n, k)
