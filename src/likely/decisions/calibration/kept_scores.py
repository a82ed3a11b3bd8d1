"""Scores of rows left out, kept so that the map can be learned again when the model goes on learning.

    log posterior of a row by a model that had not seen it, less that model's log prior = its log likelihoods, but for
    a constant; with the prior of the model as it is now they are its scores

A row is known by its fingerprint (`data.features.fingerprints`), so that a row that is forgotten takes its score along.
Rows with the same fingerprint and class are one entry: its weight is theirs, its score their mean. When there are too
many entries, those with the highest fingerprints go: fingerprints depend on no label, and what is below the bound is a
sample of all rows, also after rows have come, gone or been merged. A map of p parameters that is learned from m rows of
a sample loses about p / 2m nats by that, some ten-thousandths.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from likely.data.features.fingerprints import Marks, fingerprints
from likely.models.any_classifier.inside import unwrap
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_of

MOST = 8_192  # entries
_CELLS = 1 << 16  # scores of all classes in all entries


@dataclass(frozen=True)
class KeptScores:
    """A sample of the rows that a map learned from: one entry for each fingerprint and class, in their order.

    >>> kept = KeptScores.of(np.log([[0.9, 0.1], [0.2, 0.8]]), np.array([0, 1]), None, np.array([7, 3], np.uint64))
    >>> kept.code, kept.n, (kept + kept).weight, (kept + kept - kept).weight
    (array([1, 0]), 2.0, array([2., 2.]), array([1., 1.]))
    """

    mark: Marks  # (m,)  rising
    code: Ints  # (m,)  place of the class
    weight: Floats  # (m,)
    score: Floats  # (m,) or (m, k)
    below: float  # share of all fingerprints that are kept
    n: float  # weight of all rows, in the sample or not
    stored_as: ClassVar[str] = "KeptScores"

    @classmethod
    def of(cls, score: Floats, code: Ints, weight: Floats | None, mark: Marks) -> Self:
        """Of rows with scores (n,) or (n, k), classes, weights and fingerprints (n,)."""
        amount = np.ones(len(code)) if weight is None else np.asarray(weight, dtype=np.float64)
        return cls(mark, np.asarray(code, np.int64), amount, score, 1.0, float(amount.sum()))._gathered()

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            mark=np.concatenate([self.mark, other.mark]),
            code=np.concatenate([self.code, other.code]),
            weight=np.concatenate([self.weight, other.weight]),
            score=np.concatenate([self.score, other.score]),
            below=min(self.below, other.below),
            n=self.n + other.n,
        )._gathered()

    def __sub__(self, other: Self) -> Self:
        """Without these rows, whatever their scores are now; rows that are not there take nothing away."""
        total = self + replace(other, weight=-other.weight, n=-other.n)
        left = total.weight > 1e-9 * np.abs(total.weight).max(initial=0.0)
        return replace(total._picked(left), n=max(total.n, 0.0))

    def under(self, log_prior: Floats | None) -> Floats:
        """The scores of a model with this prior (k,); None: scores are as they are."""
        return self.score if log_prior is None else np.asarray(self.score + log_prior)

    def _gathered(self) -> Self:
        order = np.lexsort((self.code, self.mark))
        mark, code = self.mark[order], self.code[order]
        weight, score = self.weight[order], self.score[order]
        if not len(mark):
            return self
        begins = np.flatnonzero(np.concatenate([[True], (mark[1:] != mark[:-1]) | (code[1:] != code[:-1])]))
        return replace(
            self,
            mark=mark[begins],
            code=code[begins],
            weight=np.add.reduceat(weight, begins),
            score=_means(score, weight, begins),
        )._bounded()

    def _bounded(self) -> Self:
        width = 1 if self.score.ndim == 1 else self.score.shape[1]
        most = min(MOST, max(_CELLS // width, 512))
        share = self.mark / 2.0**64
        below = self.below if len(share) <= most else min(self.below, float(share[most]))
        return replace(self._picked(share < below), below=below)

    def _picked(self, kept: Array) -> Self:
        return replace(
            self, mark=self.mark[kept], code=self.code[kept], weight=self.weight[kept], score=self.score[kept]
        )


def marks_for(model: Any, X: Any) -> Marks:
    """The fingerprints of rows in the columns that a fitted model knows (n,)."""
    names = getattr(unwrap(model), "feature_names_in_", None)
    return fingerprints(X, None if names is None else np.asarray(names).tolist())


def log_prior_of(model: Any, score: Floats) -> Floats | None:
    """The log prior (k,) within log posteriors (n, k) of a model; None: it says none, or a class cannot be."""
    prior = np.asarray(getattr(model, "class_prior_", 0.0), dtype=np.float64)
    return log_of(prior) if score.ndim == 2 and prior.shape == score.shape[1:] and prior.all() else None


def _means(score: Floats, weight: Floats, begins: Ints) -> Floats:
    """The mean score of each entry, of the rows that came; a row that goes tells nothing of it."""
    share = np.maximum(weight, 0.0)
    total = np.add.reduceat(share, begins)
    share = share / np.repeat(np.where(total > 0, total, 1.0), np.diff(np.append(begins, len(weight))))
    wide = share if score.ndim == 1 else share[:, None]
    with np.errstate(invalid="ignore"):
        parts = np.where(wide > 0, wide * score, 0.0)  # what is impossible stays so: no 0 times infinity
        return np.asarray(np.add.reduceat(parts, begins, axis=0))
