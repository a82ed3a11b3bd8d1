"""Matrices: quadratic forms x' A x, products A' A, traces, determinants, inverses, and eigenpairs.

The eigenpairs are A v = lambda v where det(A - lambda 1) = 0; the trace is the sum of the eigenvalues, the determinant
their product.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.linear.covariance import is_symmetric, square


def quadratic_form(matrix: ArrayLike, x: ArrayLike) -> Any:
    """The quadratic form x' A x of a vector, or of each row.

    >>> quadratic_form([[1, 0], [0, -1]], [3, 2])
    5.0
    """
    a, rows = square(matrix), np.asarray(x, dtype=np.float64)
    if not rows.ndim or rows.shape[-1] != len(a):
        raise InputError(f"a form of {len(a)} variables takes vectors of as many entries; got shape {rows.shape}")
    value = ((rows @ a) * rows).sum(axis=-1)
    return float(value) if rows.ndim == 1 else np.asarray(value)


def trace(matrix: ArrayLike) -> float:
    """The trace: the sum of the diagonal, which is the sum of the eigenvalues.

    >>> trace([[2, 1], [1, 3]])
    5.0
    """
    return float(np.trace(square(matrix)))


def inverse(matrix: ArrayLike) -> Floats:
    """The inverse, A^-1 A = 1; a matrix that is singular up to rounding has none, and is refused.

    To solve A x = b use `likely.optimize.solve_linear`, and for distances `mahalanobis`: both are more exact.

    >>> inverse([[2, 1], [1, 1]])
    array([[ 1., -1.],
           [-1.,  2.]])
    """
    a = square(matrix)
    size = np.abs(a).max(axis=1, initial=0.0)
    if (size == 0).any():
        raise InputError(f"row {int(np.flatnonzero(size == 0)[0])} of the matrix is all 0: it has no inverse")
    scale = np.ldexp(1.0, -np.frexp(size)[1])  # rows of like size, exactly: units do not make a matrix singular
    scaled = a * scale[:, None]
    if len(a) and np.linalg.cond(scaled, 1) * np.finfo(np.float64).eps >= 1:
        raise InputError("the matrix is singular up to rounding: some column is a combination of others; no inverse")
    return np.asarray(np.linalg.inv(scaled) * scale)


def gram_matrix(matrix: ArrayLike) -> Floats:
    """The Gram matrix A' A (d, d) of a matrix (n, d): dot products of its columns, always positive semidefinite.

    >>> gram_matrix([[1, 1], [2, -1]])
    array([[ 5., -1.],
           [-1.,  2.]])
    """
    a = np.asarray(matrix, dtype=np.float64)
    if a.ndim != 2:
        raise InputError(f"a Gram matrix is made of a matrix (rows, columns); got shape {a.shape}")
    return np.asarray(a.T @ a)


def determinant(matrix: ArrayLike) -> float:
    """The determinant: by how much the map of a square matrix stretches volumes; 0 where it is singular.

    >>> round(determinant([[2, 1], [1, 2]]), 12)
    3.0
    """
    return float(np.linalg.det(square(matrix)))


def eigenpairs(matrix: ArrayLike) -> tuple[Floats, Floats]:
    """Eigenvalues (d,), largest first, and unit eigenvectors, a column (d, d) for each; its largest entry is positive.

    Those of a symmetric matrix are orthogonal. A matrix that turns vectors has complex eigenvalues, and is refused.

    >>> values, vectors = eigenpairs([[2, 1], [1, 2]])
    >>> values, vectors.round(4)
    (array([3., 1.]), array([[ 0.7071,  0.7071],
           [ 0.7071, -0.7071]]))
    """
    a = square(matrix)
    values, vectors = np.linalg.eigh(a) if is_symmetric(a) else np.linalg.eig(a)
    if np.any(np.imag(values)):
        raise InputError("the matrix has complex eigenvalues: it turns vectors of some plane")
    values, vectors = np.real(values), np.real(vectors)  # newer NumPy gives complex numbers in any case
    order = np.argsort(-values, kind="stable")
    vectors = vectors[:, order]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(len(a))]
    return np.asarray(values[order]), np.asarray(vectors * np.where(largest < 0, -1.0, 1.0))
