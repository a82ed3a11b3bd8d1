"""Distances between two vectors or texts, and between all rows of two tables of numbers.

    hamming, zero_norm   sum_d [u_d != v_d]                        manhattan    sum_d |u_d - v_d|
    euclidean            sqrt(sum_d w_d (u_d - v_d)^2)             chebyshev    max_d |u_d - v_d|
    minkowski            (sum_d |u_d - v_d|^p)^(1/p)               mahalanobis  sqrt((u - v)' S^(-1) (u - v))
    edit                 fewest insertions, deletions and substitutions that make one text of the other

Weights multiply the terms; stretching axis d by z_d means w_d = z_d^2 for Euclid, and w_d = 0 drops the axis. Below
p = 1 the triangle inequality fails, so Minkowski's distance is then no metric (`is_metric` says so).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.inputs import suggest
from likely.errors import InputError
from likely.numeric.arrays import Floats, Ints, as_floats
from likely.numeric.kernels.distances.cells import ABSOLUTE, LARGEST, POWERS, SQUARES, UNEQUAL, tile_apart
from likely.numeric.kernels.distances.edits import edits_apart
from likely.numeric.linear.covariance import whitening

Metric: TypeAlias = str | Callable[..., float]  # of METRICS, or a function of two vectors

METRICS = (
    "euclidean", "squared_euclidean", "manhattan", "minkowski", "chebyshev", "hamming", "zero_norm", "mahalanobis",
    "edit",
)  # fmt: skip
_NONE = np.empty(0, dtype=np.int64)


def distance(u: Any, v: Any, metric: Metric = "euclidean", **options: Any) -> float:
    """How far two vectors, or two texts, are apart; `metric` is a name, or a function of both.

    Options are `p` of Minkowski's, `weights` of the axes, and the `covariance` of Mahalanobis's.

    >>> distance([0, 0], [3, 4]), distance([0, 0], [3, 4], "manhattan"), distance("kitten", "sitting", "edit")
    (5.0, 7.0, 3.0)
    >>> distance([2, 1], [0, 0], "mahalanobis", covariance=[[4, 1], [1, 2]])
    1.0690449676496976
    """
    check_named(metric)
    if metric == "hamming" and (isinstance(u, str) or isinstance(v, str)):
        return float(hamming(u, v))
    if metric == "edit":
        return float(edit_distance(u, v))
    a, b = np.atleast_1d(np.asarray(u)), np.atleast_1d(np.asarray(v))
    if a.ndim != 1 or a.shape != b.shape:
        raise InputError(f"a distance is of two vectors of one length, got shapes {a.shape} and {b.shape}")
    if callable(metric):
        return float(metric(a, b))
    return float(distance_matrix(a[None], b[None], metric, **options)[0, 0])


def hamming(u: Any, v: Any) -> int:
    """Number of positions in which two texts, or two vectors, of one length differ.

    >>> hamming("10101010", "11101001")
    3
    """
    a, b = list(u), list(v)
    if len(a) != len(b):
        raise InputError(f"Hamming's distance is of equal lengths, got {len(a)} and {len(b)}; use edit_distance")
    return sum(one != other for one, other in zip(a, b, strict=True))


def zero_norm(u: ArrayLike, v: ArrayLike) -> int:
    """Number of coordinates that differ: the limit p to 0 of the sum of |u_d - v_d|^p, with 0^0 = 0.

    >>> zero_norm([1, 2, 3, 4, 5], [1, 0, 3, 4, 5])
    1
    """
    return hamming(u, v)


def euclidean(u: ArrayLike, v: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Euclid's distance, with a weight of each squared difference if given.

    >>> euclidean([0, 0], [3, 4]), euclidean([0, 0], [3, 4], weights=[1, 0])
    (5.0, 3.0)
    """
    return distance(u, v, "euclidean", weights=weights)


def manhattan(u: ArrayLike, v: ArrayLike) -> float:
    """The sum of absolute differences.

    >>> manhattan([0, 0], [3, 4])
    7.0
    """
    return distance(u, v, "manhattan")


def minkowski(u: ArrayLike, v: ArrayLike, p: float = 2.0) -> float:
    """Minkowski's distance of order p > 0; p = 1 Manhattan, 2 Euclid, infinity Chebyshev.

    >>> round(minkowski([0, 0], [3, 4], 4), 4), minkowski([0, 0], [3, 4], float("inf"))
    (4.2846, 4.0)
    """
    return distance(u, v, "minkowski", p=p)


def chebyshev(u: ArrayLike, v: ArrayLike) -> float:
    """The largest absolute difference.

    >>> chebyshev([0, 0], [3, 4])
    4.0
    """
    return distance(u, v, "chebyshev")


def edit_distance(u: str, v: str) -> int:
    """Levenshtein's distance: fewest insertions, deletions and substitutions that make one text of the other.

    >>> edit_distance("kitten", "sitting"), edit_distance("", "abc")
    (3, 3)
    """
    return int(edit_distances([u], [v])[0, 0])


def edit_distances(texts: Any, others: Any = None) -> Floats:
    """Edit distances (q, n) of texts from others, or from each other; a missing one (None) is empty.

    Parameters
    ----------
    texts : a list of texts, a row of the result each
    others : a column each; None: the texts themselves

    >>> edit_distances(["flaw", "10"], ["lawn", "01", ""])
    array([[2., 4., 4.],
           [4., 2., 2.]])
    """
    rows = _letters(texts)
    return np.asarray(edits_apart(*rows, *(rows if others is None else _letters(others))))


