"""What the classifier and the regressor of nearest neighbours share: their rows, their distance, their search.

Learning keeps the rows, so parts of a table in any order give the same model, and rows can be forgotten exactly. What
the distance takes from the rows (ranges, deviations) is learned from all that are kept, whenever they change.
"""

from collections.abc import Hashable, Sequence
from copy import copy
from typing import Any, NamedTuple, Self

import numpy as np

from likely.data.accepted import TableLike
from likely.data.columns.differences import how_columns_differ
from likely.data.distances.cells import CellPlan
from likely.data.distances.table_distance import Points, Range, TableDistance
from likely.data.inputs import Input
from likely.data.labels.target import class_array
from likely.data.printing.html_table import as_html
from likely.data.printing.text_table import aligned
from likely.data.printing.wording import counted
from likely.errors import InputError, check_choice
from likely.models.estimator import Estimator
from likely.models.neighbors.explain.neighbors_behind import Voters, voters
from likely.models.neighbors.searching.known import Known
from likely.models.neighbors.searching.reading import plan_of
from likely.models.neighbors.searching.search import Neighborhoods, Search
from likely.models.neighbors.searching.votes import check_weights, weigh
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints

ALGORITHMS = ("auto", "brute", "kd_tree")
_HEAD = ["query", "rows, nearest first (distance)"]
_SHOWN, _NEAREST = 10, 8  # queries, and rows near each
_MOST = 2**53  # neighbours: counts up to here are exact as floats


class NeighborList(NamedTuple):
    """The k nearest rows of each query, nearest first."""

    distances: Floats  # (n, k)
    indices: Ints  # (n, k)  of training rows

    def __str__(self) -> str:
        return "\n".join([self._title(), aligned([_HEAD, *self._lines()], left=(1,))])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return as_html(self._title(), _HEAD, self._lines())

    def _title(self) -> str:
        queries, k = self.indices.shape
        return f"{counted(k, 'nearest row')} of {counted(queries, 'query', 'queries')}: .indices and .distances"

    def _lines(self) -> list[list[str]]:
        """Of each of the first queries the nearest rows, with their distances."""
        lines = []
        for query, (far, rows) in enumerate(zip(self.distances[:_SHOWN], self.indices[:_SHOWN], strict=True)):
            near = zip(rows[:_NEAREST].tolist(), far[:_NEAREST].tolist(), strict=True)
            told = ", ".join(f"{row} ({distance:.4g})" for row, distance in near)
            lines.append([str(query), told + (" ..." if len(rows) > _NEAREST else "")])
        more = len(self.indices) - _SHOWN
        return lines if more <= 0 else [*lines, ["...", f"({more:,} more)"]]


