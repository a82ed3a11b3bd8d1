"""Covariances and correlations of the columns of a table."""

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats
from likely.statistics.membership import Membership
from likely.statistics.summing.far_values import EPSILON
from likely.statistics.summing.moments import ROUNDING
from likely.statistics.summing.scatter import Scatter


def covariance(x: ArrayLike, ddof: int = 0) -> Floats:
    """Covariance matrix (d, d) of rows x (n, d), with the divisor n - ddof: 0 maximum likelihood, 1 unbiased.

    Missing cells (NaN) leave out their row from the pairs that they are in.

    >>> covariance([[1.0, 2.0], [3.0, 6.0], [5.0, 4.0]], ddof=1)
    array([[4., 2.],
           [2., 4.]])
    """
    rows = np.ascontiguousarray(as_floats(x, "the cells of a covariance"))
    if rows.ndim != 2 or np.isinf(rows).any():
        raise InputError(f"expected rows (n, d) of finite numbers, or NaN for a missing cell; got shape {rows.shape}")
    sums = Scatter.of(rows, Membership.whole(len(rows)))
    pairs = np.broadcast_to(sums.count[0], (rows.shape[1], rows.shape[1]))
    if (pairs <= ddof).any():
        raise InputError(f"a covariance with the divisor n - {ddof} needs more rows than the {pairs.min()} of a pair")
    return np.asarray(sums.deviations[0] / (pairs - ddof))


def column_correlations(x: ArrayLike) -> Floats:
    """Correlations (d, d) of the columns of rows x (n, d): 1 on the diagonal; 0 with a column that does not vary.

    With missing cells (NaN) each pair is judged by the rows that have both, so that no correlation passes 1; the matrix
    of all pairs then need not be one that data without gaps can have.

    >>> column_correlations([[1.0, 2.0], [3.0, 6.0], [5.0, 4.0]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    rows = as_floats(x, "the cells of a correlation")
    if rows.ndim != 2 or np.isinf(rows).any():
        raise InputError(f"expected rows (n, d) of finite numbers, or NaN for a missing cell; got shape {rows.shape}")
    seen = ~np.isnan(rows)
    if not seen.any(axis=0).all():
        column = int(np.flatnonzero(~seen.any(axis=0))[0])
        raise InputError(f"column {column} has no cell that is not missing: it has no correlation; leave it out")
    z = _unit_size(np.where(seen, rows, 0.0))
    z = np.where(seen, z - z.sum(axis=0) / seen.sum(axis=0), 0.0)  # about a mean: nothing far from zero is squared
    z = _unit_size(np.where(np.abs(z).max(axis=0, initial=0.0) > EPSILON, z, 0.0))
    n = np.maximum(seen.T.astype(np.float64) @ seen, 1.0)
    sums, squares = z.T @ seen, (z**2).T @ seen  # of the first of a pair, over the rows of the pair
    within = squares - sums**2 / n
    together = z.T @ z - sums * sums.T / n
    varies = within > ROUNDING * squares
    varies &= varies.T
    found = np.where(varies, together / np.sqrt(np.where(varies, within * within.T, 1.0)), 0.0)
    np.fill_diagonal(found, 1.0)
    return np.asarray(np.clip((found + found.T) / 2, -1.0, 1.0))


def _unit_size(columns: Floats) -> Floats:
    """Columns of numbers of moderate size, by powers of two, which cost no digit: their squares are numbers."""
    return np.asarray(np.ldexp(columns, -np.frexp(np.abs(columns).max(axis=0, initial=0.0))[1]))
