"""The additive statistics: sums over rows that merge, forget and discount.

Every statistic describes k groups (classes, clusters) at once and supports `a + b`, `a - b` and `a * w`.

Moments, Scatter, LogMoments, Totals                           sums of numbers, their squares, products and logarithms
CategoryCounts, PairCounts, ValueCounts                        counts of levels, of pairs of levels, of whole numbers
Rows, Labelled, SideBySide                                     the rows; statistics within classes, and side by side
sum_of, all_but_one, all_but_two                               sums of many, and of all folds but one or two

What second moments say:

covariance, column_correlations                                of the columns of rows
covariance_from, correlation                                   from variances and correlations; and back
mahalanobis, whitening                                         distances in units of a covariance, and what removes it
is_symmetric, is_positive_definite, is_positive_semidefinite   tests of a matrix
gram_matrix, quadratic_form, trace, determinant                products and figures of a matrix
eigenpairs, inverse                                            its axes, and its inverse
"""

from likely.numeric.linear.covariance import (
    correlation,
    covariance_from,
    is_positive_definite,
    is_positive_semidefinite,
    is_symmetric,
    mahalanobis,
    whitening,
)
from likely.numeric.linear.matrices import determinant, eigenpairs, gram_matrix, inverse, quadratic_form, trace
from likely.statistics.additive import Additive, fixed, sum_of, tally, total
from likely.statistics.counting.categories import CategoryCounts, Codes
from likely.statistics.counting.joint_counts import JointCounts
from likely.statistics.counting.pairs import PairCounts
from likely.statistics.counting.triple_counts import TripleCounts
from likely.statistics.counting.values import ValueCounts
from likely.statistics.labelled import Labelled
from likely.statistics.leaving_out import all_but_one, all_but_two
from likely.statistics.membership import Membership
from likely.statistics.rows import Rows
from likely.statistics.side_by_side import SideBySide
from likely.statistics.summing.correlations import column_correlations, covariance
from likely.statistics.summing.log_moments import LogMoments
from likely.statistics.summing.moments import Moments
from likely.statistics.summing.scatter import Scatter
from likely.statistics.summing.totals import Totals

__all__ = [
    "Additive",
    "CategoryCounts",
    "Codes",
    "JointCounts",
    "Labelled",
    "LogMoments",
    "Membership",
    "Moments",
    "PairCounts",
    "Rows",
    "Scatter",
    "SideBySide",
    "Totals",
    "TripleCounts",
    "ValueCounts",
    "all_but_one",
    "all_but_two",
    "column_correlations",
    "correlation",
    "covariance",
    "covariance_from",
    "determinant",
    "eigenpairs",
    "fixed",
    "gram_matrix",
    "inverse",
    "is_positive_definite",
    "is_positive_semidefinite",
    "is_symmetric",
    "mahalanobis",
    "quadratic_form",
    "sum_of",
    "tally",
    "total",
    "trace",
    "whitening",
]
