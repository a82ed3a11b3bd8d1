"""The majority baseline: the commonest class of the training data, whatever the input.

Statistic: the weight of each class. Its probabilities are the classes' shares. A classifier that is not better than
this has learned nothing from the features.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from math import log2
from typing import Any, Self

import numpy as np

from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.columns.schema import schema_of
from likely.data.labels.target import class_array, read_target, split_target, target_name
from likely.data.labels.weights import read_weight
from likely.distributions.conjugate.belief import REFERENCE
from likely.distributions.conjugate.beta import Beta
from likely.errors import InputError
from likely.models.any_classifier.drawn import taking_in
from likely.models.any_classifier.outcome import Outcome
from likely.models.any_classifier.posteriors import read_class_prior
from likely.models.estimator import Classifier
from likely.models.traits.answers import Answers
from likely.models.traits.decision_function import DecisionFunction
from likely.models.traits.evidence import Evidence, told_in_kind, weigh_evidence
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, PerRow
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed

_BLOCK = 4_096  # rows


class MajorityClassifier(DecisionFunction, Classifier):
    """The majority-class baseline: always says the commonest class, of equally common ones the first.

    Examples
    --------
    >>> from likely.decisions import MajorityClassifier
    >>> model = MajorityClassifier().fit([[1], [2], [3]], ["ham", "spam", "ham"])
    >>> model.predict([[7]]), model.predict_proba([[7]]).round(3)
    (array(['ham'], dtype='<U4'), array([[0.667, 0.333]]))
    """

    _how_it_learns = "is a baseline, counted from all rows at once"

    classes_: Array  # (k,)
    class_count_: Floats  # (k,)  sum of weights
    class_prior_: Floats  # (k,)

    def __init__(self) -> None:
        """There is nothing to choose."""

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Count the classes y of rows X; y may name a column of a frame."""
        with self._anew():
            table = self._read(X)
            data, labels = split_target(table, y)
            if isinstance(labels, str):
                raise InputError("the majority is counted from rows in memory: read the file first")
            target = read_target(labels, data.rows)
            weight = read_weight(sample_weight, len(target.codes))
            seen = target.codes >= 0
            count = np.bincount(target.codes[seen], None if weight is None else weight[seen], len(target.classes))
            present = np.flatnonzero(count)
            if len(present) == 0:
                raise InputError("y names no class: every label is missing")
            self.classes_ = class_array([target.classes[i] for i in present])
            self.class_count_ = count[present].astype(np.float64)
            self.class_prior_ = self.class_count_ / count.sum()
            self._remember(replace(schema_of(data, "nominal"), target=target_name(table, y)))
        return self

    @of_one_state
    def predict(self, X: TableLike) -> Array:
        """The commonest class for every row."""
        rows = self._rows(X)
        return np.repeat(self.classes_[[int(self.class_count_.argmax())]], rows)

    @of_one_state
    def predict_proba(self, X: TableLike) -> Floats:
        """The share of each class, for every row (n, k)."""
        rows = self._rows(X)
        return np.tile(self.class_prior_, (rows, 1))

    def predict_log_proba(self, X: TableLike) -> Floats:
        """Its logarithm."""
        return log_of(self.predict_proba(X))

    @of_one_state
    def predict_interval(
        self,
        X: TableLike,
        confidence: float = 0.95,
        random_state: Seed = 0,
        n_draws: int = 1000,
        prior: PriorLike | None = None,
    ) -> Floats:
        """Credible interval (n, k, 2) of the share of each class after counting, the same for every row.

            share of class c ~ Beta(n_c + 1/2, n - n_c + (k - 1) / 2)      a marginal of Jeffreys' Dirichlet

        It is of the classes' shares among all rows, whatever the columns say. Under a `prior` the shares are given, and
        each interval is that one number. Nothing is drawn.

        >>> from likely.decisions import MajorityClassifier
        >>> MajorityClassifier().fit([[1], [2], [3]], ["ham", "spam", "ham"]).predict_interval([[7]]).round(2)
        array([[[0.18, 0.96],
                [0.04, 0.82]]])
        """
        rows, k = self._rows(X), len(self.classes_)
        if prior is not None or k == 1:
            known = self.class_prior_ if prior is None else read_class_prior(prior, self.classes_, "prior")
            ends = np.column_stack([known, known])
        else:
            alpha = self.class_count_ + REFERENCE
            shares = [Beta(a, b) for a, b in zip(alpha.tolist(), (alpha.sum() - alpha).tolist(), strict=True)]
            ends = np.array([share.interval(confidence) for share in shares])
        return np.tile(taking_in(ends, self.class_prior_ if prior is None else ends[:, 0]), (rows, 1, 1))

    @of_one_state
    @told_in_kind
    def evidence(
        self, X: TableLike, against: Hashable = None, for_class: Hashable = None, prior: PriorLike | None = None
    ) -> Evidence:
        """Weight of evidence of the commonest class, or a named one: the bits of the prior, and 0 of every column.

        >>> from likely.decisions import MajorityClassifier
        >>> found = MajorityClassifier().fit([[1], [2], [3]], ["ham", "spam", "ham"]).evidence([[7]])
        >>> found.prior, found.bits
        (array([1.]), array([[0.]]))
        """
        self._check_fitted()
        base = self.class_prior_ if prior is None else read_class_prior(prior, self.classes_, "prior")
        blocks, names = self._silent(X), self.schema_.names
        return weigh_evidence(self.classes_, names, blocks, log_of(base), for_class=for_class, against=against)

    @of_one_state
    def evidence_after(self, X: TableLike, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        return weigh_evidence(
            self.classes_, self.schema_.names, self._silent(X), log_of(self.class_prior_), outcome=outcome
        )

    @of_one_state
    def _answers(self, X: TableLike) -> Answers:
        found = self.predict_proba(X)
        return Answers(np.repeat(self.classes_[[int(self.class_count_.argmax())]], len(found)), found, log_of(found))

    @property
    def n_parameters_(self) -> int:
        """Free parameters: the shares of all classes but one."""
        return len(self.classes_) - 1

    @property
    def label_bits_(self) -> float:
        """Bits that say which class is said of every row."""
        return log2(len(self.classes_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # it does not look at the features
        return tags

    def _silent(self, X: TableLike) -> Iterator[tuple[int, Floats]]:
        """What columns add to the log joint of each class, blocks of rows with the number of the first: nothing."""
        rows, shape = self._rows(X), (len(self.schema_.names), len(self.classes_))
        for start in range(0, max(rows, 1), _BLOCK):
            yield start, np.zeros((min(_BLOCK, rows - start), *shape))

    def _rows(self, X: TableLike) -> int:
        data = self._query(X)
        return sum(batch.shape[0] for _, batch in data.batches()) if data.rows is None else data.rows
