"""The log-likelihood of Gaussian vectors.

    log L = -n/2 [ d log 2 pi + log det S + trace S^-1 (C + (x - m)(x - m)') ]

with x and C the mean and covariance (divided by n) of the rows: they are the estimates. The estimated mean has the
covariance C / n, and the estimates of s_ij and s_kl have (c_ik c_jl + c_il c_jk) / n; the two are uncorrelated.

Under a restriction the highest point is in closed form where

- some or all means are fixed: S = C + e e', e the distance of the fitted means from x, those not fixed following the
  fixed ones by regression;
- one entry of the covariance is fixed: the pair (i, j) has its own restricted estimate, and the other columns their
  regression on it as before;
- the whole covariance is fixed.

Others have none, and are refused.
"""

from dataclasses import dataclass

import numpy as np

from likely.distributions.capabilities.likelihood import Shapes
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.linear.covariance import cholesky, correlation, is_positive_definite


@dataclass(frozen=True)
class VectorLikelihood:
    """Vectors with a mean and a covariance.

    >>> one = VectorLikelihood(4.0, np.array([3.0, 3.0]), np.array([[3.5, 1.75], [1.75, 2.5]]))
    >>> one.restricted(np.array([3.0, 4.0, *[np.nan] * 4]))[2:]
    array([3.5 , 1.75, 1.75, 3.5 ])
    """

    rows: float
    mean: Array  # (d,)
    scatter: Array  # (d, d)  the covariance of the rows
    constant: float | None = 0.0

    @property
    def shapes(self) -> Shapes:
        d = len(self.mean)
        return {"mean": (d,), "covariance": (d, d)}

    @property
    def best(self) -> Floats:
        return np.concatenate([self.mean, self.scatter.ravel()])

    @property
    def low(self) -> Floats:
        d = len(self.mean)
        least = np.where(np.eye(d, dtype=bool), 0.0, -np.inf)
        return np.concatenate([np.full(d, -np.inf), least.ravel()])

    @property
    def high(self) -> Floats:
        return np.full(len(self.mean) * (len(self.mean) + 1), np.inf)

    @property
    def free(self) -> Ints:
        d = len(self.mean)
        i, j = np.tril_indices(d)
        return np.concatenate([np.arange(d), d + i * d + j])

    def log_likelihood(self, theta: Floats) -> float:
        away, covariance = self._standardised(theta)
        factor = cholesky(covariance)
        if factor is None:
            return -np.inf
        log_determinant = 2 * (np.log(np.diagonal(factor)).sum() + np.log(self._unit).sum())
        misfit = np.trace(np.linalg.solve(covariance, correlation(self.scatter) + np.outer(away, away)))
        return float(-0.5 * self.rows * (len(away) * np.log(2 * np.pi) + log_determinant + misfit))

    def information(self) -> Floats:
        d, unit = len(self.mean), self._unit
        i, j = np.tril_indices(d)
        precision = np.linalg.inv(correlation(self.scatter))
        # the entry (i, j) stands twice in the matrix unless i = j
        twice = np.where(i == j, 1.0, 2.0)
        pairs = precision[np.ix_(i, i)] * precision[np.ix_(j, j)] + precision[np.ix_(i, j)] * precision[np.ix_(j, i)]
        out = np.zeros((d + len(i), d + len(i)))
        out[:d, :d] = self.rows * precision
        out[d:, d:] = self.rows / 4 * np.outer(twice, twice) * pairs
        units = np.concatenate([unit, unit[i] * unit[j]])
        with np.errstate(over="ignore"):
            return np.asarray(out / units / units[:, None])

    def errors(self) -> Floats:
        unit = self._unit
        spread = np.hypot(np.outer(unit, unit), self.scatter)
        return np.asarray(np.concatenate([unit, spread.ravel()]) / np.sqrt(self.rows))

    def correlations(self) -> Floats:
        d, r = len(self.mean), correlation(self.scatter)
        four = np.einsum("ik,jl->ijkl", r, r) + np.einsum("il,jk->ijkl", r, r)
        spread = np.sqrt(1 + r * r).ravel()
        out = np.zeros((d + d * d, d + d * d))
        out[:d, :d] = r
        out[d:, d:] = four.reshape(d * d, d * d) / np.outer(spread, spread)
        return out

    def restricted(self, fixed: Floats) -> Floats:
        d, r = len(self.mean), correlation(self.scatter)
        away, table = self._standardised(fixed)
        table = _symmetric(table)
        held = np.flatnonzero(~np.isnan(away))
        given = np.argwhere(np.tril(~np.isnan(table)))
        if len(given) == d * (d + 1) // 2:
            if not is_positive_definite(table):
                raise InputError("the covariance must be symmetric and positive definite")
            return self._in_units(_followed(away, held, table), table, fixed)
        away = _followed(away, held, r)
        covariance = r + np.outer(away, away)
        if len(given) == 1 and len(held) in (0, d):
            i, j = given[0]
            covariance = _with_entry(covariance, int(i), int(j), float(table[i, j]))
        elif len(given):
            raise InputError("fix the whole covariance or one entry of it, and then all means or none")
        return self._in_units(away, covariance, fixed)

    def dimensions(self, fixed: Floats) -> int:
        d = len(self.mean)
        table = _symmetric(fixed[d:].reshape(d, d))
        return int((~np.isnan(fixed[:d])).sum() + np.tril(~np.isnan(table)).sum())

    @property
    def _unit(self) -> Floats:
        """The deviations of the columns, which may be of very different size."""
        return np.asarray(np.sqrt(np.diagonal(self.scatter)))

    def _standardised(self, theta: Floats) -> tuple[Floats, Floats]:
        """Distances of means from those of the rows, and covariances, in units of the deviations."""
        d, unit = len(self.mean), self._unit
        return (theta[:d] - self.mean) / unit, theta[d:].reshape(d, d) / unit / unit[:, None]

    def _in_units(self, away: Floats, covariance: Floats, fixed: Floats) -> Floats:
        unit = self._unit
        back = np.concatenate([self.mean + away * unit, (covariance * unit * unit[:, None]).ravel()])
        return np.where(np.isnan(fixed), back, fixed)


