"""Linear functions of a row and the planes where they are equal.

    f_c(x) = w_c x + b_c        class: the largest       between c and d: (w_c - w_d) x + b_c - b_d = 0

The weights of a plane are its normal, and b / |w| is how far it lies from the origin, against its direction. Regions of
the largest of several linear functions are convex: what holds at two rows holds at every row between them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, Ints, in_brief


@dataclass(frozen=True)
class Hyperplane:
    """The plane w x + b = 0.

    >>> plane = Hyperplane.of([3, 4], -10)
    >>> plane.distance([[0, 0], [5, 5]]), plane.from_origin
    (array([-2.,  5.]), 2.0)
    """

    normal: Floats  # (d,)  w, the weights of the columns
    offset: float  # b, the constant

    __repr__ = in_brief

    @classmethod
    def of(cls, normal: Any, offset: float) -> "Hyperplane":
        """From the weights of the columns and the constant."""
        w = np.asarray(normal, dtype=np.float64)
        if w.ndim != 1 or not np.isfinite(w).all() or not w.any():
            raise InputError("a plane has finite weights, one for each column, that are not all 0")
        return cls(w, float(offset))

    def value(self, x: ArrayLike) -> Floats:
        """What w x + b is at rows (n,)."""
        return np.asarray(np.asarray(x, dtype=np.float64) @ self.normal + self.offset)

    def distance(self, x: Any) -> Floats:
        """The distances of rows from the plane (n,), positive on the side to which the weights point."""
        return np.asarray(self.value(x) / np.linalg.norm(self.normal))

    @property
    def from_origin(self) -> float:
        """Where the plane crosses the line along its weights through the origin: -b / |w|."""
        return -self.offset / float(np.linalg.norm(self.normal))


@dataclass(frozen=True)
class LinearFunctions:
    """k linear functions, of which the largest decides; of equal ones the first.

    >>> three = LinearFunctions.of([[1, 0], [-1, 0], [0, 1]], [0, 0, 0.5])
    >>> three.largest([[3, 0], [-3, 0], [0, 3]])
    array([0, 1, 2])
    """

    weights: Floats  # (k, d)  a row for each function
    offsets: Floats  # (k,)  the constant of each function

    __repr__ = in_brief

    @classmethod
    def of(cls, weights: Any, offsets: Any) -> "LinearFunctions":
        """From weights, one row for each function, and constants."""
        w, b = np.asarray(weights, dtype=np.float64), np.asarray(offsets, dtype=np.float64)
        if w.ndim != 2 or b.shape != (len(w),):
            raise InputError(f"give a row of weights and a constant for each function; got {w.shape} and {b.shape}")
        return cls(w, b)

    def values(self, x: ArrayLike) -> Floats:
        """The functions of rows (n, k)."""
        return np.asarray(np.asarray(x, dtype=np.float64) @ self.weights.T + self.offsets)

    def largest(self, x: Any) -> Ints:
        """The number of the largest for each row (n,)."""
        return np.asarray(self.values(x).argmax(axis=1))

    def between(self, one: int, other: int) -> Hyperplane:
        """The plane where two of them are equal; its weights point to the first."""
        normal = self.weights[one] - self.weights[other]
        return Hyperplane.of(normal, float(self.offsets[one] - self.offsets[other]))
