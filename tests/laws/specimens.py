"""Specimens, keyed by class: how to make data and options for whatever the laws are checked on.

A class that is discovered and has no specimen fails a test, so nothing new escapes the laws.
"""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from statistic_laws import GROUPS
from statistic_laws import Specimen as Statistic

from likely.statistics import Additive, CategoryCounts, Codes, Joint, Labelled, Membership, Moments
from likely.statistics.categories import sort_key
from likely.statistics.log_moments import LogMoments
from likely.statistics.pairs import PairCounts
from likely.statistics.rows import Rows
from likely.statistics.scatter import Scatter
from likely.statistics.totals import Totals
from likely.statistics.values import ValueCounts

NAN = float("nan")
WIDTH = 2  # columns of the rows of statistics

# Where real numbers lie and how large they are: about 0, about 1e8 with deviation 1, and at the ends of the range
# whose squares are numbers.
REAL_WORLDS = ((0.0, 1.0), (1e8, 1.0), (0.0, 2.0**-500), (0.0, 2.0**498))
POSITIVE_WORLDS = ((0.0, 1.0), (1e8, 1.0), (0.0, 2.0**-900), (0.0, 2.0**900))


def numbers(*pool: float) -> Any:
    def row(world: tuple[float, float]) -> st.SearchStrategy[tuple[float, ...]]:
        offset, unit = world
        cell = st.sampled_from([*pool, NAN]).map(lambda v: (v + offset) * unit)
        return st.tuples(*[cell] * WIDTH)

    return row


def levels(world: None) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(st.sampled_from(["red", "green", "blue", None]), st.sampled_from([3, 1, 20, 1.5, None]))


def matrix(rows: list[tuple[Any, ...]]) -> Any:
    return np.array(rows, dtype=np.float64).reshape(len(rows), WIDTH)


def codes(rows: list[tuple[Any, ...]], width: int = WIDTH) -> Codes:
    """Each batch with its own levels, in the order in which they turn up."""
    names = [tuple(dict.fromkeys(row[j] for row in rows if row[j] is not None)) for j in range(width)]
    x = [[-1 if row[j] is None else names[j].index(row[j]) for j in range(width)] for row in rows]
    table = np.array(x, dtype=np.int32).reshape(len(rows), width)
    return Codes(table, np.zeros(width, dtype=np.int64), tuple(names))


def sorted_codes(rows: list[tuple[Any, ...]], width: int = WIDTH) -> Codes:
    """All levels of all rows in order."""
    names = [tuple(sorted({row[j] for row in rows if row[j] is not None}, key=sort_key)) for j in range(width)]
    x = [[-1 if row[j] is None else names[j].index(row[j]) for j in range(width)] for row in rows]
    table = np.array(x, dtype=np.int32).reshape(len(rows), width)
    return Codes(table, np.zeros(width, dtype=np.int64), tuple(names))


def of_numbers(statistic: type[Any], **options: Any) -> Any:
    return lambda rows, membership: statistic.of(matrix(rows), membership, **options)


def joint(rows: list[tuple[Any, ...]], membership: Membership) -> Joint:
    real, nominal = [row[:WIDTH] for row in rows], [row[WIDTH:] for row in rows]
    parts = (Moments.of(matrix(real), membership), CategoryCounts.of(codes(nominal), membership))
    return Joint(membership.totals(), parts)


def labelled(rows: list[tuple[Any, ...]], membership: Membership) -> Labelled:
    """Only the classes of these rows, so that others turn up later."""
    given = joint(rows, membership)
    present = np.flatnonzero(np.asarray(membership.as_shares()).any(axis=0))
    names = tuple("abc"[:GROUPS][i] for i in present)
    return Labelled(names, given.taken(present))


def mixed_row(world: tuple[float, float]) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.tuples(REALS(world), levels(None)).map(lambda pair: (*pair[0], *pair[1]))


REALS = numbers(-2.5, -1.0, 0.0, 0.5, 3.0)
POSITIVES = numbers(0.25, 1.0, 1.5, 3.0)
COUNTS = numbers(0.0, 1.0, 2.0, 7.0)

STATISTICS: dict[type[Any], tuple[Statistic, ...]] = {
    Additive: (Statistic("weights", lambda rows, membership: Additive(membership.totals()), levels),),
    Moments: (Statistic("moments", of_numbers(Moments), REALS, REAL_WORLDS),),
    Scatter: (Statistic("scatter", of_numbers(Scatter), REALS, REAL_WORLDS),),
    LogMoments: (Statistic("log_moments", of_numbers(LogMoments), POSITIVES, POSITIVE_WORLDS),),
    Totals: (
        Statistic("counts", of_numbers(Totals), COUNTS, ((0.0, 1.0),)),
        Statistic("amounts", of_numbers(Totals), REALS, REAL_WORLDS),
    ),
    CategoryCounts: (Statistic("levels", lambda rows, m: CategoryCounts.of(codes(rows), m), levels),),
    PairCounts: (Statistic("pairs", lambda rows, m: PairCounts.of(codes(rows), m), levels),),
    ValueCounts: (
        Statistic("values", of_numbers(ValueCounts), REALS, REAL_WORLDS),
        Statistic("cells", of_numbers(ValueCounts, max_values=4), REALS, REAL_WORLDS),
    ),
    Rows: (Statistic("rows", of_numbers(Rows), REALS, REAL_WORLDS),),
    Joint: (Statistic("joint", joint, mixed_row, REAL_WORLDS),),
    Labelled: (Statistic("labelled", labelled, mixed_row, REAL_WORLDS),),
}
