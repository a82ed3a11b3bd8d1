"""Can hyperplanes part the classes? Linear programming answers; and what it means for the perceptron (Novikoff).

two classes   some w has d_i w x_i >= 1 for all rows        several   (w_k - w_j) x >= 1 for rows of k and all j != k
updates       t <= (|w*| L / delta)^2,   L = max |x|,  delta = min d w* x,   whatever the learning rate, from zero
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.target import read_target
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Matrix, as_floats, squared_lengths


class Separation(NamedTuple):
    """Whether classes can be parted by hyperplanes, and weights that do."""

    separable: bool  # whether they can be parted
    weights: Floats | None  # (m + 1,) of two classes, (k, m + 1) of several, the constant's last; None: there are none

    def __bool__(self) -> bool:
        return self.separable


def linear_separation(X: TableLike, y: TargetLike, fit_intercept: bool = True) -> Separation:
    """Weights that part the rows of X (n, m) by their classes y, found by linear programming (HiGHS), if there are any.

    Of two classes the second one has positive scores; of several the class of a row has the largest.

    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> bool(linear_separation(corners, [0, 0, 0, 1])), bool(linear_separation(corners, [0, 1, 1, 0]))
    (True, False)
    """
    x = as_floats(X, "X")
    target = read_target(y, len(x))
    if x.ndim != 2 or not np.isfinite(x).all():
        raise InputError(f"X must be a table (n, m) of finite numbers, got shape {x.shape}")
    k = len(target.classes)
    scale = np.abs(x).max(axis=0, initial=0.0)
    scale = np.where(scale > 0, scale, 1.0)
    z = np.column_stack([x / scale, np.full(len(x), float(fit_intercept))])
    if k < 2:
        return Separation(True, np.zeros(z.shape[1]))
    found = (
        _separating(z * (2 * target.codes - 1)[:, None]) if k == 2 else _separating(stacked_rows(z, target.codes, k))
    )
    if found is None:
        return Separation(False, None)
    weights = found.reshape(-1, z.shape[1]) / np.append(scale, 1.0)
    return Separation(True, weights[0] if k == 2 else weights)


def stacked_rows(X: TableLike, codes: ArrayLike, k: int) -> Any:
    """Rows of k classes as rows for one perceptron, all of them positive (Kesler's construction).

    Each becomes k - 1 rows (k m,): x in the block of its class, -x in the block of another one. As a CSR matrix.

    Parameters
    ----------
    codes : the class of each row, from 0
    k : how many classes

    >>> stacked_rows([[1.0, 2.0]], [0], 3).toarray()
    array([[ 1.,  2., -1., -2.,  0.,  0.],
           [ 1.,  2.,  0.,  0., -1., -2.]])
    """
    from scipy.sparse import csr_matrix

    x, own = as_floats(X, "X"), np.asarray(codes)
    n, m = x.shape
    others = np.array([[j for j in range(k) if j != c] for c in range(k)])[own]  # (n, k - 1)
    blocks = np.stack([np.broadcast_to(own[:, None], others.shape), others], axis=2)  # (n, k - 1, 2)
    columns = blocks[..., None] * m + np.arange(m)
    values = np.broadcast_to(x[:, None, None, :] * np.array([1.0, -1.0])[:, None], columns.shape)
    ends = np.arange(0, columns.size + 1, 2 * m)
    return csr_matrix((values.ravel(), columns.ravel(), ends), shape=(n * (k - 1), k * m))


def mistake_bound(X: TableLike, d: ArrayLike, weights: ArrayLike) -> tuple[float, float, float]:
    """Novikoff's bound: margin and radius of rows X (n, m) with targets +-1 under these weights, and most updates.

    The margin is in units of |w|. It is at most 0, and the bound infinite, where the weights do not part the classes.

    Parameters
    ----------
    d : the target of each row, +1 or -1

    >>> mistake_bound([[1, 1], [1, -3]], [1, -1], [0, 1])
    (1.0, 3.1622776601683795, 10.000000000000002)
    """
    x, w = as_floats(X, "X"), as_floats(weights, "the weights")
    return novikoff(float((np.asarray(d) * (x @ w)).min()), float(np.square(x).sum(axis=1).max()), w)


def novikoff(least: float, square: float, weights: Array) -> tuple[float, float, float]:
    """Margin, radius and bound from the least d w x and the largest x x."""
    length = float(np.linalg.norm(weights))
    margin = least / length if length > 0 else 0.0
    radius = float(np.sqrt(square))
    return margin, radius, (radius / margin) ** 2 if margin > 0 else float("inf")


def bound_of_two(x: Matrix, target: Array, weights: Array, constant: float) -> tuple[float, float, float]:
    """Novikoff's bound of rows (n, m), dense or sparse, with targets +-1 (0: left out) and weights (m + 1,)."""
    here = target != 0
    score = target * (np.asarray(x @ weights[:-1]) + constant * weights[-1])
    return novikoff(float(score[here].min()), float(squared_lengths(x)[here].max()) + constant, weights)


def bound_together(x: Matrix, codes: Array, weights: Array, constant: float) -> tuple[float, float, float]:
    """The same of k units (k, m + 1) that compete, as one perceptron of rows that are `stacked_rows`."""
    scores = np.asarray(x @ weights[:, :-1].T) + constant * weights[:, -1]
    rows = np.arange(len(codes))
    own = scores[rows, codes].copy()
    scores[rows, codes] = -np.inf
    square = 2 * (float(squared_lengths(x).max()) + constant)
    return novikoff(float((own - scores.max(axis=1)).min()), square, weights)


def _separating(rows: Any) -> Floats | None:
    """Some w, of small sum of absolute weights, with w x >= 1 for every row (n, p)."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_matrix, hstack

    a: Any = csr_matrix(rows)
    p = a.shape[1]
    parts: Any = hstack([-a, a], format="csr")  # what is added to a weight, and what is taken away
    found = linprog(np.ones(2 * p), A_ub=parts, b_ub=-np.ones(a.shape[0]), bounds=(0, None), method="highs")
    if found.status == 2:  # infeasible
        return None
    if found.status != 0:
        raise InputError(f"the linear program was not solved: {found.message}; scale the columns to similar sizes")
    both = np.asarray(found.x, dtype=np.float64)
    return both[:p] - both[p:]
