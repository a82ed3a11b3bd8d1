"""Labels, scores and posteriors that are to be judged, checked.

Whatever cannot be judged is refused with the row and the value: labels of different lengths or kinds, a score that is
NaN, a probability that is none.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.inputs import suggest
from likely.data.labels.aligned_labels import some_of
from likely.data.labels.target import Target, read_target
from likely.data.labels.weights import read_weight
from likely.errors import InputError
from likely.models.any_classifier.posteriors import check_posteriors
from likely.numeric.arrays import Array, Floats, PerRow
from likely.statistics.counting.categories import sort_key

_SLACK = 1e-4  # how far from 1 a row of probabilities may sum: single precision and many classes


@dataclass(frozen=True)
class Ranking:
    """Rows of two classes with a score that should be high for the positive ones."""

    positive: Array  # (n,)  True for a row of the positive class
    score: Floats  # (n,)
    weight: Floats | None  # (n,)
    name: Hashable  # of the positive class
    rest: Hashable | None  # the name of the other class; None when several classes make up the rest

    def __len__(self) -> int:
        return len(self.score)


def read_truth(y: TargetLike, what: str = "y") -> Target:
    """True classes as codes; every row must have one."""
    target = read_target(y)
    if not len(target.codes):
        raise InputError(f"{what} is empty: there are no rows to judge")
    if target.hidden:
        row = int(np.flatnonzero(target.codes < 0)[0])
        raise InputError(f"the label of row {row} of {what} is missing; leave out rows whose true class is not known")
    return target


def all_classes(target: Target, said: Target) -> tuple[Hashable, ...]:
    """All classes that occur in the truth or in the answers, sorted."""
    names = set(target.classes) | set(said.classes)
    if len({isinstance(name, str) for name in names}) > 1:
        raise InputError(
            f"the true labels are like {target.classes[0]!r} and the answers like {said.classes[0]!r}: "
            "texts and numbers are never equal; give both in the same form"
        )
    return tuple(sorted(names, key=sort_key))


def read_ranking(y: TargetLike, score: ArrayLike, pos_label: Hashable = None, sample_weight: PerRow = None) -> Ranking:
    """Truth and scores of two classes; with more classes, `pos_label` against the rest."""
    target = read_truth(y)
    name, rest = choose_positive(target.classes, pos_label)
    return Ranking(
        target.codes == target.classes.index(name),
        read_scores(score, len(target.codes)),
        read_weight(sample_weight, len(target.codes)),
        name,
        rest,
    )


def choose_positive(classes: Sequence[Hashable], pos_label: Hashable = None) -> tuple[Hashable, Hashable | None]:
    """The positive class and the name of the rest; of two classes the second is positive unless told otherwise."""
    if pos_label is None:
        if len(classes) > 2:
            raise InputError(
                f"there are {len(classes)} classes, {some_of(classes)}: say which one is positive, pos_label=..."
            )
        if len(classes) == 1:
            raise InputError(f"y has only one class, {classes[0]!r}: a curve needs rows of two classes")
        pos_label = classes[1]
    if pos_label not in classes:
        raise InputError(
            f"pos_label={pos_label!r} is no class of y{suggest(pos_label, list(classes))}; "
            f"the classes are {some_of(classes)}"
        )
    place = list(classes).index(pos_label)
    if len(classes) == 1:
        raise InputError(f"y has only one class, {classes[0]!r}: a curve needs rows of two classes")
    return classes[place], classes[1 - place] if len(classes) == 2 else None


def read_scores(score: ArrayLike, rows: int) -> Floats:
    """One number per row, none of them NaN; infinite ones have their place at the end of the order."""
    try:
        values = np.ascontiguousarray(score, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("scores are numbers, one per row") from None
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InputError(f"scores are one number per row, got an array of shape {values.shape}; choose a column")
    if len(values) != rows:
        raise InputError(f"there are {rows} labels in y but {len(values)} scores; give one score per row")
    missing = np.isnan(values)
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise InputError(
            f"the score of row {row} is NaN ({missing.sum()} of {rows} are); a row without one has no rank"
        )
    return values


def read_posterior(posterior: ArrayLike, rows: int, k: int) -> Floats:
    """Probabilities (n, k) of the classes; a vector is the probability of the second of two."""
    try:
        p = np.asarray(posterior, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("probabilities are numbers, one row per case and one column per class") from None
    if p.ndim == 1 and k == 2:
        p = np.column_stack([1.0 - p, p])
    if p.ndim != 2 or p.shape[1] != k:
        raise InputError(
            f"there are {k} classes, so probabilities have the shape (n, {k}); got {p.shape}. "
            "Give `classes` in the order of the columns when y does not hold all of them"
        )
    if len(p) != rows:
        raise InputError(f"there are {rows} labels in y but {len(p)} rows of probabilities; give one row per label")
    check_posteriors(p, _SLACK, below=1e-12)
    return p
