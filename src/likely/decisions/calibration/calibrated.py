"""Calibrated: a classifier whose probabilities come true as often as they say.

    scores of rows that the model had not seen -> a map from scores to probabilities -> the map after the model

The model itself learns from all rows. The map learns from out-of-fold scores, because on the rows it was fitted to a
model is surer than it should be. A classifier that learns by sums gives exact out-of-fold scores without being fitted
again.
"""

from typing import Any, Self

import numpy as np

from likely.decisions.calibration.beta_map import BetaMap
from likely.decisions.calibration.isotonic import IsotonicMap
from likely.decisions.calibration.logistic import LogisticMap
from likely.decisions.calibration.temperature import TemperatureMap
from likely.errors import InputError
from likely.models.any_classifier.asking import scores
from likely.models.any_classifier.posteriors import names_of
from likely.models.any_classifier.wrapper import Wrapper
from likely.models.protocols import Learner
from likely.numeric.arrays import Array, Floats

METHODS = ("logistic", "isotonic", "temperature", "beta")


class Calibrated(Wrapper):
    """Probability calibration of any classifier: its probabilities, made to come true as often as they say.

    Parameters
    ----------
    estimator : classifier
        With predict_proba, or with a decision_function.
    method : "logistic", "isotonic", "temperature" or "beta"
        The map (see `likely.decisions.calibration`). All work in log-odds and for any number of classes: logistic has
        one slope and an offset per class, temperature one slope, beta a slope and an offset per class; isotonic has one
        staircase per class against the rest, normalised.
    cv : int, "prefit", an object with split, or pairs of training and test rows
        Where the scores come from: stratified folds, or the estimator as it is, already fitted on other rows.
    smoothing : "ends", "all" or None
        Of the isotonic staircase: its end steps are kept from 0 and 1, all steps are, or none.
    random_state : seed that shuffles rows before they are dealt to the folds; None: in the order of the data

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely import Calibrated
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 400)
    >>> x = np.repeat(rng.normal(y, 1.5)[:, None], 5, axis=1)  # the same evidence five times
    >>> sure = NaiveBayes().fit(x, y).predict_proba([[3.0] * 5])[0, 1]
    >>> honest = Calibrated(NaiveBayes()).fit(x, y).predict_proba([[3.0] * 5])[0, 1]
    >>> bool(sure > 0.99), bool(0.6 < honest < 0.9)
    (True, True)
    """

    map_: LogisticMap | IsotonicMap | TemperatureMap | BetaMap
    class_prior_: Floats  # (k,)  shares of the classes among the rows that the map learned from

    def __init__(
        self,
        estimator: Learner,
        method: str = "logistic",
        cv: Any = 5,
        smoothing: Any = "ends",
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.cv = cv
        self.smoothing = smoothing
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Learn the classifier and the map from rows X with classes y (or the name of a column of a frame X)."""
        if self.method not in METHODS:
            raise InputError(f"unknown method={self.method!r}; choose from {', '.join(METHODS)}")
        with self._anew():
            held = self._hold(X, y, sample_weight)
            data = held.data
            present = np.unique(data.codes)
            if len(present) < 2:
                raise InputError(f"y holds only one class, {data.classes[present[0]]!r}: there is nothing to calibrate")
            if len(present) < len(data.classes):
                missing = next(name for i, name in enumerate(data.classes) if i not in present)
                raise InputError(f"class {missing!r} does not occur in y; to be calibrated it needs rows")
            if isinstance(self.cv, str):
                rows, found = np.arange(len(data.codes)), scores(self.estimator_, data.X, data.classes)
            else:
                rows, found = held.scores(self.cv, self.random_state)
            weight = None if data.weight is None else data.weight[rows]
            self.map_ = self._learn_map(found, data.codes[rows], weight)
            self.class_prior_ = data.shares()
        return self

    def predict(self, X: Any) -> Array:
        """The most probable class of each row; the first of equally probable ones."""
        self._check_fitted()
        return np.asarray(self.classes_[self.predict_log_proba(X).argmax(axis=1)])

    def predict_proba(self, X: Any) -> Floats:
        """Calibrated probability of each class (n, k)."""
        return np.asarray(np.exp(self.predict_log_proba(X)))

    def predict_log_proba(self, X: Any) -> Floats:
        """Its logarithm."""
        self._check_fitted()
        return self.map_.log_posterior(scores(self.estimator_, X, names_of(self.classes_)))

    def _learn_map(
        self, found: Floats, codes: Array, weight: Floats | None
    ) -> LogisticMap | IsotonicMap | TemperatureMap | BetaMap:
        match self.method:
            case "isotonic":
                return IsotonicMap.fit(found, codes, weight, self.smoothing)
            case "temperature":
                return TemperatureMap.fit(found, codes, weight)
            case "beta":
                return BetaMap.fit(found, codes, weight)
        return LogisticMap.fit(found, codes, weight)
