"""Every threshold on a score and what it loses: the points of the ROC curve, priced.

    say positive where score > t;   loss(t) = cost of the positives at or below t + cost of the negatives above t

Only the gaps between distinct scores matter, so there is one threshold for each, halfway between its two scores, and
one at either end. The lowest of equally good thresholds is taken.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.labels.weights import read_weight
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, PerRow, in_brief

Middle: TypeAlias = Callable[[Array, Array], Floats]  # of a lower and a higher score

_ROUNDING = 1e-12  # of the total: what summing weights may have left between equal losses


@dataclass(frozen=True)
class ThresholdCurve:
    """A threshold curve: the loss of every decision threshold that decides differently."""

    threshold: Floats  # (m,)  rising, from -inf (all positive) to inf (none)
    loss: Floats  # (m,)  of deciding by each threshold
    score: Floats  # (m - 1,)  the distinct scores between them

    __repr__ = in_brief

    @classmethod
    def between(cls, score: Floats, loss: Floats, middle: Middle | None = None) -> Self:
        """The curve of losses (m,) below, between and above distinct scores (m - 1,) that rise."""
        cuts = (middle or halfway)(score[:-1], score[1:])
        return cls(np.concatenate([[-np.inf], cuts, [np.inf]]), loss, score)

    @property
    def best(self) -> float:
        """The lowest of the thresholds that lose least."""
        return float(self.threshold[self._place])

    @property
    def best_loss(self) -> float:
        """The least loss of any threshold."""
        return float(self.loss[self._place])

    def at(self, threshold: float) -> float:
        """Loss of any threshold."""
        return float(self.loss[np.searchsorted(self.score, threshold, side="right")])

    @property
    def _place(self) -> int:
        slack = _ROUNDING * float(np.abs(self.loss).max())
        return int(np.flatnonzero(self.loss <= self.loss.min() + slack)[0])


def threshold_curve(
    y: TargetLike,
    score: ArrayLike,
    false_positive: float = 1.0,
    false_negative: float = 1.0,
    sample_weight: PerRow = None,
) -> ThresholdCurve:
    """Losses of all decision thresholds on scores (n,).

    y (n,) says which rows are positive: True or False, 1 or 0.

    >>> curve = threshold_curve([False, False, True, False, True], [0.2, 1.5, 3.0, 4.0, 6.0])
    >>> curve.threshold.tolist(), curve.loss.tolist(), curve.best
    ([-inf, 0.85, 2.25, 3.5, 5.0, inf], [3.0, 2.0, 1.0, 2.0, 1.0, 2.0], 2.25)
    """
    s = np.asarray(score, dtype=np.float64)
    if s.ndim != 1 or len(s) == 0:
        raise InputError(f"a threshold is chosen on a vector of scores, got shape {s.shape}")
    if np.isnan(s).any():
        raise InputError(f"the score of row {int(np.flatnonzero(np.isnan(s))[0])} is NaN")
    truth = np.asarray(y)
    if truth.shape != s.shape or not np.isin(truth, (0, 1)).all():
        raise InputError(f"y says for each of the {len(s)} scores whether it is positive: True or False, 1 or 0")
    for name, cost in (("false_positive", false_positive), ("false_negative", false_negative)):
        if not np.isfinite(cost) or cost < 0:
            raise InputError(f"{name} is a cost, finite and not negative; got {cost}")
    weight = read_weight(sample_weight, len(s))
    amount = np.ones(len(s)) if weight is None else weight
    yes = truth.astype(bool)
    above, below = np.where(yes, 0.0, amount * false_positive), np.where(yes, amount * false_negative, 0.0)
    return priced_thresholds(s, above, below)


def priced_thresholds(score: Floats, above: Floats, below: Floats, middle: Middle | None = None) -> ThresholdCurve:
    """The curve where each row has a price for lying above the threshold and one for lying at or below it."""
    distinct, place = np.unique(score, return_inverse=True)
    gain = np.bincount(place, weights=below - above, minlength=len(distinct))
    loss = above.sum() + np.concatenate([[0.0], np.cumsum(gain)])
    return ThresholdCurve.between(distinct, loss, middle)


def halfway(low: Array, high: Array) -> Floats:
    """The middle of two scores, such that the lower is not above it and the higher is; beside one that is infinite."""
    with np.errstate(invalid="ignore"):
        middle = low / 2 + high / 2
    middle = np.where(np.isneginf(low), np.nextafter(high, -np.inf), middle)
    middle = np.where(np.isposinf(high), np.where(np.isneginf(low), 0.0, low), middle)
    return np.asarray(np.where(middle < high, middle, low))


def halfway_between_ratios(low: Array, high: Array) -> Floats:
    """The logarithm of the middle of two ratios that are given by their logarithms."""
    middle = np.logaddexp(low, high) - np.log(2)
    middle = np.where(np.isposinf(high), np.where(np.isneginf(low), 0.0, low + np.log(2)), middle)
    return np.asarray(np.where(middle < high, np.maximum(middle, low), low))
