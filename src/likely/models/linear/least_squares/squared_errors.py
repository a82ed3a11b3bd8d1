"""Squared errors of linear outputs as sums over batches, and the ways to make them small without all products.

E(W) = 1/2 sum_i w_i |W x_i - t_i|^2 + alpha / 2 |W|^2        (no intercept in the penalty)

gradient   batch delta rule: W <- W - rate sum_i (W x_i - t_i) x_i'
online     the same, row after row
passes     conjugate gradients on the normal equations, where columns are too many for all their products
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.models.learning.designed import DesignedRows
from likely.models.linear.online import online_passes
from likely.numeric.arrays import Floats
from likely.optimize.conjugate_gradient import solve_by_conjugate_gradients
from likely.optimize.descent import gradient_descent
from likely.optimize.minimum import Minimum
from likely.optimize.objectives import Expansion


@dataclass(frozen=True)
class SquaresAt:
    """The expansion of the squared errors of a batch at weights (vectors, m); targets (k, vectors) of the classes."""

    weights: Floats
    targets: Floats

    def __call__(self, rows: DesignedRows) -> Expansion:
        wrong = np.asarray(rows.x @ self.weights.T) - self.targets[rows.codes]
        share = wrong if rows.weight is None else wrong * rows.weight[:, None]
        return Expansion(0.5 * float((wrong * share).sum()), np.asarray(rows.x.T @ share).T.ravel())


@dataclass(frozen=True)
class ProductsWith:
    """X'X v of a batch, for a vector (m,) of weights."""

    vector: Floats

    def __call__(self, rows: DesignedRows) -> Floats:
        value = rows.x @ self.vector
        return np.asarray(rows.x.T @ (value if rows.weight is None else value * rows.weight))


@dataclass(frozen=True)
class RightSides:
    """X'T of a batch (m, vectors), and the squares of the columns (m,) in a last column."""

    targets: Floats

    def __call__(self, rows: DesignedRows) -> Floats:
        weight = np.ones(rows.x.shape[0]) if rows.weight is None else rows.weight
        right = np.asarray(rows.x.T @ (self.targets[rows.codes] * weight[:, None]))
        squares = rows.x.multiply(rows.x) if hasattr(rows.x, "indptr") else rows.x**2
        return np.column_stack([right, np.asarray(squares.T @ weight)])


def descend(
    rows: Source[DesignedRows], targets: Floats, alpha: float, start: Floats, rate: float | None, tol: float, most: int
) -> Minimum:
    """The batch delta rule from a start (vectors, m): steps of one rate, or each searched for."""
    vectors = len(start)
    penalty = np.tile(_penalty(alpha, start.shape[1]), vectors)

    def objective(point: Floats) -> Expansion:
        found: Expansion = engines.current().fold(rows, SquaresAt(point.reshape(vectors, -1), targets))
        return found + Expansion(0.5 * float(penalty @ point**2), penalty * point)

    return gradient_descent(objective, start.ravel(), rate, tol=tol, max_iter=most, keep_points=False)


def learn_online(
    rows: Source[DesignedRows], targets: Floats, alpha: float, start: Floats, rate: float, most: int
) -> tuple[Floats, Floats]:
    """The online delta rule: weights (vectors, m) after so many passes, and the error met in each pass."""
    total = sum(float(batch.x.shape[0]) for batch in rows.batches())
    found = online_passes(rows, targets, start, _penalty(alpha, start.shape[1]) / total, rate, 0.0, 0, most, 0, None)
    return found.weights, found.losses


def solve_in_passes(rows: Source[DesignedRows], targets: Floats, alpha: float, tol: float, most: int) -> Any:
    """Least squares by conjugate gradients: weights (vectors, m), steps taken, and whether all have converged."""
    engine = engines.current()
    right = engine.fold(rows, RightSides(targets))
    penalty = _penalty(alpha, len(right))
    diagonal = np.maximum(right[:, -1] + penalty, np.finfo(np.float64).tiny)
    weights, steps, fine = [], 0, True
    for t in range(targets.shape[1]):
        found = solve_by_conjugate_gradients(
            lambda v: engine.fold(rows, ProductsWith(v)) + penalty * v,
            right[:, t],
            diagonal=diagonal,
            tol=tol,
            max_iter=most,
        )
        weights.append(found.point)
        steps, fine = max(steps, found.iterations), fine and (found.converged or "rounding" in found.reason)
    return np.array(weights), steps, fine


def _penalty(alpha: float, width: int) -> Floats:
    penalty = np.full(width, float(alpha))
    penalty[-1] = 0.0
    return penalty
