"""Evidence of classifiers whose log posterior is a sum over the columns: what is said of it beside the terms."""

from collections.abc import Hashable
from typing import Any

from likely.data.accepted import PriorLike, TableLike
from likely.models.any_classifier.outcome import Outcome
from likely.models.traits.evidence import Evidence, told_in_kind
from likely.models.traits.prior_shift import PriorShift
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Floats


class WeighedColumns(PriorShift):
    """A classifier that weighs its columns one by one."""

    @of_one_state
    @told_in_kind
    def evidence(
        self, X: TableLike, against: Hashable = None, for_class: Hashable = None, prior: PriorLike | None = None
    ) -> Evidence:
        """Weight of evidence: bits each column gives to the predicted class against the rest, or a named one.

        What a column gives is its part in the score: of linear scores the weight times how far the cell is from the
        mean; of trees what the column's tests on the row's way did to the shares of the classes, or to the score. What
        no column gives stands under "prior", and what is beyond columns (votes of pairs) beside them.
        """
        return self._weighed(X, self._shift(prior), for_class=for_class, against=against)

    def _weighed(self, X: TableLike, shift: Floats, **sides: Any) -> Evidence:
        """The terms of the columns (`weigh_evidence`), with what another prior adds to the log posteriors (k,)."""
        raise NotImplementedError

    @of_one_state
    def evidence_after(self, X: TableLike, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        return self._weighed(X, self._shift(None), outcome=outcome)
