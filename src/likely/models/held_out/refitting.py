"""Models fitted again on some rows and asked about others: how any classifier is resampled.

Fits run side by side in threads, each on a clone, and all that learns from data (every step of a pipeline) learns from
the training rows of its own fit alone. Models of other libraries are fitted one after the other: scikit-learn's forests
reset the filters of warnings for every tree, which all threads of a process share, and may leave none behind. So are
fits of very many rows, each of which has all threads: then one fitted model lies in memory, and not one for each
thread.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple, TypeVar

from likely import engines
from likely.data.accepted import TableLike
from likely.data.labels.aligned_labels import align_labels, read_labels
from likely.engines.progress import progress
from likely.errors import InputTypeError
from likely.models.any_classifier.asking import Training, fitted_clone, said_at_once, take
from likely.models.estimator import Estimator
from likely.models.held_out.cv import Split
from likely.models.traits.protocols import FittedClassifier, Learner
from likely.numeric.arrays import Array, Floats

T = TypeVar("T")

_SIDE_BY_SIDE = 200_000  # rows; of more, one fit after the other


class Verdict(NamedTuple):
    """What a model said of rows."""

    log_posterior: Floats | None  # (m, k)  None: the model gives no probabilities
    answers: Array | None = None  # (m,)  codes of the classes, -1: it was rejected; None: the most probable classes


def refit(
    model: Learner, data: Training, splits: Sequence[Split], ask: Callable[[Any, Any], T], what: str = "folds"
) -> list[T]:
    """What `ask(fitted, X)` gives for the test rows of every split, of a clone fitted on its training rows."""
    apart = len(data.codes) > _SIDE_BY_SIDE
    inside: engines.Engine = engines.current() if apart else engines.Serial()
    with progress(len(splits), what) as done:

        def judge(number: int) -> T:
            split = splits[number]
            try:
                with engines.use(inside):
                    found = ask(fitted_clone(model, data.taken(split.train)), take(data.X, split.test))
            except Exception as wrong:
                wrong.add_note(f"in split {number + 1} of {len(splits)} ({what})")
                raise
            done()
            return found

        engine = engines.current() if _is_ours(model) and not apart else engines.Serial()
        return engine.map(range(len(splits)), judge)


def _is_ours(model: object) -> bool:
    """Whether a model, and every model inside it, is an estimator of this library or made after its ways."""
    if not isinstance(model, Estimator):
        return False
    return all(_is_ours(inside) for inside in model.get_params(deep=False).values() if hasattr(inside, "fit"))


def verdict_of(fitted: FittedClassifier, X: TableLike, classes: Sequence[Any]) -> Verdict:
    """Log posteriors, if the model gives any, and answers, in terms of these classes."""
    labels, log_posterior = said_at_once(fitted, X, tuple(classes))
    said, _ = align_labels(
        read_labels(labels, label_of_rejects(fitted)), classes, f"the answers of {type(fitted).__name__}"
    )
    return Verdict(log_posterior, said)


def label_of_rejects(fitted: FittedClassifier) -> Hashable:
    """What a classifier says of a row that it does not answer; None: nothing in particular."""
    own: Hashable = getattr(fitted, "reject_label_", getattr(fitted, "reject_label", None))
    return own


def check_classifier(model: object) -> None:
    """Refuse what cannot be fitted and asked."""
    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
        hint = ": give an object, not the class" if isinstance(model, type) else ""
        raise InputTypeError(f"expected a classifier with fit and predict, got {model!r}{hint}")
    if getattr(model, "_estimator_type", None) in ("clusterer", "density_estimator"):
        raise InputTypeError(
            f"{type(model).__name__} finds groups without labels, and their numbers are no classes: there are no "
            "answers to judge. How alike groups and classes are tells likely.models.adjusted_rand(model.predict(X), y)"
        )
