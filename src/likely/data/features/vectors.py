"""Rows as vectors: lengths, products, angles, and their images under linear maps.

    norm            |v|_p = (sum |v_i|^p)^(1/p),  |v|_inf = max |v_i|
    dot product     u . v = |u| |v| cos(angle),   outer product  (u v')_ij = u_i v_j
    linear map      x -> A x

A vector is an array (d,), several are the rows of an array (..., d).
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats


def norm(v: ArrayLike, p: float = 2.0) -> Any:
    """The L_p norm of a vector, or of each row: city blocks (1), Euclid's length (2), the largest entry (inf).

    Parameters
    ----------
    v : a vector (d,), or rows (n, d)

    >>> norm([3, 4]), norm([3, 4], 1), norm([3, 4], float("inf"))
    (5.0, 7.0, 4.0)
    >>> norm([1e200, 0])  # whose square is too large for a number
    1e+200
    """
    x = np.abs(_finite(v))
    if not p >= 1:
        raise InputError(f"a norm has p >= 1, got {p}; below 1 the triangle inequality fails")
    largest = x.max(axis=-1, initial=0.0)
    if np.isinf(p):
        return _number(largest)
    unit = np.ldexp(1.0, np.frexp(largest)[1] - 1)  # a power of 2, so that no power overflows and no digit is lost
    if p == 2:
        return _number(unit * np.sqrt(np.square(x / unit[..., None]).sum(axis=-1)))
    return _number(unit * ((x / unit[..., None]) ** p).sum(axis=-1) ** (1 / p))


def dot(u: ArrayLike, v: ArrayLike) -> Any:
    """The dot product u . v of two vectors, or of rows with rows: the sum of u_i v_i.

    >>> dot([1, 2, 2], [2, 0, 1])
    4.0
    """
    a, b = _pair(u, v)
    return _number((a * b).sum(axis=-1))


def outer(u: ArrayLike, v: ArrayLike) -> Floats:
    """The outer product u v' of two vectors: the matrix of u_i v_j, of rank 1; of rows with rows, one matrix each.

    >>> outer([1, 2], [3, 4, 5])
    array([[ 3.,  4.,  5.],
           [ 6.,  8., 10.]])
    """
    a, b = _finite(u), _finite(v)
    if not a.ndim or a.shape[:-1] != b.shape[:-1]:
        raise InputError(f"an outer product is of two vectors, or of as many rows; got shapes {a.shape} and {b.shape}")
    return np.asarray(a[..., :, None] * b[..., None, :])


def angle(u: ArrayLike, v: ArrayLike) -> Any:
    """The angle between two vectors, or rows and rows, in radians from 0 to pi.

    From half the sum and half the difference of the directions (Kahan), so small angles keep their digits.

    >>> round(angle([1, 0], [1, 1]) / np.pi, 12), angle([1, 0], [1, 1e-12])
    (0.25, 1e-12)
    """
    a, b = _pair(u, v)
    lengths = [np.asarray(norm(x))[..., None] for x in (a, b)]
    if not all((length > 0).all() for length in lengths):
        raise InputError("a vector of length 0 has no direction, hence no angle to another")
    a, b = a / lengths[0], b / lengths[1]
    return _number(2 * np.arctan2(np.asarray(norm(a - b)), np.asarray(norm(a + b))))


def linear_map(matrix: ArrayLike, x: ArrayLike) -> Floats:
    """The image A x of a vector, or of each row, under the linear map of a matrix (m, d).

    >>> linear_map([[0, -1], [1, 0]], [1, 1])  # a quarter turn
    array([-1.,  1.])
    >>> linear_map([[1, 2], [0, 1]], [[3, 4], [0, 1]])  # a shear
    array([[11.,  4.],
           [ 2.,  1.]])
    """
    a, rows = _finite(matrix), _finite(x)
    if a.ndim != 2 or not rows.ndim or rows.shape[-1] != a.shape[1]:
        raise InputError(f"a matrix (m, d) maps vectors of d entries; got shapes {a.shape} and {rows.shape}")
    return np.asarray(rows @ a.T)


def _pair(u: ArrayLike, v: ArrayLike) -> tuple[Floats, Floats]:
    a, b = _finite(u), _finite(v)
    if not a.ndim or not b.ndim or a.shape[-1] != b.shape[-1]:
        raise InputError(f"two vectors must have as many entries; got shapes {a.shape} and {b.shape}")
    return a, b


def _finite(x: ArrayLike) -> Floats:
    values = np.asarray(x, dtype=np.float64)
    if not np.isfinite(values).all():
        raise InputError("vectors and matrices must have finite entries")
    return values


def _number(value: Any) -> Any:
    """A float where there is one vector, an array where there are rows of them."""
    return float(value) if np.ndim(value) == 0 else np.asarray(value)
