"""Covariance matrices: tests of definiteness, correlation, whitening, distance, and columns that repeat others.

    whitening     W S W' = 1, so that y = W (x - m) has covariance 1 and the Euclidean length of y is the
    Mahalanobis   distance sqrt((x - m)' S^-1 (x - m)) of x
    correlation   r_ij = s_ij / sqrt(s_ii s_jj)

All of it works on the correlations, the matrix scaled to a diagonal of 1, so nothing depends on the units of the
columns, be they 1e-150 or 1e150.
"""

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints

_SYMMETRY = 1e-12  # of the size of an entry: what rounding may set apart
_EPSILON = float(np.finfo(np.float64).eps)

DEGENERATE = 1e-12  # share of its columns' variances below which a direction does not vary


def is_symmetric(matrix: ArrayLike) -> bool:
    """Whether A = A', up to rounding.

    >>> is_symmetric([[2, 1], [1, 3]]), is_symmetric([[2, 1], [0, 3]])
    (True, False)
    """
    a = square(matrix)
    size = np.sqrt(np.abs(np.diagonal(a)))
    allowed = np.maximum(np.maximum(np.abs(a), np.abs(a.T)), size[:, None] * size)
    return bool(np.all(np.abs(a - a.T) <= _SYMMETRY * allowed))


def is_positive_definite(matrix: ArrayLike) -> bool:
    """Whether A = A' and x' A x > 0 for every x but 0; a matrix that is singular up to rounding is not.

    >>> is_positive_definite([[1, -1], [-1, 4]]), is_positive_definite([[1, 2], [2, 4]])
    (True, False)
    """
    a = square(matrix)
    if not is_symmetric(a) or np.any(np.diagonal(a) <= 0):
        return False
    margin = _EPSILON * len(a) * np.eye(len(a))
    return cholesky(_scaled(a) - margin) is not None


def is_positive_semidefinite(matrix: ArrayLike) -> bool:
    """Whether A = A' and x' A x >= 0 for every x, up to rounding.

    >>> is_positive_semidefinite([[1, 2], [2, 4]]), is_positive_semidefinite([[1, 0], [0, -1]])
    (True, False)
    """
    a = square(matrix)
    diagonal = np.diagonal(a)
    empty = diagonal == 0
    if not is_symmetric(a) or np.any(diagonal < 0) or np.any(a[empty] != 0):
        return False
    rest = a[np.ix_(~empty, ~empty)]
    return bool(np.all(np.linalg.eigvalsh(_scaled(rest)) >= -_EPSILON * len(a))) if len(rest) else True


def correlation(covariance: ArrayLike) -> Floats:
    """The correlations of a covariance; a feature without variance is correlated with nothing.

    Of rows rather than of their covariance: `column_correlations`.

    >>> correlation([[1, -1], [-1, 4]])
    array([[ 1. , -0.5],
           [-0.5,  1. ]])
    """
    return _scaled(square(covariance))


def covariance_from(variances: ArrayLike, correlation: ArrayLike) -> Floats:
    """The covariance with these variances and correlations: one number for all pairs, or a matrix.

    Parameters
    ----------
    variances : of the features (d,)

    >>> covariance_from([1, 4], -0.5)
    array([[ 1., -1.],
           [-1.,  4.]])
    """
    v = np.asarray(variances, dtype=np.float64)
    if v.ndim != 1 or not np.all(v > 0) or not np.all(np.isfinite(v)):
        raise InputError(f"variances must be a list of positive numbers, got {v.tolist()}")
    r = np.asarray(correlation, dtype=np.float64)
    r = np.full((len(v), len(v)), r) if r.ndim == 0 else r.copy()
    if r.shape != (len(v), len(v)):
        raise InputError(f"{len(v)} variances need a correlation matrix of that size, got shape {r.shape}")
    np.fill_diagonal(r, 1.0)
    outside = np.argwhere(~(np.abs(r) < 1) & ~np.eye(len(v), dtype=bool))
    if len(outside):
        i, j = outside[0]
        raise InputError(f"the correlation of features {i} and {j} is {r[i, j]:g}; it must lie between -1 and 1")
    if not is_positive_definite(r):
        raise InputError("no data can have these correlations: the matrix is not symmetric and positive definite")
    deviation = np.sqrt(v)
    return np.asarray(r * deviation[:, None] * deviation)


def whitening(covariance: ArrayLike) -> Floats:
    """The lower triangular W with W S W' = 1.

    >>> w = whitening([[4, 1.2], [1.2, 1]])
    >>> np.allclose(w @ [[4, 1.2], [1.2, 1]] @ w.T, np.eye(2), rtol=0, atol=1e-15)
    True
    """
    s = square(covariance)
    if not is_positive_definite(s):
        raise InputError("a covariance must be symmetric and positive definite to be whitened")
    factor = cholesky(_scaled(s))
    assert factor is not None
    return inverse_lower(factor) / np.sqrt(np.diagonal(s))


