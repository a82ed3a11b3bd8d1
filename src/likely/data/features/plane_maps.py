"""Matrices of the plane: what stretches, turns, reflects, projects and shears it.

    stretch     [[a, 0], [0, b]]                     shear       [[1, c], [0, 1]], or [[1, 0], [c, 1]]
    rotation    [[cos t, -sin t], [sin t, cos t]]    projection  u u' / |u|^2,   reflection  2 u u' / |u|^2 - 1

A projection goes onto the line through the origin along u, a reflection across it. Each is a matrix (2, 2) for
`linear_map`; maps one after the other are the product of their matrices, the first to the right.
"""

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats

_NONE = 2.0**-52  # what rounding leaves of a sine or cosine that is 0


def stretch(x: float, y: float | None = None) -> Floats:
    """The matrix that stretches the plane by a factor along each axis, or by one factor along both.

    Parameters
    ----------
    x : the factor along the first axis
    y : the factor along the second; None: the same

    >>> stretch(5)
    array([[5., 0.],
           [0., 5.]])
    """
    return np.diag(_numbers(x, x if y is None else y))


def rotation(angle: float) -> Floats:
    """The matrix that turns the plane about the origin by an angle in radians, against the clock; quarters are exact.

    Parameters
    ----------
    angle : in radians, against the clock

    >>> rotation(np.pi / 2)
    array([[ 0., -1.],
           [ 1.,  0.]])
    """
    (t,) = _numbers(angle)
    cosine, sine = (0.0 if abs(value) < _NONE else value for value in (np.cos(t), np.sin(t)))
    return np.array([[cosine, -sine], [sine, cosine]]) + 0.0  # no negative zero


def reflection(direction: Any) -> Floats:
    """The matrix that reflects the plane across the line through the origin along a direction.

    >>> reflection([1, 1])  # changes the axes for each other
    array([[0., 1.],
           [1., 0.]])
    """
    return 2 * projection(direction) - np.eye(2)


def projection(direction: ArrayLike) -> Floats:
    """The matrix that drops every point of the plane onto the line through the origin along a direction.

    >>> projection([1, 0])
    array([[1., 0.],
           [0., 0.]])
    """
    u = np.asarray(direction, dtype=np.float64)
    if u.shape != (2,) or not np.isfinite(u).all() or not u.any():
        raise InputError(f"a direction of the plane is two finite numbers, not both 0; got {u.tolist()}")
    u = np.ldexp(u, -int(np.frexp(np.abs(u).max())[1]))  # of moderate size: squares neither overflow nor vanish
    return np.outer(u, u) / (u @ u)


def shear(amount: float, along: Literal["x", "y"] = "x") -> Floats:
    """The matrix that shifts points along one axis by a multiple of where they are on the other.

    Parameters
    ----------
    along : the axis along which points are shifted

    >>> shear(2)
    array([[1., 2.],
           [0., 1.]])
    """
    if along not in ("x", "y"):
        raise InputError(f"a shear is along 'x' or 'y', got {along!r}")
    (c,) = _numbers(amount)
    matrix = np.array([[1.0, c], [0.0, 1.0]])
    return matrix if along == "x" else matrix.T.copy()


def _numbers(*values: float) -> Floats:
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"factors and angles are finite numbers, got {list(values)}") from None
    if numbers.ndim != 1 or not np.isfinite(numbers).all():
        raise InputError(f"factors and angles are finite numbers, got {list(values)}")
    return numbers
