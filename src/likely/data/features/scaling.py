"""Scales of attributes, learned from the training rows and applied to any.

    min-max    v' = (v - min) / (max - min)         the training values fill [0, 1]; others may fall outside
    standard   z = (x - mean) / s                   s^2 = sum (x - mean)^2 / (n - ddof)
    whitening  y = S^(-1/2) (x - mean)              cov(y) = I; Euclid's distance of y is Mahalanobis's of x

Statistic: the smallest and largest value; `Moments`; mean and covariance. No prior. Missing cells (NaN) are ignored in
learning and stay missing. An attribute that is constant, or was never observed, has no scale and carries no
information: it becomes 0. Infinite cells are refused, and a result too large for a float becomes the largest.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.linear.covariance import correlation, independent_columns, is_symmetric, whitening
from likely.statistics import Membership, Moments

_LARGEST = float(np.finfo(np.float64).max)
_FLAT = 1e-12  # share of a column's variance below which what the other columns leave of it is rounding


@dataclass(frozen=True)
class MinMax:
    """The range of each attribute.

    Ranges merge: `a + b` is the range of both data. They do not subtract: when the row that held the smallest value is
    removed, nothing tells the next smallest. So rows cannot be forgotten, and the range without a fold is the sum of
    the ranges of the other folds.

    >>> scale = MinMax.learn([[2.0], [4.0], [10.0]])
    >>> scale.transform([[2.0], [4.0], [12.0]]).ravel()
    array([0.  , 0.25, 1.25])
    >>> (scale + MinMax.learn([[22.0]])).transform([[12.0]]).ravel()
    array([0.5])
    """

    low: Array  # (d,)  +inf where nothing was observed
    high: Array  # (d,)  -inf where nothing was observed

    @classmethod
    def learn(cls, x: ArrayLike) -> Self:
        """From rows (n, d), NaN for a missing cell."""
        rows = rows_of_attributes(x)
        return cls(np.fmin.reduce(rows, axis=0, initial=np.inf), np.fmax.reduce(rows, axis=0, initial=-np.inf))

    def __add__(self, other: Self) -> Self:
        if self.low.shape != other.low.shape:
            raise InputError(f"cannot merge the ranges of {self.low.size} and of {other.low.size} attributes")
        return type(self)(np.minimum(self.low, other.low), np.maximum(self.high, other.high))

    def transform(self, x: ArrayLike) -> Floats:
        """Rows (n, d) on the scale where the training values run from 0 to 1."""
        rows = rows_of_attributes(x, self.low.size)
        low, width, unit = self._scale()
        with np.errstate(over="ignore"):
            scaled = (rows * unit - low) / np.where(width > 0, width, 1.0)
        return _bounded(np.where((width > 0) | np.isnan(rows), scaled, 0.0))

    def inverse(self, x: ArrayLike) -> Floats:
        """Rows (n, d) back in the attributes' own units; NaN for an attribute that was never observed."""
        rows = rows_of_attributes(x, self.low.size)
        low, width, unit = self._scale()
        with np.errstate(over="ignore"):
            restored = _bounded((low + rows * width) / unit)
        return np.where(self.low > self.high, np.nan, restored)

    def _scale(self) -> tuple[Floats, Floats, Floats]:
        """The low end and the width, in a unit in which no difference overflows."""
        seen = self.low <= self.high
        low, high = np.where(seen, self.low, 0.0), np.where(seen, self.high, 0.0)
        unit = _unit(np.maximum(np.abs(low), np.abs(high)))
        return low * unit, high * unit - low * unit, unit


@dataclass(frozen=True)
class Standard:
    """The mean and standard deviation of each attribute.

    The sums behind them add and subtract: to merge or forget, keep the `Moments` and make the scale with `Standard.of`.

    >>> scale = Standard.learn([[3.0], [7.0], [4.0], [9.0], [9.0], [7.0]], ddof=1)
    >>> scale.mean, scale.deviation.round(4)
    (array([6.5]), array([2.51]))
    >>> scale.transform([[3.0], [9.0]]).round(4).ravel()
    array([-1.3944,  0.996 ])
    """

    mean: Array  # (d,)  NaN where nothing was observed
    deviation: Array  # (d,)  0 where there is no spread to speak of: constant, or no more than ddof values

    @classmethod
    def learn(cls, x: ArrayLike, ddof: int = 0) -> Self:
        """From rows (n, d), NaN for a missing cell; the divisor of the variance is n - ddof."""
        rows = rows_of_attributes(x)
        exponent = _exponent(rows)
        scaled = np.ascontiguousarray(np.ldexp(rows, -exponent))
        scale = cls.of(Moments.of(scaled, Membership.whole(len(rows))), ddof)
        with np.errstate(over="ignore"):
            return cls(_bounded(np.ldexp(scale.mean, exponent)), _bounded(np.ldexp(scale.deviation, exponent)))

    @classmethod
    def of(cls, moments: Moments, ddof: int = 0) -> Self:
        """From the sums over rows, all groups together."""
        if ddof < 0:
            raise InputError(f"ddof must not be negative, got {ddof}")
        whole = moments.overall()
        variance = whole.variance(ddof)[0]
        return cls(whole.mean[0], np.sqrt(np.where(variance > 0, variance, 0.0)))

    def transform(self, x: ArrayLike) -> Floats:
        """Standard scores (n, d): how many deviations above the mean."""
        rows = rows_of_attributes(x, self.mean.size)
        spread = self.deviation > 0
        mean = np.where(spread, self.mean, 0.0)
        unit = _unit(np.maximum(np.abs(mean), self.deviation))
        with np.errstate(over="ignore"):
            scores = (rows * unit - mean * unit) / np.where(spread, self.deviation * unit, 1.0)
        return _bounded(np.where(spread | np.isnan(rows), scores, 0.0))

    def inverse(self, x: ArrayLike) -> Floats:
        """Rows (n, d) back in the attributes' own units; NaN for an attribute that was never observed."""
        rows = rows_of_attributes(x, self.mean.size)
        with np.errstate(over="ignore"):
            return _bounded(self.mean + rows * self.deviation)


