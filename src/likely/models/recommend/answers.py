"""What a recommender is asked and what it answers: pairs in; neighbours, recommendations and contributions out."""

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from likely.data.accepted import TableLike
from likely.errors import InputError, check_whole
from likely.models.recommend.neighbourhood import Alike, Scores, falling
from likely.numeric.arrays import Ints


class Neighbour(NamedTuple):
    """Somebody, or something, alike.

    >>> Neighbour("Ann", similarity=0.9, distance=0.1, overlap=12).overlap
    12
    """

    name: Hashable
    similarity: float
    distance: float
    overlap: int  # ratings that both have


class Recommendation(NamedTuple):
    """An item that is not rated yet.

    >>> Recommendation("a film", score=4.5, support=7).item
    'a film'
    """

    item: Hashable  # its name
    score: float  # the rating that is expected
    support: int  # neighbours who say so


class Contribution(NamedTuple):
    """What one neighbour says of an item.

    >>> Contribution("Ann", 0.9, 4.0, 0.6).rating
    4.0
    """

    name: Hashable  # of a user, or of an item with by="item"
    similarity: float
    rating: float  # that it has
    share: float  # of the weight of all neighbours


def read_pairs(X: TableLike) -> tuple[list[Any], list[Any]]:
    """Users and items, from a list of pairs or a table with columns user and item."""
    if isinstance(X, list) and not X:
        return [], []
    if isinstance(X, list) and isinstance(X[0], tuple):
        return [pair[0] for pair in X], [pair[1] for pair in X]
    from likely.data.frames.tables import read_table

    table = read_table(X)
    names = ["user", "item"] if {"user", "item"} <= set(table.columns) else table.columns[:2]
    if len(names) < 2:
        raise InputError(f"pairs have columns user and item; got {', '.join(map(repr, table.columns))}")
    return table[names[0]].to_list(), table[names[1]].to_list()


def check_length(n: Any) -> int:
    """How many items a list may have."""
    check_whole("n", n)
    return int(n)


def best_places(found: Scores, wanted: Ints, n: int) -> Ints:
    """Places of the highest scores among items that a neighbour speaks for, then of the others.

    Of equal scores the one with more neighbours comes first, then in order of the items.
    """
    places = np.arange(len(wanted))
    spoken = found.number > 0
    if 0 < n < np.count_nonzero(spoken):  # only the best of these are put in order
        bar = np.partition(found.score[spoken], -n)[-n]
        places = np.flatnonzero(spoken & (found.score >= bar))
    keys = [wanted[places], -found.number[places], -found.score[places], found.number[places] == 0]
    return np.asarray(places[np.lexsort(keys)][:n])


def nearest_first(alike: Alike, names: tuple[Hashable, ...], n: int | None) -> list[Neighbour]:
    """Those who share a rating, the n most similar first; None: all."""
    seen = np.flatnonzero(alike.overlap > 0)
    order = seen[falling(alike.similarity[seen])][: len(seen) if n is None else check_length(n)]
    return [
        Neighbour(names[r], float(alike.similarity[r]), float(alike.distance[r]), int(alike.overlap[r])) for r in order
    ]
