"""Any classifier that speaks scikit-learn: clone it, fit it, ask it for scores.

Scores are log posteriors (n, k) where the classifier gives probabilities; where it has only a decision function they
are its values, (n,) for two classes, or their log softmax (n, k) for more.
"""

import copy
import inspect
import sys
import warnings
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.inputs import Input, more_than_once, suggest, taken
from likely.data.labels.target import check_target_name, read_target
from likely.data.labels.weights import read_weight
from likely.errors import InputError, InputTypeError
from likely.intervals.means import read_groups
from likely.models.any_classifier.posteriors import log_posterior_of, read_classes
from likely.models.traits.answers import answers_at_once, answers_of, read_for
from likely.models.traits.protocols import FittedClassifier, Learner, ProbabilisticClassifier
from likely.models.traits.state import as_it_is
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.logspace import log_normalize, log_of


@dataclass(frozen=True)
class Training:
    """A table, the label of every row, and weights; rows of weight zero are left out."""

    X: Any
    codes: Ints  # (n,)
    classes: tuple[Hashable, ...]
    weight: Floats | None  # (n,)
    kept: Ints | None = None  # (n,)  numbers of these rows in the user's table; None: all of them
    given: int = 0  # rows of the user's table, where some are left out
    groups: Ints | None = None  # (n,)  of rows that depend on each other, for what makes the folds
    options: Mapping[str, Any] = field(default_factory=dict)  # for `fit` of the model, some with one value per row

    @classmethod
    def of(cls, X: TableLike, y: TargetLike, sample_weight: PerRow, leave_out: bool = False) -> Self:
        """`y` is one label per row, or the name of a column of a frame X.

        Rows without a label are refused, or with `leave_out` left out with a warning.
        """
        from likely.data.frames import in_memory
        from likely.data.sources import TableSource

        if hasattr(X, "n_batches") and isinstance(X, TableSource):
            raise InputTypeError("folds need rows that can be picked out: read the file into a frame first")
        if getattr(getattr(X, "dtype", None), "kind", "") == "c":
            raise InputError("Complex data not supported: give real numbers")
        X = in_memory(X)
        if isinstance(y, str):
            X, y = split_column(X, y)
        rows = _rows(X)
        target = read_target(y, rows)
        if target.hidden and not leave_out:
            row = int(np.flatnonzero(target.codes < 0)[0])
            raise InputError(f"the label of row {row} of y is missing (NaN): leave out rows whose class is not known")
        weight = read_weight(sample_weight, len(target.codes))
        codes, classes = target.codes.astype(np.int64), target.classes
        counts = codes >= 0 if weight is None else (codes >= 0) & (weight > 0)
        if counts.all():
            return cls(X, codes, classes, weight)
        if target.hidden:
            note_hidden(int((codes < 0).sum()), len(codes))
        kept = np.flatnonzero(counts)
        present, again = np.unique(codes[kept], return_inverse=True)
        names = tuple(classes[i] for i in present)
        return cls(take(X, kept), again, names, None if weight is None else weight[kept], kept, len(codes))

    @property
    def y(self) -> Array:
        """The label of every row (n,)."""
        return np.asarray(read_classes(self.classes, len(self.classes))[self.codes])

    def over(self, classes: tuple[Hashable, ...]) -> Self:
        """The same rows among other classes, which must include these."""
        if classes == self.classes:
            return self
        place = {name: i for i, name in enumerate(classes)}
        return replace(self, codes=np.array([place[name] for name in self.classes])[self.codes], classes=classes)

    def read_for(self, *models: Any) -> Self:
        """The same rows, read once for all of these models, where they read them alike."""
        return replace(self, X=read_for(models, self.X))

    def taken(self, rows: Ints) -> Self:
        weight = None if self.weight is None else self.weight[rows]
        groups = None if self.groups is None else self.groups[rows]
        options = _options_of(self.options, len(self.codes), rows)
        return type(self)(take(self.X, rows), self.codes[rows], self.classes, weight, None, 0, groups, options)

    def beside(self, groups: PerRow, options: Mapping[str, Any]) -> Self:
        """The same rows with their groups, and with what `fit` of the model is given besides, of the user's table."""
        rows = len(self.codes) if self.kept is None else self.given
        kept = np.arange(rows) if self.kept is None else self.kept
        members = None if groups is None else read_groups(groups, rows)[kept]
        return replace(self, groups=members, options=_options_of(options, rows, kept))

    def check_several(self, rows: Ints) -> None:
        """Refuse a fold that leaves nothing to tell apart."""
        present = np.unique(self.codes[rows])
        if len(present) < 2:
            names = f"only class {self.classes[present[0]]!r}" if len(present) else "no row"
            raise InputError(f"a fold of cv leaves {names} to learn from; use other folds or more rows")

    def places(self, numbers: ArrayLike) -> Ints:
        """Where rows stand that are picked by their numbers, or by a mask, in the user's table."""
        picked = np.asarray(numbers)
        picked = np.flatnonzero(picked) if picked.dtype == bool else picked.astype(np.int64)
        if self.kept is None:
            return picked
        place = np.full(int(max(self.kept[-1], picked.max(initial=0))) + 1, -1)
        place[self.kept] = np.arange(len(self.kept))
        found = place[picked]
        return np.asarray(found[found >= 0])

    def shares(self) -> Floats:
        """Of the classes in the rows (k,)."""
        total = np.bincount(self.codes, weights=self.weight, minlength=len(self.classes))
        return np.asarray(total / total.sum())


