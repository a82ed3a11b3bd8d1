"""Linear functions of the features: all that members with one covariance differ by.

    log N(x; m_k, S) = x' S^-1 m_k - 1/2 m_k' S^-1 m_k + terms common to all members

Scores are taken about a centre amid the members, so that no digits are lost to a common offset of the data.
"""

import math
from dataclasses import dataclass

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints, frozen
from likely.numeric.kernels.densities import whitening as kernels

_FEW = 10  # members: up to so many a loop over the rows is faster than a product of matrices
_BLOCK = 2048  # rows that are standardised at a time: they stay in cache until they are multiplied


@dataclass(frozen=True)
class Discriminant:
    """score_k(x) = coef_k . (x - centre) inverse_scale + intercept_k, over some of the columns.

    >>> halves = Discriminant(np.array([1]), np.array([4.0]), np.array([0.5]), np.array([[1.0], [-1.0]]), np.zeros(2))
    >>> halves.score(np.array([[100.0, 6.0]]))
    array([[ 1., -1.]])
    """

    columns: Ints  # (r,)
    centre: Floats  # (r,)
    inverse_scale: Floats  # (r,)
    coef: Floats  # (k, r)
    intercept: Floats  # (k,)

    def linear(self, features: int) -> tuple[Floats, Floats]:
        """The same scores as w x + b: weights (k, d) of all columns and constants (k,).

        Where the data lie at a distance D from the origin, w x and b are of the size |w| D and cancel: rounding costs
        about 1e-16 |w| D of the score, which no choice of w and b avoids. `score` itself loses nothing.

        >>> one = Discriminant(np.array([1]), np.array([4.0]), np.array([0.5]), np.array([[1.0]]), np.zeros(1))
        >>> one.linear(2)
        (array([[0. , 0.5]]), array([-2.]))
        """
        slope = self.coef * self.inverse_scale
        weights = np.zeros((len(self.coef), features))
        weights[:, self.columns] = slope
        products = slope * self.centre
        constants = [math.fsum([b, *-row]) for b, row in zip(self.intercept, products, strict=True)]
        return weights, np.array(constants)

    def score(self, x: Array) -> Floats:
        """(n, k); NaN where a cell that matters is missing."""
        x, standard = frozen(x), (self.columns, self.centre, self.inverse_scale)
        out = np.empty((len(x), len(self.coef)))
        if len(self.coef) <= _FEW:
            kernels.linear_scores(x, *standard, np.ascontiguousarray(self.coef), self.intercept, out)
            return out
        rows = np.empty((min(_BLOCK, len(x)), len(self.columns)))
        for start in range(0, len(x), _BLOCK):
            stop = min(start + _BLOCK, len(x))
            kernels.standardize(x[start:stop], *standard, rows[: stop - start])
            np.matmul(rows[: stop - start], self.coef.T, out=out[start:stop])
        out += self.intercept
        return out
