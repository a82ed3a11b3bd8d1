"""Square matrices: quadratic forms x' A x, determinants, and eigenpairs, A v = lambda v where det(A - lambda 1) = 0."""

from typing import Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.covariance import is_symmetric, square


def quadratic_form(matrix: Any, x: Any) -> Any:
    """The quadratic form x' A x of a vector, or of each row.

    >>> quadratic_form([[1, 0], [0, -1]], [3, 2])
    5.0
    """
    a, rows = square(matrix), np.asarray(x, dtype=np.float64)
    if not rows.ndim or rows.shape[-1] != len(a):
        raise InputError(f"a form of {len(a)} variables takes vectors of as many entries; got shape {rows.shape}")
    value = ((rows @ a) * rows).sum(axis=-1)
    return float(value) if rows.ndim == 1 else np.asarray(value)


def determinant(matrix: Any) -> float:
    """The determinant: by how much the map of a square matrix stretches volumes; 0 where it is singular.

    >>> round(determinant([[2, 1], [1, 2]]), 12)
    3.0
    """
    return float(np.linalg.det(square(matrix)))


def eigenpairs(matrix: Any) -> tuple[Floats, Floats]:
    """Eigenvalues (d,), largest first, and unit eigenvectors, a column (d, d) for each; its largest entry is positive.

    Those of a symmetric matrix are orthogonal. A matrix that turns vectors has complex eigenvalues, and is refused.

    >>> values, vectors = eigenpairs([[2, 1], [1, 2]])
    >>> values, vectors.round(4)
    (array([3., 1.]), array([[ 0.7071,  0.7071],
           [ 0.7071, -0.7071]]))
    """
    a = square(matrix)
    values, vectors = np.linalg.eigh(a) if is_symmetric(a) else np.linalg.eig(a)
    if np.iscomplexobj(values):
        raise InputError("the matrix has complex eigenvalues: it turns vectors of some plane")
    order = np.argsort(-values, kind="stable")
    vectors = vectors[:, order]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(len(a))]
    return np.asarray(values[order]), np.asarray(vectors * np.where(largest < 0, -1.0, 1.0))
