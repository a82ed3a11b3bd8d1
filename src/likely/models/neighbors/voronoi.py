"""Where the nearest neighbour changes, exactly: Voronoi cells of points in the plane, and boundaries of classes.

The cell of a point is what is nearer to it than to any other: a polygon whose sides lie halfway to its neighbours. The
boundary of the 1-nearest-neighbour rule is the union of the sides between points of different classes.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.errors import InputError
from likely.models.neighbors.exemplar import LinearBoundary
from likely.numeric.arrays import Array, Floats, Ints, as_floats


class VoronoiCells(NamedTuple):
    """Cells of points within a box."""

    points: Floats  # (m, 2)  different ones
    labels: Array  # (m,)  of points that coincide, the commonest, of equally common ones the first
    cells: tuple[Floats, ...]  # (v, 2)  the corners of each, in turn
    segments: Floats  # (s, 2, 2)  from, to: the boundary between classes
    pairs: Ints  # (s, 2)  the points on either side


def bisector(a: ArrayLike, b: ArrayLike) -> LinearBoundary:
    """Where two points are equally far by Euclid: normal . x = offset; the far side of a is where it is above.

    Parameters
    ----------
    a : a point (d,)
    b : the other point (d,)

    >>> bisector([0, 0], [4, 2])
    LinearBoundary(normal=array([4., 2.]), offset=10.0)
    """
    u, v = as_floats(a, "a point"), as_floats(b, "a point")
    if u.shape != v.shape or u.ndim != 1:
        raise InputError(f"a bisector is of two points, got shapes {u.shape} and {v.shape}")
    return LinearBoundary(v - u, float(v @ v - u @ u) / 2)


def voronoi_cells(X: TableLike, y: TargetLike = None, limits: ArrayLike | None = None) -> VoronoiCells:
    """The cells of points X (n, 2), and the boundary between their classes y.

    `limits` is the box (x low, x high, y low, y high); by default a quarter wider than the points.

    >>> found = voronoi_cells([[0, 0], [4, 2]], ["a", "b"], (0, 4, 0, 2))
    >>> found.segments
    array([[[2.5, 0. ],
            [1.5, 2. ]]])
    """
    rows = as_floats(X, "the points")
    if rows.ndim != 2 or rows.shape[1] != 2 or not np.isfinite(rows).all() or not len(rows):
        raise InputError(f"cells are of points in the plane: expected finite numbers (n, 2), got shape {rows.shape}")
    points, labels = _distinct(rows, np.zeros(len(rows), dtype=np.int64) if y is None else np.asarray(y))
    low, high = rows.min(axis=0), rows.max(axis=0)
    margin = np.where(high > low, high - low, 1.0) / 4
    box = (
        (low[0] - margin[0], high[0] + margin[0], low[1] - margin[1], high[1] + margin[1]) if limits is None else limits
    )
    near = _neighbours(points)
    cells, segments, pairs = list[Floats](), list[Floats](), list[tuple[int, int]]()
    for i in range(len(points)):
        corners, sides = _cell(points, i, near[i], box)
        cells.append(corners)
        for t, j in enumerate(sides):
            if j > i and labels[i] != labels[j]:
                segments.append(np.stack([corners[t], corners[(t + 1) % len(corners)]]))
                pairs.append((i, j))
    return VoronoiCells(
        points,
        labels,
        tuple(cells),
        np.array(segments).reshape(-1, 2, 2),
        np.array(pairs, dtype=np.int64).reshape(-1, 2),
    )


def _distinct(rows: Floats, labels: Array) -> tuple[Floats, Array]:
    points, first, owner = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    names, codes = np.unique(labels, return_inverse=True)
    count = np.zeros((len(points), len(names)))
    np.add.at(count, (owner.ravel(), codes.ravel()), 1)
    order = np.argsort(first, kind="stable")  # as they came
    return points[order], names[count.argmax(axis=1)][order]


def _neighbours(points: Floats) -> list[Ints]:
    """Points whose cells may touch, of each point."""
    n = len(points)
    if n < 5:
        return [np.setdiff1d(np.arange(n), [i]) for i in range(n)]
    from scipy.spatial import Delaunay, QhullError

    try:
        # "Qz" takes points on a circle; what touches in one corner alone may be missing, and makes no side
        start, index = Delaunay(points, qhull_options="Qbb Qc Qz Q12").vertex_neighbor_vertices
        return [np.asarray(index[start[i] : start[i + 1]], dtype=np.int64) for i in range(n)]
    except QhullError:  # all on a line: each touches the next
        centred = points - points.mean(axis=0)
        along = np.argsort(centred @ np.linalg.svd(centred, full_matrices=False)[2][0])
        return [along[max(0, at - 1) : at + 2] for at in np.argsort(along)]


def _cell(points: Floats, i: int, near: Ints, box: Any) -> tuple[Floats, list[int]]:
    """Corners of a cell and, of the side after each corner, the point beyond it (-1: the edge of the box)."""
    a, b, c, d = (float(edge) for edge in box)
    corners = [np.array(corner) for corner in ((a, c), (b, c), (b, d), (a, d))]
    sides = [-1, -1, -1, -1]
    for j in near.tolist():
        if j == i or not corners:
            continue
        normal, middle = points[j] - points[i], (points[i] + points[j]) / 2
        out = [float(normal @ (corner - middle)) for corner in corners]
        new, beyond = list[Array](), list[int]()
        for t in range(len(corners)):
            u = (t + 1) % len(corners)
            if out[t] <= 0:
                new.append(corners[t])
                beyond.append(sides[t])
            if (out[t] < 0 < out[u]) or (out[u] < 0 < out[t]):
                new.append(corners[t] + (corners[u] - corners[t]) * (out[t] / (out[t] - out[u])))
                beyond.append(j if out[t] < 0 else sides[t])
            elif out[t] == 0 and out[u] > 0 and beyond:
                beyond[-1] = j
        corners, sides = new, beyond
    return np.array(corners).reshape(-1, 2), sides
