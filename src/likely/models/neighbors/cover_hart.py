"""What the error of the nearest neighbour says about the best error possible (Cover and Hart 1967).

With unlimited data the 1-nearest-neighbour error R and the Bayes error R* of K classes obey

    R* <= R <= R* (2 - K R* / (K - 1)),   so   (K - 1)/K (1 - sqrt(1 - K R / (K - 1))) <= R* <= R

and R is at most twice R*. Of n rows the leave-one-out error estimates R; it approaches the limit slowly where there are
many columns, so the bounds are those of an estimate. Its interval allows for neighbours that are wrong together.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.printing.html_table import as_html
from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.proportions import proportion_interval
from likely.models.neighbors.classifier import NearestNeighbors
from likely.models.neighbors.searching.left_out import NeighborTable
from likely.numeric.arrays import Floats, as_floats


class CoverHart(NamedTuple):
    """Bounds of the Bayes error, each with an interval."""

    error: Estimate  # of the nearest neighbour, by leave-one-out
    lower: Estimate  # of the Bayes error; its interval is that of the bound
    upper: Estimate
    classes: int

    def __str__(self) -> str:
        return (
            f"1-nearest-neighbour error {self.error.value:.4f}: the Bayes error is between {self.lower.value:.4f} "
            f"(interval from {self.lower.low:.4f}) and {self.upper.value:.4f} (interval to {self.upper.high:.4f})"
        )

    def _repr_html_(self) -> str:
        return as_html(str(self))


def cover_hart(
    X: TableLike, y: TargetLike = None, model: NearestNeighbors | None = None, confidence: float = 0.95
) -> CoverHart:
    """Bounds of the Bayes error from the leave-one-out error of the nearest neighbour.

    `model` says the distance; its n_neighbors is taken to be 1.

    >>> rng = np.random.default_rng(0)
    >>> y = rng.random(2_000) < 0.2
    >>> found = cover_hart(rng.random((2_000, 1)), y)
    >>> bool(found.lower.low <= 0.2 <= found.upper.high)
    True
    """
    base = NearestNeighbors() if model is None else model
    single = type(base)(**{**base.get_params(deep=False), "n_neighbors": 1, "alpha": 0.0})
    table = single.parted(X, y)
    k = len(table.classes)
    if k < 2:
        raise InputError("y has only one class: there is no error to bound")
    posterior = single.out_of_fold(table, None, np.arange(len(table)))
    wrong = 1 - np.exp(posterior[np.arange(len(table)), table.known.y])
    n = len(table) / _design_effect(single, table, wrong)
    error = proportion_interval(float(wrong.mean()) * n, n, confidence=confidence)
    low, value, high = (float(bayes_error_below(at, k)) for at in (error.low, error.value, error.high))
    lower = Estimate(value, low, high, error.confidence, "Cover-Hart bound of a Wilson interval", error.n)
    return CoverHart(error, lower, error, k)


def _design_effect(single: NearestNeighbors, table: NeighborTable, wrong: Floats) -> float:
    """How many times the variance of the error is that of independent rows.

    Rows that are neighbours of each other are wrong together. Rows that no chain of neighbours joins are independent,
    so the variance is that of sums over such groups.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    share = float(wrong.mean())
    if not 0 < share < 1:
        return 1.0
    n = len(table)
    near = single.fit(table).kneighbors(n_neighbors=1).indices[:, 0]
    _, group = connected_components(csr_matrix((np.ones(n), (np.arange(n), near)), shape=(n, n)), directed=False)
    sums = np.bincount(group, wrong - share)
    return max(1.0, float(sums @ sums) / (n * share * (1 - share)))


def bayes_error_below(error: ArrayLike, classes: int = 2) -> Any:
    """The least Bayes error that the limit of the nearest neighbour's error allows.

    Parameters
    ----------
    error : of the nearest neighbour with many rows; a number, or several

    >>> bayes_error_below(0.32)
    0.2
    """
    if classes < 2:
        raise InputError(f"an error is made among at least two classes, got {classes}")
    rate = as_floats(error, "error")
    share = (classes - 1) / classes
    found = share * (1 - np.sqrt(np.maximum(1 - rate / share, 0.0)))
    return float(np.round(found, 15)) if found.ndim == 0 else found


def nearest_neighbor_limit(posterior: ArrayLike) -> float:
    """The error of the nearest neighbour with unlimited data, where the classes have these probabilities everywhere.

    Both the row and its neighbour draw their classes: 1 - sum p^2. Rows (n, k) of probabilities are averaged.

    >>> round(nearest_neighbor_limit([0.2, 0.8]), 12)
    0.32
    """
    p: Floats = np.atleast_2d(as_floats(posterior, "the probabilities"))
    if (p < 0).any() or not np.allclose(p.sum(axis=1), 1):
        raise InputError("each row must hold probabilities, which sum to 1")
    return float((1 - (p**2).sum(axis=1)).mean())
