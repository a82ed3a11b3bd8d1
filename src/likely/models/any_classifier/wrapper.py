"""What `Calibrated` and `Decider` share: they hold another classifier and face the world as one."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from likely.errors import InputError, InputTypeError, NotFittedError
from likely.models.any_classifier.asking import Training, split_column
from likely.models.any_classifier.inside import name_target, unwrap
from likely.models.any_classifier.posteriors import names_of
from likely.models.estimator import Classifier, Estimator
from likely.models.face import Face
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.protocols import FittedClassifier
from likely.numeric.arrays import Array


class Wrapper(Classifier):
    """A classifier around a classifier."""

    estimator: Any  # a Learner; with cv="prefit" a FittedClassifier
    cv: Any

    estimator_: FittedClassifier  # the one that predicts
    classes_: Array  # (k,)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def _labelled(self, X: Any, y: Any) -> Iterator[tuple[Any, Any]]:
        yield split_column(X, y) if isinstance(y, str) else (X, y)

    def _face(self) -> Face:
        """That of the model inside, under this one's name."""
        inside = unwrap(self)
        return replace(inside._face(), title=repr(self)) if isinstance(inside, Estimator) else super()._face()

    def __sklearn_tags__(self) -> Any:
        from copy import deepcopy

        from sklearn.utils import get_tags

        tags = super().__sklearn_tags__()
        tags.input_tags = deepcopy(get_tags(self.estimator).input_tags)
        return tags

    def _hold(self, X: Any, y: Any, sample_weight: Any) -> HeldOut:
        """Fit a clone on the data, or keep the fitted estimator with cv="prefit"; it and the data in its classes."""
        data = Training.of(X, y, sample_weight)
        if isinstance(self.cv, str):
            if self.cv != "prefit":
                raise InputError(f"unknown cv={self.cv!r}; give a number of folds, or 'prefit' for a fitted estimator")
            if not hasattr(self.estimator, "classes_"):
                raise NotFittedError(f"cv='prefit' needs a fitted estimator, and {self.estimator!r} is not; fit it")
            table, held = None, self.estimator
        else:
            whole = HeldOut(self.estimator, data)
            table, held = whole.table, whole.fitted()
            if isinstance(y, str):
                name_target(held, y)
        if not hasattr(held, "classes_"):
            raise InputTypeError(f"{type(held).__name__} is no classifier: it has no classes_ after it is fitted")
        known, seen = set(names_of(held.classes_)), set(data.classes)
        if not seen <= known:
            stranger = next(name for name in data.classes if name not in known)
            raise InputError(f"y holds class {stranger!r}, which the fitted estimator does not know")
        self._take_over(held)
        return HeldOut(held, data.over(names_of(self.classes_)), table)

    def _take_over(self, held: FittedClassifier) -> None:
        """Predict with a fitted classifier: its classes and columns are this one's."""
        self.estimator_, self.classes_ = held, np.asarray(held.classes_)
        for name in ("n_features_in_", "feature_names_in_"):
            if hasattr(held, name):
                setattr(self, name, getattr(held, name))
