"""What decisions were expected to cost, and what they cost.

    expected   mean over the rows of sum over truth of costs[truth][said] P(truth | x):  right if the probabilities are
    realised   mean over the rows of costs[truth][said], the truth being known

The difference of the two, row by row, has mean 0 where the probabilities come true as often as they say. An interval
of it that leaves 0 out says that they do not, on these rows.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.aligned_labels import align_labels
from likely.decisions.costs import CostMatrix
from likely.decisions.rules import Decision
from likely.errors import InputError
from likely.evaluation.judged_input import read_truth
from likely.evaluation.measures.costs import cost_of
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import mean_interval


@dataclass(frozen=True)
class DecisionCosts:
    """The mean cost of a row as it was expected, and where the classes are known, as it came."""

    expected: Estimate  # the interval is of other such rows, if the probabilities are right
    realised: Estimate | None
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


def decision_costs(
    decision: Decision, y: Any = None, costs: Any = None, reject: float | None = None, confidence: float = 0.95
) -> DecisionCosts:
    """The mean costs of decisions, expected and, with the classes y of their rows, realised.

    `costs` and `reject`, the cost of not answering, are those that the decisions were taken by; None: every mistake
    costs 1.

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
    answers = np.where(decision.rejected, -1, decision.code)
    realised = cost_of(Said(names, codes, answers=answers), matrix, reject, confidence)
    answered = matrix.values[np.arange(len(codes)), codes, answers] if matrix.per_row else matrix.values[codes, answers]
    each = np.where(decision.rejected, reject or 0.0, answered) - decision.expected_cost
    return DecisionCosts(expected, realised, mean_interval(each, confidence))
