"""Gradient descent: downhill where it is steepest.

    x <- x - eta grad f(x)

On a quadratic with curvatures between m and L, a fixed step eta shrinks the distance to the minimum by the factor
max(|1 - eta m|, |1 - eta L|): too short a step is slow, 2 / (m + L) is best, and beyond 2 / L the value grows. Without
`step` every step is found by a line search. Gradient ascent is the descent of `negative(objective)`.

With momentum mu a step goes on with a part of the last one (Polyak's heavy ball): x <- x - eta grad f + mu (x - x').
"""

from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.optimize.minimum import Minimum, Place, descend, fixed_step, searching
from likely.optimize.objectives import Expansion, Objective


def gradient_descent(
    objective: Objective,
    start: ArrayLike,
    step: float | None = None,
    *,
    momentum: float = 0.0,
    tol: float = 1e-8,
    max_iter: int = 10_000,
    keep_points: bool = True,
) -> Minimum:
    """Go down from a start; `step` is eta, or None to search along every gradient. `momentum` mu needs a step.

    >>> parabola = lambda x: (2 * x**2 - 8 * x + 3, 4 * x - 8)
    >>> rest = gradient_descent(parabola, 0.0, step=0.1)
    >>> rest.trace.points[1:4, 0].round(4)
    array([0.8  , 1.28 , 1.568])
    >>> print(rest)
    -5 at [2.]; converged after 39 iterations, 40 evaluations: the gradient is small
    >>> print(gradient_descent(parabola, 0.0, step=0.6).reason)
    it diverges: the value has risen 10 times in a row; take a shorter step
    """
    if not 0 <= momentum < 1:
        raise InputError(f"momentum must be at least 0 and below 1, got {momentum!r}")
    if step is None:
        if momentum:
            raise InputError("momentum goes with steps of one length: give a step")
        return descend(objective, start, _downhill, searching(objective, 0.1, False), tol, max_iter, keep_points)
    eta = float(step)

    def onward(x: Floats, at: Expansion, before: Place | None) -> Floats:
        return -at.gradient if before is None else -at.gradient + (momentum / eta) * (x - before.x)

    move = fixed_step(objective, eta)
    return descend(objective, start, onward if momentum else _downhill, move, tol, max_iter, keep_points)


def _downhill(x: Floats, at: Expansion, before: Place | None) -> Floats:
    return -at.gradient