@dataclass(frozen=True)
class Whitening:
    """Axes in which the attributes are uncorrelated with unit variance.

    The root of the inverse covariance is the lower triangular one of `likely.numeric.linear.covariance.whitening`; all
    roots give the same distances. A column that is constant, or a linear function of the others, adds nothing and
    becomes 0. Every new coordinate mixes all attributes, so a row with a missing cell is missing throughout.

    >>> white = Whitening.of([1.0, -1.0], [[4.0, 1.2], [1.2, 1.0]])
    >>> float(np.linalg.norm(white.transform([[3.0, 0.0]])))  # the Mahalanobis distance to the mean
    1.118033...
    """

    mean: Array  # (d,)  of the rows that were learned
    matrix: Array  # (d, d)  y = matrix (x - mean)
    root: Array  # (d, d)  x = mean + root y

    @classmethod
    def learn(cls, x: ArrayLike, ddof: int = 0) -> Self:
        """From the rows (n, d) that have no missing cell."""
        rows = rows_of_attributes(x)
        rows = rows[~np.isnan(rows).any(axis=1)]
        if len(rows) <= ddof or not len(rows):
            raise InputError(
                f"a covariance with ddof={ddof} needs more than {ddof} rows without missing cells, got {len(rows)}"
            )
        near = rows - rows[0]  # zero to the last bit where a column is constant
        centred = near - near.mean(axis=0)
        return cls.of(rows[0] + near.mean(axis=0), centred.T @ centred / (len(rows) - ddof))

    @classmethod
    def of(cls, mean: ArrayLike, covariance: ArrayLike) -> Self:
        """From a mean (d,) and a covariance (d, d)."""
        centre, cov = np.asarray(mean, dtype=np.float64), np.asarray(covariance, dtype=np.float64)
        if centre.ndim != 1 or cov.shape != (centre.size, centre.size):
            raise InputError(f"a mean {centre.shape} needs a square covariance of that size, got {cov.shape}")
        if not (np.isfinite(centre).all() and np.isfinite(cov).all()):
            raise InputError("mean and covariance must be finite")
        smallest = np.linalg.eigvalsh(correlation(cov)).min(initial=0.0)
        flat = cov[np.diag(cov) <= 0]
        if not is_symmetric(cov) or flat.any() or smallest < -_FLAT * len(cov):
            raise InputError("a covariance is symmetric and has no negative eigenvalue; this matrix is none")
        spread = np.flatnonzero(np.diag(cov) > 0)
        tolerance = np.full(len(spread), _FLAT)
        columns, _ = independent_columns(correlation(cov[np.ix_(spread, spread)]), tolerance)
        kept = spread[columns]
        block = whitening(cov[np.ix_(kept, kept)])
        matrix, root = np.zeros(cov.shape), np.zeros(cov.shape)
        matrix[np.ix_(kept, kept)] = block
        root[:, kept] = cov[:, kept] @ block.T  # regression on the kept columns; their own block is the inverse
        return cls(centre, matrix, root)

    def transform(self, x: ArrayLike) -> Floats:
        """Whitened rows (n, d)."""
        return np.asarray((rows_of_attributes(x, self.mean.size) - self.mean) @ self.matrix.T)

    def inverse(self, x: ArrayLike) -> Floats:
        """Rows (n, d) back in the attributes' own units."""
        return np.asarray(self.mean + rows_of_attributes(x, self.mean.size) @ self.root.T)


def rows_of_attributes(x: ArrayLike, width: int | None = None) -> Floats:
    """Rows (n, d) of numbers, NaN for a missing cell; of as many attributes as a scale was learned on."""
    rows = np.asarray(x, dtype=np.float64)
    if rows.ndim != 2:
        raise InputError(f"rows of attributes are a matrix (n, d), got an array of shape {rows.shape}")
    if width is not None and rows.shape[1] != width:
        raise InputError(f"the scale was learned on {width} attributes, these rows have {rows.shape[1]}")
    infinite = np.isinf(rows)
    if infinite.any():
        row, column = np.argwhere(infinite)[0]
        raise InputError(f"row {row}, column {column} is infinite; mark it missing (NaN) or give a number")
    return rows


def _bounded(x: Array) -> Floats:
    return np.clip(x, -_LARGEST, _LARGEST)


def _unit(size: Array) -> Floats:
    """A half where values are so large that their difference could overflow."""
    return np.where(size > 2.0**900, 0.5, 1.0)


def _exponent(rows: Floats) -> Ints:
    """Powers of two (d,) that bring deviations to a size whose squares neither overflow nor vanish; mostly 0."""
    low, high = np.fmin.reduce(rows, axis=0, initial=np.inf), np.fmax.reduce(rows, axis=0, initial=-np.inf)
    half_width = np.where(low < high, high / 2 - low / 2, 1.0)
    exponent = np.frexp(np.where(half_width > 0, half_width, np.finfo(np.float64).smallest_subnormal))[1]
    return np.where(np.abs(exponent) > 450, exponent, 0).astype(np.int64)