def fitted_clone(estimator: Learner, data: Training) -> Any:
    """A new estimator of the same parameters, fitted."""
    if not hasattr(estimator, "fit") or isinstance(estimator, type):
        raise InputTypeError(f"expected a classifier with fit and predict_proba, got {estimator!r}")
    twin = _clone(estimator)
    options = dict(data.options)
    if data.weight is not None:
        options[_weight_argument(twin)] = data.weight
    return twin.fit(data.X, data.y, **options)


def scores(estimator: FittedClassifier, X: TableLike, classes: tuple[Hashable, ...]) -> Floats:
    """Log posteriors (n, k) in the order of these classes, or a decision function (n,) of two."""
    estimator = as_it_is(estimator)
    if hasattr(estimator, "predict_log_proba") or hasattr(estimator, "predict_proba"):
        return log_posteriors(estimator, X, classes)
    if not hasattr(estimator, "decision_function"):
        raise InputTypeError(
            f"{type(estimator).__name__} has neither predict_proba nor decision_function, so it gives no scores"
        )
    score = np.asarray(estimator.decision_function(X), dtype=np.float64)
    place = _columns(estimator, classes)
    if score.ndim == 1 and len(classes) == 2:
        return score if place == [0, 1] else -score
    both = log_posterior_of(score) if score.ndim == 1 else log_normalize(score)
    return _spread(both, place, len(classes))


def log_posteriors(estimator: FittedClassifier, X: TableLike, classes: tuple[Hashable, ...]) -> Floats:
    """Log posteriors (n, k) in the order of these classes; -inf for a class that the estimator does not know."""
    check_probabilities(estimator)
    estimator = as_it_is(estimator)
    place = _columns(estimator, classes)
    if hasattr(estimator, "predict_log_proba"):
        with np.errstate(divide="ignore"):
            found = np.asarray(estimator.predict_log_proba(X), dtype=np.float64)
    else:
        found = log_of(np.asarray(cast(ProbabilisticClassifier, estimator).predict_proba(X), dtype=np.float64))
    return _among(estimator, found, place, len(classes))


def said_at_once(
    estimator: FittedClassifier, X: TableLike, classes: tuple[Hashable, ...]
) -> tuple[Array, Floats | None]:
    """What is answered (n,), and log posteriors (n, k) in the order of these classes; None: it gives none."""
    estimator = as_it_is(estimator)
    if answers_at_once(estimator):
        asked = answers_of(estimator, X)
        found = np.asarray(asked.log_posterior, dtype=np.float64)
        return asked.labels, _among(estimator, found, _columns(estimator, classes), len(classes))
    X = read_for([estimator], more_than_once(X))
    gives = hasattr(estimator, "predict_proba") or hasattr(estimator, "predict_log_proba")
    return estimator.predict(X), log_posteriors(estimator, X, classes) if gives else None


def check_probabilities(estimator: object) -> None:
    """Refuse a classifier that gives none."""
    if not (hasattr(estimator, "predict_log_proba") or hasattr(estimator, "predict_proba")):
        raise InputTypeError(
            f"{type(estimator).__name__} gives no probabilities (no predict_proba); "
            "wrap it in likely.Calibrated, which makes them from its decision function"
        )