def mahalanobis(x: ArrayLike, mean: ArrayLike, covariance: ArrayLike) -> Floats:
    """Distance of rows x (..., d) from the mean in units of the covariance (...).

    >>> float(mahalanobis([3, 0], [1, -1], [[4, 1.2], [1.2, 1]]))
    1.118033...
    """
    difference = np.asarray(x, dtype=np.float64) - np.asarray(mean, dtype=np.float64)
    return np.asarray(np.linalg.norm(difference @ whitening(covariance).T, axis=-1))


def cholesky(matrix: Array) -> Floats | None:
    """The lower triangular L with L L' = A for one matrix or a stack of them; None unless all are positive definite.

    >>> cholesky(np.array([[4.0, 2.0], [2.0, 5.0]]))
    array([[2., 0.],
           [1., 2.]])
    """
    try:
        return np.asarray(np.linalg.cholesky(matrix))
    except np.linalg.LinAlgError:
        return None


def inverse_lower(factor: Array) -> Floats:
    """The inverse of a lower triangular matrix.

    >>> inverse_lower(np.array([[2.0, 0.0], [1.0, 2.0]]))
    array([[ 0.5 ,  0.  ],
           [-0.25,  0.5 ]])
    """
    return solve_lower(factor, np.eye(len(factor)))


def solve_lower(factor: Array, right: Array, transposed: bool = False) -> Floats:
    """The x with L x = b, or L' x = b, for a lower triangular L.

    >>> solve_lower(np.array([[2.0, 0.0], [1.0, 2.0]]), np.array([2.0, 5.0]))
    array([1., 2.])
    """
    from scipy.linalg import solve_triangular

    if not len(factor):
        return np.asarray(right, dtype=np.float64)
    return np.asarray(solve_triangular(factor, right, trans=1 if transposed else 0, lower=True, check_finite=False))


def independent_columns(correlation: Array, tolerance: Array) -> tuple[Ints, Floats]:
    """Columns, in order, of which all others are linear functions up to `tolerance` (d,) of their variance.

    Gaussian elimination with a preference: of the columns that still have a tenth of the largest variance left, the
    first is taken next. The first of several equal columns stands for all of them, and no column is kept only for
    what rounding has left of it. Comes with the lower triangular factor of the correlations among them.

    >>> columns, factor = independent_columns(np.array([[1, 1, 0.6], [1, 1, 0.6], [0.6, 0.6, 1]]), np.full(3, 1e-12))
    >>> columns, factor
    (array([0, 2]), array([[1. , 0. ],
           [0.6, 0.8]]))
    """
    d = len(correlation)
    if cholesky(correlation - np.diag(tolerance)) is not None:
        whole = cholesky(correlation)
        if whole is not None:
            return np.arange(d), whole
    left = np.diagonal(correlation).copy()
    factor = np.zeros((d, d))
    taken: list[int] = []
    while (open_columns := left > tolerance).any():
        pivot = int(np.argmax(open_columns & (left > left.max() / 10)))
        step = len(taken)
        column = correlation[:, pivot] - factor[:, :step] @ factor[pivot, :step]
        factor[:, step] = column / np.sqrt(left[pivot])
        left -= factor[:, step] ** 2
        taken.append(pivot)
        left[taken] = -np.inf
    columns = np.array(sorted(taken), dtype=np.int64)
    return columns, lower_from_rows(factor[columns, : len(taken)].T)


def lower_from_rows(rows: Array) -> Floats:
    """The lower triangular L with L L' = A' A, for A of at least as many rows as columns, without forming A' A.

    >>> lower_from_rows(np.array([[0.0, 1.0], [2.0, 0.0], [0.0, 1.0]])).round(4)
    array([[2.    , 0.    ],
           [0.    , 1.4142]])
    """
    upper = np.asarray(np.linalg.qr(rows, mode="r"))
    return np.asarray(upper.T * np.where(np.diagonal(upper) < 0, -1.0, 1.0)) + 0.0


def _scaled(matrix: Array) -> Floats:
    """The matrix with a diagonal of 1: the correlations, if it is a covariance."""
    size = np.sqrt(np.maximum(np.diagonal(matrix), 0.0))
    inverse = np.where(size > 0, 1 / np.where(size > 0, size, 1.0), 0.0)
    scaled = matrix * inverse[:, None] * inverse
    np.fill_diagonal(scaled, 1.0)
    return np.asarray(scaled)


def square(matrix: ArrayLike) -> Floats:
    """A square matrix of finite numbers, checked."""
    a = np.asarray(matrix, dtype=np.float64)
    if a.ndim != 2 or a.shape[0] != a.shape[1] or not np.all(np.isfinite(a)):
        raise InputError(f"expected a square matrix of finite numbers, got shape {a.shape}")
    return a
