"""The mean cost of what was said, with its interval.

A row costs costs[truth][said], a rejected one what rejecting costs. The upper end allows for mistakes that did not
occur among the rows (`unseen_mistakes`): each costs what the other classes, as frequent as they are, would have.
"""

import numpy as np

from likely.decisions.costs import CostMatrix
from likely.evaluation.measures.unseen_mistakes import allow_for_mistakes
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import mean_interval
from likely.numeric.arrays import Floats


def cost_of(said: Said, costs: CostMatrix, reject: float | None, confidence: float = 0.95) -> Estimate:
    """The mean cost of a row; of rejected ones `reject`.

    >>> said = Said(("ill", "well"), np.array([0, 1] * 10), None, np.array([1, 1] * 10))
    >>> print(cost_of(said, CostMatrix.of({"ill": {"well": 10}, "well": {"ill": 1}}, said.classes), None))
    5.000 [2.599, 7.401] 95 % t (skewness corrected), n=20
    """
    answers, values = said.labels, costs.values
    answered = values[np.arange(len(said)), said.y, answers] if costs.per_row else values[said.y, answers]
    each = np.where(answers < 0, reject or 0.0, answered)
    found = mean_interval(each, confidence, sample_weight=said.weight, groups=said.groups)
    return allow_for_mistakes(found, said, each, _extra(said, costs), said.y != answers)


def _extra(said: Said, costs: CostMatrix) -> Floats:
    """What a row called right would cost more if it were of another class, each as frequent as it is (n,)."""
    answers, values = said.labels, costs.values
    answered, rows = answers >= 0, np.arange(len(said))
    shares = np.bincount(said.y, weights=said.weight, minlength=len(said.classes))
    columns = values[rows, :, answers] if costs.per_row else values.T[answers]
    others = np.where(np.arange(len(said.classes)) == answers[:, None], 0.0, shares + 1e-300)
    mean = (others * columns).sum(axis=1) / others.sum(axis=1)
    return np.where(answered, mean - columns[rows, answers], 0.0)
