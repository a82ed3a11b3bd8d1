"""Conjugate gradients: each direction leaves what the ones before it achieved.

    d_t = -g_t + beta d_{t-1}      beta = max(0, g_t'(g_t - g_{t-1}) / g_{t-1}'g_{t-1})      (Polak and Ribiere)

A quadratic form in d variables is solved in d steps at most, but for rounding; of its matrix only products with vectors
are needed. Other functions start afresh down the gradient where two successive gradients are far from orthogonal
(Powell) and after every d steps.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats
from likely.optimize.minimum import Minimum, Place, Way, descend, searching
from likely.optimize.objectives import Expansion, Objective

_AFRESH = 50  # steps after which the residual is computed anew


def conjugate_gradient(
    objective: Objective,
    start: ArrayLike,
    *,
    tol: float = 1e-8,
    max_iter: int = 5000,
    keep_points: bool = True,
) -> Minimum:
    """The minimum of an objective that gives value and gradient.

    >>> bowl = lambda x: (x[0] ** 2 + 10 * x[1] ** 2, [2 * x[0], 20 * x[1]])
    >>> rest = conjugate_gradient(bowl, [10.0, 1.0])
    >>> rest.converged, np.abs(rest.point).max() < 1e-8
    (True, np.True_)
    """
    since = 0

    def direct(x: Floats, at: Expansion, before: Place | None) -> Floats:
        nonlocal since
        since += 1
        g = at.gradient
        if before is None or since >= max(len(x), 2):
            since = 0
            return -g
        last = before.at.gradient
        if abs(float(g @ last)) >= 0.2 * float(g @ g):
            since = 0
            return -g
        return -g + max(0.0, float(g @ (g - last)) / float(last @ last)) * before.direction

    return descend(objective, start, direct, searching(objective, 0.1, False), tol, max_iter, keep_points)


def solve_by_conjugate_gradients(
    product: Array | Callable[[Floats], Array],
    right: ArrayLike,
    start: ArrayLike | None = None,
    *,
    diagonal: ArrayLike | None = None,
    tol: float = 1e-10,
    max_iter: int | None = None,
    keep_points: bool = False,
) -> Minimum:
    """The x with Q x = b for a positive definite Q, which is the minimum of x'Qx / 2 - b'x.

    `product` is Q, or a function that multiplies it by a vector; `diagonal`, of Q, makes the steps independent of units
    (Jacobi). It is done when |Q x - b| <= tol |b|. The gradient of the result is Q x - b, multiplied out at the end.

    Parameters
    ----------
    right : b, the right side (d,)

    >>> rest = solve_by_conjugate_gradients(np.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]]), [1, 2, 3])
    >>> rest.point.round(6), rest.iterations
    (array([0.222222, 0.111111, 1.444444]), 3)
    """
    b = np.atleast_1d(np.asarray(right, dtype=np.float64))
    if b.ndim != 1 or not np.isfinite(b).all():
        raise InputError(f"the right side must be a vector of finite numbers, got shape {b.shape}")
    multiply = _multiplier(product, len(b))
    scale = np.ones(len(b)) if diagonal is None else np.asarray(diagonal, dtype=np.float64)
    if scale.shape != b.shape or not np.all(scale > 0):
        raise InputError(
            "the diagonal of a positive definite matrix has as many numbers as the right side, all positive"
        )
    x = np.zeros(len(b)) if start is None else np.array(start, dtype=np.float64)
    limit = 10 * len(b) + 10 if max_iter is None else max_iter
    residual = b - multiply(x)
    small = tol * float(np.linalg.norm(b))
    z = residual / scale
    d, size = z.copy(), float(residual @ z)
    way = Way(x, _value(x, residual, b), -residual, keep_points)
    products, reason, converged = 1, "", False
    while not reason:
        if float(np.linalg.norm(residual)) <= small:
            residual, products = b - multiply(x), products + 1
            converged = float(np.linalg.norm(residual)) <= max(10 * small, 1e-300)
            reason = "the residual is small" if converged else "rounding leaves no smaller residual"
        elif len(way.steps) == limit:
            reason = f"max_iter={limit} iterations are done"
        if reason:
            break
        image, products = multiply(d), products + 1
        bend = float(d @ image)
        if not bend > 0:
            reason = "the matrix is not positive definite: there is a direction in which the form does not rise"
            break
        step = size / bend
        x = x + step * d
        residual = b - multiply(x) if (len(way.steps) + 1) % _AFRESH == 0 else residual - step * image
        z = residual / scale
        size, last = float(residual @ z), size
        d = z + (size / last) * d
        way.note(x, _value(x, residual, b), -residual, step)
    return Minimum(x, _value(x, residual, b), -residual, len(way.steps), products, converged, reason, way.trace())


def _multiplier(product: Array | Callable[[Floats], Array], d: int) -> Callable[[Floats], Floats]:
    if callable(product):
        return lambda v: np.asarray(product(v), dtype=np.float64)
    matrix = product if hasattr(product, "tocsr") else np.asarray(product, dtype=np.float64)
    if matrix.shape != (d, d):
        raise InputError(f"{d} equations need a matrix of shape ({d}, {d}), got {matrix.shape}")
    return lambda v: np.asarray(matrix @ v, dtype=np.float64)


def _value(x: Floats, residual: Floats, b: Floats) -> float:
    return -0.5 * float(x @ (residual + b))
