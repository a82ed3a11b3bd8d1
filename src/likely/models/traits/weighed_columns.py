"""Evidence of classifiers whose log posterior is a sum over the columns: what is said of it beside the terms."""

from typing import Any

from likely.data.accepted import TableLike
from likely.models.any_classifier.outcome import Outcome
from likely.models.traits.evidence import Evidence
from likely.models.traits.prior_shift import PriorShift
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Floats


class WeighedColumns(PriorShift):
    """A classifier that weighs its columns one by one; its `evidence` says in its own words what a column gives."""

    def _weighed(self, X: TableLike, shift: Floats, **sides: Any) -> Evidence:
        """The terms of the columns (`weigh_evidence`), with what another prior adds to the log posteriors (k,)."""
        raise NotImplementedError

    @of_one_state
    def evidence_after(self, X: TableLike, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        return self._weighed(X, self._shift(None), outcome=outcome)
