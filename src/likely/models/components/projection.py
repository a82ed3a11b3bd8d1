"""Rows seen from a few directions: orthogonal projection, and the share of the variance that directions keep."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, Matrix, as_floats

_ROUNDING = 1e-9
_CELLS = 1 << 15  # that are centred at a time: they stay in cache until they are multiplied


def project(points: ArrayLike, *directions: Any) -> Floats:
    """Where rows (n, d) lie along unit vectors that are at right angles (n, number of directions): y = u x.

    >>> project([[5, 0], [1, 2]], [0.6, 0.8], [-0.8, 0.6]).round(9).tolist()
    [[3.0, -4.0], [2.2, 0.4]]
    """
    x, axes = as_floats(points, "the points"), np.atleast_2d(as_floats(directions, "the directions"))
    if x.ndim != 2 or axes.ndim != 2 or x.shape[1] != axes.shape[1] or not len(axes):
        raise InputError(f"rows of {x.shape[-1:]} numbers need directions of as many, got shape {axes.shape}")
    products = axes @ axes.T
    if not np.abs(products - np.eye(len(axes))).max() <= _ROUNDING:
        raise InputError("directions must have length 1 and be at right angles; divide each by its length")
    return np.asarray(x @ axes.T)


def explained_share(variances: ArrayLike, kept: int) -> float:
    """The share of the whole variance that the `kept` largest of all variances (eigenvalues) have.

    Parameters
    ----------
    variances : along all directions
    kept : how many of the largest

    >>> explained_share([4, 3, 2, 1], 2)
    0.7
    """
    values = np.sort(as_floats(variances, "the variances"))[::-1]
    if values.ndim != 1 or not len(values) or not (np.isfinite(values) & (values >= 0)).all():
        raise InputError("variances must be finite numbers from 0 up, one for each direction")
    if not 0 <= kept <= len(values):
        raise InputError(f"of {len(values)} directions {kept} cannot be kept")
    total = float(values.sum())
    return float(values[:kept].sum() / total) if total > 0 else 1.0


def along(x: Matrix, mean: Floats, vectors: Floats, out: Floats) -> Floats:
    """(x - mean) V' (n, l) of an array, block by block, or of a sparse matrix; NaN where a row has a gap.

    >>> along(np.array([[3.0, 1.0], [1.0, np.nan]]), np.array([1.0, 1.0]), np.array([[0.5, 0.0]]), np.empty((2, 1)))
    array([[ 1.],
           [nan]])
    """
    if hasattr(x, "indptr"):
        np.subtract(x @ vectors.T, mean @ vectors.T, out=out)
        return out
    size = max(1, _CELLS // max(1, x.shape[1]))
    about, turned = np.empty((min(size, len(x)), x.shape[1])), np.ascontiguousarray(vectors.T)
    for at in range(0, len(x), size):
        block = x[at : at + size]
        np.matmul(np.subtract(block, mean, out=about[: len(block)]), turned, out=out[at : at + size])
    return out
