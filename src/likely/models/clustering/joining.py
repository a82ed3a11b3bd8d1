"""Agglomerative clustering: every row a cluster, the two closest joined, until one is left: n - 1 joins.

    single     the least distance of a row of one to a row of the other
    complete   the greatest
    average    the mean of all
    centroid   the distance of their means
    ward       the root of twice what joining them adds to the sum of squares within

Of Euclidean rows without gaps, single, centroid and Ward linkage need no table of distances (`kernels.clusters.joins`),
complete and average linkage fold one in rounds (`kernels.clusters.rounds`); what is left is SciPy's, on the distances
of all pairs.
"""

from typing import Any, cast

import numpy as np

from likely import engines
from likely.data.distances.pairs import Metric
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.jit import FEW
from likely.numeric.kernels.clusters.joins import join_centres, shortest_tree
from likely.numeric.kernels.clusters.rounds import join_in_rounds

LINKAGES = ("single", "complete", "average", "centroid", "ward")
OF_CENTRES = ("centroid", "ward")
OF_PAIRS = ("complete", "average")
_CANCELS = 1e-6  # of the squares of two rows: a square of their difference below it is summed from differences
_CELLS = 1 << 20  # differences at a time
_NOTHING = 1e-9  # of the largest distance: what rounding may take from one of 0
_MOST = 30_000  # rows whose distances are held: 3.6 GB


def join(x: Floats, linkage: Any, metric: Metric) -> Floats:
    """The joins (n - 1, 4) of rows x (n, m), as SciPy writes them: two clusters, their distance, and rows."""
    from scipy.cluster.hierarchy import linkage as joined

    plain = metric == "euclidean" and not np.isnan(x).any()
    if plain and x.size > FEW and linkage in OF_CENTRES:
        return in_order(join_centres(x - x.mean(axis=0), linkage == "ward", engines.current().map))
    if plain and x.size > FEW and linkage == "single":
        ends, others, squares = shortest_tree(x - x.mean(axis=0))
        return _from_edges(ends, others, np.sqrt(squares))
    if len(x) > _MOST:
        ways = "linkage single, centroid or ward of Euclidean rows without gaps"
        raise InputError(
            f"{len(x):,} rows have too many distances to be held (more than {_MOST:,} rows): use {ways}, or cluster "
            "the centres of a KMeans with many clusters"
        )
    if plain and x.size > FEW and linkage in OF_PAIRS:
        edges = join_in_rounds(x - x.mean(axis=0), linkage == "complete", engines.current().map, _MOST**2 // 2)
        if edges is not None:
            return _from_edges(*edges)
    return np.asarray(joined(pair_distances(x, metric), linkage), dtype=np.float64)


def pair_distances(x: Floats, metric: Metric) -> Floats:
    """Distances of all pairs of rows in SciPy's order; over the cells that both have, scaled up to all of them."""
    from scipy.spatial.distance import pdist, squareform

    try:
        if not np.isnan(x).any():
            found = np.asarray(pdist(x, cast(Any, metric)), dtype=np.float64)
        else:
            found = squareform(distances(x, x, metric), checks=False)
    except (ValueError, TypeError) as error:
        raise InputError(f"metric {metric!r} does not measure these rows: {error}") from None
    if not np.isfinite(found).all():
        raise InputError(f"metric {metric!r} gives distances that are no numbers, of rows of zeros perhaps")
    if found.min(initial=0.0) < -_NOTHING * np.abs(found).max(initial=0.0):
        raise InputError(
            f"metric {metric!r} gives distances below 0, the least {found.min():g}: a distance is from 0 up"
        )
    return np.maximum(found, 0.0)


def distances(x: Floats, y: Floats, metric: Metric) -> Floats:
    """Distances (n, m) of rows to others; of rows with gaps only Euclidean ones, by the cells that both have.

    >>> rows = np.array([[0.0, 0.0], [3.0, np.nan]])
    >>> distances(rows, rows, "euclidean").round(3)
    array([[0.   , 4.243],
           [4.243, 0.   ]])
    """
    from scipy.spatial.distance import cdist

    if not (np.isnan(x).any() or np.isnan(y).any()):
        return np.asarray(cdist(x, y, cast(Any, metric)), dtype=np.float64)
    if metric != "euclidean":
        raise InputError(f"rows with missing cells have no distance by metric={metric!r}; use 'euclidean'")
    if x is y or np.isnan(y).any():
        return nan_distances(x, y)
    gaps = np.isnan(x).any(axis=1)  # of a row, whatever rows it is asked with
    found = np.empty((len(x), len(y)))
    found[gaps] = nan_distances(x[gaps], y)
    found[~gaps] = cdist(x[~gaps], y)
    return found


def nan_distances(x: Floats, y: Floats) -> Floats:
    """Euclidean distances by the cells that both rows have, as if the others differed by as much on average.

    Two rows without a common cell are as far apart as two rows are on average in y, those that were learned: the square
    is twice the sum of the variances of its columns.
    """
    seen_x, seen_y = ~np.isnan(x), ~np.isnan(y)
    middle = np.where(seen_y, y, 0.0).sum(axis=0) / np.maximum(seen_y.sum(axis=0), 1)  # products do not cancel there
    fx, fy = np.where(seen_x, x - middle, 0.0), np.where(seen_y, y - middle, 0.0)
    common = seen_x.astype(np.float64) @ seen_y.T
    lengths = np.square(fx) @ seen_y.T + seen_x @ np.square(fy).T
    square = lengths - 2.0 * fx @ fy.T
    near, size = np.nonzero(square < _CANCELS * lengths), max(1, _CELLS // max(1, x.shape[1]))
    for at in range(0, len(near[0]), size):
        i, j = (each[at : at + size] for each in near)
        square[i, j] = np.nansum(np.square(x[i] - y[j]), axis=1)
    scaled = np.maximum(square, 0.0) * np.divide(x.shape[1], common, out=np.zeros_like(common), where=common > 0)
    apart = common == 0
    if apart.any():
        scaled[apart] = 2.0 * (np.square(fy).sum(axis=0) / np.maximum(seen_y.sum(axis=0) - 1, 1)).sum()
    found = np.sqrt(scaled)
    if x is y:
        found = (found + found.T) / 2
        np.fill_diagonal(found, 0.0)
    return np.asarray(found)


def _from_edges(ends: Any, others: Any, heights: Floats) -> Floats:
    """The joins of a tree that is given by a row of either part of each, the lowest first."""
    n = len(heights) + 1
    cluster, parent, size = np.arange(n), np.arange(2 * n - 1), np.ones(2 * n - 1)
    joins = np.empty((n - 1, 4))

    def top(a: int) -> int:
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        return a

    for step, edge in enumerate(np.argsort(heights, kind="stable").tolist()):
        a, b = top(int(cluster[ends[edge]])), top(int(cluster[others[edge]]))
        new = n + step
        parent[a] = parent[b] = new
        size[new] = size[a] + size[b]
        joins[step] = (*sorted((a, b)), heights[edge], size[new])
    return joins


def in_order(joins: Floats) -> Floats:
    """Heights that rounding has let fall by a hair, put right; falls of centroid linkage stay."""
    height = joins[:, 2]
    upto = np.maximum.accumulate(height) if len(height) else height
    joins[:, 2] = np.where(height >= upto * (1 - 1e-12), upto, height)
    return joins
