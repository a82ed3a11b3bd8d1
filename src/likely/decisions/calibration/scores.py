"""The scores that a calibration map takes, and the labels it learns from.

Two classes: one number per row, the higher the more likely the second class; log-odds as they come from a posterior, or
whatever a decision function gives. More classes: log posteriors (n, k). Either may be infinite where a model was
certain, never NaN.

Weights that are whole numbers repeat rows, and smoothing counts each row as often. Other weights only say how much rows
count beside each other: they are scaled to sum to the effective number of rows, (sum w)^2 / sum w^2, so that their unit
changes nothing.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.labels.target import read_target
from likely.data.labels.weights import read_weight
from likely.errors import InputError
from likely.models.held_out.weighing import as_rows
from likely.numeric.arrays import Floats, Ints, PerRow


@dataclass(frozen=True)
class Scored:
    """Scores with labels; rows of weight zero are left out."""

    score: Floats  # (n,) for two classes, (n, k) for more
    code: Ints  # (n,)
    weight: Floats | None  # (n,)  above zero; sums to the rows that smoothing counts

    @classmethod
    def of(cls, score: ArrayLike, y: Any, sample_weight: PerRow = None) -> Self:
        x = read_scores(score)
        target = read_target(y, len(x))
        if target.hidden:
            raise InputError(f"the label of row {int(np.flatnonzero(target.codes < 0)[0])} is missing")
        k = 2 if x.ndim == 1 else x.shape[1]
        weight = read_weight(sample_weight, len(x))
        code = target.codes.astype(np.int64)
        if weight is not None and not weight.all():
            kept = weight > 0
            x, code, weight = x[kept], code[kept], weight[kept]
        present = np.unique(code)
        if len(target.classes) != k or len(present) != k:
            seen = ", ".join(str(target.classes[i]) for i in present)
            raise InputError(
                f"scores of {k} classes are calibrated on rows of all {k}; y holds {len(present)} class(es): {seen}"
            )
        return cls(x, code, None if weight is None else as_rows(weight))

    @property
    def classes(self) -> int:
        """How many classes the scores are of."""
        return 2 if self.score.ndim == 1 else self.score.shape[1]


def read_scores(score: ArrayLike, classes: int | None = None) -> Floats:
    """Scores (n,) or (n, k), of so many classes; two columns of log posteriors become the log-odds of the second class.

    >>> read_scores([[-0.5, -1.0]])
    array([-0.5])
    """
    try:
        x = np.asarray(score, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("scores are numbers, (n,) for two classes or log posteriors (n, k)") from None
    if x.ndim not in (1, 2) or (x.ndim == 2 and x.shape[1] < 2):
        raise InputError(f"scores are (n,) for two classes or log posteriors (n, k); got shape {x.shape}")
    wrong = np.isnan(x)
    if wrong.any():
        row = int(np.flatnonzero(wrong if x.ndim == 1 else wrong.any(axis=1))[0])
        raise InputError(f"the score of row {row} is NaN; every row needs a score")
    if classes not in (None, 2 if x.ndim == 1 else x.shape[1]):
        raise InputError(f"the map was learned for {classes} classes, got scores of shape {x.shape}")
    if x.ndim == 2:
        both = np.isneginf(x).all(axis=1)
        if both.any():
            raise InputError(f"row {int(np.flatnonzero(both)[0])} is impossible under every class: it has no score")
        if x.shape[1] == 2:
            return np.asarray(x[:, 1] - x[:, 0])
    return x
