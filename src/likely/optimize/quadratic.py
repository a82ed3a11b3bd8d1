"""The minimum of a quadratic form in n variables.

    f(x) = x'Qx / 2 + r'x + c,   lowest where Q x = -r

One variable: a x^2 + b x + c has Q = 2a, r = b, so x = -b / 2a. Two: a x^2 + b y^2 + c x y + d x + e y + f has
Q = [[2a, c], [c, 2b]], r = (d, e), so (x, y) = (ce - 2bd, cd - 2ae) / (4ab - c^2), if c^2 < 4ab.

Q positive definite: one minimum, by Cholesky. Q semidefinite (up to rounding) and f bounded: the lowest points form a
line, a plane, ...; given is the one nearest to the origin. Otherwise f falls without bound, which is an error.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.linear.covariance import (
    cholesky,
    is_positive_definite,
    is_positive_semidefinite,
    is_symmetric,
    solve_lower,
)
from likely.optimize.systems import solve_linear


class QuadraticMinimum(NamedTuple):
    """The lowest point of a quadratic form."""

    point: Floats  # (n,)  the shortest of the lowest ones
    value: float
    gradient: Floats  # (n,)  Q x + r, zero up to rounding
    unique: bool


def minimum_of_quadratic(Q: ArrayLike, r: ArrayLike, c: float = 0.0) -> QuadraticMinimum:
    """The minimum of x'Qx / 2 + r'x + c.

    Parameters
    ----------
    Q : symmetric (n, n)
    r : the linear term (n,)
    c : the constant term

    >>> minimum_of_quadratic(4, -8, 3)[:2]
    (array([2.]), -5.0)
    >>> minimum_of_quadratic([[4, 1], [1, 2]], [-5, -3], 4)[:2]
    (array([1., 1.]), 0.0)
    >>> minimum_of_quadratic([[1, 1], [1, 1]], [-2, -2]).point.round(12)
    array([1., 1.])
    """
    q, linear = np.atleast_2d(np.asarray(Q, dtype=np.float64)), np.atleast_1d(np.asarray(r, dtype=np.float64))
    n = len(linear)
    if q.shape != (n, n) or linear.ndim != 1:
        raise InputError(f"n variables need Q of shape (n, n) and r of shape (n,); got {q.shape} and {linear.shape}")
    if not (np.isfinite(q).all() and np.isfinite(linear).all() and np.isfinite(c)):
        raise InputError("Q, r and c must be finite numbers")
    if not is_symmetric(q):
        raise InputError("Q must be symmetric: give (Q + Q') / 2, which has the same x'Qx")
    if is_positive_definite(q):
        point, unique = _by_cholesky(q, linear), True
    else:
        point, unique = _lowest_of_many(q, linear), False
    image = q @ point
    return QuadraticMinimum(point, float(0.5 * point @ image + linear @ point + c), image + linear, unique)


def _by_cholesky(q: Floats, linear: Floats) -> Floats:
    size = np.sqrt(np.diagonal(q))  # units drop out
    factor = cholesky(q / size[:, None] / size)
    assert factor is not None  # positive definite even with a margin

    def solve(right: Floats) -> Floats:
        return solve_lower(factor, solve_lower(factor, right / size), transposed=True) / size

    point = -solve(linear)
    return point - solve(q @ point + linear)  # once more, for what rounding left


def _lowest_of_many(q: Floats, linear: Floats) -> Floats:
    if not is_positive_semidefinite(q):
        raise InputError(
            "no minimum: Q is not positive semidefinite, so the form falls without bound along a direction"
        )
    found = solve_linear(q, -linear)
    if not found.consistent:
        raise InputError("no minimum: along a direction in which Q is flat, r makes the form fall without bound")
    return found.point
