"""Log posteriors that are linear in the columns of the design: what scores, coefficients and evidence follow from."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike
from likely.distributions.capabilities.operators import Graph
from likely.errors import InputError
from likely.models.any_classifier.outcome import Outcome
from likely.models.learning.designed import MatrixClassifier
from likely.models.learning.operators import linear_scores
from likely.models.linear.words import words_of_linear
from likely.models.traits.evidence import Evidence, told_in_kind, weigh_evidence
from likely.models.traits.state import of_one_state
from likely.models.traits.weighed_columns import WeighedColumns
from likely.models.traits.words import TextEvidence
from likely.numeric.arrays import Floats, Matrix


class LinearScores(WeighedColumns, MatrixClassifier):
    """Scores (n, k) = x W' + b, up to a term common to the classes."""

    linear_: Floats  # (k, m + 1)  of the columns of the design matrix, the constant last
    coef_: Floats  # (vectors, m)
    intercept_: Floats  # (vectors,)

    def _weighed(self, X: TableLike, shift: Floats, **sides: Any) -> Evidence:
        """A column gives nothing where it is at its mean (numbers), or says no level (levels never seen); the rest is
        the constant, which stands under "prior".
        """
        terms = (
            (start, np.stack([self.design_.by_source(x * w[:-1]) for w in self.linear_], axis=2))
            for start, x in self._matrices(X)
        )
        return weigh_evidence(self.classes_, self.schema_.names, terms, self.linear_[:, -1] + shift, **sides)

    @of_one_state
    @told_in_kind
    def text_evidence(
        self, X: Any, column: str | None = None, against: Any = None, for_class: Any = None, prior: Any = None
    ) -> TextEvidence:
        """Bits that each word of a text column gives, beside the constant and all other columns together.

        `column` may be left out where there is only one of texts.
        """
        return words_of_linear(self, X, column, self._shift(prior), for_class=for_class, against=against)

    @of_one_state
    def text_evidence_after(self, X: Any, column: str | None, outcome: Outcome) -> TextEvidence:
        """The bits of words for what a wrapper said of the rows in the end, beside the constant and other columns."""
        return words_of_linear(self, X, column, self._shift(None), outcome=outcome)

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph (see `likely.store.to_onnx`)."""
        return linear_scores(self.design_, self.linear_, graph)

    def _scores(self, x: Matrix) -> Floats:
        return np.ascontiguousarray(x @ self.linear_[:, :-1].T + self.linear_[:, -1])

    def _keep_linear(self, linear: Floats) -> None:
        """What follows from the weights; of two classes the coefficients are those of the second."""
        centre, scale, _ = self.design_.affine
        own = linear[[1]] - linear[[0]] if len(linear) == 2 else linear
        coef = own[:, :-1] / scale
        self._become({"linear_": linear, "coef_": coef, "intercept_": own[:, -1] - coef @ centre})


def check_weights(weights: ArrayLike, rows: int, columns: int) -> None:
    """Refuse weights from a file that are not one finite number for each column."""
    fits = isinstance(weights, np.ndarray) and weights.shape == (rows, columns) and weights.dtype == np.float64
    if not fits or not np.isfinite(weights).all():
        raise InputError("its weights are not one finite number for each column")
