"""The point in the middle of many, by several meanings of middle.

    mean               least sum of squared Euclidean distances; the one such point
    geometric median   least sum of Euclidean distances; in one dimension the median
    centroid           least sum of any other distance: Manhattan's is the median of each coordinate
    medoid             the data point with the least total distance to all others, under any metric

The geometric median is found by Weiszfeld's steps, m = (sum x_i / |x_i - m|) / (sum 1 / |x_i - m|), with the remedy of
Vardi and Zhang (2000) where a step meets a data point: that point pulls with its weight at most, and if the others pull
less, it is the median. Where all points lie on a line, the median along it is taken.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.data.distances.pairs import Metric, distance_matrix
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, as_floats

_BLOCK = 2**22  # distances held at a time
_STEPS = 2_000


class Medoids(NamedTuple):
    """The data points in the middle: there may be several."""

    indices: Ints  # (m,)  of the rows
    points: Array  # (m, d)
    totals: Floats  # (n,)  total distance of every row to all others


def medoids(X: ArrayLike, metric: Metric = "euclidean", weights: Any = None, **options: Any) -> Medoids:
    """The rows with the least total distance to all others; O(n^2) for any metric, in blocks.

    `weights` (n,) are those of the rows; options are those of `distance_matrix`.

    >>> medoids([[0, 0], [0, 2], [2, 0], [2, 2], [9, 9]], "manhattan").indices
    array([3])
    """
    rows = _points(X, metric)
    weight = _weights(weights, len(rows))
    totals = np.empty(len(rows))
    size = max(1, _BLOCK // max(len(rows), 1))
    for start in range(0, len(rows), size):
        totals[start : start + size] = distance_matrix(rows[start : start + size], rows, metric, **options) @ weight
    least = float(totals[weight > 0].min())
    found = np.flatnonzero((totals <= least * (1 + 1e-12)) & (weight > 0))
    return Medoids(found, np.asarray(rows)[found], totals)


def geometric_median(X: ArrayLike, weights: Any = None, tol: float = 1e-12) -> Floats:
    """The point (d,) with the least sum of Euclidean distances to rows X.

    >>> geometric_median([[0.0, 0.0], [4.0, 0.0], [2.0, 5.0], [2.0, 1.0]]).round(6)
    array([2., 1.])
    >>> geometric_median([[1], [2], [3], [10], [50]])
    array([3.])
    """
    rows = _points(X)
    weight = _weights(weights, len(rows))
    rows, weight = rows[weight > 0], weight[weight > 0]
    centre = weight @ rows / weight.sum()
    scale = float(np.abs(rows - centre).max(initial=0.0))
    if scale == 0:
        return np.asarray(rows[0])
    z = (rows - centre) / scale
    line = _along_a_line(z, weight)
    if line is not None:
        return np.asarray(line * scale + centre)
    point, step = np.zeros(z.shape[1]), np.inf
    for _ in range(_STEPS):
        apart = np.linalg.norm(z - point, axis=1)
        met = apart <= 1e-15
        pull = np.where(met, 0.0, weight / np.where(met, 1.0, apart))
        target = pull @ z / pull.sum()
        if met.any():  # Vardi and Zhang: a point that was met holds the step back by its weight
            force = float(np.linalg.norm(pull @ (z - point)))
            held = 1.0 if force == 0 else min(1.0, float(weight[met].sum()) / force)
            target = (1 - held) * target + held * point
        step, point = float(np.linalg.norm(target - point)), target
        if step <= tol:
            break
    return np.asarray(_best_of(point, z, weight) * scale + centre)


def centroid(X: ArrayLike, metric: Metric = "euclidean", weights: Any = None, **options: Any) -> Floats:
    """The point (d,) with the least sum of a distance to rows X.

    "squared_euclidean" the mean; "euclidean" the geometric median; "manhattan" the median of each coordinate;
    "chebyshev", "minkowski" with p >= 1 and "mahalanobis" by minimising the sum, which is convex. "hamming" and
    "zero_norm": the commonest value of each coordinate. With p < 1 and functions of your own the sum has many minima;
    the best of the data points is taken and moved downhill.

    >>> centroid([[1, 5], [2, 7], [6, 0]], "manhattan"), centroid([[1, 5], [2, 7], [6, 0]], "squared_euclidean")
    (array([2., 5.]), array([3., 4.]))
    """
    rows = _points(X)
    weight = _weights(weights, len(rows))
    match metric:
        case "squared_euclidean":
            return np.asarray(weight @ rows / weight.sum())
        case "euclidean" if options.get("weights") is None:
            return geometric_median(rows, weight)
        case "manhattan":
            return _medians(rows, weight)
        case "hamming" | "zero_norm":
            return np.array([_commonest(column, weight) for column in rows.T])
    from scipy.optimize import minimize

    start = rows[int((distance_matrix(rows, rows, metric, **options) @ weight).argmin())]
    options_of: Any = {"xatol": 1e-9, "fatol": 1e-12, "maxiter": 4_000, "maxfev": 8_000}

    def total(point: Floats) -> float:
        return float((distance_matrix(point[None], rows, metric, **options) @ weight)[0])

    for _ in range(4):  # a simplex that has collapsed at an edge of the sum begins anew
        found = minimize(total, start, method="Nelder-Mead", options=options_of)
        if not found.fun < total(start):
            break
        start = found.x
    return np.asarray(start)


def total_distance(point: ArrayLike, X: ArrayLike, metric: Metric = "euclidean", **options: Any) -> float:
    """The sum of the distances of rows X from a point.

    Parameters
    ----------
    point : from which distances are taken (d,)

    >>> total_distance([0, 0], [[3, 4], [0, 2]])
    7.0
    """
    return float(distance_matrix([np.atleast_1d(point)], _points(X), metric, **options).sum())


def _along_a_line(z: Floats, weight: Floats) -> Floats | None:
    """The median of points on a line; None where they span more."""
    _, size, turn = np.linalg.svd(z * np.sqrt(weight / weight.sum())[:, None], full_matrices=False)
    if len(size) > 1 and size[1] > 1e-13 * size[0]:
        return None
    return np.asarray(_median(z @ turn[0], weight) * turn[0])


def _best_of(point: Floats, z: Floats, weight: Floats) -> Floats:
    """The point, or the data point next to it if the sum is smaller there: steps towards one come slowly."""
    near = z[int(np.linalg.norm(z - point, axis=1).argmin())]
    here, there = (float(weight @ np.linalg.norm(z - at, axis=1)) for at in (point, near))
    return near if there <= here else point


def _medians(rows: Floats, weight: Floats) -> Floats:
    return np.array([_median(column, weight) for column in rows.T])


def _median(values: Floats, weight: Floats) -> float:
    order = np.argsort(values, kind="stable")
    mass = np.cumsum(weight[order])
    half = mass[-1] / 2
    at = int(np.searchsorted(mass, half * (1 - 1e-12)))
    value = float(values[order[at]])
    even = abs(mass[at] - half) <= 1e-12 * half and at + 1 < len(order)
    return (value + float(values[order[at + 1]])) / 2 if even else value


def _commonest(values: Floats, weight: Floats) -> float:
    names, code = np.unique(values, return_inverse=True)
    return float(names[int(np.bincount(code, weight).argmax())])


def _points(X: Any, metric: Metric = "euclidean") -> Any:
    if metric == "edit":
        return list(X)
    rows = as_floats(X, "the points")
    rows = rows[:, None] if rows.ndim == 1 else rows
    if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():
        raise InputError(f"expected rows (n, d) of finite numbers, at least one; got shape {rows.shape}")
    return rows


def _weights(weights: ArrayLike, rows: int) -> Floats:
    weight = np.ones(rows) if weights is None else as_floats(weights, "weights")
    if weight.shape != (rows,) or not (np.isfinite(weight) & (weight >= 0)).all() or not weight.any():
        raise InputError("weights must be one finite number a row, none below 0 and not all 0")
    return weight
