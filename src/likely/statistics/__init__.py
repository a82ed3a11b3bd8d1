"""The additive statistics: sums over rows that merge, forget and discount.

Every statistic describes k groups (classes, clusters) at once and supports `a + b`, `a - b` and `a * w`.
"""

from likely.statistics.additive import Additive, sum_of
from likely.statistics.categories import CategoryCounts, Codes
from likely.statistics.labelled import Labelled
from likely.statistics.leaving_out import all_but_one, all_but_two
from likely.statistics.log_moments import LogMoments
from likely.statistics.membership import Membership
from likely.statistics.moments import Moments
from likely.statistics.pairs import PairCounts
from likely.statistics.rows import Rows
from likely.statistics.scatter import Scatter
from likely.statistics.side_by_side import SideBySide
from likely.statistics.totals import Totals
from likely.statistics.values import ValueCounts

__all__ = [
    "Additive",
    "CategoryCounts",
    "Codes",
    "Labelled",
    "LogMoments",
    "Membership",
    "Moments",
    "PairCounts",
    "Rows",
    "Scatter",
    "SideBySide",
    "Totals",
    "ValueCounts",
    "all_but_one",
    "all_but_two",
    "sum_of",
]
