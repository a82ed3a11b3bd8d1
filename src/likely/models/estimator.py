"""What makes a class a scikit-learn estimator: parameters, tags, fitted state, a readable face.

scikit-learn itself is imported only when it asks for tags. A constructor stores its parameters and does nothing else;
`fit` sets attributes that end in an underscore.
"""

import inspect
from typing import Any, Self

import numpy as np

from likely.data.target import read_target
from likely.data.weights import read_weight
from likely.errors import InputError
from likely.models.columns import Columns
from likely.numeric.arrays import Array


class Estimator(Columns):
    """Parameters by name, tables, and whether anything was learned yet."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        signature = inspect.signature(cls.__init__)
        return sorted(name for name in signature.parameters if name != "self")

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name."""
        parameters: dict[str, Any] = {}
        for name in self._parameter_names():
            value = getattr(self, name)
            parameters[name] = value
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                parameters.update({f"{name}__{k}": v for k, v in value.get_params().items()})
        return parameters

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters by name."""
        known = self._parameter_names()
        for name, value in parameters.items():
            own, _, inner = name.partition("__")
            if own not in known:
                raise InputError(f"Invalid parameter {own!r} for estimator {self!r}. Valid parameters are: {known!r}.")
            if inner:
                getattr(self, own).set_params(**{inner: value})
            else:
                setattr(self, own, value)
        return self

    def __repr__(self) -> str:
        signature = inspect.signature(type(self).__init__)
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, parameter in signature.parameters.items()
            if name != "self" and not _same(getattr(self, name, parameter.default), parameter.default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


class Classifier(Estimator):
    """An estimator that predicts classes."""

    _estimator_type = "classifier"
    classes_: Array

    def predict(self, X: Any) -> Array:
        raise NotImplementedError

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Share of the rows whose class is predicted right."""
        predicted = self.predict(X)
        truth = read_target(y, len(predicted))
        if truth.hidden:
            row = int(np.flatnonzero(truth.codes < 0)[0])
            raise InputError(f"row {row} of y has no label; only rows with one can be scored")
        names = np.array(truth.classes)
        if len(names) and (names.dtype.kind in "US") != (self.classes_.dtype.kind in "USO"):
            raise InputError(f"y names classes like {names[0]!r}, the model knows classes like {self.classes_[0]!r}")
        weight = read_weight(sample_weight, len(predicted))
        return float(np.average(names[truth.codes] == predicted, weights=weight))

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            classifier_tags=ClassifierTags(),
            input_tags=InputTags(allow_nan=True, sparse=True),
        )


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    return bool(a is b or a == b)
