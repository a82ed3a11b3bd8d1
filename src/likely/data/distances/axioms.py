"""The axioms of a metric, looked for in data: zero to itself, positive otherwise, symmetric, triangle inequality."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.data.distances.pairs import Metric, check_named, distance_matrix
from likely.errors import InputError
from likely.numeric.arrays import Floats

_MOST = 2_000  # rows whose triangles are all looked at


@dataclass(frozen=True)
class MetricCheck:
    """Which axioms a distance obeys on these rows; an example of the worst breach of the triangle inequality."""

    zero_to_itself: bool
    positive: bool  # False: a pseudo-metric, some different rows are no distance apart
    symmetric: bool
    triangle: bool
    worst: tuple[int, int, int] | None  # rows x, y, z with d(x, z) > d(x, y) + d(y, z); None: there are none
    excess: float  # by how much

    @property
    def metric(self) -> bool:
        """Whether nothing speaks against a metric."""
        return self.zero_to_itself and self.positive and self.symmetric and self.triangle

    def __str__(self) -> str:
        if self.metric:
            return "a metric, as far as these rows tell"
        broken = {
            "a row is not at distance 0 from itself": self.zero_to_itself,
            "different rows are no distance apart (a pseudo-metric)": self.positive,
            "it is not symmetric": self.symmetric,
        }
        said = [words for words, holds in broken.items() if not holds]
        if self.worst is not None:
            x, y, z = self.worst
            said.append(f"from row {x} to row {z} it is shorter through row {y}, by {self.excess:.4g}")
        return "no metric: " + "; ".join(said)


def check_metric(X: ArrayLike, metric: Metric = "euclidean", **options: Any) -> MetricCheck:
    """Look for breaches of the axioms among rows X, all pairs and all triangles; X may be a matrix of distances.

    For the latter give metric="precomputed". Differences that rounding explains are none.

    >>> print(check_metric([[0, 0], [0, 1], [1, 1]], "minkowski", p=0.8))
    no metric: from row 0 to row 2 it is shorter through row 1, by 0.3784
    >>> check_metric([[0, 0], [0, 1], [1, 1]]).metric
    True
    """
    check_named(metric)
    d = np.array(X, dtype=np.float64) if metric == "precomputed" else distance_matrix(X, None, metric, **options)
    if d.ndim != 2 or d.shape[0] != d.shape[1] or not np.isfinite(d).all():
        raise InputError(f"expected a square matrix of finite distances, got shape {d.shape}")
    if len(d) > _MOST:
        raise InputError(f"all triangles of {len(d):,} rows are too many: give at most {_MOST:,} of them")
    tol = 1e-9 * max(float(np.abs(d).max(initial=0.0)), np.finfo(np.float64).tiny)
    same = _equal_rows(X, d, metric)
    off = d[~same]
    worst, excess = _worst_triangle(d)
    return MetricCheck(
        bool((np.abs(np.diagonal(d)) <= tol).all()),
        bool((off > 0).all()),
        bool((np.abs(d - d.T) <= tol).all()),
        excess <= tol,
        worst if excess > tol else None,
        max(excess, 0.0),
    )


def _equal_rows(X: Any, d: Floats, metric: Metric) -> Any:
    if metric == "precomputed":
        return np.eye(len(d), dtype=bool)
    if metric == "edit":
        listed = list(X)
        return np.array([[a == b for b in listed] for a in listed]).reshape(len(d), len(d))
    rows = np.asarray(X)
    return (rows[:, None] == rows[None]).all(axis=2)


def _worst_triangle(d: Floats) -> tuple[tuple[int, int, int] | None, float]:
    worst, most = None, -np.inf
    for y in range(len(d)):
        excess = d - (d[:, y, None] + d[None, y, :])
        at = int(excess.argmax())
        if excess.flat[at] > most:
            most = float(excess.flat[at])
            x, z = np.unravel_index(at, d.shape)
            worst = int(x), y, int(z)
    return worst, float(most)