def _followed(away: Floats, held: Ints, covariance: Floats) -> Floats:
    """Distances of all means if some are held (the others NaN): they follow by regression under this covariance."""
    if not len(held):
        return np.zeros(len(away))
    slope = np.linalg.solve(covariance[np.ix_(held, held)], away[held])
    return np.where(np.isnan(away), covariance[:, held] @ slope, away)


def _with_entry(c: Floats, i: int, j: int, value: float) -> Floats:
    """The most likely covariance with one entry fixed, C being that of the rows."""
    pair = np.array([i]) if i == j else np.array([i, j])
    block = np.array([[value]]) if i == j else _pair_with(c[np.ix_(pair, pair)], value)
    slope = np.linalg.solve(c[np.ix_(pair, pair)], c[pair])  # of every column on the pair
    out = c + slope.T @ (block - c[np.ix_(pair, pair)]) @ slope
    return np.asarray((out + out.T) / 2)


def _pair_with(c: Floats, value: float) -> Floats:
    """Two columns whose covariance is fixed.

    In units of their deviations the two variances are equal by symmetry, and solve a cubic, with r the correlation of
    the rows and s the covariance in these units: u^3 - u^2 + (2 r s - s^2) u - s^2 = 0, u > |s|.
    """
    unit = np.sqrt(np.diagonal(c))
    r, s = c[0, 1] / unit.prod(), value / unit.prod()
    roots = np.roots([1.0, -1.0, 2 * r * s - s * s, -s * s])
    real = roots.real[(np.abs(roots.imag) <= 1e-9 * np.abs(roots)) & (roots.real > abs(s))]
    misfit = np.log(real**2 - s * s) + 2 * (real - r * s) / (real**2 - s * s)
    u = float(real[np.argmin(misfit)])
    return np.asarray(np.array([[u, s], [s, u]]) * np.outer(unit, unit))


def _symmetric(table: Floats) -> Floats:
    """A table in which an entry given on one side of the diagonal stands on both; they may not contradict."""
    other = table.T
    if (np.abs(table - other) > 1e-9 * (np.abs(table) + np.abs(other))).any():
        raise InputError("the covariance must be symmetric")
    return np.where(np.isnan(table), other, table)
