"""How well rows sit in their clusters, and how alike two clusterings are.

    silhouette of a row = (b - a) / max(a, b)

a is its mean distance to the other rows of its cluster, b that to the rows of the nearest other cluster: 1 for rows
deep inside clusters far apart, 0 between two, below 0 in the wrong one (Rousseeuw, 1987). A row alone has 0.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike
from likely.data.columns.kinds import Kinds
from likely.data.design import Design
from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence
from likely.models.clustering.joining import distances, nan_distances
from likely.numeric.arrays import Array, Floats, Ints, in_brief
from likely.numeric.random_state import Seed, as_generator

_BLOCK = 1 << 22  # distances held at a time
_MOST = 10_000  # rows, beyond which some are drawn


@dataclass(frozen=True)
class Silhouettes:
    """The silhouette of every row that was looked at."""

    rows: Ints  # (m,)  their numbers
    labels: Ints  # (m,)  their clusters
    values: Floats  # (m,)  their silhouettes, from -1 to 1
    mean: Estimate

    __repr__ = in_brief

    def by_cluster(self) -> dict[int, float]:
        """The mean of each cluster."""
        return {int(c): float(self.values[self.labels == c].mean()) for c in np.unique(self.labels)}


def silhouette(
    X: TableLike,
    labels: ArrayLike,
    *,
    standardize: bool = False,
    kinds: Kinds = None,
    confidence: float = 0.95,
    random_state: Seed = 0,
) -> Silhouettes:
    """Silhouettes of rows X with these clusters (n,), by Euclidean distances; of more than 10,000 rows, of a sample.

    The interval says what other rows of the same kind would give in these clusters: a row counts by its own silhouette
    and by what it does to those of all others.

    >>> found = silhouette([[0.0], [1.0], [10.0], [11.0]], [0, 0, 1, 1])
    >>> found.values.round(3).tolist()
    [0.905, 0.895, 0.895, 0.905]
    >>> round(found.mean.value, 2)
    0.9
    """
    return silhouettes_of(matrix_of(X, standardize, kinds), np.asarray(labels), confidence, random_state)


def silhouettes_of(x: Floats, labels: Array, confidence: float = 0.95, random_state: Seed = 0) -> Silhouettes:
    """The same of a matrix."""
    if labels.shape != (len(x),):
        raise InputError(f"{len(x)} rows need as many labels, got shape {labels.shape}")
    rows = np.arange(len(x))
    if len(x) > _MOST:
        rows = np.sort(as_generator(random_state).choice(len(x), _MOST, replace=False))
    names, codes = np.unique(labels[rows], return_inverse=True)
    if len(names) < 2:
        raise InputError("silhouettes compare clusters: labels must have two different values at least")
    values, moved = _values(x[rows], codes, len(names))
    return Silhouettes(rows, names[codes], values, _mean(values, moved, confidence))


def _mean(values: Floats, moved: Floats, confidence: float) -> Estimate:
    """The mean with an interval, from how far each row moves it: its own silhouette, and those of all others."""
    from scipy.special import stdtrit

    check_confidence(confidence)
    n, value = len(values), float(values.mean())
    error = float(np.sqrt(np.square(values - value + moved).sum() / (n * max(n - 1, 1))))
    reach = float(stdtrit(max(n - 1, 1), 0.5 + confidence / 2)) * error
    ends = max(value - reach, -1.0), min(value + reach, 1.0)
    return Estimate(value, *ends, confidence, "infinitesimal jackknife", n, error)


def adjusted_rand(one: ArrayLike, other: ArrayLike) -> float:
    """How alike two clusterings of the same rows are: 1 if equal but for the names, 0 as by chance on average.

    >>> adjusted_rand([0, 0, 1, 1], ["b", "b", "a", "a"]), round(adjusted_rand([0, 0, 1, 1], [0, 1, 0, 1]), 3)
    (1.0, -0.5)
    """
    a, b = (np.unique(np.asarray(each), return_inverse=True)[1] for each in (one, other))
    if a.shape != b.shape or a.ndim != 1:
        raise InputError(f"two clusterings of the same rows are of one length, got {a.shape} and {b.shape}")
    table = np.bincount(a * (b.max() + 1) + b, minlength=(a.max() + 1) * (b.max() + 1)).astype(np.float64)
    both, first, second = (_pairs(count) for count in (table, np.bincount(a), np.bincount(b)))
    every = len(a) * (len(a) - 1) / 2
    expected = first * second / every if every else 0.0
    most = (first + second) / 2
    return float((both - expected) / (most - expected)) if most != expected else 1.0


def matrix_of(X: TableLike, standardize: bool, kinds: Kinds) -> Floats:
    """A table as rows of numbers, NaN for a gap."""
    return design_and_matrix(X, standardize, kinds)[1]


def design_and_matrix(X: TableLike, standardize: bool, kinds: Kinds) -> tuple[Design, Floats]:
    """The same, with what its columns are."""
    design = Design.of(X, kinds, standardize=standardize, gaps="kept")
    found = design.transform(X)
    return design, np.asarray(found.toarray() if hasattr(found, "indptr") else found, dtype=np.float64)


def _values(x: Floats, codes: Ints, k: int) -> tuple[Floats, Floats]:
    """Silhouettes (n,), and what a little more weight of each row adds to the sum of those of the others (n,).

    A row j with a <= b has 1 - a / b, otherwise b / a - 1. More weight of a row i of its cluster moves its a by (the
    distance to i, less a) / (rows - 1), more weight of one of the nearest other cluster its b in the same way.
    """
    size = np.bincount(codes, minlength=k).astype(np.float64)
    member = np.eye(k)[codes]  # (n, k)
    gaps = bool(np.isnan(x).any())
    out, moved = np.zeros(len(x)), np.zeros(len(x))
    block = max(1, _BLOCK // len(x))
    for at in range(0, len(x), block):
        some = slice(at, at + block)
        apart = nan_distances(x[some], x) if gaps else distances(x[some], x, "euclidean")
        own = codes[some]
        rows = np.arange(len(own))
        apart[rows, at + rows] = 0.0  # of a row without a cell too
        sums = apart @ member
        inside = sums[rows, own] / np.maximum(size[own] - 1, 1)
        mean = sums / size
        mean[rows, own] = np.inf
        near = mean.argmin(axis=1)
        outside = mean[rows, near]
        most = np.maximum(inside, outside)
        counts = (size[own] > 1) & (most > 0)
        ratio = np.divide(np.minimum(inside, outside), most, out=np.ones(len(own)), where=most > 0)
        deep = inside <= outside
        out[some] = np.where(counts, np.where(deep, 1 - ratio, ratio - 1), 0.0)
        slope = np.divide(1.0, most, out=np.zeros(len(own)), where=counts)
        of_inside = -np.where(deep, slope, ratio * slope) / np.maximum(size[own] - 1, 1)
        of_outside = np.where(deep, ratio * slope, slope) / size[near]
        weight, middle = np.zeros((len(own), k)), np.zeros((len(own), k))
        weight[rows, own], middle[rows, own] = of_inside, inside
        weight[rows, near], middle[rows, near] = of_outside, outside
        moved += (weight.T @ apart)[codes, np.arange(len(x))] - (weight * middle).sum(axis=0)[codes]
        moved[some] += of_inside * inside  # no row is among the others of its own cluster
    return out, moved


def _pairs(count: Array) -> float:
    return float((count * (count - 1) / 2).sum())