def take(X: Any, rows: Ints) -> Any:
    """Some rows of a table of any kind."""
    if isinstance(X, Input):
        return taken(X, rows)
    if hasattr(X, "tocsr"):
        return X.tocsr()[rows]
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if isinstance(X, Mapping):
        return {name: np.asarray(column)[rows] for name, column in X.items()}
    if isinstance(X, np.ndarray):
        return X[rows]
    from likely.data.frames import is_frame

    if is_frame(X):
        import narwhals as nw

        return nw.from_native(X, eager_only=True)[rows].to_native()
    if isinstance(X, list | tuple):
        return [X[i] for i in rows.tolist()]
    return np.asarray(X)[rows]


def _clone(estimator: object) -> Any:
    loaded = sys.modules.get("sklearn.base")  # its own knows all that its estimators carry
    if loaded is not None:
        return loaded.clone(estimator)
    if isinstance(estimator, list | tuple):
        return type(estimator)(_clone(part) for part in estimator)
    if not hasattr(estimator, "get_params") or isinstance(estimator, type):
        return copy.deepcopy(estimator)
    return type(estimator)(**{name: _clone(value) for name, value in estimator.get_params(deep=False).items()})


def _weight_argument(estimator: Any) -> str:
    """What `fit` calls the weights of the rows; a pipeline hands them to its last step."""
    name, last = "", estimator
    loaded = sys.modules.get("sklearn")
    if loaded is not None and hasattr(last, "steps") and loaded.get_config()["enable_metadata_routing"]:
        return "sample_weight"  # the pipeline asks its steps who wants it
    while hasattr(last, "steps"):
        name, last = f"{name}{last.steps[-1][0]}__", last.steps[-1][1]
    if "sample_weight" not in inspect.signature(last.fit).parameters:
        raise InputError(f"{type(last).__name__} takes no sample_weight; leave the weights out")
    return f"{name}sample_weight"


def _options_of(options: Mapping[str, Any], rows: int, taken: Ints) -> dict[str, Any]:
    """Options of `fit`, those with one value per row for some of the rows."""
    per_row = {name: not isinstance(value, str | Mapping) and _rows(value) == rows for name, value in options.items()}
    return {name: take(value, taken) if per_row[name] else value for name, value in options.items()}


def _columns(estimator: FittedClassifier, classes: tuple[Hashable, ...]) -> list[int]:
    """Where the estimator's classes stand among these."""
    place = {name: i for i, name in enumerate(classes)}
    known = np.asarray(estimator.classes_).tolist()
    for name in known:
        if name not in place:
            raise InputError(
                f"{type(estimator).__name__} knows class {name!r}, which does not occur in y{suggest(name, classes)}"
            )
    return [place[name] for name in known]


def _among(estimator: FittedClassifier, found: Floats, place: list[int], k: int) -> Floats:
    """Log posteriors of the estimator's classes as those of k classes, at these places; NaN is refused."""
    wrong = np.isnan(found)
    if wrong.any():
        row = int(np.flatnonzero(wrong.any(axis=1))[0])
        raise InputError(f"{type(estimator).__name__} gave NaN as a probability for row {row}")
    return _spread(found, place, k)


def _spread(found: Floats, place: list[int], k: int) -> Floats:
    if place == list(range(k)):
        return found
    wide = np.full((len(found), k), -np.inf)
    wide[:, place] = found
    return wide


def note_hidden(hidden: int, rows: int) -> None:
    """Say that rows without a label are left out; refuse where no row has one."""
    if hidden == rows:
        raise InputError("y names no class: every label is missing")
    are = "row without a label is" if hidden == 1 else "rows without a label are"
    warnings.warn(f"{hidden:,} {are} left out", stacklevel=5)


def _rows(X: Any) -> int | None:
    if isinstance(X, Input):
        return X.rows
    if hasattr(X, "shape"):
        return int(X.shape[0]) if X.shape else None
    if isinstance(X, Mapping):
        return len(next(iter(X.values()))) if X else 0
    return len(X) if hasattr(X, "__len__") else None


def split_column(X: Any, name: str) -> tuple[Any, Any]:
    """Take the target column out of a frame."""
    from likely.data.frames import is_frame

    if not is_frame(X):
        raise InputError(f"y names a column, {name!r}, but X has no named columns; give one label per row")
    if isinstance(X, Mapping):
        names = list(X)
    else:
        import narwhals as nw

        frame = nw.from_native(X, eager_only=True)
        names = frame.columns
    check_target_name(name, names)
    if isinstance(X, Mapping):
        return {key: column for key, column in X.items() if key != name}, X[name]
    return frame.drop(name).to_native(), frame[name].to_native()  # as an array, texts have the room of the longest
