"""Recalibrated likelihood: argmax of w_k p(x | k), with weights chosen for least loss on data instead of a prior.

Two classes: the second is said where p(x | 2) / p(x | 1) exceeds t = w_1 / w_2, and t is the best point of the ROC
curve (`thresholds`): halfway between two ratios, the lowest of equally good ones.

More classes: the best weights are intractable, so they are fixed one class at a time (Flach 2012, "Machine Learning",
section 9.2). The first class of `order` has weight 1; each later class i gets w_i = 1 / t, t the threshold on

    p(x | i) / max over earlier j of w_j p(x | j)

that best separates it from the earlier classes, on the rows of those classes and its own. The order is that of the
classes unless another is given, and it matters; a tied ratio goes to the earlier class. The search is greedy, so in the
end the weights are held against equal ones and dropped if they lose more on the same rows.

With costs, a row of an earlier class j costs costs[j][i] above the threshold and costs[j][j] below it; a row of class i
costs costs[i][i] above, and costs[i][the earlier class it would be given] below.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames, TargetLike
from likely.data.features.labels import indices
from likely.data.labels.weights import read_weight
from likely.decisions.costs import CostMatrix, CostsLike
from likely.decisions.thresholds import halfway_between_ratios, priced_thresholds
from likely.errors import InputError
from likely.models.any_classifier.posteriors import names_of, read_classes
from likely.numeric.arrays import Array, Floats, Ints, PerRow, in_brief


@dataclass(frozen=True)
class RecalibratedLikelihood:
    """Recalibrated likelihoods: those of the classes, each with a weight."""

    classes: Array  # (k,)
    log_weight: Floats  # (k,)  0 for the first class of the order; -inf: never said
    order: Ints  # (k,)  in which the weights were fixed
    loss_before: float  # with equal weights, on the data that chose them
    loss_after: float  # with the weights, on the same data
    stored_as: ClassVar[str] = "RecalibratedLikelihood"

    __repr__ = in_brief

    @property
    def weight(self) -> Floats:
        """(k,) what the likelihood of each class is multiplied by."""
        return np.asarray(np.exp(self.log_weight))

    def score(self, log_likelihood: ArrayLike) -> Floats:
        """Weighted log likelihoods (n, k)."""
        return np.asarray(_read(log_likelihood) + self.log_weight)

    def choose(self, log_likelihood: ArrayLike) -> Ints:
        """Place of the class of each row (n,); of tied classes the first in the order."""
        return np.asarray(self.order[self.score(log_likelihood)[:, self.order].argmax(axis=1)])

    def predict(self, log_likelihood: ArrayLike) -> Array:
        """Class of each row (n,)."""
        return np.asarray(self.classes[self.choose(log_likelihood)])


def recalibrate(
    y: TargetLike,
    log_likelihood: ArrayLike,
    classes: ClassNames = None,
    costs: CostsLike | None = None,
    order: Sequence[Hashable] | None = None,
    sample_weight: PerRow = None,
) -> RecalibratedLikelihood:
    """Choose weights on rows with known classes y, from ln p(x | class) (n, k), each row up to a constant.

    `classes` names the columns (the sorted labels of y where they are not given). `order` has the classes in the order
    in which their weights are fixed.

    >>> likelihood = [[0.5, 0.6], [0.6, 0.3], [0.2, 0.9], [0.1, 0.7]]
    >>> fitted = recalibrate(["a", "a", "b", "b"], np.log(likelihood))
    >>> fitted.weight.round(4), fitted.loss_before, fitted.loss_after
    (array([1.    , 0.3509]), 1.0, 0.0)
    """
    score = _read(log_likelihood)
    codes, names = indices(y, None if classes is None else names_of(read_classes(classes, score.shape[1])))
    if len(codes) != len(score):
        raise InputError(f"there are {len(score)} rows of likelihoods and {len(codes)} labels")
    if len(names) != score.shape[1]:
        raise InputError(
            f"there are {score.shape[1]} columns of likelihoods, but y holds {len(names)} classes; give classes="
        )
    matrix = (CostMatrix.zero_one(names) if costs is None else CostMatrix.of(costs, names)).values
    if matrix.ndim == 3:
        raise InputError("weights are chosen for one cost matrix, not for one per row")
    weight = read_weight(sample_weight, len(score))
    amount = np.ones(len(score)) if weight is None else weight
    places = np.arange(len(names)) if order is None else _order(order, names)
    log_weight = np.zeros(len(names))
    for step in range(1, len(names)):
        log_weight[places[step]] = _next_weight(score, codes, amount, matrix, places[: step + 1], log_weight)
    equal = RecalibratedLikelihood(read_classes(names, len(names)), np.zeros(len(names)), places, 0.0, 0.0)
    before = _loss(equal, score, codes, amount, matrix)
    found = RecalibratedLikelihood(equal.classes, log_weight, places, before, 0.0)
    after = _loss(found, score, codes, amount, matrix)
    if after > before:
        log_weight, after = np.zeros(len(names)), before
    return RecalibratedLikelihood(equal.classes, log_weight, places, before, after)


def _next_weight(score: Floats, codes: Ints, amount: Floats, costs: Floats, places: Ints, log_weight: Floats) -> float:
    """The log weight of the last of `places`, given those of the classes before it."""
    *earlier, new = places.tolist()
    rows = np.flatnonzero(np.isin(codes, places))
    weighted = score[rows][:, earlier] + log_weight[earlier]
    rival = np.asarray(earlier)[weighted.argmax(axis=1)]
    own, other = score[rows, new], weighted.max(axis=1)
    with np.errstate(invalid="ignore"):
        log_ratio = np.where(np.isneginf(own), -np.inf, own - other)  # impossible under both: stays with the earlier
    truth = codes[rows]
    above = amount[rows] * costs[truth, new]
    below = amount[rows] * np.where(truth == new, costs[truth, rival], costs[truth, truth])
    # no weight can move a row that is impossible on one side
    movable = np.isfinite(log_ratio)
    if not movable.any():
        return 0.0
    curve = priced_thresholds(log_ratio[movable], above[movable], below[movable], halfway_between_ratios)
    if curve.best == -np.inf:
        return float(np.log(2) - curve.score[0])
    return -curve.best


def _loss(fitted: RecalibratedLikelihood, score: Floats, codes: Ints, amount: Floats, costs: Floats) -> float:
    return float((amount * costs[codes, fitted.choose(score)]).sum())


def _order(order: Sequence[Hashable], names: tuple[Hashable, ...]) -> Ints:
    if sorted(map(str, order)) != sorted(map(str, names)):
        raise InputError(f"order must hold every class once: {', '.join(map(str, names))}; got {list(order)}")
    place = {str(name): i for i, name in enumerate(names)}
    return np.array([place[str(name)] for name in order], dtype=np.int64)


def _read(log_likelihood: ArrayLike) -> Floats:
    score = np.asarray(log_likelihood, dtype=np.float64)
    if score.ndim != 2 or score.shape[1] == 0:
        raise InputError(f"log likelihoods have one column per class, got shape {score.shape}")
    wrong = np.isnan(score) | np.isposinf(score)
    if wrong.any():
        row = int(np.flatnonzero(wrong.any(axis=1))[0])
        raise InputError(f"row {row} of the log likelihoods holds NaN or infinity: {score[row].tolist()}")
    return score
