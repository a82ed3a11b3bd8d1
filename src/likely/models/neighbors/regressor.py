"""The weighted mean of the amounts of the k nearest rows.

f(x) = sum w_i y_i / sum w_i        over the k nearest; over all rows with n_neighbors=None (Shepard's method)
"""

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.distances.pairs import Metric
from likely.data.labels.target import read_amounts
from likely.data.labels.weights import learning_weight
from likely.errors import InputError
from likely.models.estimator import Regressor
from likely.models.neighbors.fitting.tuning import Tuning, tuned
from likely.models.neighbors.neighbor_model import NeighborModel
from likely.models.neighbors.searching.known import Known
from likely.models.neighbors.searching.left_out import NeighborTable, each_left_out
from likely.models.neighbors.searching.reading import aligned_rows
from likely.models.neighbors.searching.search import Neighborhoods
from likely.models.neighbors.searching.votes import weighted_means
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Floats, Ints, PerRow


class NearestNeighborsRegressor(NeighborModel, Regressor):
    """k-nearest-neighbour regression for tables of any kinds, with gaps.

    Parameters are those of `NearestNeighbors` that do not speak of classes; the distance "hvdm" is for classes alone.

    Examples
    --------
    >>> from likely import NearestNeighborsRegressor
    >>> X, y = [[1], [2], [4], [8]], [10, 20, 40, 80]
    >>> NearestNeighborsRegressor(n_neighbors=3).fit(X, y).predict([[0]]).round(3)
    array([23.333])
    >>> NearestNeighborsRegressor(n_neighbors=None, weights="inverse_square").fit(X, y).predict([[0], [2]]).round(3)
    array([14.118, 20.   ])
    """

    tuning_: Tuning

    def __init__(
        self,
        n_neighbors: int | None = 5,
        weights: str | Callable[..., Any] = "uniform",
        metric: Metric = "euclidean",
        p: float = 2.0,
        scale: str | None = "auto",
        feature_weights: ArrayLike | str | None = None,
        bandwidth: float = 1.0,
        algorithm: str = "auto",
        kinds: Kinds = "auto",
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.metric = metric
        self.p = p
        self.scale = scale
        self.feature_weights = feature_weights
        self.bandwidth = bandwidth
        self.algorithm = algorithm
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Keep rows X with amounts y; a row of weight w counts as w rows."""
        self._check_parameters()
        with self._anew():
            self._settle(_weighing(self._rows(X, y, sample_weight)))
        return self

    def partial_fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Keep more rows."""
        with self._onward():
            if not self.__sklearn_is_fitted__():
                return self.fit(X, y, sample_weight)
            self._settle(self.known_ + _weighing(self._rows(X, y, sample_weight)))
        return self

    def forget(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Self:
        """Unlearn rows, changing this model, which is returned; those not learned, with this amount, are refused."""
        with self._onward():
            self._check_fitted()
            self._settle(self.known_.without(self._rows(X, y, sample_weight)))
        return self

    def merge(self, other: Self) -> Self:
        """Merge two models into a new one of the rows of both; neither of them changes."""
        one, two, united = self._side_by_side(other)
        united._settle(one.known_ + two.known_)
        return united

    @of_one_state
    def predict(self, X: TableLike) -> Floats:
        """The amount of each row."""
        self._check_fitted()
        known = self.known_

        def mean(_: slice, near: Neighborhoods) -> Floats:
            return weighted_means(near, self._weigh(near), known.y)

        return np.concatenate(self.search_.each(self._points(X), self._k, mean))

    def out_of_fold(self, X: TableLike, y: TargetLike, folds: ArrayLike, sample_weight: PerRow = None) -> Floats:
        """Amounts (n,) predicted for every row by its neighbours in other folds; a fold a row is leave-one-out."""
        fresh = type(self)(**self.get_params(deep=False))
        fresh._check_parameters()
        known = fresh._rows(X, y, sample_weight)
        named = np.asarray(folds)
        if named.shape != (len(known),):
            raise InputError(f"folds has shape {named.shape} for {len(known)} rows: give one per row")

        def mean(_: Ints, near: Neighborhoods) -> Floats:
            return weighted_means(near, self._weigh(near), known.y)

        return each_left_out(self, known, named, mean, self._k)

    def tune(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None, **choices: Any) -> Self:
        """Choose parameters by leave-one-out, set them, and fit; `tuning_` has the figures of all that were tried.

        Choices are lists of values by parameter, as in `NearestNeighbors.tune`; `scoring` is "squared_error" (the
        default) or "absolute_error". The figure of the best is that of a choice, and a little better than the truth.

        >>> rng = np.random.default_rng(0)
        >>> X = rng.random((200, 1))
        >>> y = X[:, 0] + rng.normal(size=200) / 2
        >>> NearestNeighborsRegressor().tune(X, y, n_neighbors=[1, 5, 40]).n_neighbors
        40
        """
        fresh = type(self)(**self.get_params(deep=False))
        known = _weighing(fresh._rows(X, y, sample_weight))
        found = tuned(self, NeighborTable(self, known), choices)
        self.set_params(**found.parameters)
        self._check_parameters()
        with self._anew():
            self._settle(known)
        self.tuning_ = found
        return self

    def _rows(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> Known:
        data, amounts, plan = aligned_rows(self, X, y)
        values, weight = read_amounts(amounts, data.rows), learning_weight(sample_weight, data.rows)
        share = np.ones(len(values)) if weight is None else np.asarray(weight, dtype=np.float64)
        return Known(plan, plan.cells(data, learning=True), values, share)

    def _settle(self, known: Known) -> None:
        self._become({"known_": known, "search_": self._search_of(known)})
        self._remember(known.plan.schema)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.metric == "hvdm":
            raise InputError("the distance 'hvdm' compares levels by their classes; amounts have none: use 'gower'")


def _weighing(known: Known) -> Known:
    """The rows that weigh something."""
    if (known.weight > 0).all():
        return known
    rows = np.flatnonzero(known.weight > 0)
    if not len(rows):
        raise InputError("every row weighs nothing: there is nothing to learn from")
    return known.taken(rows)
