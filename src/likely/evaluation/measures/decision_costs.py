"""The mean cost of what was said; and what decisions were expected to cost, and what they cost.

A row costs costs[truth][said], a rejected one what rejecting costs. The upper end of the mean allows for mistakes
that did not occur among the rows (`unseen_mistakes`): each costs what the other classes would, as frequent as they are.

    expected   mean over the rows of sum over truth of costs[truth][said] P(truth | x):  right if the probabilities are
    realised   mean over the rows of costs[truth][said], the truth being known

The difference of the two, row by row, has mean 0 where the probabilities come true as often as they say. An interval
of it that leaves 0 out says that they do not, on these rows.
"""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from likely.data.accepted import TargetLike
from likely.data.labels.aligned_labels import align_labels
from likely.data.printing.html_table import text_as_html
from likely.decisions.costs import CostMatrix, CostsLike
from likely.decisions.decision import Decision
from likely.errors import InputError, InputTypeError
from likely.evaluation.judged_input import read_truth
from likely.evaluation.measures.share_weights import share_weights, shares_of, weighed_in_words
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
    weighed_by: str = ""  # the prior that rows are weighed by, in words

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

    A decision knows the costs that it was taken by, and what not answering costs; `costs` and `reject` say them of one
    that was made without (every mistake costs 1 then, unless told). A decision under a prior (`Decider(prior=...)`) is
    for rows whose classes come in those shares: with y, rows count as their classes are frequent there, in all figures.

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
    if not isinstance(decision, Decision):
        raise InputTypeError(
            f"what decide gave is judged here, got {type(decision).__name__}: decision_costs(model.decide(X), y)"
        )
    if not len(decision):
        raise InputError("there are no decisions, so they cost nothing")
    if y is None:
        return DecisionCosts(mean_interval(decision.expected_cost, confidence), None, None)
    names = tuple(decision.classes.tolist())
    codes, _ = align_labels(read_truth(y), names)
    if len(codes) != len(decision):
        raise InputError(f"there are {len(decision)} decisions, but y has {len(codes)} labels")
    matrix, reject = _costs_taken_by(decision, names, costs, reject)
    weight, note = None, ""
    if decision.prior is not None:
        weight = share_weights(codes, decision.prior)
        note = weighed_in_words("the decisions take", names, decision.prior, shares_of(codes, len(names)))
    said = Said(names, codes, answers=np.where(decision.rejected, -1, decision.code), weight=weight)
    excess = row_costs(said, matrix, reject) - decision.expected_cost
    return DecisionCosts(
        mean_interval(decision.expected_cost, confidence, sample_weight=weight),
        cost_of(said, matrix, reject, confidence),
        mean_interval(excess, confidence, sample_weight=weight),
        note,
    )


def _costs_taken_by(
    decision: Decision, names: tuple[Hashable, ...], costs: CostsLike | None, reject: float | None
) -> tuple[CostMatrix, float | None]:
    """The costs of a decision; other ones are refused, as what it is expected to cost is not of them."""
    given = None if costs is None else CostMatrix.of(costs, names)
    own = given if decision.costs is None else decision.costs
    if given is not None and own is not None and not np.array_equal(given.values, own.values):
        raise InputError("the decisions were taken by other costs than these; decide again: model.decide(X, costs=...)")
    if reject is not None and decision.reject is not None and reject != decision.reject:
        raise InputError(
            f"the decisions were taken where not answering costs {decision.reject:g}, and not {reject:g}; decide "
            "again: model.decide(X, reject=...)"
        )
    return own or CostMatrix.zero_one(names), decision.reject if reject is None else reject


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
