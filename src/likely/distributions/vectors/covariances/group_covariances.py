"""What a `Scatter` says about the covariances of its groups, or about the one that they share.

Each covariance is a sum of products divided by the number of rows behind it, in units of the overall covariance, which
also answers where the group's data cannot (`Overall`).

n rows vary in at most n - 1 directions. With fewer rows than columns (`limited`) no d columns could be told from each
other: n - 1 of them would determine the rest, and which ones would depend on their order. There the correlations, which
so few rows overrate, are weakened in the overall covariance and in that of every group,

    s_ij  ->  s_ij n / (n + d),   i != j

with n the rows behind the matrix. It becomes positive definite, and every column counts. Nothing changes as long as
there are more rows than columns that vary.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from likely.distributions.conjugate.normal_inverse_gamma import Moved, moved
from likely.distributions.conjugate.summaries import CentredSums
from likely.distributions.support import SQUARED, check_size
from likely.distributions.vectors.covariances.overall_covariance import EPSILON, Overall
from likely.numeric.arrays import Array, Floats
from likely.statistics.summing.far_values import grain
from likely.statistics.summing.moments import extent
from likely.statistics.summing.scatter import Scatter


@dataclass(frozen=True)
class GroupCovariances:
    """Means of k groups and the products behind their g = k covariances, or behind the g = 1 that all share."""

    overall: Overall
    centre: Floats  # (d,)    overall mean
    mean: Floats  # (k, d)  NaN: never observed in any group
    observed: Array  # (k, d)  rows behind each mean
    weight: Array  # (g,)    rows in all
    deviations: Floats  # (g, d, d)
    rows: Array  # (g, d, d) or (g, 1, 1)  behind each product
    means: Array  # like rows  how many means the products are about
    rounding: Floats  # (g, d)  how far the variances may be wrong, having been summed about an origin
    limited: bool  # fewer rows than columns: the correlations have been weakened

    @classmethod
    def of(cls, statistic: Scatter, shared: bool) -> Self:
        whole = statistic.overall()
        check_size(extent(whole), SQUARED)
        rounding = _rounding(whole)[0]
        covariance = _divided(whole.deviations[0], whole.count[0])
        variance = np.diagonal(covariance)
        with np.errstate(divide="ignore", invalid="ignore"):
            relative = np.where(variance > 0, rounding / variance, 0.0)
        overall = Overall.of(covariance, relative, statistic.deviations.sum(axis=0))
        # weights that sum to less than the directions do not count rows
        limited = len(overall.columns) <= whole.weight[0] - 1 < np.count_nonzero(variance > 0)
        if limited:
            overall = Overall.of(_weakened(covariance[None], whole.weight)[0], relative)
        mean = np.where(statistic.observed > 0, statistic.mean, whole.mean)
        weight, deviations, rows = statistic.weight, statistic.deviations, statistic.count
        means, rounding, cells = rows > 0, _rounding(statistic), statistic.observed
        if shared:
            rounding = rounding * np.maximum(cells, 0)
            weight, deviations, rows, means, rounding, cells = (
                part.sum(axis=0, keepdims=True) for part in (weight, deviations, rows, means, rounding, cells)
            )
            rounding = rounding / np.where(cells > 0, cells, 1)
        if limited:
            deviations = _weakened(deviations, weight)
        return cls(overall, whole.mean[0], mean, statistic.observed, weight, deviations, rows, means, rounding, limited)

    def factors(self, ddof: int) -> Floats:
        """Of the maximum likelihood covariances, divided by rows - ddof (g, d, r)."""
        unknown = 1 / (self.weight + 1)
        parts = zip(self._standardized(ddof), self._standard_rounding(), self._ranks(), unknown, strict=True)
        return np.stack([self.overall.expanded(self.overall.factor_of(*part)) for part in parts])

    def speaks_everywhere(self, ddof: int, margin: float) -> bool:
        """Whether `factors` are those of the covariances as the data have them, by a margin: nothing is repaired."""
        if self.limited or not (self.rows - ddof * self.means > 0).all():
            return False
        parts = zip(self._standardized(ddof), self._standard_rounding(), self._ranks(), strict=True)
        return all(self.overall.speaks_everywhere(*part, margin) for part in parts)

    def factors_with_prior(self, strength: float) -> Floats:
        """Of the scatter with `strength` pseudo-rows of prior and the pull on the means, standardised (g, r, r)."""
        columns, at = self.overall.columns, self.means_with_prior(strength)
        pulled = np.sqrt(at.pull[:, columns]) * at.away[:, columns] / self.overall.scale[columns]
        pulled = pulled[None] if len(self.weight) < len(pulled) else pulled[:, None]
        parts = zip(self._standardized(0), self._standard_rounding(), self._ranks(), self.weight, pulled, strict=True)
        return np.stack(
            [self.overall.factor_of_sum(m, lost, rank, w, strength, pull) for m, lost, rank, w, pull in parts]
        )

    def means_with_prior(self, strength: float) -> Moved:
        """The means after `strength` pseudo-rows at the overall one (k, d)."""
        return moved(self.centre, 0.0, strength, CentredSums(self.observed, self.mean, 0.0, 0.0))

    def covariance(self, ddof: int) -> Floats:
        """As the data have it, nothing repaired (g, d, d); NaN where rows are too few."""
        left = self.rows - ddof * self.means
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(left > 0, self.deviations / left, np.nan))

    def _standardized(self, ddof: int) -> list[Floats]:
        left = self.rows - ddof * self.means
        return [self.overall.standardized(_divided(*part)) for part in zip(self.deviations, left, strict=True)]

    def _ranks(self) -> list[int]:
        """In how many directions the rows can vary; all where weights or missing cells hide their number."""
        r = len(self.overall.columns)
        if self.limited or self.rows.dtype.kind != "i" or self.rows.shape[1:] != (1, 1):
            return [r] * len(self.rows)
        return [max(0, min(r, int(rows))) for rows in (self.rows - self.means).ravel()]

    def _standard_rounding(self) -> Floats:
        columns = self.overall.columns
        return np.asarray(self.rounding[:, columns] / self.overall.scale[columns] / self.overall.scale[columns])


def _divided(deviations: Array, left: Array) -> Floats:
    """Covariance; 0 where there are no rows to divide by."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(left > 0, deviations / left, 0.0))


def _weakened(matrices: Array, weight: Array) -> Floats:
    """Matrices (g, d, d) of sums over some rows (g,), their off-diagonal entries times n / (n + d)."""
    d = matrices.shape[1]
    rows = np.maximum(weight, 0).astype(np.float64)[:, None, None]
    return np.asarray(np.where(np.eye(d, dtype=bool), matrices, matrices * (rows / (rows + d))))


def _rounding(statistic: Scatter) -> Floats:
    """The part of a variance (k, d) that summing, and the rounding of the values themselves, may have got wrong."""
    squares, cells = np.diagonal(statistic.second, axis1=1, axis2=2), statistic.observed
    off = 4 * statistic.features * EPSILON * np.abs(squares) + 4 * statistic.error
    return np.asarray(off / np.where(cells > 0, cells, 1)) + grain(statistic.mean)