def distance_matrix(
    X: ArrayLike,
    Y: ArrayLike | None = None,
    metric: Metric = "euclidean",
    *,
    p: float = 2.0,
    weights: ArrayLike | None = None,
    covariance: ArrayLike | None = None,
) -> Floats:
    """All distances (n, m) between rows of X and of Y, or of X with itself; for small tables, whose matrix fits.

    >>> distance_matrix([[0, 0], [3, 4]])
    array([[0., 5.],
           [5., 0.]])
    >>> distance_matrix([[0, 0]], [[3, 4]], "minkowski", p=0.8).round(4)
    array([[8.3074]])
    """
    check_named(metric)
    if metric == "edit":
        return edit_distances(X, Y)
    a = _rows(X)
    b = a if Y is None else _rows(Y)
    if a.shape[1] != b.shape[1]:
        raise InputError(f"rows of {a.shape[1]} and of {b.shape[1]} numbers have no distance")
    if callable(metric):
        return np.array([[float(metric(u, v)) for v in b] for u in a]).reshape(len(a), len(b))
    if metric not in METRICS:
        raise InputError(f"unknown metric={metric!r}; choose from {', '.join(METRICS)}{suggest(metric, METRICS)}")
    rule, power = rule_of(metric, p)
    if metric == "mahalanobis":
        if covariance is None:
            raise InputError("Mahalanobis's distance needs a covariance: give covariance=, a matrix")
        turn = whitening(as_floats(covariance, "covariance"))
        if turn.shape[1] != a.shape[1]:
            raise InputError(f"the covariance is of {turn.shape[1]} columns, and the rows have {a.shape[1]}")
        a, b = a @ turn.T, b @ turn.T
    weight = axis_weights(weights, a.shape[1])
    if (np.isnan(a).any() or np.isnan(b).any()) and metric != "edit":
        raise InputError("a row has a missing cell: compare tables with gaps by TableDistance, or leave those rows out")
    none, one = np.zeros((0,), dtype=np.int32), np.ones(a.shape[1])
    codes = [np.zeros((len(rows), 0), dtype=np.int32) for rows in (a, b)]
    ruler = one, weight, none.astype(np.float64), one, _NONE, _NONE, np.empty(0)
    apart = tile_apart(rule, power, a, codes[0], b, codes[1], *ruler)
    return apart if metric == "squared_euclidean" else root(apart, rule, power)


class Pair(NamedTuple):
    """Two rows and how far they are apart."""

    first: int
    second: int
    distance: float


def closest_pair(X: ArrayLike, metric: Metric = "euclidean", **options: Any) -> Pair:
    """The two rows that are nearest to each other: the smallest entry off the diagonal of the matrix of distances.

    >>> closest_pair([[0, 0], [5, 5], [5, 6]])
    Pair(first=1, second=2, distance=1.0)
    """
    found = distance_matrix(X, None, metric, **options)
    if len(found) < 2:
        raise InputError("a closest pair needs at least two rows")
    np.fill_diagonal(found, np.inf)
    i, j = np.unravel_index(int(found.argmin()), found.shape)
    return Pair(int(i), int(j), float(found[i, j]))


def is_metric(metric: str, p: float = 2.0) -> bool:
    """Whether a distance of this name obeys the triangle inequality whatever the data.

    >>> is_metric("minkowski", 0.8), is_metric("minkowski", 1.5), is_metric("squared_euclidean")
    (False, True, False)
    """
    return metric != "squared_euclidean" and not (metric == "minkowski" and p < 1)


def check_named(metric: Metric) -> None:
    """Refuse what is neither a name nor a function: rows in the place of the metric, say."""
    if not isinstance(metric, str) and not callable(metric):
        raise InputError(f"metric must be a name or a function, got {type(metric).__name__}; the rows come before it")


def rule_of(metric: str, p: float) -> tuple[int, float]:
    """What is summed over the cells, and the power whose root is taken in the end."""
    match metric:
        case "euclidean" | "squared_euclidean" | "mahalanobis" | "hvdm":
            return SQUARES, 2.0
        case "manhattan":
            return ABSOLUTE, 1.0
        case "chebyshev":
            return LARGEST, 1.0
        case "hamming" | "zero_norm":
            return UNEQUAL, 1.0
    if not (isinstance(p, int | float | np.number) and p > 0):
        raise InputError(f"the order p of Minkowski's distance must be above 0, got {p!r}; p = 0 is zero_norm")
    if np.isinf(p):
        return LARGEST, 1.0
    return {1.0: (ABSOLUTE, 1.0), 2.0: (SQUARES, 2.0)}.get(float(p), (POWERS, float(p)))


def root(apart: Floats, rule: int, power: float) -> Floats:
    """Sums of powers as distances."""
    if rule == SQUARES:
        return np.asarray(np.sqrt(apart))
    return np.asarray(apart ** (1 / power)) if rule == POWERS else apart


def axis_weights(weights: ArrayLike | None, width: int) -> Floats:
    """One weight for each axis, 1 unless given."""
    if weights is None:
        return np.ones(width)
    found = as_floats(weights, "weights")
    if found.shape != (width,) or not (np.isfinite(found) & (found >= 0)).all():
        raise InputError(f"weights must be {width} finite numbers, none below 0; got {np.shape(weights)}")
    return found


def _rows(X: ArrayLike) -> Floats:
    rows = np.ascontiguousarray(as_floats(X, "the rows"))
    if rows.ndim != 2:
        raise InputError(f"expected rows (n, d), got shape {rows.shape}")
    return rows


def _letters(texts: Sequence[Any]) -> tuple[Ints, Ints]:
    listed = [texts] if isinstance(texts, str) else ["" if text is None else str(text) for text in texts]
    ends = np.cumsum(np.fromiter(map(len, listed), np.int64, len(listed)), dtype=np.int64)
    return np.array([ord(letter) for text in listed for letter in text], dtype=np.int64), ends
