"""All that a classifier says of rows, asked at once: its labels, its posterior and the logarithm of that.

A classifier whose three verbs follow from one figure says so by a method `_answers(X)`, which gives all of them from
one reading and one pass. It speaks for the verbs of whoever wrote it: where a subclass of somebody else has a verb of
its own, and for classifiers from elsewhere, each verb is asked by itself.

A table that was read once may be asked about again and again: `read_for` reads it as all of some estimators would.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import PriorLike, TableLike
from likely.data.inputs import more_than_once
from likely.models.columns import Columns
from likely.models.traits.precision import in_the_type_of
from likely.models.traits.state import as_it_is, of_one_state
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, normalize

VERBS = ("predict", "predict_proba", "predict_log_proba")
_SAME = 1e-6  # how far a posterior may be from that of its logarithm
_SAME_SINGLE = 1e-3  # in single precision


class Answers(NamedTuple):
    """What is said of rows; posteriors in the order of `classes_`."""

    labels: Array  # (n,)
    posterior: Floats | None = None  # (n, k)  None: the model gives no probabilities
    log_posterior: Floats | None = None  # (n, k)  None: it is not known beyond the logarithm of the posterior


class ByJoint:
    """The verbs of a classifier that has log joints of rows, up to a term common to all classes."""

    classes_: Array  # (k,)
    schema_: Any
    _check_fitted: Callable[[], None]

    def _joint(self, X: TableLike, prior: PriorLike | None) -> Floats:
        """The log joints (n, k), under another prior if one is given."""
        raise NotImplementedError

    @of_one_state
    def predict(self, X: TableLike, prior: PriorLike | None = None) -> Array:
        """The most probable class of each row; the first of equally probable ones."""
        self._check_fitted()
        return np.asarray(self.classes_[self._joint(X, prior).argmax(axis=1)])

    @of_one_state
    def predict_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Posterior probability of each class (n, k); `prior` replaces the class prior after fitting."""
        self._check_fitted()
        return in_the_type_of(X, self.schema_.columns, normalize(self._joint(X, prior)))

    @of_one_state
    def predict_log_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Logarithm of the posterior, exact also where the probability rounds to 0 or 1."""
        self._check_fitted()
        return in_the_type_of(X, self.schema_.columns, log_normalize(self._joint(X, prior)))

    @of_one_state
    def _answers(self, X: TableLike) -> Answers:
        self._check_fitted()
        joint = self._joint(X, None)
        made = (in_the_type_of(X, self.schema_.columns, way(joint)) for way in (normalize, log_normalize))
        return Answers(self.classes_[joint.argmax(axis=1)], *made)


class ByLogPosterior:
    """The verbs of a classifier that has log posteriors of rows (n, k): `predict_log_proba`."""

    classes_: Array  # (k,)
    _check_fitted: Callable[[], None]
    predict_log_proba: Callable[..., Floats]

    @of_one_state
    def predict(self, X: TableLike, prior: PriorLike | None = None) -> Array:
        """The most probable class of each row; the first of equally probable ones."""
        self._check_fitted()
        return np.asarray(self.classes_[self.predict_log_proba(X, prior).argmax(axis=1)])

    def predict_proba(self, X: TableLike, prior: PriorLike | None = None) -> Floats:
        """Probability of each class (n, k); `prior` is of the classes where the rows come from."""
        return np.asarray(np.exp(self.predict_log_proba(X, prior)))

    @of_one_state
    def _answers(self, X: TableLike) -> Answers:
        return from_log_posterior(self, self.predict_log_proba(X))


def answers_of(model: Any, X: TableLike) -> Answers:
    """What a fitted classifier says of rows, asked once.

    >>> from likely import NaiveBayes
    >>> model = NaiveBayes("bernoulli").fit([[1], [1], [0], [0]], ["spam", "spam", "spam", "ham"])
    >>> answers_of(model, [[1], [0]]).posterior.round(2).tolist()
    [[0.16, 0.84], [0.36, 0.64]]
    """
    model = as_it_is(model)
    if answers_at_once(model):
        found: Answers = model._answers(read_for([model], X))
        return found
    X = read_for([model], more_than_once(X))
    labels = model.predict(X)
    if not hasattr(model, "predict_proba"):
        return Answers(labels)
    posterior = model.predict_proba(X)
    if not hasattr(model, "predict_log_proba"):
        return Answers(labels, posterior)
    with np.errstate(divide="ignore"):
        log_posterior = np.asarray(model.predict_log_proba(X))
    return Answers(labels, posterior, log_posterior if _agree(posterior, log_posterior) else None)


def answers_at_once(model: object) -> bool:
    """Whether a model gives all its answers from one pass over the rows."""
    return stands_for(model, "_answers", VERBS)


def read_for(models: Iterable[Any], X: TableLike) -> Any:
    """The table read once for all of these estimators, fitted or not; X itself where they do not read it alike."""
    if hasattr(type(X), "leaves_one_out"):  # a table that a model has encoded already (`models.held_out`)
        return X
    inside = [one for model in models for one in _readers(model)]
    alike = {type(one)._read if one is not None else None for one in inside}
    return inside[0]._read(X) if len(alike) == 1 and None not in alike else X


def ready_for(model: object, X: TableLike) -> Any:
    """The table for more than one question to a fitted model, or to the one that it is around: encoded, if it can be.

    It stands for X in what this library wrote of the model; where somebody else wrote a verb, the table stays as it is.
    """
    layers = [model]
    while hasattr(layers[-1], "estimator_"):
        layers.append(layers[-1].estimator_)
    if all(stands_for(one, "_read", VERBS) for one in layers) and hasattr(layers[-1], "_ready"):
        return layers[-1]._ready(X)
    return read_for([model], more_than_once(X))


def from_log_posterior(model: Any, log_posterior: Floats) -> Answers:
    """The answers of a model whose posterior (n, k) is made in logarithms."""
    return Answers(model.classes_[log_posterior.argmax(axis=1)], np.exp(log_posterior), log_posterior)


def _readers(model: object) -> list[Any]:
    """The estimators inside a wrapper or a pool that read its table, fitted ones where it has them, or itself.

    None stands for one that may look at the user's own table.
    """
    if not stands_for(model, "_read", ("fit", *VERBS)):
        return [None]
    one = getattr(model, "estimator_", getattr(model, "estimator", None))
    if one is not None:
        return _readers(one)
    members = getattr(model, "estimators_", getattr(model, "estimators", None))
    if members is None or isinstance(members, str):
        return [model]
    each = members.values() if hasattr(members, "values") else members
    return [inside for one in each for inside in _readers(one[1] if isinstance(one, tuple) else one)]


def stands_for(model: object, method: str, verbs: Iterable[str]) -> bool:
    """Whether a method is there, and whoever wrote it wrote these verbs too, as far as there are any."""
    author = _author(type(model), method)
    if author is None or not isinstance(model, Columns):
        return False
    return all(_author(type(model), verb) in (None, author) for verb in verbs)


def _author(kind: type, method: str) -> str | None:
    """The package of the class that a method of another is from."""
    found = next((one for one in kind.__mro__ if method in vars(one)), None)
    return None if found is None else found.__module__.partition(".")[0]


def _agree(posterior: ArrayLike, log_posterior: Array) -> bool:
    """Whether one is the logarithm of the other, to rounding."""
    p = np.asarray(posterior)
    if p.shape != log_posterior.shape:
        return False
    slack = _SAME_SINGLE if np.float32 in (p.dtype, log_posterior.dtype) else _SAME
    with np.errstate(over="ignore", invalid="ignore"):
        return bool((np.abs(np.exp(log_posterior) - p) <= slack).all())
