"""The area under the ROC curve where folds have none of their own: only rows that one model judges are ranked.

Folds that lack a class have no area, and ranking all rows together would compare scores of different models: who leaves
out a row lowers the share of its class, and with it the score of this row alone. On rows whose classes mean nothing the
area of 30 rows left out one by one is 0.39 and not 0.5. Every pair of a row in fold f and one in fold g is therefore
ranked by the model without both folds (leave-pair-out, Airola et al. 2011; two rows of one fold by the model without
that fold):

    area = mean over pairs (positive i, negative j) of 1{s_i > s_j} + 1/2 1{s_i = s_j},   s under the model without f, g

of more than two classes the mean over each against the rest. The placement of a row is its mean over the rows of the
other side, and the variance is DeLong's of the placements, of a class of fewer than five rows with two pseudo-rows that
are placed in the middle, as in paired areas; with groups, those of a group vary together. More than
`_PARTS` folds, or for models that are refitted more than `_REFITTED`, are dealt anew into so many, whole groups and
classes as even as may be: f (f + 1) / 2 models are enough.
"""

from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.curves.multiclass_area import share_of_area, variance_by_class
from likely.evaluation.curves.roc_area import logit_ends, newcombe_ends
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size
from likely.intervals.quantiles import normal_quantile, t_quantile
from likely.models.held_out.folds import make_folds
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import all_log_odds

if TYPE_CHECKING:
    from likely.evaluation.resampling.cross_validation import CrossValidation

_TOO_FEW = 5  # rows of a class, which say little about how its placements vary
_PARTS = 20  # folds, every two of which are left out: 210 models from sums
_REFITTED = 10  # the same for models that are refitted


def pair_ranking(result: "CrossValidation") -> tuple[float, Floats] | None:
    """The area, and how much each row (n,) moves it; None where the model or its probabilities are not there.

    >>> from likely import NaiveBayes, cross_validate
    >>> y = np.arange(30) % 2
    >>> noise = np.random.default_rng(4).normal(size=(30, 2))
    >>> result = cross_validate(NaiveBayes(), noise, y, leave_one_out=True)
    >>> print(f"{result.pooled('roc_area').value:.2f} {pair_ranking(result)[0]:.2f}")
    0.64 0.73
    """
    held, weight = result.held_out, np.ones(len(result.y)) if result.weight is None else result.weight
    present = np.flatnonzero(np.bincount(result.y, weights=weight, minlength=len(result.classes)) > 0)
    if held is None or result.learned is not None or result.log_posterior is None or len(present) < 2:
        return None
    found = []
    for fold in _parts(result):
        posterior = held.twice(fold, "pairs of folds that are ranked").log_posterior
        assert posterior is not None
        odds = all_log_odds(posterior.reshape(-1, posterior.shape[2])).reshape(posterior.shape)
        sides = present[-1:] if len(present) == 2 else present
        found += [_one_class(fold, odds[:, :, c], result.y == c, weight) for c in sides]
    return float(np.mean([area for area, _ in found])), np.mean([moved for _, moved in found], axis=0)


def ranked_in_pairs(result: "CrossValidation", confidence: float, wider: float) -> Estimate | None:
    """The area with its interval, `wider` by a factor for models that learned from fewer rows."""
    found = pair_ranking(result)
    if found is None:
        return None
    area, moved = found
    n, method = effective_size(result.weight, len(result.y)), "leave-pair-out, DeLong (logit scale)"
    fewest, variance = variance_by_class(result.y, moved, np.unique(result.y), result.weight)
    for rows in np.bincount(result.y)[np.unique(result.y)]:
        if rows < _TOO_FEW:  # which may agree by chance
            variance += 2 * 0.25 / (int(rows) + 2) ** 2 * share_of_area(len(np.unique(result.y)))
    reach = normal_quantile(confidence)
    if result.groups is not None:
        by_group = np.bincount(result.groups, weights=moved)
        count = len(np.unique(result.groups))
        variance = float(by_group @ by_group) * count / (count - 1)
        fewest, reach, method = float(count), t_quantile(confidence, count - 1), f"{method} over {count} groups"
    error = sqrt(variance) * wider
    low, high = logit_ends(area, error, reach)
    if error == 0 or fewest <= 1:
        low, high = newcombe_ends(area, fewest, max(n - fewest, 1.0), reach * wider)
        method = "leave-pair-out, Newcombe"
    return Estimate(area, low, high, confidence, method, n, error)


def _parts(result: "CrossValidation") -> list[Ints]:
    """Folds of which every two are left out: those of the result, or fewer."""
    held = result.held_out
    assert held is not None
    most = _PARTS if held.exact else _REFITTED
    if result.n_folds <= most:
        return list(result.folds if held.exact else result.folds[:1])
    groups = result.groups
    units = len(result.y) if groups is None else len(np.unique(groups))
    return [make_folds(result.y, min(most, units), groups=groups)]


def _one_class(fold: Ints, score: Floats, yes: Array, weight: Floats) -> tuple[float, Floats]:
    """The area of a class against the rest by scores (f, n) without a row's own fold and fold f, and its moves."""
    place, count = np.zeros(len(fold)), len(score)
    sides = [[np.flatnonzero((fold == f) & (yes == side)) for f in range(count)] for side in (True, False)]
    for f, positives in enumerate(sides[0]):
        for g, negatives in enumerate(sides[1]):
            above, below = score[g, positives], score[f, negatives]
            place[positives] += _below(above, below, weight[negatives])
            place[negatives] += weight[positives].sum() - _below(below, above, weight[positives])
    totals = float(weight[yes].sum()), float(weight[~yes].sum())
    place /= np.where(yes, totals[1], totals[0])
    area = float(weight[yes] @ place[yes]) / totals[0]
    return area, np.asarray(weight * (place - area) / np.where(yes, *totals))


def _below(scores: Floats, others: Floats, weight: Floats) -> Floats:
    """The weight of the others below each score, and half of that of its equals."""
    order = np.argsort(others)
    summed = np.concatenate([[0.0], np.cumsum(weight[order])])
    first, last = (np.searchsorted(others[order], scores, side) for side in ("left", "right"))
    return np.asarray((summed[first] + summed[last]) / 2)
