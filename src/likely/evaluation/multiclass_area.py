"""Areas under ROC curves when there are more than two classes.

    macro      mean over the classes of the area of each class against the rest, by the probability of that class
    weighted   the same mean by the classes' numbers of rows
    hand-till  mean over pairs of classes (i, j) of [A(i | j) + A(j | i)] / 2, A(i | j) the area among the rows of i and
               j by the probability of i (Hand and Till 2001); it does not depend on how common the classes are

Every row moves every area by a known amount (its placement), so the moves of a row add up over the areas that it takes
part in, and their squares over the rows give the variance: the areas may depend on each other as they like. The
interval is on the logit scale. When every area is 1 there is no spread, and the interval is Newcombe's for the smallest
class against the rest. The weights of the weighted mean are taken as fixed.
"""

from collections.abc import Hashable, Sequence
from math import sqrt
from typing import Any, Literal, TypeAlias

import numpy as np

from likely.errors import InputError
from likely.evaluation.estimate import Estimate
from likely.evaluation.inputs import Ranking, align_labels, read_posterior, read_truth
from likely.evaluation.means import effective_size
from likely.evaluation.quantiles import normal_quantile
from likely.evaluation.roc_area import area_influence, logit_ends, newcombe_ends
from likely.models.weights import read_weight
from likely.numeric.arrays import Array, Floats

AreaAverage: TypeAlias = Literal["macro", "weighted", "hand-till"]


def multiclass_area(
    y: Any,
    posterior: Any,
    classes: Sequence[Hashable] | None = None,
    average: AreaAverage = "macro",
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> Estimate:
    """One figure for how well posteriors (n, k) rank the rows of several classes.

    Classes without rows have no area; they are left out, and the note says so.

    >>> posterior = [[0.7, 0.2, 0.1], [0.4, 0.5, 0.1], [0.2, 0.6, 0.2], [0.5, 0.3, 0.2], [0.1, 0.2, 0.7]]
    >>> print(multiclass_area(["a", "a", "b", "b", "c"], posterior))
    0.889 [0.432, 0.988] 95 % DeLong, macro (logit scale), n=5
    """
    codes, names = align_labels(read_truth(y), classes)
    weight = read_weight(sample_weight, len(codes))
    p = read_posterior(posterior, len(codes), len(names))
    return area_of_codes(codes, p, names, average, weight, confidence)


def area_of_codes(
    codes: Array, p: Floats, names: Sequence[Hashable], average: AreaAverage, weight: Floats | None, confidence: float
) -> Estimate:
    """The same for labels and posteriors that are already checked."""
    rows = np.bincount(codes, weights=weight, minlength=len(names))
    present = np.flatnonzero(rows > 0)
    if len(present) < 2:
        raise InputError(f"y has only one class, {names[present[0]]!r}: an area under the ROC curve needs rows of two")
    if average in ("macro", "weighted"):
        area, moved = _one_against_rest(
            codes, p, present, rows if average == "weighted" else np.ones(len(names)), weight
        )
    elif average == "hand-till":
        area, moved = _pairs(codes, p, present, weight)
    else:
        raise InputError(f"unknown average {average!r}; use 'macro', 'weighted' or 'hand-till'")
    error = sqrt(float(moved @ moved))
    z, method = normal_quantile(confidence), f"DeLong, {average} (logit scale)"
    low, high = logit_ends(area, error, z)
    if error == 0:
        smallest = float(rows[present].min() / rows.sum()) * effective_size(weight, len(codes))
        low, high = newcombe_ends(area, smallest, effective_size(weight, len(codes)) - smallest, z)
        method = f"Newcombe, {average}"
    absent = [repr(names[i]) for i in range(len(names)) if rows[i] == 0]
    note = f"no rows, left out: class {', '.join(absent)}" if absent else ""
    n = effective_size(weight, len(codes))
    return Estimate(area, low, high, confidence, method, n, error, note)


def _one_against_rest(
    codes: Array, p: Floats, present: Array, share: Array, weight: Floats | None
) -> tuple[float, Floats]:
    total = float(share[present].sum())
    area, moved = 0.0, np.zeros(len(codes))
    for c in present:
        of_class, by_row = area_influence(Ranking(codes == c, np.ascontiguousarray(p[:, c]), weight, c, None))
        area += share[c] / total * of_class
        moved += share[c] / total * by_row
    return area, moved


def _pairs(codes: Array, p: Floats, present: Array, weight: Floats | None) -> tuple[float, Floats]:
    area, moved = 0.0, np.zeros(len(codes))
    share = 1.0 / (len(present) * (len(present) - 1))
    for i in present:
        for j in present:
            if i == j:
                continue
            rows = np.flatnonzero((codes == i) | (codes == j))
            part = None if weight is None else weight[rows]
            of_pair, by_row = area_influence(Ranking(codes[rows] == i, np.ascontiguousarray(p[rows, i]), part, i, j))
            area += share * of_pair
            moved[rows] += share * by_row
    return area, moved
