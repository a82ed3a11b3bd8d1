"""Weights to start from: those of Gaussian classes of one covariance, in closed form.

If the classes were Gaussian with one covariance, the log odds would be linear with these weights; whatever they are,
ascent from there takes fewer steps than from 0. Of many columns the covariance is taken as diagonal (naive Bayes).
"""

from dataclasses import dataclass

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.models.learning.designed import DesignedRows
from likely.models.linear.least_squares.normal_equations import shared_gaussian
from likely.numeric.arrays import Floats, dense, frozen
from likely.statistics import Membership, Scatter

_FEW = 500  # columns of which all products are summed


def generative_start(rows: Source[DesignedRows], classes: int) -> Floats:
    """Weights (vectors, m + 1) of rows whose last column is the constant; two classes have one vector."""
    width = next(iter(rows.batches())).x.shape[1] - 1
    engine = engines.current()
    if width <= _FEW:
        seen: Scatter = engine.fold(rows, _Products(classes))
        weight = np.asarray(seen.weight, dtype=np.float64)
        coef, constant = shared_gaussian(seen.mean, seen.deviations.sum(axis=0), weight)
    else:
        sums = engine.fold(rows, _Squares(classes))  # (k, 1 + 2 width)
        weight, first, second = sums[:, 0], sums[:, 1 : width + 1], sums[:, width + 1 :]
        mean = first / weight[:, None]
        spread = np.maximum((second - first * mean).sum(axis=0) / weight.sum(), 1e-9)
        coef = mean / spread
        constant = np.log(weight / weight.sum()) - 0.5 * (mean**2 / spread).sum(axis=1)
    weights = np.column_stack([coef, constant])
    return weights[[1]] - weights[[0]] if classes == 2 else weights - weights.mean(axis=0)


@dataclass(frozen=True)
class _Products:
    classes: int

    def __call__(self, rows: DesignedRows) -> Scatter:
        x = np.ascontiguousarray(dense(rows.x[:, :-1]))
        return Scatter.of(frozen(x), Membership.of_labels(rows.codes, self.classes, rows.weight))


@dataclass(frozen=True)
class _Squares:
    classes: int

    def __call__(self, rows: DesignedRows) -> Floats:
        weight = np.ones(len(rows.codes)) if rows.weight is None else rows.weight
        share = np.zeros((len(weight), self.classes))
        share[np.arange(len(weight)), rows.codes] = weight
        x = rows.x[:, :-1]
        squares = x.multiply(x) if hasattr(x, "indptr") else x**2
        return np.column_stack([share.sum(axis=0), np.asarray(x.T @ share).T, np.asarray(squares.T @ share).T])
