"""What is to be judged: what a model says of rows whose classes are known.

A model is anything with `predict`: also its `predict_proba` (posteriors), or else its `decision_function` (scores
that only rank), is asked where there is one. Instead of a model, its answers do:

    labels         (n,)    one class per row; None or NaN for a rejected row
    probabilities  (n, k)  columns in the order of `classes`, or of the sorted classes of y
                   (n,)    decimal numbers from 0 to 1: of the positive one of two classes

The result of a cross-validation does too: it knows its rows, and what was said of each by a model that had not seen it.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.aligned_labels import align_labels, read_labels, some_of
from likely.data.labels.target import Target, check_target_name
from likely.data.sources import TableSource
from likely.errors import InputError
from likely.evaluation.file_answers import AllRows, answers_in_batches
from likely.evaluation.judged_input import all_classes, choose_positive, read_posterior, read_truth
from likely.evaluation.resampling.cross_validation import CrossValidation
from likely.evaluation.said import Said
from likely.models.held_out.refitting import label_of_rejects
from likely.models.traits.answers import answers_of
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Array, Floats, Ints


def read_answers(
    model_or_predictions: Any,
    X: TableLike | None,
    y: TargetLike,
    classes: Sequence[Hashable] | None,
    pos_label: Hashable,
    reject_label: Hashable,
    keep_all: bool = False,
) -> tuple[Said, AllRows | None]:
    """Ask the model, or read its answers; of a long file a sample, unless `keep_all`, and counts of all rows."""
    if isinstance(model_or_predictions, CrossValidation):
        if X is not None or y is not None or classes is not None or reject_label is not None:
            raise InputError("a cross-validation knows its rows and classes: evaluate(result), without X, y or classes")
        return _out_of_fold(model_or_predictions), None
    if hasattr(model_or_predictions, "predict"):
        if y is None and isinstance(X, TableSource):
            y = X.target
        if X is None or y is None:
            raise InputError("to judge a model, give rows and their true classes: evaluate(model, X, y)")
        rows, truth = _split(X, y)
        if isinstance(rows, TableSource):
            return _ask_of_file(model_or_predictions, rows, truth, classes, reject_label, keep_all)
        return _ask(model_or_predictions, rows, read_truth(truth), classes, reject_label), None
    if y is None:
        raise InputError("to judge predictions, give the true classes: evaluate(predictions, y=...)")
    if X is not None:
        raise InputError("predictions need no X: evaluate(predictions, y=...); a model has a method `predict`")
    return _read(model_or_predictions, read_truth(y), classes, pos_label, reject_label), None


def _out_of_fold(result: CrossValidation) -> Said:
    """What was said in the first repeat."""
    said = result.said(0)
    return said if said.log_posterior is None else replace(said, posterior=np.exp(said.log_posterior))


def _ask_of_file(
    model: FittedClassifier,
    source: TableSource,
    column: str,
    classes: Sequence[Hashable] | None,
    reject_label: Hashable,
    keep_all: bool,
) -> tuple[Said, AllRows | None]:
    if classes is None and not hasattr(model, "classes_"):
        raise InputError(f"{type(model).__name__} does not say its classes_; to judge it on a file, give `classes`")

    def ask(rows: Any) -> Said:
        return _ask(model, rows.drop(column), read_truth(rows[column]), classes, reject_label)

    return answers_in_batches(source.batches(), ask, keep_all)


def _ask(
    model: FittedClassifier, X: TableLike, target: Target, classes: Sequence[Hashable] | None, reject_label: Hashable
) -> Said:
    asked = answers_of(model, X)
    said = read_labels(asked.labels, label_of_rejects(model) if reject_label is None else reject_label)
    _same_length(target, said, "answers of the model")
    own = getattr(model, "classes_", None)
    known = classes if classes is not None else own
    truth, names = align_labels(target, all_classes(target, said) if known is None else list(known))
    columns = _Columns.of(names if own is None else list(own), names)
    answered, _ = align_labels(said, names, "the model's answers")
    posterior = scores = log_posterior = None
    if asked.posterior is not None:
        posterior = columns.placed(read_posterior(asked.posterior, len(truth), columns.known), 0.0)
        log_posterior = None if asked.log_posterior is None else columns.placed(asked.log_posterior, -np.inf)
    elif hasattr(model, "decision_function"):
        told = _columns(np.asarray(model.decision_function(X), dtype=np.float64), columns.known)
        scores = columns.placed(told, -np.inf)
        if np.isnan(scores).any():
            row = int(np.flatnonzero(np.isnan(scores).any(axis=1))[0])
            raise InputError(
                f"the decision function of the model is NaN in row {row}; a row without a score has no rank"
            )
    return Said(names, truth, log_posterior, answered, None, posterior, scores)


@dataclass(frozen=True)
class _Columns:
    """Where the columns of a model belong among the classes of the judgement, which may be more."""

    place: Ints  # (known,) of each class of the model
    classes: int

    @classmethod
    def of(cls, own: Sequence[Hashable], names: Sequence[Hashable]) -> Self:
        at = {name: place for place, name in enumerate(names)}
        known = [c.item() if isinstance(c, np.generic) else c for c in own]
        if lacking := [name for name in known if name not in at]:
            raise InputError(f"classes= lacks {some_of(lacking)}, which the model answers; name it too")
        return cls(np.array([at[name] for name in known]), len(names))

    @property
    def known(self) -> int:
        return len(self.place)

    def placed(self, told: Floats, never: float) -> Floats:
        """The columns in their places; a class that the model does not know has this value in every row."""
        if np.array_equal(self.place, np.arange(self.classes)):
            return told
        whole = np.full((len(told), self.classes), never)
        whole[:, self.place] = told
        return whole


def _read(
    predictions: ArrayLike,
    target: Target,
    classes: Sequence[Hashable] | None,
    pos_label: Hashable,
    reject_label: Hashable,
) -> Said:
    array = np.asarray(predictions.to_numpy() if hasattr(predictions, "to_numpy") else predictions)
    if array.ndim == 2 and array.shape[1] > 1:
        truth, names = align_labels(target, classes)
        posterior = read_posterior(array, len(truth), len(names))
    elif _are_probabilities(array):
        truth, names = align_labels(target, classes)
        if len(names) != 2:
            raise InputError(
                f"one probability per row is for two classes, but there are {len(names)}: {list(names)[:8]}; "
                "give a column per class, or `classes`"
            )
        second = choose_positive(names, pos_label)[0] == names[1]
        posterior = read_posterior(array if second else 1.0 - array, len(truth), 2)
    else:
        said = read_labels(predictions, reject_label)
        _same_length(target, said, "predictions")
        truth, names = align_labels(target, all_classes(target, said) if classes is None else classes)
        return Said(names, truth, answers=align_labels(said, names, "the predictions")[0])
    return Said(names, truth, posterior=posterior)


def _are_probabilities(array: Array) -> bool:
    """Whether a vector holds decimal numbers, not labels."""
    if array.dtype.kind != "f":
        return False
    decimal = array[~np.isnan(array)]
    if not (decimal != np.floor(decimal)).any():
        return False
    if np.isnan(array).any() or not ((array >= 0) & (array <= 1)).all():
        row = int(np.flatnonzero(~((array >= 0) & (array <= 1)))[0])
        raise InputError(
            f"row {row} of the predictions is {array.ravel()[row]}: neither a class nor a probability; "
            "for scores that only rank, use RocCurve.of(y, score)"
        )
    return True


def _columns(scores: Floats, k: int) -> Floats:
    if scores.ndim == 1 and k == 2:
        return np.column_stack([-scores, scores])
    if scores.ndim != 2 or scores.shape[1] != k:
        raise InputError(f"the decision function of the model has shape {scores.shape} for {k} classes")
    return scores


def _same_length(target: Target, said: Target, what: str) -> None:
    if len(target.codes) != len(said.codes):
        raise InputError(f"there are {len(target.codes)} labels in y but {len(said.codes)} {what}; give one per row")


def _split(X: Any, y: TargetLike) -> tuple[Any, Any]:
    """When y is the name of a column of a frame or a file, take it out."""
    from likely.data.frames import in_memory

    X = in_memory(X)
    if not isinstance(y, str) or not hasattr(X, "columns"):
        return X, y
    check_target_name(y, [str(name) for name in X.columns])
    if isinstance(X, TableSource):
        return X, y
    return (X.drop(columns=[y]) if hasattr(X, "iloc") else X.drop(y)), X[y]
