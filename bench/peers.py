"""Peers at their best: a recipe that scikit-learn has no single class for, and the threads that suit a job."""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from threadpoolctl import threadpool_limits


class ImputedNaiveBayes:
    """Naive Bayes for numbers and texts with missing cells, by the usual recipe.

    Missing numbers become the mean, missing texts the most frequent level; GaussianNB takes the numbers, CategoricalNB
    the encoded texts; the two log joints are added, less the prior that both contain. Texts are encoded before they are
    imputed, which is the quicker order: SimpleImputer is slow on texts. A text never seen in training is an error.
    """

    def __init__(self, numbers: list[str], texts: list[str]) -> None:
        self.numbers = numbers
        self.texts = texts
        self.gaussian = make_pipeline(SimpleImputer(), GaussianNB())
        self.categorical = make_pipeline(OrdinalEncoder(), SimpleImputer(strategy="most_frequent"), CategoricalNB())

    def fit(self, X: Any, y: Any) -> "ImputedNaiveBayes":
        self.gaussian.fit(X[self.numbers], y)
        self.categorical.fit(X[self.texts], y)
        return self

    def predict_proba(self, X: Any) -> NDArray[Any]:
        joint = _log_joint(self.gaussian, X[self.numbers]) + _log_joint(self.categorical, X[self.texts])
        joint -= self.categorical[-1].class_log_prior_
        joint -= joint.max(axis=1, keepdims=True)
        np.exp(joint, out=joint)
        joint /= joint.sum(axis=1, keepdims=True)
        return np.asarray(joint)


def _log_joint(pipeline: Any, X: Any) -> Any:
    return pipeline[-1].predict_joint_log_proba(pipeline[:-1].transform(X))


class SuitedThreads:
    """A job with BLAS on all threads or on one, whichever is quicker: tried out when it is first called.

    OpenBLAS waits for its threads by spinning. With small products, or on a busy machine, that can take many times
    longer than one thread alone, and a peer must not look slow for it.
    """

    def __init__(self, job: Callable[[], Any]) -> None:
        self.job = job
        self.limit: int | None = None
        self.tried = False

    def __call__(self) -> Any:
        if not self.tried:
            self.job()  # the first call of anything pays for loading
            self.limit = min((None, 1), key=self._seconds)
            self.tried = True
        return self._run(self.limit)

    def _run(self, limit: int | None) -> Any:
        with threadpool_limits(limits=limit, user_api="blas"):
            return self.job()

    def _seconds(self, limit: int | None) -> float:
        begin = time.perf_counter()
        self._run(limit)
        return time.perf_counter() - begin
