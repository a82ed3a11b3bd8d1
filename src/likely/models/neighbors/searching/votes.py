"""What neighbours say together: votes for classes, or a mean, each with a weight that falls with its distance.

    uniform   1        distance   1 / d        inverse_square   1 / d^2        gaussian   exp(-d^2 / (2 bandwidth^2))

Rows at distance 0 decide alone under 1 / d and 1 / d^2, the limit of the formula. Weights are taken relative to that of
the nearest row, so that none is too small or too large for a number.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.errors import InputError, check_number
from likely.models.neighbors.searching.search import Neighborhoods
from likely.numeric.arrays import Array, Floats

WEIGHTS = ("uniform", "distance", "inverse_square", "gaussian")


def check_weights(weights: str | Callable[..., Any], bandwidth: float) -> None:
    """Refuse what is no way to weigh neighbours."""
    if not callable(weights) and weights not in WEIGHTS:
        raise InputError(
            f"unknown weights={weights!r}; choose from {', '.join(WEIGHTS)}, or give a function of distances"
        )
    check_number("bandwidth", bandwidth, above=True)


def weigh(near: Neighborhoods, weights: str | Callable[[Floats], Any], bandwidth: float) -> Floats:
    """The weight of every neighbour (m,), its places included; those of a query are relative to its nearest."""
    d = near.distance
    if callable(weights):
        return near.mass * _of_function(weights, near)
    if weights == "uniform":
        return near.mass
    owner = near.owner
    nearest = d[near.start[:-1]][owner] if len(d) else d
    with np.errstate(all="ignore"):
        if weights == "gaussian":
            size = np.exp(-((d - nearest) / bandwidth) * ((d + nearest) / bandwidth) / 2)
        else:
            size = (nearest / d) ** (1 if weights == "distance" else 2)
    size = np.where(d == nearest, 1.0, np.nan_to_num(size, nan=0.0))
    return np.asarray(near.mass * size)


def class_votes(near: Neighborhoods, size: Floats, codes: Array, classes: int) -> Floats:
    """The sum of the weights of each class (q, k)."""
    flat = near.owner * classes + codes[near.row]
    queries = len(near.start) - 1
    return np.bincount(flat, size, queries * classes).astype(np.float64).reshape(queries, classes)


def weighted_means(near: Neighborhoods, size: Floats, amounts: Floats) -> Floats:
    """The weighted mean of the neighbours' amounts (q,)."""
    queries, owner = len(near.start) - 1, near.owner
    total = np.bincount(owner, size, queries)
    return np.asarray(np.bincount(owner, size / total[owner] * amounts[near.row], queries))


def _of_function(weights: Callable[[Floats], Any], near: Neighborhoods) -> Floats:
    """By a user's function; where it is infinite these rows decide alone, where all are 0 they weigh the same."""
    size = np.asarray(weights(near.distance), dtype=np.float64)
    if size.shape != near.distance.shape or np.isnan(size).any() or (size < 0).any():
        raise InputError("the function of weights must give one number for each distance, not NaN and not below 0")
    owner, queries = near.owner, len(near.start) - 1
    infinite = np.isinf(size)
    if infinite.any():
        decides = np.bincount(owner, infinite, queries) > 0
        size = np.where(decides[owner], infinite.astype(np.float64), size)
    nothing = np.bincount(owner, size, queries) == 0
    return np.asarray(np.where(nothing[owner], 1.0, size))
