"""Rows seen from a few directions: orthogonal projection, and the share of the variance that directions keep."""

from typing import Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats

_ROUNDING = 1e-9


def project(points: Any, *directions: Any) -> Floats:
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


def explained_share(variances: Any, kept: int) -> float:
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
