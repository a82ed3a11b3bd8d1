"""Weights of columns in the distance: which of them tell the classes apart.

cross_validation   each column in turn tries weights and keeps the best by leave-one-out, until none is better
selection          the same with weights 0 and 1 alone: columns are left out while that does no harm
outcomes           row by row, the nearest other row answers; where it is right, every weight is raised by
                   rate * (1 - the columns' difference on the scale of their range), where wrong lowered by it,
                   never below 0
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.distances.table_distance import TableDistance
from likely.errors import InputError, check_choice
from likely.models.neighbors.classifier import NearestNeighbors
from likely.models.neighbors.fitting.tuning import tuned
from likely.models.neighbors.searching.known import Known
from likely.models.neighbors.searching.left_out import NeighborTable
from likely.numeric.arrays import Floats, Ints, PerRow

METHODS = ("cross_validation", "selection", "outcomes")
_TRIED = (0.0, 0.01, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
_ROUNDS = 5
_MOST_ROWS = 5_000  # that are judged one after the other


@dataclass(frozen=True)
class AttributeWeights:
    """One weight for each column, and how the model with them does by leave-one-out."""

    names: tuple[str, ...]
    weights: Floats  # (d,)
    error: float
    error_before: float  # of the model's own weights
    trace: tuple[Any, ...] = field(default=(), repr=False)  # of "outcomes": neighbour, whether it was right, weights

    @property
    def selected(self) -> tuple[str, ...]:
        """The columns whose weight is not 0."""
        return tuple(name for name, weight in zip(self.names, self.weights, strict=True) if weight > 0)


def attribute_weights(
    model: NearestNeighbors,
    X: TableLike,
    y: TargetLike = None,
    method: str = "cross_validation",
    rate: float = 0.1,
    sample_weight: PerRow = None,
) -> AttributeWeights:
    """Weights for the columns of a table under a model's other parameters; give them to it as `feature_weights`.

    Parameters
    ----------
    model : a `NearestNeighbors`, whose other parameters hold
    method : "cross_validation", "selection" or "outcomes"
    rate : how far one row moves a weight ("outcomes")

    >>> from likely import NearestNeighbors
    >>> X = [[0.1, 9.0], [0.4, 1.0], [0.6, 5.0], [0.9, 8.5], [3.1, 1.2], [3.3, 8.8], [3.6, 5.2], [3.8, 2.0]]
    >>> found = attribute_weights(NearestNeighbors(n_neighbors=1), X, list("aaaabbbb"), method="selection")
    >>> found.selected, found.error_before, found.error
    (('x0',), 0.5, 0.0)
    """
    check_choice("method", method, METHODS)
    table = model.parted(X, y, sample_weight)
    names = table.known.plan.schema.names
    start = _start(model, table)
    before = _error(model, table, start)
    if method == "outcomes":
        weights, trace = _from_outcomes(model, table, start, float(rate))
        return AttributeWeights(names, weights, _error(model, table, weights), before, trace)
    tried = (0.0, 1.0) if method == "selection" else _TRIED
    weights, best = start.copy(), before
    for _ in range(_ROUNDS):
        moved = False
        for j in range(len(weights)):
            for value in tried:
                other = weights.copy()
                other[j] = value
                if value == weights[j] or not other.any():
                    continue
                error = _error(model, table, other)
                fewer = value == 0 and error <= best  # a column that does no good goes
                if error < best or fewer:
                    weights, best, moved = other, error, True
        if not moved:
            break
    return AttributeWeights(names, weights, best, before)


def _start(model: NearestNeighbors, table: NeighborTable) -> Floats:
    distance = model._distance(table.known)
    out = np.empty(len(table.known.plan.order))
    out[list(table.known.plan.order)] = np.concatenate([distance.wx, distance.wc, distance.wt])
    return out


def _error(model: NearestNeighbors, table: NeighborTable, weights: Floats) -> float:
    choices = {"n_neighbors": [model.n_neighbors], "feature_weights": [weights]}
    return tuned(model, table, choices).best


def _from_outcomes(
    model: NearestNeighbors, table: NeighborTable, start: Floats, rate: float
) -> tuple[Floats, tuple[Any, ...]]:
    known = table.known
    if len(known) > _MOST_ROWS:
        raise InputError(f"outcomes are learned row by row, of at most {_MOST_ROWS:,} rows: give a sample of them")
    like = type(model)(**{**model.get_params(deep=False), "scale": "minmax", "feature_weights": None})
    cells = like._distance(known)
    points = cells.points(known.cells)
    weights, trace = start.copy(), list[Any]()
    order = list(known.plan.order)
    for i in range(len(known)):
        distance = _weighted(cells, weights[order])
        apart = distance.tile(points.at([i]), points)[0]
        apart[i] = np.inf
        near = int(apart.argmin())
        right = bool(known.y[near] == known.y[i])
        step = 1 - np.minimum(_differences(cells, known, i, near, order), 1.0)
        weights = np.maximum(weights + (rate if right else -rate) * step, 0.0)
        trace.append((near, right, *weights.tolist()))
    return weights, tuple(trace)


def _weighted(distance: TableDistance, weights: Floats) -> TableDistance:
    """The same distance with other weights, in the order of the cells."""
    a, b = len(distance.wx), len(distance.wc)
    return replace(distance, wx=weights[:a], wc=weights[a : a + b], wt=weights[a + b :])


def _differences(distance: TableDistance, known: Known, i: int, j: int, order: list[int]) -> Floats:
    """How far the columns of two rows are apart, numbers on the scale of their range (d,)."""
    one, other = (distance.points(known.cells.taken(np.array([row]))) for row in (i, j))
    at: Ints = np.zeros(1, dtype=np.int64)
    found = np.empty(len(order))
    for place, column in enumerate(order):
        alone = _weighted(distance, (np.arange(len(order)) == place).astype(np.float64))
        found[column] = alone.root(alone.pairs(one, other, at, at))[0]
    return found
