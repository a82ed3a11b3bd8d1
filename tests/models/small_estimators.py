"""The smallest honest estimator of each kind: what `likely.models.estimator` and `columns` give, and a formula."""

from typing import Any, Self

import numpy as np

from likely.data.columns.encoding import Part, encode
from likely.data.columns.schema import Schema, schema_of
from likely.data.inputs import Input, whole_table
from likely.data.labels.target import read_amounts, split_target
from likely.data.labels.weights import read_weight
from likely.errors import InputError
from likely.models.estimator import Clusterer, Regressor, Transformer
from likely.numeric.arrays import Floats, Ints


def matrix(data: Input, schema: Schema, learning: bool = False) -> Floats:
    """All columns as numbers, NaN for a missing cell."""
    part = Part(tuple(range(schema.width)), "real")
    return np.asarray(encode(whole_table(data), (part,), schema, 0, learning)[0], dtype=np.float64)


class Line(Regressor):
    """Least squares with a small ridge; a missing cell has its column's mean."""

    def __init__(self, ridge: float = 1e-3) -> None:
        self.ridge = ridge

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        with self._anew():
            data, given = split_target(self._read(X), y)
            amounts = read_amounts(given, data.rows)
            weight = read_weight(sample_weight, len(amounts))
            weight = np.ones(len(amounts)) if weight is None else weight
            self._remember(schema_of(data, "numeric"))
            x = matrix(data, self.schema_, learning=True)
            seen = weight[:, None] * ~np.isnan(x)
            self.centre_ = (seen * np.nan_to_num(x)).sum(axis=0) / np.maximum(seen.sum(axis=0), 1e-300)
            x = np.where(np.isnan(x), self.centre_, x) - self.centre_
            self.intercept_ = float(np.average(amounts, weights=weight))
            square = x.T @ (weight[:, None] * x)
            ridge = self.ridge * np.maximum(np.diag(square), 1e-9)
            self.coef_ = np.linalg.solve(square + np.diag(ridge), x.T @ (weight * (amounts - self.intercept_)))
        return self

    def predict(self, X: Any) -> Floats:
        x = matrix(self._query(X), self.schema_)
        x = np.where(np.isnan(x), self.centre_, x) - self.centre_
        return np.asarray((x * self.coef_).sum(axis=1) + self.intercept_)


class Units(Transformer):
    """Columns about their means, in units of their deviations; a missing cell is 0."""

    def __init__(self) -> None:
        pass

    def fit(self, X: Any, y: Any = None) -> Self:
        with self._anew():
            data = self._read(X)
            self._remember(schema_of(data, "numeric"))
            x = matrix(data, self.schema_, learning=True)
            known = ~np.isnan(x)
            count = np.maximum(known.sum(axis=0), 1)
            self.mean_ = np.where(known, x, 0.0).sum(axis=0) / count
            spread = np.sqrt((np.where(known, x - self.mean_, 0.0) ** 2).sum(axis=0) / count)
            self.scale_ = np.where(spread > 0, spread, 1.0)
        return self

    @property
    def n_features_out_(self) -> int:
        return self.n_features_in_

    def _transform(self, data: Input) -> Floats:
        return np.nan_to_num((matrix(data, self.schema_) - self.mean_) / self.scale_)


class Centres(Clusterer):
    """Centres, each moved to the mean of the rows nearest to it; a missing cell has its column's mean."""

    def __init__(self, n_clusters: int = 2, max_iter: int = 20, random_state: int = 0) -> None:
        self.n_clusters = n_clusters
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        with self._anew():
            data = self._read(X)
            self._remember(schema_of(data, "numeric"))
            x = matrix(data, self.schema_, learning=True)
            known = ~np.isnan(x)
            self.mean_ = np.where(known, x, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
            x = np.where(known, x, self.mean_)
            if len(x) < self.n_clusters:
                raise InputError(f"n_samples={len(x)} rows cannot make {self.n_clusters} clusters")
            order = np.random.default_rng(self.random_state).permutation(len(x))
            self.cluster_centers_ = x[order[: self.n_clusters]]
            for passed in range(self.max_iter):
                self.n_iter_ = passed + 1
                near = self._nearest(x)
                groups = [x[near == k] for k in range(self.n_clusters)]
                before = self.cluster_centers_
                self.cluster_centers_ = np.array(
                    [rows.mean(axis=0) if len(rows) else old for rows, old in zip(groups, before, strict=True)]
                )
                if np.array_equal(before, self.cluster_centers_):
                    break
            self.labels_ = self._nearest(x)
        return self

    def predict(self, X: Any) -> Ints:
        x = matrix(self._query(X), self.schema_)
        return self._nearest(np.where(np.isnan(x), self.mean_, x))

    def _nearest(self, x: Floats) -> Ints:
        return np.asarray(((x[:, None] - self.cluster_centers_) ** 2).sum(axis=2).argmin(axis=1))
