"""The loss of a linear model as a sum over batches: value, gradient and Hessian at given weights.

    f(W) = sum_i w_i loss(W x_i, y_i)

The rows x end in a constant 1, so intercepts are weights like others. Two classes have one vector of weights, for the
second class; k have k. `LossAt` is what an engine folds: it holds the point and can be sent.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.models.learning.designed import DesignedRows
from likely.numeric.arrays import Array, Floats, Ints, Matrix, dense, frozen
from likely.numeric.kernels.densities.logistic import logistic_terms, softmax_slopes, softmax_terms
from likely.numeric.kernels.sums.products import add_pairs
from likely.numeric.logspace import normalize
from likely.optimize.objectives import Expansion

_BLOCK = 4096  # rows whose products stay in cache
_MANY_CLASSES, _FEW_COLUMNS = 5, 200  # from where, and to where, products of pairs are worth making
_NONE = frozen(np.empty(0))


@dataclass(frozen=True)
class LossAt:
    """The expansion of the logistic (two classes) or softmax loss of a batch at weights (vectors, m)."""

    weights: Floats
    curved: bool  # whether the Hessian is wanted

    def __call__(self, rows: DesignedRows) -> Expansion:
        weight = _NONE if rows.weight is None else frozen(rows.weight)
        if len(self.weights) == 1:
            return self._logistic(rows.x, rows.codes, weight)
        return self._softmax(rows.x, rows.codes, weight)

    def _logistic(self, x: Matrix, codes: Array, weight: Floats) -> Expansion:
        scores = x @ self.weights[0]
        residual, curvature = np.empty(len(scores)), np.empty(len(scores))
        loss = logistic_terms(scores, codes, weight, residual, curvature)
        gradient = np.asarray(x.T @ residual)
        return Expansion(loss, gradient, weighted_gram(x, curvature) if self.curved else None)

    def _softmax(self, x: Matrix, codes: Array, weight: Floats) -> Expansion:
        if hasattr(x, "indptr"):
            posterior = np.ascontiguousarray(x @ self.weights.T)
            residual = np.empty_like(posterior)
            loss = softmax_terms(posterior, codes, weight, residual)
            gradient = np.asarray(x.T @ residual).T
        else:
            posterior, gradient = np.empty((len(x), len(self.weights))), np.zeros(self.weights.shape)
            loss = softmax_slopes(x, self.weights.T.copy(), codes, weight, posterior, gradient)
        hessian = softmax_curvature(x, posterior, weight) if self.curved else None
        return Expansion(loss, gradient.ravel(), hessian)


@dataclass(frozen=True)
class CurvatureOf:
    """The part of a batch's Hessian that belongs to some of the weights, by their places in one vector."""

    weights: Floats  # (vectors, m)
    active: Ints  # rising

    def __call__(self, rows: DesignedRows) -> Floats:
        k, m = self.weights.shape
        weight = np.ones(rows.x.shape[0]) if rows.weight is None else rows.weight
        scores = np.asarray(rows.x @ self.weights.T)
        posterior = normalize(np.column_stack([np.zeros(len(scores)), scores]))[:, 1:] if k == 1 else normalize(scores)
        places = [np.flatnonzero(self.active // m == c) for c in range(k)]
        parts = [dense(rows.x[:, self.active[place] % m]) for place in places]
        out = np.zeros((len(self.active), len(self.active)))
        for c in range(k):
            for b in range(k):
                shared = weight * posterior[:, c] * ((1.0 if b == c else 0.0) - posterior[:, b])
                out[np.ix_(places[c], places[b])] = (parts[c] * shared[:, None]).T @ parts[b]
        return out


@dataclass(frozen=True)
class SumLoss:
    """The loss over all batches of a source, as an objective of the weights as one vector."""

    source: Source[DesignedRows]
    vectors: int

    def at(self, point: Floats, curved: bool) -> Expansion:
        """Value, gradient and, if wanted, the Hessian."""
        found: Expansion = engines.current().fold(self.source, LossAt(point.reshape(self.vectors, -1), curved))
        return found

    def curvature_of(self, point: Floats, active: Ints) -> Floats:
        """The part of the Hessian that belongs to some weights."""
        found: Floats = engines.current().fold(self.source, CurvatureOf(point.reshape(self.vectors, -1), active))
        return found


def weighted_gram(x: Any, weight: Floats) -> Floats:
    """The matrix X' diag(weight) X (m, m) of rows x, in blocks that stay in cache."""
    if hasattr(x, "indptr"):
        return np.asarray((x.T @ x.multiply(weight[:, None]).tocsr()).toarray())
    out = np.zeros((x.shape[1], x.shape[1]))
    for start in range(0, len(x), _BLOCK):
        part = x[start : start + _BLOCK]
        out += (part * weight[start : start + _BLOCK, None]).T @ part
    return out


def softmax_curvature(x: Matrix, posterior: Floats, weight: Floats) -> Floats:
    """The Hessian (k m, k m) of the softmax loss: H_cb = -X' diag(w p_c p_b) X, and H_cc = -sum of H_cb over b != c.

    Blocks of a row sum to 0, for posteriors sum to 1; so nothing is subtracted where a posterior is near 1.
    """
    k, m = posterior.shape[1], x.shape[1]
    share = posterior if not len(weight) else posterior * np.sqrt(weight)[:, None]
    out = np.zeros((k, m, k, m))
    couples = list(combinations(range(k), 2))
    if hasattr(x, "indptr"):
        for c, b in couples:
            out[c, :, b] = -weighted_gram(x, share[:, c] * share[:, b])
    elif k >= _MANY_CLASSES and m <= _FEW_COLUMNS:
        place = np.zeros((m, m), dtype=np.int64)  # of the products of two columns among the sums
        place[np.triu_indices(m)] = np.arange(m * (m + 1) // 2)
        sums = np.zeros((len(couples), m * (m + 1) // 2))
        add_pairs(x, share, sums)
        for (c, b), own in zip(couples, sums[:, np.maximum(place, place.T)], strict=True):
            out[c, :, b] = -own
    else:
        for start in range(0, len(x), _BLOCK // 4):
            part, own = x[start : start + _BLOCK // 4], share[start : start + _BLOCK // 4]
            told = (own[:, :, None] * part[:, None, :]).reshape(len(part), k * m)
            for c in range(k - 1):
                rest = told[:, (c + 1) * m :]
                out[c, :, c + 1 :] -= (told[:, c * m : (c + 1) * m].T @ rest).reshape(m, k - 1 - c, m)
    for c, b in couples:
        out[b, :, c] = out[c, :, b].T
    for c in range(k):
        out[c, :, c] = -out[c].sum(axis=1)
    return out.reshape(k * m, k * m)


def with_constant(rows: DesignedRows, value: float = 1.0) -> DesignedRows:
    """The rows with a constant, 1, after their last column."""
    if hasattr(rows.x, "indptr"):
        from scipy.sparse import csr_matrix, hstack

        return rows._replace(x=hstack([rows.x, csr_matrix(np.full((rows.x.shape[0], 1), value))], format="csr"))
    wide = np.empty((rows.x.shape[0], rows.x.shape[1] + 1))
    wide[:, :-1] = rows.x
    wide[:, -1] = value
    return rows._replace(x=wide)


class Constant(Source[DesignedRows]):
    """Batches with a constant after their last column: 1, or 0 where there is no intercept."""

    def __init__(self, rows: Source[DesignedRows], value: float = 1.0) -> None:
        self.rows, self.value = rows, value

    @property
    def n_batches(self) -> int | None:
        return self.rows.n_batches

    def batch(self, number: int) -> DesignedRows:
        return with_constant(self.rows.batch(number), self.value)

    def batches(self) -> Any:
        return (with_constant(rows, self.value) for rows in self.rows.batches())
