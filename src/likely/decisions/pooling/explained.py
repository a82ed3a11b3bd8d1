"""The verbs of a pool that say why: what each column gives, and of a column of texts each word."""

from collections.abc import Callable
from typing import Any

from likely.errors import InputError
from likely.models.any_classifier.outcome import Outcome
from likely.models.traits.evidence import Evidence, told_in_kind
from likely.models.traits.state import of_one_state
from likely.models.traits.words import TextEvidence


class ExplainedPool:
    """A log-linear pool adds up, and so does what its members say of columns and words."""

    method: str
    _check_fitted: Callable[[], None]
    _ready: Callable[[Any], Any]
    _shared: Callable[[Any], Any]

    @of_one_state
    @told_in_kind
    def evidence(self, X: Any, against: Any = None, for_class: Any = None, prior: Any = None) -> Evidence:
        """Weight of evidence: the weighted sum of the members' bits for each column, for the class that is said.

        It adds up to the log2 odds of the pooled probability. A member that does not weigh its columns one by one
        stands beside them under its own name.
        """
        from likely.decisions.pooling.evidence import outcome_of

        self._check_fitted()
        X = self._ready(X)
        return self.evidence_after(X, outcome_of(self, X, against, for_class, prior))

    @of_one_state
    def evidence_after(self, X: Any, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        from likely.decisions.pooling.evidence import pooled_evidence

        self._check_adds_up()
        return pooled_evidence(self, X, outcome)

    @of_one_state
    @told_in_kind
    def text_evidence(
        self, X: Any, column: str | None = None, against: Any = None, for_class: Any = None, prior: Any = None
    ) -> TextEvidence:
        """Bits that each word of a text column gives: the weighted sum of what it says to the members.

        `column` may be left out where there is only one of texts. What the text says to members that do not weigh words
        stands beside them, and all of it sums to the column's bits in `evidence`.
        """
        from likely.decisions.pooling.evidence import outcome_of

        self._check_fitted()
        X = self._shared(X)
        return self.text_evidence_after(X, column, outcome_of(self, X, against, for_class, prior))

    @of_one_state
    def text_evidence_after(self, X: Any, column: str | None, outcome: Outcome) -> TextEvidence:
        """The bits of words for what a wrapper said of the rows in the end, beside the prior and all other columns."""
        from likely.decisions.pooling.evidence import pooled_words

        self._check_adds_up()
        return pooled_words(self, X, column, outcome)

    def _check_adds_up(self) -> None:
        if self.method != "log":
            raise InputError("only the log-linear pool adds up: a mean of probabilities is no sum of log odds")
