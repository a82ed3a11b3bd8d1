"""How alike two rows are: from their distance, or by their correlation, over the cells that both have.

    distance   sim = 1 / (1 + d)                                              1 at no distance, 0 at an infinite one
    pearson    sim = sum (u - mean u)(v - mean v) / ((m - 1) s_u s_v)         from -1 to 1

A missing cell (NaN) leaves its column out of the pairs it is in: two people are compared by what both have rated.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike
from likely.data.distances.pairs import axis_weights, rule_of
from likely.errors import InputError, check_choice
from likely.numeric.arrays import Array, Floats, as_floats
from likely.statistics.summing.correlations import column_correlations

SIMILARITIES = ("pearson", "euclidean", "manhattan")


def distance_similarity(distance: ArrayLike) -> Any:
    """1 / (1 + d) of a distance, or of each of an array.

    >>> distance_similarity([0, 1, 3, float("inf")])
    array([1.  , 0.5 , 0.25, 0.  ])
    """
    d = as_floats(distance, "the distances")
    if (d < 0).any():
        raise InputError("a distance is not below 0")
    found = np.asarray(1 / (1 + d))
    return float(found) if found.ndim == 0 else found


def pearson_similarity(u: ArrayLike, v: ArrayLike) -> float:
    """Pearson's correlation of two rows over the cells that both have; 0 where one of them does not vary there.

    >>> pearson_similarity([1, 2, 3], [2, 4, 7]), pearson_similarity([1, 2, float("nan")], [2, 1, 9])
    (0.993399267798782..., -1.0)
    """
    return float(similarities([u], [v], "pearson")[0, 0])


def shared_distances(
    X: TableLike, Y: TableLike | None = None, metric: str = "euclidean", *, weights: ArrayLike | None = None
) -> Floats:
    """Distances (n, m) over the cells that both rows have; NaN where they have none in common.

    >>> shared_distances([[4, float("nan"), 3]], [[4, 1, 2], [1, 5, float("nan")]])
    array([[1., 3.]])
    """
    if metric not in ("euclidean", "manhattan"):
        raise InputError(f"unknown metric={metric!r} over shared cells; choose from euclidean, manhattan")
    a, b = _tables(X, Y)
    rule_of(metric, 2.0)
    weight = axis_weights(weights, a.shape[1])
    power = 2 if metric == "euclidean" else 1
    found = np.empty((len(a), len(b)))
    for i, row in enumerate(a):
        apart = np.abs(b - row) ** power * weight
        found[i] = np.nansum(apart, axis=1)
        found[i, np.isnan(apart).all(axis=1)] = np.nan
    return np.asarray(np.sqrt(found)) if power == 2 else found


def similarities(X: TableLike, Y: TableLike | None = None, similarity: str = "pearson") -> Floats:
    """How alike rows of X and of Y (or of X itself) are (n, m), over the cells that both have.

    "pearson", or "euclidean" and "manhattan" for 1 / (1 + d). Rows without a common cell are 0 alike.

    Parameters
    ----------
    similarity : "pearson", "euclidean" or "manhattan"

    >>> similarities([[1, 2, 3], [3, 2, 1]]).round(3)
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    check_choice("similarity", similarity, SIMILARITIES)
    if similarity != "pearson":
        far = shared_distances(X, Y, similarity)
        return np.where(np.isnan(far), 0.0, distance_similarity(np.where(np.isnan(far), 0.0, far)))
    a, b = _tables(X, Y)
    return _pearson(a, b)


def _pearson(a: Floats, b: Floats) -> Floats:
    told = [np.isfinite(part).any(axis=1) for part in (a, b)]
    out = np.zeros((len(a), len(b)))
    if not told[0].any() or not told[1].any():
        return out
    both = column_correlations(np.vstack([a[told[0]], b[told[1]]]).T)
    split = int(told[0].sum())
    found: Array = both[:split, split:]
    out[np.ix_(*told)] = found
    return out


def _tables(X: TableLike, Y: TableLike | None) -> tuple[Floats, Floats]:
    a = as_floats(X, "the rows")
    b = a if Y is None else as_floats(Y, "the rows")
    if a.ndim != 2 or b.ndim != 2 or a.shape[1] != b.shape[1]:
        raise InputError(f"expected rows of as many cells, got shapes {a.shape} and {b.shape}")
    return a, b
