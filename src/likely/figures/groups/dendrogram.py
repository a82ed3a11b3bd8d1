"""A tree of clusters: which are joined at which distance, in colours below the cut.

Of more than fifty rows only the last joins are drawn; a leaf then says how many rows it stands for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.errors import InputError, check_type
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.models.clustering import Hierarchy
from likely.numeric.arrays import Floats, Ints, in_brief

_ROWS = 50  # of which all joins are drawn
_LEAVES = 30  # of a larger tree


@dataclass(eq=False)
class DendrogramDisplay(Drawn):
    """The joins of a hierarchy.

    >>> import matplotlib; matplotlib.use("agg")
    >>> model = Hierarchy("single").fit([[0.0], [1.0], [3.0], [7.0], [8.5], [20.0]])
    >>> display = DendrogramDisplay.from_estimator(model, names="abcdef")
    >>> display.frame()["distance"].to_list()
    [1.0, 1.5, 2.0, 4.0, 11.5]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    joins: Floats  # (n - 1, 4)  two clusters, their distance, their rows, as SciPy's `linkage` has them
    clusters: Ints  # (n,)  where it is cut
    names: Sequence[str] = ()  # of the rows; none or n
    distance: str = "distance"  # what the axis of distances is called
    height: float | None = None  # where it is cut; None: between the last join that is made and the next

    __repr__ = in_brief

    @classmethod
    def from_estimator(cls, estimator: Hierarchy, *, names: Any = None, ax: Axes | None = None) -> Self:
        """Draw the tree of a fitted `Hierarchy`, cut where it is cut."""
        check_type(estimator, Hierarchy, "a fitted Hierarchy")
        labels = estimator.labels_  # first, so that one that is not fitted says so
        wards = estimator.direction == "divisive" or estimator.linkage == "ward"
        how = "Ward" if wards else estimator.linkage
        given = () if names is None else tuple(str(name) for name in names)
        if given and len(given) != len(labels):
            raise InputError(f"{len(labels)} rows need as many names, got {len(given)}")
        return cls(estimator.joins_, labels, given, f"{how} distance", estimator.height).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        from scipy.cluster.hierarchy import dendrogram

        n = len(self.joins) + 1
        few = n <= _ROWS
        self.figure_, self.ax_ = canvas(ax, 6.4 if n > 20 else 5.6, 4.2)
        options: dict[str, Any] = {} if few else {"truncate_mode": "lastp", "p": _LEAVES}
        drawn = dendrogram(self.joins, no_plot=True, link_color_func=self._shade, count_sort=False, **options)
        for x, y, shade in zip(drawn["icoord"], drawn["dcoord"], drawn["color_list"], strict=True):
            self.ax_.plot(x, y, color=shade, lw=1.3, gid="join")
        words = [self.names[leaf] if self.names and leaf < n else text for leaf, text in _leaves(drawn)]
        places = 10 * np.arange(len(words)) + 5
        self.ax_.set_xticks(places, words, rotation=90 if max(map(len, words)) * len(words) > 60 else 0, fontsize=8)
        cut = self._cut()
        if cut is not None:
            self.ax_.axhline(cut, color=INK, lw=0.9, ls="--", gid="cut")
        self.ax_.set(xlabel="row" if few else "row, or (rows)", ylabel=self.distance)
        self.ax_.set_ylim(0, 1.05 * max(float(self.joins[:, 2].max()), 1e-300))
        return self

    def frame(self) -> Any:
        """A join a row, as a Polars frame."""
        import polars as pl

        columns = {"one": self.joins[:, 0].astype(np.int64), "other": self.joins[:, 1].astype(np.int64)}
        return pl.DataFrame({**columns, "distance": self.joins[:, 2], "rows": self.joins[:, 3].astype(np.int64)})

    def _shade(self, node: int) -> str:
        """The colour of the rows below a join, if they are of one cluster."""
        rows = self._rows_below(int(node))
        found = np.unique(self.clusters[rows])
        return colour(int(found[0])) if len(found) == 1 else MUTED

    def _rows_below(self, node: int) -> list[int]:
        n = len(self.joins) + 1
        waiting, rows = [node], []
        while waiting:
            each = waiting.pop()
            if each < n:
                rows.append(each)
            else:
                waiting += [int(part) for part in self.joins[each - n, :2]]
        return rows

    def _cut(self) -> float | None:
        """At the height that was asked for, or between the last join inside a cluster and the first between two."""
        if self.height is not None:
            return self.height if self.height < self.joins[:, 2].max() else None
        n = len(self.joins) + 1
        inside = n - len(np.unique(self.clusters))
        if not 0 < inside < n - 1:
            return None
        return float((self.joins[inside - 1, 2] + self.joins[inside, 2]) / 2)


def _leaves(drawn: Any) -> list[tuple[int, str]]:
    return list(zip(drawn["leaves"], drawn["ivl"], strict=True))
