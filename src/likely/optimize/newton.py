"""Newton's method, damped: to the minimum of the quadratic that fits here, or part of the way.

    x <- x - t (H + ridge)^-1 grad f(x)

t is 1 or what a backtracking line search (Armijo) leaves of it. Where H is not positive definite, multiples of its
diagonal are added until it is, from 1e-8 upwards, so that units do not matter: a flat direction is left where it was, a
direction of negative curvature is followed downhill. Near a minimum the number of right digits doubles at each step.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.linear.covariance import cholesky, solve_lower
from likely.optimize.minimum import Minimum, Place, descend, searching
from likely.optimize.objectives import Expansion, Objective

_EPSILON = float(np.finfo(np.float64).eps)
_RIDGES = (0.0, 1e-8, 1e-6, 1e-4, 1e-2, 1e-1, 1.1, 2.0, 10.0, 1e3, 1e6)


def newton(
    objective: Objective,
    start: ArrayLike,
    *,
    tol: float = 1e-8,
    max_iter: int = 200,
    keep_points: bool = True,
) -> Minimum:
    """The minimum of an objective that gives value, gradient and Hessian.

    >>> valley = lambda x: ((1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2,
    ...     [-2 * (1 - x[0]) - 400 * x[0] * (x[1] - x[0] ** 2), 200 * (x[1] - x[0] ** 2)],
    ...     [[2 - 400 * (x[1] - 3 * x[0] ** 2), -400 * x[0]], [-400 * x[0], 200]])
    >>> rest = newton(valley, [-1.2, 1.0])
    >>> rest.converged, rest.point.round(8), rest.iterations < 30
    (True, array([1., 1.]), True)
    """

    def direct(x: Floats, at: Expansion, before: Place | None) -> Floats:
        if at.hessian is None:
            raise InputError("Newton's method needs an objective that gives (value, gradient, Hessian)")
        return -newton_step(at.hessian, at.gradient)

    return descend(objective, start, direct, searching(objective, None, True), tol, max_iter, keep_points)


def newton_step(hessian: Floats, gradient: Floats) -> Floats:
    """(H + ridge)^-1 g, in units in which the diagonal of H is 1: the step of Newton's method, to be subtracted."""
    return inverse_of(hessian)(gradient)


def inverse_of(hessian: Floats) -> Callable[[Floats], Floats]:
    """What multiplies vectors by (H + ridge)^-1; the factors are made once.

    >>> inverse_of(np.array([[4.0, 0.0], [0.0, 2.0]]))(np.array([4.0, 4.0]))
    array([1., 2.])
    """
    symmetric = 0.5 * (hessian + hessian.T)
    size = np.sqrt(np.abs(np.diagonal(symmetric)))
    largest = float(size.max(initial=0.0))
    size = np.maximum(size, 1e-8 * largest) if largest > 0 else np.ones_like(size)
    scaled = symmetric / size[:, None] / size
    unit = np.eye(len(size))
    for ridge in _RIDGES:
        margin = _EPSILON * len(size)
        factor = cholesky(scaled + (ridge - margin) * unit)
        if factor is not None:
            factor = cholesky(scaled + ridge * unit)
        if factor is not None:
            break

    def times(gradient: Floats) -> Floats:
        if factor is None:  # so far from a curvature that only the slope can be trusted
            return np.asarray(gradient / np.square(size))
        return solve_lower(factor, solve_lower(factor, gradient / size), transposed=True) / size

    return times
