"""Kernels: inner products of rows in a space of features that is never made.

linear       x z
polynomial   (gamma x z + coef0)^degree
rbf          exp(-gamma |x - z|^2)
"""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, Matrix, dense, squared_lengths

KernelFunction: TypeAlias = Callable[[Any, Any], Floats]  # rows (a, m) and (b, m) to (a, b)
NAMES = ("linear", "rbf", "polynomial")
_FAR = 1e100  # beyond, in any direction, a row is as far as can be: its square is still a number


def kernel_function(kernel: str | Callable[..., Any], gamma: float, degree: int, coef0: float) -> KernelFunction:
    """The kernel of this name, or the user's own.

    >>> kernel_function("polynomial", 1.0, 2, 1.0)(np.array([[1.0, 2.0]]), np.array([[3.0, 1.0]]))
    array([[36.]])
    """
    if callable(kernel):
        return lambda a, b: _checked(kernel(dense(a), dense(b)), a.shape[0], b.shape[0])
    if kernel == "linear":
        return lambda a, b: _product(a, b)
    if kernel == "polynomial":
        return lambda a, b: np.power(gamma * _product(a, b) + coef0, degree)
    if kernel == "rbf":
        return lambda a, b: _rbf(a, b, gamma)
    raise InputError(f"unknown kernel={kernel!r}; choose from {', '.join(NAMES)}, or give a function of two tables")


def _rbf(a: Matrix, b: Matrix, gamma: float) -> Floats:
    a, b = _near(a), _near(b)
    exponent = _product(a, b)  # in one array from the products to the kernel: this is what learning waits for
    exponent *= 2 * gamma
    exponent -= gamma * squared_lengths(a)[:, None]
    exponent -= gamma * squared_lengths(b)
    np.minimum(exponent, 0.0, out=exponent)
    return np.exp(exponent, out=exponent)


def _product(a: Matrix, b: Matrix) -> Floats:
    found = _near(a) @ _near(b).T
    return np.asarray(found.toarray() if hasattr(found, "indptr") else found, dtype=np.float64)


def _near(x: Any) -> Any:
    if not hasattr(x, "indptr"):
        return np.clip(x, -_FAR, _FAR)
    held = x.copy()
    held.data = np.clip(held.data, -_FAR, _FAR)
    return held


def _checked(values: ArrayLike, rows: int, columns: int) -> Floats:
    found = np.asarray(values, dtype=np.float64)
    if found.shape != (rows, columns) or not np.isfinite(found).all():
        raise InputError(
            f"the kernel gave an array of shape {found.shape} for {rows} and {columns} rows; it must give a finite "
            f"number for every pair: {(rows, columns)}"
        )
    return found