class NeighborModel(Estimator):
    """Rows kept, and asked for those that are nearest."""

    _reads_levels = True

    n_neighbors: Any
    weights: Any
    metric: Any
    p: float
    scale: str | None
    feature_weights: Any
    bandwidth: float
    algorithm: str
    kinds: Any

    known_: Known
    search_: Search

    @of_one_state
    def kneighbors(self, X: TableLike | None = None, n_neighbors: int | None = None) -> NeighborList:
        """Distances and numbers of the nearest training rows of each row of X, nearest first.

        Of rows at the same distance the earlier comes first. Without X, the training rows are asked for, and none is a
        neighbour of its own.
        """
        self._check_fitted()
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        rows = len(self.known_) - (X is None)
        k = rows if k is None else min(_whole(k), rows)
        own = np.arange(len(self.known_)) if X is None else None

        def first(_: slice, near: Neighborhoods) -> tuple[Floats, Ints]:
            at = near.start[:-1, None] + np.arange(k)
            return near.distance[at], near.row[at]

        queries = self.search_.points if X is None else self._points(X)
        found = self.search_.of_rows.each(queries, k, first, own, own)
        return NeighborList(*(np.concatenate(part) for part in zip(*found, strict=True)))

    @of_one_state
    def neighbors(self, X: TableLike) -> Voters:
        """The neighbours behind each answer: their rows, distances, classes or amounts, and weights.

        `row` counts among the rows that may answer: of an `InstanceLearner` these are not all.
        """
        self._check_fitted()
        return voters(self, X)

    @property
    @of_one_state
    def distance_(self) -> TableDistance:
        """The distance between rows, as it was learned."""
        self._check_fitted()
        return self.search_.distance

    @property
    @of_one_state
    def n_samples_fit_(self) -> int:
        """How many rows are kept."""
        self._check_fitted()
        return len(self.known_)

    def _side_by_side(self, other: Self) -> tuple[Self, Self, Self]:
        """Two models that can be merged, as they are now, and a copy to become both."""
        if type(self) is not type(other):
            self._check_fitted()
            raise InputError(f"cannot merge {type(self).__name__} with {type(other).__name__}")
        one, two = self._as_it_is(), other._as_it_is()
        one._check_fitted()
        two._check_fitted()
        if not one.known_.alike(two.known_):
            why = how_columns_differ(one.schema_, two.schema_) or "fit both with the same kinds and levels"
            raise InputError(
                f"these models do not keep the same columns in the same way, so their rows cannot be merged: {why}"
            )
        return one, two, copy(one)

    def _search_of(self, known: Known, distance: TableDistance | None = None) -> Search:
        """The search among rows, by their own distance or by one that was learned from more."""
        distance = self._distance(known) if distance is None else distance
        return Search(distance, distance.points(known.cells), known.weight, self.algorithm)

    def _distance(self, known: Known, spans: Range | None = None) -> TableDistance:
        return TableDistance.learned(
            known.cells,
            known.plan,
            self.metric,
            self.p,
            self.scale,
            self.feature_weights,
            labels=self._labels(known),
            row_weight=known.weight,
            spans=spans,
        )

    def _labels(self, known: Known) -> tuple[Array, int] | None:
        """Codes of classes and how many there are, for a distance that compares by them."""
        return None

    def _plan(self, data: Input) -> CellPlan:
        return plan_of(data, self.kinds, self.metric)

    def _points(self, X: TableLike) -> Points:
        """Queries, ready to be compared; those that are so already are left as they are."""
        if isinstance(X, Points):
            return X
        cells = self.known_.plan.cells(self._query(X), learning=False)
        return self.search_.distance.points(cells.like(self.known_.cells))

    _ready = _points  # they stand for X

    def _weigh(self, near: Neighborhoods) -> Floats:
        return weigh(near, self.weights, float(self.bandwidth))

    @property
    def _k(self) -> float | None:
        return None if self.n_neighbors is None else float(self.n_neighbors)

    def _check_parameters(self) -> None:
        if self.n_neighbors is not None:
            _whole(self.n_neighbors)
        check_weights(self.weights, self.bandwidth)
        check_choice("algorithm", self.algorithm, ALGORITHMS)


class NeighborsWithClasses(NeighborModel):
    """Rows kept with their classes, and asked for those that are nearest."""

    classes_: Array  # (k,)
    class_count_: Floats  # (k,)  sum of weights
    class_prior_: Floats  # (k,)

    def _labels(self, known: Known) -> tuple[Array, int] | None:
        return known.y, int(known.y.max(initial=0)) + 1

    def _keep(self, known: Known, search: Search, classes: Sequence[Hashable], count: Floats) -> None:
        """Take over the rows that answer, and the classes with their weights among all rows."""
        self._become(
            {
                "known_": known,
                "search_": search,
                "classes_": class_array(classes),
                "class_count_": count,
                "class_prior_": count / count.sum(),
            }
        )
        self._remember(known.plan.schema)


def _whole(k: object) -> int:
    if not isinstance(k, int | np.integer) or isinstance(k, bool) or not 1 <= k <= _MOST:
        raise InputError(f"n_neighbors must be a whole number from 1 to {_MOST:,}, or None for all rows; got {k!r}")
    return int(k)
