"""Squared distances of rows to a few centres, over the cells that a row has: dense, with gaps, or sparse rows."""

from typing import Any, cast

import numpy as np

from likely.numeric.arrays import Floats, Ints

_FEW = 1 << 21  # products: so few are taken from differences, which do not cancel


def squared_distances(x: Any, centres: Floats, lengths: Floats | None = None) -> Floats:
    """(n, k): sum of (x - centre)^2 over the observed cells of each row; `lengths` (n,) are theirs if none is missing.

    >>> x = np.array([[0.0, 0.0], [3.0, np.nan]])
    >>> squared_distances(x, np.array([[0.0, 4.0], [1.0, 1.0]]))
    array([[16.,  2.],
           [ 9.,  4.]])
    """
    if hasattr(x, "indptr"):
        length = np.asarray(x.multiply(x).sum(axis=1)).reshape(-1, 1)
        found = length - 2.0 * np.asarray(x @ centres.T) + np.square(centres).sum(axis=1)
        return cast(Floats, np.maximum(found, 0.0))
    if x.shape[0] * centres.size <= _FEW:
        away = x[:, None, :] - centres
        return cast(Floats, np.nansum(np.square(away, out=away), axis=2))
    if lengths is not None or (observed := ~np.isnan(x)).all():
        lengths = np.square(x).sum(axis=1) if lengths is None else lengths
        found = x @ (-2.0 * centres.T)
        found += lengths[:, None]
        found += np.square(centres).sum(axis=1)
    else:
        filled = np.where(observed, x, 0.0)
        found = np.square(filled).sum(axis=1)[:, None] - 2.0 * (filled @ centres.T)
        found += observed.astype(np.float64) @ np.square(centres).T
    return cast(Floats, np.maximum(found, 0.0, out=found))


def own_squares(x: Any, centres: Floats, labels: Ints) -> Floats:
    """(n,): the squared distance of each row to its own centre, from differences where the rows are dense."""
    if hasattr(x, "indptr"):
        length = np.asarray(x.multiply(x).sum(axis=1)).ravel()
        products = np.asarray(x.multiply(centres[labels]).sum(axis=1)).ravel()
        return cast(Floats, np.maximum(length - 2.0 * products + np.square(centres).sum(axis=1)[labels], 0.0))
    return cast(Floats, np.nansum(np.square(x - centres[labels]), axis=1))
