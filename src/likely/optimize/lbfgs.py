"""L-BFGS: Newton's direction from the last few steps, without a Hessian.

Each step s and the change y of the gradient along it show the curvature; the last `memory` pairs are applied by the two
loops of Nocedal (Math. Comp. 35, 1980). It needs d numbers per pair, so it serves where the parameters are many. What
is known of the inverse curvature beforehand (`inverse`: from a part of the data, say) takes the place of a multiple of
the unit matrix between the two loops; then few steps are left.
"""

from collections import deque
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.optimize.minimum import Minimum, Place, descend, searching
from likely.optimize.objectives import Expansion, Objective


def lbfgs(
    objective: Objective,
    start: ArrayLike,
    *,
    memory: int = 10,
    tol: float = 1e-8,
    max_iter: int = 2000,
    keep_points: bool = True,
    inverse: Callable[[Floats], Floats] | None = None,
) -> Minimum:
    """The minimum of an objective that gives value and gradient, from `memory` pairs of step and change of slope.

    `inverse` multiplies vectors by about the inverse of the Hessian, positive definite.

    >>> weights = np.array([1.0, 100.0, 10_000.0])
    >>> rest = lbfgs(lambda x: (float(weights @ (x - 1) ** 2), 2 * weights * (x - 1)), np.zeros(3))
    >>> rest.converged, rest.point.round(6)
    (True, array([1., 1., 1.]))
    """
    if memory < 1:
        raise InputError(f"memory must be a whole number of at least 1, got {memory!r}")
    pairs: deque[tuple[Floats, Floats, float]] = deque(maxlen=memory)

    def direct(x: Floats, at: Expansion, before: Place | None) -> Floats:
        if before is not None:
            step, change = x - before.x, at.gradient - before.at.gradient
            curved = float(step @ change)
            if curved > 1e-12 * float(np.linalg.norm(step) * np.linalg.norm(change)):
                pairs.append((step, change, curved))
        if not pairs and inverse is None:
            return -at.gradient / max(1.0, float(np.abs(at.gradient).max()))
        return -_scaled(at.gradient, pairs, inverse)

    return descend(objective, start, direct, searching(objective, 0.9, True), tol, max_iter, keep_points)


def _scaled(
    gradient: Floats, pairs: deque[tuple[Floats, Floats, float]], inverse: Callable[[Floats], Floats] | None
) -> Floats:
    """The inverse curvature that the pairs show, times the gradient."""
    q, shares = gradient.copy(), []
    for step, change, curved in reversed(pairs):
        share = float(step @ q) / curved
        shares.append(share)
        q -= share * change
    if inverse is None:
        _, change, curved = pairs[-1]
        q *= curved / float(change @ change)
    else:
        q = inverse(q)
    for (step, change, curved), share in zip(pairs, reversed(shares), strict=True):
        q += (share - float(change @ q) / curved) * step
    return q
