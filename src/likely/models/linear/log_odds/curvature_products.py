"""Products of the Hessian of a linear model's loss with a vector, as sums over batches: the Hessian is never made.

    two classes   H v = X' (w p (1 - p) X v)
    k classes     (H V)_c = X' (w p_c (u_c - sum_b p_b u_b)),   u = X V'

What a point decides, the posteriors of the rows, is computed once for each point and held beside the rows; of rows that
are read anew in every pass it is computed anew too.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likely import engines
from likely.data.sources import Kept, Source
from likely.models.learning.designed import DesignedRows
from likely.models.linear.log_odds.penalties import Penalty
from likely.numeric.arrays import Floats
from likely.numeric.logspace import normalize


class BentRows(NamedTuple):
    """A batch, and how its losses curve at a point."""

    x: Any  # (n, m)  an array or a CSR matrix
    posterior: Floats  # (n, k); of two classes (n, 1): the weight times p (1 - p)
    weight: Floats | None  # (n,)


def curvature_at(
    rows: Source[DesignedRows], vectors: int, penalty: Penalty, point: Floats
) -> Callable[[Floats], Floats]:
    """What multiplies the Hessian of the penalised loss at a point (vectors m,) by vectors of that size."""
    bent: Source[BentRows] = Bent(rows, point.reshape(vectors, -1))
    if isinstance(rows, Kept):
        bent = engines.current().keep(bent)

    def product(v: Floats) -> Floats:
        direction = v.reshape(vectors, -1)
        found: Floats = engines.current().fold(bent, _Product(direction))
        tied = penalty.tied * direction.sum(axis=0)
        return np.asarray(found + (penalty.squares * direction + tied).ravel())

    return product


@dataclass(frozen=True)
class Bent(Source[BentRows]):
    """The batches with their posteriors at weights (vectors, m)."""

    rows: Source[DesignedRows]
    weights: Floats

    @property
    def n_batches(self) -> int | None:
        return self.rows.n_batches

    def batch(self, number: int) -> BentRows:
        return self._bent(self.rows.batch(number))

    def batches(self) -> Iterator[BentRows]:
        return map(self._bent, self.rows.batches())

    def _bent(self, rows: DesignedRows) -> BentRows:
        scores = np.asarray(rows.x @ self.weights.T)
        if len(self.weights) > 1:
            return BentRows(rows.x, normalize(scores), rows.weight)
        e = np.exp(-np.abs(scores))
        curvature = e / (1 + e) ** 2
        return BentRows(rows.x, curvature if rows.weight is None else curvature * rows.weight[:, None], None)


@dataclass(frozen=True)
class _Product:
    direction: Floats  # (vectors, m)

    def __call__(self, rows: BentRows) -> Floats:
        if len(self.direction) == 1:
            return np.asarray(rows.x.T @ (rows.posterior[:, 0] * (rows.x @ self.direction[0])))
        along = np.asarray(rows.x @ self.direction.T)
        along -= np.einsum("ij,ij->i", rows.posterior, along)[:, None]
        along *= rows.posterior
        if rows.weight is not None:
            along *= rows.weight[:, None]
        return np.asarray(rows.x.T @ along).T.ravel()
