"""Models fitted again on some rows and asked about others: how any classifier is resampled.

Fits run side by side in threads, each on a clone, and all that learns from data (every step of a pipeline) learns from
the training rows of its own fit alone.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from likely import engines
from likely.engines.progress import progress
from likely.errors import InputTypeError
from likely.evaluation.given import align_labels, read_labels
from likely.models.any_classifier.asking import Training, fitted_clone, log_posteriors, take
from likely.numeric.arrays import Array, Floats, Ints


class Split(NamedTuple):
    """Rows to learn from and rows to judge."""

    train: Ints
    test: Ints


class Verdict(NamedTuple):
    """What a model said of rows."""

    log_posterior: Floats | None  # (m, k)  None: the model gives no probabilities
    answers: Array  # (m,)  codes of the classes; -1 for a row that was rejected


def judge_by_refitting(model: Any, data: Training, splits: Sequence[Split], what: str = "folds") -> list[Verdict]:
    """The verdict on the test rows of every split, by a clone fitted on its training rows."""
    check_classifier(model)
    with progress(len(splits), what) as done:

        def judge(number: int) -> Verdict:
            split = splits[number]
            try:
                with engines.use(engines.Serial()):  # the fits are what runs side by side
                    fitted = fitted_clone(model, data.taken(split.train))
                    verdict = ask(fitted, take(data.X, split.test), data)
            except Exception as wrong:
                wrong.add_note(f"in split {number + 1} of {len(splits)} ({what})")
                raise
            done()
            return verdict

        return engines.current().map(range(len(splits)), judge)


def ask(fitted: Any, X: Any, data: Training) -> Verdict:
    """Log posteriors, if the model gives any, and answers, in terms of the classes of the data."""
    labels = read_labels(fitted.predict(X), getattr(fitted, "reject_label", None))
    said, _ = align_labels(labels, data.classes, f"the answers of {type(fitted).__name__}")
    gives = hasattr(fitted, "predict_proba") or hasattr(fitted, "predict_log_proba")
    return Verdict(log_posteriors(fitted, X, data.classes) if gives else None, said)


def check_classifier(model: Any) -> None:
    """Refuse what cannot be fitted and asked."""
    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
        hint = ": give an object, not the class" if isinstance(model, type) else ""
        raise InputTypeError(f"expected a classifier with fit and predict, got {model!r}{hint}")
