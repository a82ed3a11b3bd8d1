"""The mean where the covariance is given: the point with the least total squared Mahalanobis distance to all rows.

    argmin_m  sum_i (x_i - m)' S^-1 (x_i - m)  =  the mean of the rows, whatever S

It is the maximum-likelihood estimate under a Gaussian of that covariance; S decides what the distance is, and how sure
the mean is: its covariance is S / n.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats, in_brief
from likely.numeric.linear.covariance import mahalanobis


@dataclass(frozen=True)
class CentralPoint:
    """The mean of rows under a given covariance."""

    mean: Floats  # (d,)  of the rows
    covariance: Floats  # (d, d)  of the mean: the given one / n
    total: float  # squared distances of all rows to the mean
    given: Floats  # (d, d)  the covariance of a row
    rows: Floats  # (n, d)  the rows themselves

    __repr__ = in_brief

    @property
    def standard_errors(self) -> Floats:
        """Of the mean (d,)."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    def total_at(self, point: ArrayLike) -> float:
        """Squared distances of all rows to another point: n times that of the point to the mean more than the total."""
        return float((mahalanobis(self.rows, point, self.given) ** 2).sum())


def mean_given_covariance(x: ArrayLike, covariance: ArrayLike) -> CentralPoint:
    """The mean of rows (n, d) where their covariance (d, d) is known, with its standard errors.

    >>> found = mean_given_covariance([[0, 0], [2, 0], [1, 3]], [[1.0, 0.5], [0.5, 2.0]])
    >>> found.mean, found.standard_errors.round(4)
    (array([1., 1.]), array([0.5774, 0.8165]))
    >>> bool(found.total_at([1.1, 1.0]) > found.total)
    True
    """
    rows, given = as_floats(x, "the rows"), as_floats(covariance, "the covariance")
    if rows.ndim != 2 or not len(rows) or not np.isfinite(rows).all():
        raise InputError(f"rows are a table (n, d) of finite numbers with at least one row, got shape {rows.shape}")
    if given.shape != (rows.shape[1], rows.shape[1]):
        raise InputError(f"rows of {rows.shape[1]} columns need a covariance of that size, got shape {given.shape}")
    mean = rows.mean(axis=0)
    total = float((mahalanobis(rows, mean, given) ** 2).sum())
    return CentralPoint(mean, given / len(rows), total, given, rows)
