"""Rows that stored ones would answer wrong where several are equally near, and that being stored would put right."""

import numpy as np

from likely.data.distances.table_distance import Points, TableDistance
from likely.numeric.arrays import Floats, Ints

_BLOCK = 256
_EQUAL = 1e-12  # distances that differ by less are the same, as in a search


def misread(distance: TableDistance, points: Points, y: Ints, classes: int, stored: Ints) -> Ints:
    """Rows to store with `stored`, so that every row is told right by the classes of those nearest to it.

    The equally near have a vote each, and a row is told right if its class has more than any other: equal votes would
    leave it to the names. Rows that a row of another class equals stay as they are: nothing that is stored can tell
    them apart.
    """
    every = np.arange(len(y))
    mine = distance.pairs(points, points, every, every) * (1 + _EQUAL)  # above 0 where a row has gaps
    near, votes = _told(distance, points, y, classes, stored)
    can = np.ones(len(y), dtype=bool)
    can[stored] = False
    more = list[int]()
    while True:
        others = votes.copy()
        others[every, y] = -1.0
        wrong = np.flatnonzero(can & (votes[every, y] <= others.max(axis=1)) & (near > mine))
        if not len(wrong):
            return np.array(more, dtype=np.int64)
        new = int(wrong[0])
        more.append(new)
        can[new] = False
        apart = distance.pairs(points, points, every, np.full(len(y), new))
        closer = apart < near * (1 - _EQUAL)
        votes[closer] = 0.0
        votes[apart <= near * (1 + _EQUAL), y[new]] += 1.0
        near = np.where(closer, apart, near)


def _told(distance: TableDistance, points: Points, y: Ints, classes: int, stored: Ints) -> tuple[Floats, Floats]:
    """The least distance (n,) of each row to a stored one, and the votes (n, k) of those at it."""
    known, said = points.at(stored), np.eye(classes)[y[stored]]
    near, votes = np.empty(len(y)), np.empty((len(y), classes))
    for start in range(0, len(y), _BLOCK):
        rows = slice(start, start + _BLOCK)
        apart = distance.tile(points.at(rows), known)
        near[rows] = apart.min(axis=1)
        votes[rows] = (apart <= near[rows, None] * (1 + _EQUAL)) @ said
    return near, votes
