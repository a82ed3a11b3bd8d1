"""Gradient descent: downhill where it is steepest.

    x <- x - eta grad f(x)

On a quadratic with curvatures between m and L, a fixed step eta shrinks the distance to the minimum by the factor
max(|1 - eta m|, |1 - eta L|): too short a step is slow, 2 / (m + L) is best, and beyond 2 / L the value grows. Without
`step` every step is found by a line search. Gradient ascent is the descent of `negative(objective)`.
"""

from typing import Any

from likely.optimize.minimum import Minimum, descend, fixed_step, searching
from likely.optimize.objectives import Objective


def gradient_descent(
    objective: Objective,
    start: Any,
    step: float | None = None,
    *,
    tol: float = 1e-8,
    max_iter: int = 10_000,
    keep_points: bool = True,
) -> Minimum:
    """Go down from a start; `step` is eta, or None to search along every gradient.

    >>> parabola = lambda x: (2 * x**2 - 8 * x + 3, 4 * x - 8)
    >>> rest = gradient_descent(parabola, 0.0, step=0.1)
    >>> rest.trace.points[1:4, 0].round(4)
    array([0.8  , 1.28 , 1.568])
    >>> print(rest)
    -5 at [2.]; converged after 39 iterations, 40 evaluations: the gradient is small
    >>> print(gradient_descent(parabola, 0.0, step=0.6).reason)
    it diverges: the value has risen 10 times in a row; take a shorter step
    """
    move = searching(objective, 0.1, False) if step is None else fixed_step(objective, float(step))
    return descend(objective, start, lambda x, at, before: -at.gradient, move, tol, max_iter, keep_points)
