"""Models of other libraries are fitted one after the other, our own side by side."""

import threading
import time
import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from likely import DecisionForest, cross_validate, engines
from likely.models import Classifier

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 2)), np.arange(60) % 2


class Watched:
    """The most fits that were under way at a time."""

    lock, now, most = threading.Lock(), 0, 0

    def __enter__(self):
        with self.lock:
            Watched.now += 1
            Watched.most = max(Watched.most, Watched.now)

    def __exit__(self, *_):
        with self.lock:
            Watched.now -= 1


class Foreign(ClassifierMixin, BaseEstimator):
    def fit(self, X, y):
        with Watched():
            time.sleep(0.01)
            self.classes_ = np.unique(y)
            return self

    def predict(self, X):
        return np.full(len(X), self.classes_[0])

    def predict_proba(self, X):
        return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))


class Around(Classifier):
    def __init__(self, estimator):
        self.estimator = estimator

    def fit(self, X, y):
        self.inside_ = self.estimator.fit(X, y)
        self.classes_ = self.inside_.classes_
        return self

    def predict(self, X):
        return self.inside_.predict(X)

    def predict_proba(self, X):
        return self.inside_.predict_proba(X)


def test_fits_of_other_libraries_do_not_meet_and_the_filters_of_warnings_stay():
    before = list(warnings.filters)
    with engines.use(engines.Threads(4)):
        for model in (Foreign(), Around(Foreign())):
            Watched.most = 0
            cross_validate(model, X, Y, cv=6, random_state=0)
            assert Watched.most == 1
        found = cross_validate(DecisionForest(3, random_state=0), X, Y, cv=6, random_state=0)
    assert found.refitted and warnings.filters == before


def test_very_many_rows_are_fitted_one_after_the_other_in_all_threads(monkeypatch):
    seen = []

    class Ours(Classifier):
        def __init__(self):
            pass

        def fit(self, X, y):
            with Watched():
                time.sleep(0.01)
                seen.append(type(engines.current()).__name__)
                self.classes_ = np.unique(y)
                return self

        def predict(self, X):
            return np.full(len(X), self.classes_[0])

        def predict_proba(self, X):
            return np.full((len(X), len(self.classes_)), 1 / len(self.classes_))

    with engines.use(engines.Threads(4)):
        for many, most, inside in ((10**6, 4, "Serial"), (10, 1, "Threads")):
            monkeypatch.setattr("likely.models.held_out.refitting._SIDE_BY_SIDE", many)
            Watched.most = 0
            seen.clear()
            cross_validate(Ours(), X, Y, cv=6, random_state=0)
            assert Watched.most <= most and set(seen) == {inside}
