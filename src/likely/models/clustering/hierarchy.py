"""Hierarchical clustering: a tree of n - 1 joins (or splits), cut where one likes."""

from numbers import Real
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.distances.pairs import Metric
from likely.data.inputs import SourceInput
from likely.errors import InputError
from likely.models.clustering.joining import LINKAGES, OF_CENTRES, distances, join
from likely.models.clustering.splitting import joins_of, split_all
from likely.models.estimator import Clusterer
from likely.models.learning.unlabelled import MatrixEstimator
from likely.models.traits.face import Face, Section
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.nearest import squared_distances

DIRECTIONS = ("agglomerative", "divisive")
_BLOCK = 1 << 22  # distances that are held at a time in predicting
_MOST_SPLIT = 200_000  # rows of a divisive tree


class Hierarchy(MatrixEstimator, Clusterer):
    """A tree of clusters, from tables of any kinds with gaps.

    Parameters
    ----------
    linkage : "single", "complete", "average", "centroid" or "ward"
        How far two clusters are apart: as their nearest rows, their farthest, all pairs on average, their means, or by
        what joining them adds to the squares within.
    direction : "agglomerative" or "divisive"
        Joins of the closest clusters, from single rows up; or splits by 2-means, from all rows down: always of the
        cluster whose split lowers the squares within most. Splits have no linkage; their heights are Ward's.
    n_clusters : int
        Where the tree is cut for `labels_`.
    height : float or None
        Cut there instead: rows are together that are joined at no greater distance.
    metric : "euclidean", another of SciPy's `pdist`, or a function of two rows
        Centroid and Ward linkage and splits take "euclidean".
    standardize : bool
        Whether numbers are measured in standard deviations.
    kinds : "auto", a kind, or a mapping from column to kind

    A missing cell: two rows are as far apart as by the cells that both have, scaled up to all cells (as scikit-learn's
    `nan_euclidean_distances`); without a common cell, as two rows that were learned are on average (the square is twice
    the sum of the variances of the columns), whatever other rows are asked about; splits and centres of new rows'
    clusters take the column's mean. New rows go to the cluster that is nearest by the linkage.

    Attributes
    ----------
    joins_ : (n - 1, 4) two clusters, their distance, and rows, as SciPy's `linkage` writes them; row i is cluster i,
        join i makes cluster n + i
    labels_ : (n,) numbered by their first rows
    n_clusters_ : int
    rows_ : (n, m) of the design matrix

    Examples
    --------
    >>> from likely import Hierarchy
    >>> model = Hierarchy("single").fit([[0.0], [1.0], [3.0], [7.0], [8.5], [20.0]])
    >>> model.joins_[:, 2].tolist(), model.labels_.tolist()
    ([1.0, 1.5, 2.0, 4.0, 11.5], [0, 0, 0, 0, 0, 1])
    >>> model.cut(n_clusters=3).tolist(), model.cut(height=1.6).tolist()
    ([0, 0, 0, 1, 1, 2], [0, 0, 1, 2, 2, 3])
    >>> model.predict([[15.0], [-3.0]]).tolist()
    [1, 0]
    """

    joins_: Floats
    rows_: Floats
    n_clusters_: int

    def __init__(
        self,
        linkage: str = "ward",
        direction: str = "agglomerative",
        n_clusters: int = 2,
        height: float | None = None,
        metric: Metric = "euclidean",
        standardize: bool = False,
        kinds: Kinds = "auto",
    ) -> None:
        self.linkage = linkage
        self.direction = direction
        self.n_clusters = n_clusters
        self.height = height
        self.metric = metric
        self.standardize = standardize
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None) -> Self:
        """Build the tree of rows X; y is not used. The rows are held, and a scanned file is read into memory."""
        self._check_parameters()
        with self._anew():
            seen = self._look(X)
            matrices = (batch.x for batch in (seen if isinstance(seen.data, SourceInput) else seen.held()).batches())
            x = np.concatenate([m.toarray() if hasattr(m, "indptr") else m for m in matrices]).astype(np.float64)
            if len(x) < 2:
                raise InputError("n_samples=1: a hierarchy needs two rows at least")
            if self.direction == "divisive":
                if len(x) > _MOST_SPLIT:
                    raise InputError(f"{len(x):,} rows are too many to split one by one (more than {_MOST_SPLIT:,})")
                joins = joins_of(split_all(x), len(x))
            else:
                joins = join(x, self.linkage, self.metric)
            self._keep(x, joins)
        return self

    @of_one_state
    def cut(self, n_clusters: int | None = None, height: float | None = None) -> Ints:
        """The cluster of each row (n,) where the tree has so many clusters, or is cut at a height."""
        self._check_fitted()
        if (n_clusters is None) == (height is None):
            raise InputError("say either n_clusters or height")
        n = len(self.rows_)
        if n_clusters is not None:
            if not isinstance(n_clusters, int | np.integer) or not 1 <= n_clusters <= n:
                raise InputError(f"a tree of n_samples={n} rows has from 1 to {n} clusters, not {n_clusters!r}")
            made = np.arange(n - 1) < n - n_clusters
        else:
            made = tops(self.joins_) <= _checked_height(height)
        return labels_of(self.joins_, made)

    @of_one_state
    def predict(self, X: TableLike) -> Ints:
        """The cluster of each row that is nearest by the linkage; by the increase of squares, of a divisive tree."""
        self._check_fitted()
        linkage = "ward" if self.direction == "divisive" else self.linkage
        rows, labels, k = self.rows_, self.labels_, self.n_clusters_
        size, origin = np.bincount(labels, minlength=k).astype(np.float64), self._origin()

        def nearest(x: Any) -> Array:
            x = np.asarray(x.toarray() if hasattr(x, "indptr") else x, dtype=np.float64)
            if linkage in OF_CENTRES:
                square = squared_distances(x - origin, self._centres(size) - origin)
                return np.asarray((square * (size / (size + 1)) if linkage == "ward" else square).argmin(axis=1))
            block = max(1, _BLOCK // len(rows))
            parts = [self._apart(x[at : at + block], linkage) for at in range(0, len(x), block)]
            return np.asarray(np.concatenate(parts).argmin(axis=1))

        return np.asarray(self._each_row(X, nearest), dtype=np.int64)

    def _centres(self, size: Floats) -> Floats:
        rows = np.where(np.isnan(self.rows_), self._origin(), self.rows_)
        sums = [np.bincount(self.labels_, weights=column, minlength=len(size)) for column in rows.T]
        return np.stack(sums, axis=1) / size[:, None]

    def _apart(self, x: Floats, linkage: str) -> Floats:
        """How far rows are from every cluster (n, k)."""
        found = distances(x, self.rows_, self.metric)
        order = np.argsort(self.labels_, kind="stable")
        begin = np.concatenate([[0], np.cumsum(np.bincount(self.labels_))[:-1]])
        across = {"single": np.minimum, "complete": np.maximum, "average": np.add}[linkage]
        reduced = across.reduceat(found[:, order], begin, axis=1)
        return np.asarray(reduced / np.bincount(self.labels_) if linkage == "average" else reduced)

    def _keep(self, x: Floats, joins: Floats) -> None:
        self._become({"rows_": x, "joins_": joins})
        labels = self.cut(self.n_clusters) if self.height is None else self.cut(height=self.height)
        self._become({"labels_": labels, "n_clusters_": int(labels.max()) + 1})

    def _face(self) -> Face:
        sizes = np.bincount(self.labels_).tolist()
        rows = [(str(c), f"{size:,}") for c, size in enumerate(sizes)]
        more = f"{len(rows) - 20} more" if len(rows) > 20 else ""
        face = super()._face().with_section(Section(("cluster", "rows"), rows[:20], "clusters", more))
        top = f"{len(self.joins_):,}, the last at {self.joins_[-1, 2]:.5g}"
        return face.with_section(Section(("joins",), [(top,)], "joins"))

    def _parameters_learned(self) -> dict[str, Any]:
        return {"rows": tuple(self._gapless()), "joins": self.joins_}

    def _gapless(self) -> tuple[Floats, Array]:
        """The rows with 0 for a gap, and which cells are gaps: files hold no NaN."""
        gaps = np.isnan(self.rows_)
        return np.where(gaps, 0.0, self.rows_), gaps

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        (cells, gaps), joins = parameters["rows"], parameters["joins"]
        n, m = cells.shape
        if m != self.design_.width or gaps.shape != cells.shape or gaps.dtype != np.bool_ or n < 2:
            raise InputError("its rows are not those of its columns")
        if joins.shape != (n - 1, 4) or not np.isfinite(joins).all() or not np.isfinite(cells).all():
            raise InputError("its joins are not those of its rows")
        made = np.arange(n - 1)[:, None] + n
        pairs = joins[:, :2]
        once = np.array_equal(np.sort(pairs.ravel()), np.arange(2 * n - 2))
        if not once or (pairs >= made).any() or (joins[:, 2] < 0).any():
            raise InputError("its joins do not make a tree")
        self._keep(np.where(gaps, np.nan, cells), joins)

    def _check_parameters(self) -> None:
        if self.linkage not in LINKAGES:
            raise InputError(f"unknown linkage={self.linkage!r}; choose from {', '.join(LINKAGES)}")
        if self.direction not in DIRECTIONS:
            raise InputError(f"unknown direction={self.direction!r}; choose from {', '.join(DIRECTIONS)}")
        if not isinstance(self.n_clusters, int | np.integer) or self.n_clusters < 1:
            raise InputError(f"n_clusters must be a whole number from 1 up, got {self.n_clusters!r}")
        if self.height is not None:
            _checked_height(self.height)
        euclidean = isinstance(self.metric, str) and self.metric == "euclidean"
        if not euclidean and (self.direction == "divisive" or self.linkage in OF_CENTRES):
            what = "a divisive tree" if self.direction == "divisive" else f"linkage={self.linkage!r}"
            raise InputError(f"{what} is about means and squares: it takes metric='euclidean', not {self.metric!r}")
        if not isinstance(self.metric, str) and not callable(self.metric):
            raise InputError(f"metric is a name or a function of two rows, got {self.metric!r}")


def _checked_height(height: object) -> float:
    if isinstance(height, bool) or not isinstance(height, Real) or not float(height) >= 0:
        raise InputError(f"height must be a distance from 0 up, got {height!r}")
    return float(height)


def tops(joins: Floats) -> Floats:
    """The greatest height (n - 1,) at or below each join: centroid linkage may join at less than before."""
    n = len(joins) + 1
    height = joins[:, 2].copy()
    for step, (a, b) in enumerate(joins[:, :2].astype(np.int64).tolist()):
        below = [height[part - n] for part in (a, b) if part >= n]
        height[step] = max([height[step], *below])
    return height


def labels_of(joins: Floats, made: Array) -> Ints:
    """The cluster of each row (n,) when some joins (n - 1,) are made, numbered by their first rows."""
    n = len(joins) + 1
    top = np.arange(2 * n - 1)
    steps = np.flatnonzero(made)
    top[joins[steps, :2].astype(np.int64)] = (n + steps)[:, None]
    while True:  # as often as the tree is doubled in depth
        above = top[top]
        if np.array_equal(above, top):
            break
        top = above
    _, first, which = np.unique(top[:n], return_index=True, return_inverse=True)
    place = np.empty(len(first), dtype=np.int64)
    place[np.argsort(first, kind="stable")] = np.arange(len(first))
    return np.asarray(place[which])
