"""Derivatives of a function from its values: central differences, with the leading errors extrapolated away.

    f'(x) ~ [f(x + h) - f(x - h)] / 2 h,   f''(x) ~ [f(x + h) - 2 f(x) + f(x - h)] / h^2

A difference at h errs by terms in h^2, h^4, ...; from those at h, h / 2 and h / 4 Richardson's extrapolation removes
the first two. What is left is rounding, which grows as h shrinks. For second derivatives the step is therefore not a
fixed share of x, whose size says nothing about how fast f bends (a mean of 0.001 with a deviation of 1000), but the one
at which f changes by `DROP`: for a log-likelihood a few hundredths of a standard error, in any unit.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats

DROP = 1e-3  # change of the function over one step, where it can be had
_SHARE = 1e-2  # of x, the step of a first derivative: its error in h^6 is about 1e-12, and rounding no more
_SEARCHES = 200  # factors of four from the smallest to the largest number
_LEVELS = (1.0, 0.5, 0.25)


def jacobian(function: Callable[[Floats], Any], at: Array, step: Array | None = None) -> Floats:
    """First derivatives of a function of p numbers, a column each (..., p), from steps (p,); a step of 0 gives 0.

    A step is a hundredth of its number, or of 1 at 0, unless told; tell it where you know the scale on which the
    function bends, such as standard errors. A step that leaves where the function is finite is made smaller.

    Parameters
    ----------
    step : the length of the step of each number; None: as said above

    >>> jacobian(lambda x: x[0] / x[1], np.array([1.0, 2.0])).round(9)
    array([ 0.5 , -0.25])
    """
    x = np.asarray(at, dtype=np.float64)
    steps = _SHARE * np.where(x == 0, 1.0, np.abs(x)) if step is None else step
    columns = [_derivative(function, x, j, float(steps[j])) for j in range(len(x))]
    return np.stack(columns, axis=-1)


def hessian(function: Callable[[Floats], float], at: Array) -> Floats:
    """Second derivatives (p, p) of a function of p numbers.

    >>> hessian(lambda x: x[0] ** 2 * x[1], np.array([3.0, 2.0])).round(6)
    array([[4., 6.],
           [6., 0.]])
    """
    x = np.asarray(at, dtype=np.float64)

    def value(moved: Floats) -> float:
        with np.errstate(all="ignore"):  # a step may leave the function's domain; then it is made smaller
            return float(function(moved))

    centre = value(x)
    if not np.isfinite(centre):
        raise InputError(f"the function is {centre} at {x.tolist()}; take derivatives where it is finite")
    found = [_step(value, x, j, centre) for j in range(len(x))]
    step = 2.0 ** np.floor(np.log2(found))  # a power of two: x + h is then exact, or as good as can be
    second = np.empty((len(x), len(x)))
    for i in range(len(x)):
        second[i, i] = _extrapolated([_curvature(value, x, i, s * step[i], centre) for s in _LEVELS])
        for j in range(i):
            second[i, j] = second[j, i] = _mixed(value, x, i, j, step)
    return second


def _derivative(function: Callable[[Floats], Any], x: Floats, j: int, h: float) -> Floats:
    if h == 0:
        with np.errstate(all="ignore"):
            return np.zeros(np.shape(function(x)))
    for _ in range(_SEARCHES):
        with np.errstate(all="ignore"):
            slopes = [
                (np.asarray(function(_moved(x, j, s * h)), dtype=np.float64) - function(_moved(x, j, -s * h)))
                / (2 * s * h)
                for s in _LEVELS
            ]
        if all(np.isfinite(slope).all() for slope in slopes):
            return np.asarray(_extrapolated(slopes))
        h /= 4
    raise _nowhere_finite(x, j)


def _step(value: Callable[[Floats], float], x: Floats, j: int, centre: float) -> float:
    """The step of coordinate j at which the function has changed by about DROP, or the largest that can be taken."""
    h, widest = 1e-3 * max(abs(float(x[j])), 1e-3), np.inf
    for _ in range(_SEARCHES):
        change = abs(_curvature(value, x, j, h, centre)) * h * h / 2
        if not np.isfinite(change):
            widest, h = h, h / 4
        elif DROP / 4 <= change <= 4 * DROP:
            return h
        else:
            factor = float(np.clip(np.sqrt(DROP / max(change, 1e-300)), 1 / 64, 64))
            larger = h * factor
            if larger >= widest or larger > 1e100:  # the edge of the domain, or a function that does not bend
                return h
            h = larger
    raise _nowhere_finite(x, j)


def _curvature(value: Callable[[Floats], float], x: Floats, j: int, h: float, centre: float) -> float:
    return ((value(_moved(x, j, h)) - centre) + (value(_moved(x, j, -h)) - centre)) / h / h


def _mixed(value: Callable[[Floats], float], x: Floats, i: int, j: int, step: Floats) -> float:
    a, b = float(step[i]), float(step[j])
    for _ in range(_SEARCHES):
        corners = [
            sum(
                sign * value(_moved(_moved(x, i, s * u * a), j, s * v * b))
                for u, v, sign in ((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1))
            )
            / (4 * s * a * s * b)
            for s in _LEVELS
        ]
        if np.isfinite(corners).all():
            return float(_extrapolated(corners))
        a, b = a / 4, b / 4
    raise _nowhere_finite(x, j)


def _extrapolated(values: Any) -> Any:
    """Richardson's limit of values at steps h, h / 2, h / 4 whose errors are even powers of h."""
    one, two, four = values
    first, second = two + (two - one) / 3, four + (four - two) / 3
    return second + (second - first) / 15


def _moved(x: Floats, j: int, by: float) -> Floats:
    out = x.copy()
    out[j] += by
    return out


def _nowhere_finite(x: Floats, j: int) -> InputError:
    return InputError(f"the function is not finite on both sides of {x[j]:g} in place {j}; it ends or jumps there")
