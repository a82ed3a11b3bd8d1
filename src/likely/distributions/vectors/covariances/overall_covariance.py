"""The overall covariance as the unit of spread, and what a group's covariance is where its data cannot say.

Let W be the covariance of all data together, all groups as one.

- A column that is constant, or a linear function of others over all data, carries no information: of such columns
  the first few that determine the rest are kept (`Overall.columns`), and the others follow them.
- A direction in which a group's variance is below DEGENERATE of what its own columns vary by, or lost in the rounding
  of its own sums and values, says nothing about the group's spread, however far away other groups are. In coordinates
  in which W is the unit matrix it is taken to have one pseudo-row of prior: variance 1 / (n + 1), in one dimension just
  as `GaussianFamily`.
- n rows about their mean vary in at most n - 1 directions (`rank`). What rounding leaves in the others, after most rows
  of a group have been forgotten say, is nothing.

Everything is done on W scaled to a diagonal of 1, so the units of the columns never matter.
"""

from dataclasses import dataclass
from typing import Self

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.linear.covariance import DEGENERATE, cholesky, independent_columns, lower_from_rows, solve_lower

EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class Overall:
    """The overall covariance of d columns, of which r determine the others.

    >>> matrix = np.array([[1.0, 10.0, 0.0], [10.0, 100.0, 0.0], [0.0, 0.0, 0.0]])
    >>> Overall.of(matrix, np.zeros(3)).columns  # the second column repeats the first, the third is constant
    array([0])
    """

    scale: Floats  # (d,)    deviation; 0: the column carries no information
    columns: Ints  # (r,)    in ascending order
    correlation: Floats  # (r, r)
    factor: Floats  # (r, r)  lower triangular, of the correlation
    relation: Floats  # (d, r)  each standardised column as a linear function of the r; 0: it carries no information

    @classmethod
    def of(cls, covariance: Array, rounding: Array, within: Array | None = None) -> Self:
        """`rounding` (d,) is how far each variance may be wrong, in units of itself.

        `within` (d, d) are products about the groups' own means: columns that are no functions of each other there are
        none, however close to a line the distances between the groups bring them.
        """
        variance = np.diagonal(covariance)
        varies = np.flatnonzero(variance > 0)
        scale = np.sqrt(np.maximum(variance, 0.0))
        correlation = standardized(covariance, scale, varies)
        np.fill_diagonal(correlation, 1.0)
        least = np.maximum(DEGENERATE, rounding[varies])
        kept, factor = independent_columns(correlation, least)
        if within is not None and len(kept) < len(varies) and _varies_everywhere(within[np.ix_(varies, varies)], least):
            apart = cholesky(correlation + np.diag(4 * len(varies) * DEGENERATE * np.ones(len(varies))))
            if apart is not None:
                kept, factor = np.arange(len(varies)), apart
        relation = np.zeros((len(variance), len(kept)))
        if len(kept) < len(varies):
            half = solve_lower(factor, correlation[kept])
            relation[varies] = solve_lower(factor, half, transposed=True).T
        relation[varies[kept]] = np.eye(len(kept))
        return cls(scale, varies[kept], correlation[np.ix_(kept, kept)], factor, relation)

    def standardized(self, covariance: Array) -> Floats:
        """A covariance (d, d) among the r columns, in units of the overall deviations (r, r)."""
        return standardized(covariance, self.scale, self.columns)

    def expanded(self, factor: Array) -> Floats:
        """A factor among the r columns, standardised (r, r), as one of all columns in their own units (d, r)."""
        return np.asarray(self.scale[:, None] * (self.relation @ factor))

    def factor_of(self, covariance: Array, rounding: Array, rank: int, unknown: float) -> Floats:
        """L with L L' = covariance (r, r), its variance `unknown` where the data cannot say."""
        if self.speaks_everywhere(covariance, rounding, rank):
            factor = cholesky(covariance)
            assert factor is not None
            return factor
        return np.asarray(self.factor @ lower_from_rows(self._known_rows(covariance, rounding, rank, unknown)))

    def factor_of_sum(
        self, covariance: Array, rounding: Array, rank: int, weight: float, prior: float, rows: Array
    ) -> Floats:
        """L with L L' = weight covariance + prior W + rows' rows, the first only where the data can say."""
        if self.speaks_everywhere(covariance, rounding, rank):
            factor = cholesky(weight * covariance + prior * self.correlation + rows.T @ rows)
            assert factor is not None
            return factor
        known = np.sqrt(weight) * self._known_rows(covariance, rounding, rank, 0.0)
        white = solve_lower(self.factor, rows.T).T
        everything = np.concatenate([known, np.sqrt(prior) * np.eye(len(self.columns)), white])
        return np.asarray(self.factor @ lower_from_rows(everything))

    def speaks_everywhere(self, covariance: Array, rounding: Array, rank: int, margin: float = 1.0) -> bool:
        """Whether a covariance (r, r) varies in every direction, `margin` times more than one that says nothing."""
        # What is surely left of the covariance has a Cholesky factor: no need to look for eigenvectors.
        least = np.diag(DEGENERATE * np.diagonal(covariance) + rounding)
        return rank >= len(self.columns) and cholesky(covariance - margin * least) is not None

    def _known_rows(self, covariance: Array, rounding: Array, rank: int, unknown: float) -> Floats:
        """A with A' A = the covariance where W is the unit matrix, `unknown` in the directions that say nothing."""
        half = solve_lower(self.factor, covariance)
        white = solve_lower(self.factor, half.T)
        value, vector = np.linalg.eigh((white + white.T) / 2)
        direction = solve_lower(self.factor, vector, transposed=True)  # in the standardised columns
        lost = (rounding + DEGENERATE * np.abs(np.diagonal(covariance))) @ direction**2 + EPSILON * len(value) * np.max(
            np.abs(value), initial=0.0
        )
        known = (value > lost) & (np.arange(len(value)) >= len(value) - rank)  # the values ascend
        value = np.where(known, value, unknown)
        return np.asarray(np.sqrt(value)[:, None] * vector.T)


def _varies_everywhere(products: Array, least: Array) -> bool:
    """Whether no column is a linear function of the others, up to `least` (d,) of its variance."""
    own = np.sqrt(np.maximum(np.diagonal(products), 0.0))
    if not (own > 0).all():
        return False
    return cholesky(products / own[:, None] / own - np.diag(least)) is not None


def standardized(covariance: Array, scale: Array, columns: Ints) -> Floats:
    """Some columns of a covariance in units of their scale, as a new array."""
    unit = scale[columns]
    return np.asarray(covariance[np.ix_(columns, columns)] / unit[:, None] / unit)
