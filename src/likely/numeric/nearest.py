"""Squared distances of rows to a few centres, over the cells that a row has: dense, with gaps, or sparse rows.

|x - c|^2 = |x|^2 - 2 x c + |c|^2 is one product of matrices, but where x is much nearer to c than to the origin it is a
difference of two large numbers. Such squares are summed from differences, and so are those of the centres that rounding
could have made the nearest: so what is found does not depend on how many rows are asked together.
"""

from typing import Any, cast

import numpy as np

from likely.numeric.arrays import Floats, Ints

_FEW = 1 << 21  # products: so few are taken from differences, which do not cancel
_CELLS = 1 << 20  # differences at a time
_CANCELS = 1e-6  # of the squared length of a row: below, a square has lost digits
_EPSILON = float(np.finfo(np.float64).eps)
_FULL = 0.9  # of the cells of a column of a sparse matrix, from which it may lie far from 0


def about(x: Any, origin: Floats) -> Any:
    """Rows x - origin; of sparse rows the cells that are not stored are 0, and lie at -origin.

    The origin of sparse rows is 0 but for columns that are nearly full, so they stay sparse.

    >>> from scipy.sparse import csr_matrix
    >>> about(csr_matrix([[5.0, 0.0], [7.0, 1.0], [0.0, 0.0]]), np.array([6.0, 0.0])).toarray()
    array([[-1.,  0.],
           [ 1.,  1.],
           [-6.,  0.]])
    """
    if not hasattr(x, "indptr"):
        return x - origin
    columns = np.flatnonzero(origin)
    if not len(columns):
        return x
    from scipy.sparse import csr_matrix

    rows = x.astype(np.float64)
    rows.sum_duplicates()
    moved = csr_matrix((rows.data - origin[rows.indices], rows.indices, rows.indptr), shape=rows.shape)
    stored = csr_matrix((np.ones(rows.nnz), rows.indices, rows.indptr), shape=rows.shape)
    at, column = np.nonzero(stored[:, columns].toarray() == 0)
    if not len(at):
        return moved
    place = columns[column]
    return (moved + csr_matrix((-origin[place], (at, place)), shape=rows.shape)).tocsr()


def far_means(weight: float, stored: Floats, first: Floats) -> Floats:
    """The means (d,) of those columns of a sparse matrix that are nearly full, 0 for the others: an origin near them.

    From the weight of all rows, that of the stored cells (d,) and the sums (d,).
    """
    full = (stored >= _FULL * weight) & (stored > 0)
    return np.where(full, first / max(weight, np.finfo(np.float64).tiny), 0.0)


def squared_distances(x: Any, centres: Floats, lengths: Floats | None = None) -> Floats:
    """(n, k): sum of (x - centre)^2 over the observed cells of each row; `lengths` (n,) are theirs if none is missing.

    >>> x = np.array([[0.0, 0.0], [3.0, np.nan]])
    >>> squared_distances(x, np.array([[0.0, 4.0], [1.0, 1.0]]))
    array([[16.,  2.],
           [ 9.,  4.]])
    """
    if hasattr(x, "indptr"):
        lengths = np.asarray(x.multiply(x).sum(axis=1)).ravel()
        found = -2.0 * np.asarray(x @ centres.T)
        found += lengths[:, None]
        found += np.square(centres).sum(axis=1)
    elif x.shape[0] * centres.size <= _FEW:
        return _each_from_differences(x, centres)
    elif lengths is not None or (observed := ~np.isnan(x)).all():
        lengths = np.square(x).sum(axis=1) if lengths is None else lengths
        found = x @ (-2.0 * centres.T)
        found += lengths[:, None]
        found += np.square(centres).sum(axis=1)
    else:
        filled = np.where(observed, x, 0.0)
        lengths = np.square(filled).sum(axis=1)
        found = lengths[:, None] - 2.0 * (filled @ centres.T)
        found += observed.astype(np.float64) @ np.square(centres).T
    lost = found < _CANCELS * lengths[:, None]
    if lost.any():
        near, size = np.nonzero(lost), max(1, _CELLS // max(1, x.shape[1]))
        for at in range(0, len(near[0]), size):
            i, j = (each[at : at + size] for each in near)
            found[i, j] = own_squares(x[i], centres, j)
    return cast(Floats, np.maximum(found, 0.0, out=found))


def nearest(x: Any, centres: Floats) -> Ints:
    """The nearest centre of each row (n,), the first of equally near ones.

    >>> nearest(np.array([[1.0], [2.9]]), np.array([[0.0], [2.0], [3.0]])).tolist()
    [0, 2]
    """
    found = squared_distances(x, centres)
    best = np.asarray(found.argmin(axis=1), dtype=np.int64)
    if not hasattr(x, "indptr") and x.shape[0] * centres.size <= _FEW:
        return best
    least = np.take_along_axis(found, best[:, None], axis=1)
    # a square lies within least + 2 (d + 8) eps (|x|^2 + |c|^2) of the truth, and |x|, |c| < |c_best| + their distances
    size = np.square(centres).sum(axis=1)[best][:, None] + least
    rows = np.flatnonzero((found <= least + 16 * (x.shape[1] + 8) * _EPSILON * size).sum(axis=1) > 1)
    step = max(1, _CELLS // max(1, centres.size))
    for at in range(0, len(rows), step):
        some = rows[at : at + step]
        best[some] = _each_from_differences(_filled_up(x[some]), centres).argmin(axis=1)
    return best


def own_squares(x: Any, centres: Floats, labels: Ints) -> Floats:
    """(n,): the squared distance of each row to its own centre, from differences where it is near."""
    if not hasattr(x, "indptr"):
        return cast(Floats, np.nansum(np.square(x - centres[labels]), axis=1))
    lengths = np.asarray(x.multiply(x).sum(axis=1)).ravel()
    found = lengths - 2.0 * np.asarray(x.multiply(centres[labels]).sum(axis=1)).ravel()
    found += np.square(centres).sum(axis=1)[labels]
    near = np.flatnonzero(found < _CANCELS * lengths)
    size = max(1, _CELLS // max(1, x.shape[1]))
    for at in range(0, len(near), size):
        some = near[at : at + size]
        found[some] = np.square(x[some].toarray() - centres[labels[some]]).sum(axis=1)
    return cast(Floats, np.maximum(found, 0.0))


def _each_from_differences(x: Floats, centres: Floats) -> Floats:
    away = x[:, None, :] - centres
    return cast(Floats, np.nansum(np.square(away, out=away), axis=2))


def _filled_up(x: Any) -> Floats:
    return cast(Floats, x.toarray() if hasattr(x, "indptr") else x)
