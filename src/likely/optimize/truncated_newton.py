"""Newton's method without a Hessian: each step is found by conjugate gradients, from products with it alone.

    H s = -g  until |H s + g| <= eta |g|,   eta = min(1/2, sqrt(|g| / |g_0|))

Far from the minimum a few products are enough; near it eta falls, and so the steps become Newton's (Dembo and Steihaug,
Math. Programming 26, 1983). For very many weights, where a product costs as much as a gradient and a Hessian would not
fit.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from likely.numeric.arrays import Floats
from likely.optimize.minimum import Minimum, Place, descend, searching
from likely.optimize.objectives import Expansion, Objective

_LOOSEST = 0.5  # part of the gradient that a step may leave
_MOST = 200  # products in a step


def truncated_newton(
    objective: Objective,
    curvature: Callable[[Floats], Callable[[Floats], Floats]],
    start: ArrayLike,
    *,
    tol: float = 1e-8,
    max_iter: int = 200,
    keep_points: bool = True,
) -> Minimum:
    """The minimum of an objective that gives value and gradient; `curvature(x)` multiplies its Hessian at x by vectors.

    >>> bowl = lambda x: (x[0] ** 4 + 10 * x[1] ** 2, np.array([4 * x[0] ** 3, 20 * x[1]]))
    >>> rest = truncated_newton(bowl, lambda x: lambda v: np.array([12 * x[0] ** 2 * v[0], 20 * v[1]]), [3.0, 1.0])
    >>> rest.converged, np.abs(rest.point).max() < 0.01
    (True, np.True_)
    """
    first: list[float] = []

    def direct(x: Floats, at: Expansion, before: Place | None) -> Floats:
        size = float(np.linalg.norm(at.gradient))
        first.append(size)
        return conjugate_step(curvature(x), at.gradient, min(_LOOSEST, (size / first[0]) ** 0.5))

    return descend(objective, start, direct, searching(objective, None, True), tol, max_iter, keep_points)


def conjugate_step(product: Callable[[Floats], Floats], gradient: Floats, eta: float) -> Floats:
    """About -H^-1 g: conjugate gradients until the residual is eta of g, or a direction does not curve upwards.

    >>> conjugate_step(lambda v: 4 * v, np.array([2.0, 8.0]), 0.1)
    array([-0.5, -2. ])
    """
    step, residual = np.zeros_like(gradient), -gradient
    d, size = residual.copy(), float(residual @ residual)
    small = eta**2 * size
    for _ in range(_MOST):
        image = np.array(product(d), dtype=np.float64)
        bend = float(d @ image)
        if not bend > 0:
            break
        t = size / bend
        step += t * d
        image *= t
        residual -= image
        size, last = float(residual @ residual), size
        if size <= small:
            break
        d *= size / last
        d += residual
    return step if step.any() else -gradient
