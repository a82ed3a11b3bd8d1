"""Linear systems A x = b of any shape, by singular values: the rank, the shortest solution, and all others.

    x = A^+ b + N c        A^+ the pseudo-inverse, the columns of N a basis of what A maps to 0, c anything

Where no x solves the system, A^+ b is the shortest of those that leave the smallest |A x - b|. Singular values below
max(m, n) eps times the largest count as 0.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats


class LinearSolution(NamedTuple):
    """The shortest solution and what there is beside it."""

    point: Floats  # (n,)  x, the shortest of all that come nearest
    rank: int  # of the matrix
    residual: Floats  # (m,)  A x - b
    consistent: bool  # the residual is rounding
    null_space: Floats  # (n, n - rank)  orthonormal

    @property
    def unique(self) -> bool:
        """Whether no other x does as well."""
        return self.rank == len(self.point)


def solve_linear(matrix: ArrayLike, right: ArrayLike) -> LinearSolution:
    """Solve A x = b for a matrix (m, n).

    Parameters
    ----------
    matrix : A (m, n)
    right : b, the right side (m,)

    >>> line = solve_linear([[1, 1, 1], [2, -1, 1]], [1, 2])
    >>> line.point.round(6), line.rank, line.unique, line.consistent
    (array([ 0.714286, -0.142857,  0.428571]), 2, False, True)
    >>> solve_linear([[1, 1], [1, 1]], [1, 2]).consistent
    False
    """
    a, b = np.asarray(matrix, dtype=np.float64), np.asarray(right, dtype=np.float64)
    if a.ndim != 2 or b.shape != (len(a),) or not np.isfinite(a).all() or not np.isfinite(b).all():
        raise InputError(f"expected a matrix (m, n) and m right sides, all finite; got shapes {a.shape} and {b.shape}")
    left, singular, rows = np.linalg.svd(a, full_matrices=True)
    largest = float(singular.max(initial=0.0))
    cut = max(a.shape) * float(np.finfo(np.float64).eps)
    rank = int((singular > cut * largest).sum())
    point = rows[:rank].T @ ((left[:, :rank].T @ b) / singular[:rank])
    residual = a @ point - b
    size = float(np.linalg.norm(b)) + largest * float(np.linalg.norm(point))
    consistent = float(np.linalg.norm(residual)) <= 100 * cut * size
    return LinearSolution(point, rank, residual, bool(consistent), np.ascontiguousarray(rows[rank:].T))
