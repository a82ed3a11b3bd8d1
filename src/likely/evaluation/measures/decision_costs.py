"""The mean cost of what was said; and what decisions were expected to cost, and what they cost.

A row costs costs[truth][said], a rejected one what rejecting costs. The upper end of the mean allows for mistakes
that did not occur among the rows (`unseen_mistakes`): each costs what the other classes would, as frequent as they are.

    expected   mean over the rows of sum over truth of costs[truth][said] P(truth | x):  right if the probabilities are
    realised   mean over the rows of costs[truth][said], the truth being known

The difference of the two, row by row, has mean 0 where the probabilities come true as often as they say. An interval
of it that leaves 0 out says that they do not, on these rows.
"""

from dataclasses import dataclass

import numpy as np

from likely.data.accepted import TargetLike
from likely.data.labels.aligned_labels import align_labels
from likely.data.printing.html_table import text_as_html
from likely.decisions.costs import CostMatrix, CostsLike
from likely.decisions.decision import Decision
from likely.errors import InputError
from likely.evaluation.judged_input import read_truth
from likely.evaluation.measures.unseen_mistakes import allow_for_mistakes
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import mean_interval
from likely.numeric.arrays import Floats


@dataclass(frozen=True)
class DecisionCosts:
    """The mean cost of a row as it was expected, and where the classes are known, as it came."""

    expected: Estimate  # the interval is of other such rows, if the probabilities are right
    realised: Estimate | None  # None: the classes are not known
    excess: Estimate | None  # realised less expected, row by row

    @property
    def surprising(self) -> bool:
        """Whether the rows cost more or less than was expected, by more than chance."""
        return self.excess is not None and not self.excess.low <= 0 <= self.excess.high

    def __str__(self) -> str:
        lines = [f"expected cost of a row  {self.expected}"]
        if self.realised is not None:
            lines += [f"realised cost of a row  {self.realised}", f"realised less expected  {self.excess}"]
        return "\n".join(lines)

    _repr_html_ = text_as_html


def decision_costs(
    decision: Decision,
    y: TargetLike = None,
    costs: CostsLike | None = None,
    reject: float | None = None,
    confidence: float = 0.95,
) -> DecisionCosts:
    """The mean costs of decisions, expected and, with the classes y of their rows, realised.

    `costs` and `reject`, the cost of not answering, are those that the decisions were taken by; None: every mistake
    costs 1.

    Parameters
    ----------
    decision : what `decide` or a `Decider` gave

    >>> from likely.decisions import decide
    >>> sure = decide(np.tile([[0.9, 0.1], [0.2, 0.8]], (20, 1)), ["ill", "well"])
    >>> print(decision_costs(sure, ["well", "well"] * 20))
    expected cost of a row  0.150 [0.134, 0.166] 95 % t (skewness corrected), n=40
    realised cost of a row  0.500 [0.338, 0.662] 95 % t (skewness corrected), n=40
    realised less expected  0.350 [0.172, 0.528] 95 % t (skewness corrected), n=40
    """
    if not len(decision):
        raise InputError("there are no decisions, so they cost nothing")
    expected = mean_interval(decision.expected_cost, confidence)
    if y is None:
        return DecisionCosts(expected, None, None)
    names = tuple(decision.classes.tolist())
    codes, _ = align_labels(read_truth(y), names)
    if len(codes) != len(decision):
        raise InputError(f"there are {len(decision)} decisions, but y has {len(codes)} labels")
    matrix = CostMatrix.zero_one(names) if costs is None else CostMatrix.of(costs, names)
    said = Said(names, codes, answers=np.where(decision.rejected, -1, decision.code))
    excess = row_costs(said, matrix, reject) - decision.expected_cost
    return DecisionCosts(expected, cost_of(said, matrix, reject, confidence), mean_interval(excess, confidence))


def cost_of(said: Said, costs: CostMatrix, reject: float | None, confidence: float = 0.95) -> Estimate:
    """The mean cost of a row; of rejected ones `reject`.

    >>> said = Said(("ill", "well"), np.array([0, 1] * 10), None, np.array([1, 1] * 10))
    >>> print(cost_of(said, CostMatrix.of({"ill": {"well": 10}, "well": {"ill": 1}}, said.classes), None))
    5.000 [2.599, 7.401] 95 % t (skewness corrected), n=20
    """
    each = row_costs(said, costs, reject)
    found = mean_interval(each, confidence, sample_weight=said.weight, groups=said.groups)
    return allow_for_mistakes(found, said, each, _extra(said, costs), said.y != said.labels)


def row_costs(said: Said, costs: CostMatrix, reject: float | None) -> Floats:
    """What was said of each row cost (n,)."""
    answers, values = said.labels, costs.values
    answered = values[np.arange(len(said)), said.y, answers] if costs.per_row else values[said.y, answers]
    return np.where(answers < 0, reject or 0.0, answered)


def _extra(said: Said, costs: CostMatrix) -> Floats:
    """What a row called right would cost more if it were of another class, each as frequent as it is (n,)."""
    answers, values = said.labels, costs.values
    answered, rows = answers >= 0, np.arange(len(said))
    shares = np.bincount(said.y, weights=said.weight, minlength=len(said.classes))
    columns = values[rows, :, answers] if costs.per_row else values.T[answers]
    others = np.where(np.arange(len(said.classes)) == answers[:, None], 0.0, shares + 1e-300)
    mean = (others * columns).sum(axis=1) / others.sum(axis=1)
    return np.where(answered, mean - columns[rows, answers], 0.0)
