"""Roots of many functions of one variable at once, each held in a bracket.

Chandrupatla's method (Advances in Engineering Software 28, 1997): inverse quadratic interpolation where it is safe,
bisection elsewhere. It never leaves the bracket and needs no derivative.
"""

from collections.abc import Callable

import numpy as np

from likely.numeric.arrays import Array, Floats


def bracketed_roots(
    function: Callable[[Array], Array], low: Array, high: Array, tolerance: float = 1e-14, steps: int = 100
) -> Floats:
    """The root of each element of `function` between `low` and `high`, where it must fall from + to -.

    Without a change of sign the answer is the end that is nearer to one: `low` where the function is nowhere
    positive, `high` where it is nowhere negative.

    >>> bracketed_roots(lambda t: np.array([2.0, 9.0]) - t * t, np.zeros(2), np.full(2, 10.0))
    array([1.41421356, 3.        ])
    """
    a, b = np.array(high, dtype=np.float64), np.array(low, dtype=np.float64)
    fa, fb = np.asarray(function(a)), np.asarray(function(b))
    fixed = np.where(fb <= 0, b, np.where(fa >= 0, a, np.nan))
    c, fc = a, fa
    share = np.full(a.shape, 0.5)
    for _ in range(steps):
        t = a + share * (b - a)
        ft = np.asarray(function(t))
        same = np.sign(ft) == np.sign(fa)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = t, ft
        best = np.where(np.abs(fa) < np.abs(fb), a, b)
        width = np.abs(b - a)
        near = tolerance * np.maximum(1.0, np.abs(best))
        if np.all((width <= near) | (fa == 0) | (fb == 0) | ~np.isnan(fixed)):
            break
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            smallest = np.clip(near / width, 0.0, 0.5)
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            quadratic = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi)
            step = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        step = np.where(quadratic & np.isfinite(step), step, 0.5)
        share = np.clip(step, smallest, 1 - smallest)
    best = np.where(np.abs(fa) < np.abs(fb), a, b)
    return np.asarray(np.where(np.isnan(fixed), best, fixed))
