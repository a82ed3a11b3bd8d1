"""Clusters in the plane: rows in the colours of their clusters, the centres, and a stroke from each row to its own.

Rows of two columns are drawn as they are, in their units; of more, on their first two principal components. The passes
of K-means can be drawn side by side, each with the centres at which it began.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from likely.data.accepted import TableLike
from likely.data.design import Design
from likely.errors import InputError, check_type
from likely.figures.drawing.canvas import COLOURS, INK, Axes, Drawn, canvas, colour, panels, plain_names
from likely.figures.drawing.legends import legend
from likely.models.clustering import Hierarchy, KMeans
from likely.models.components import PCA
from likely.numeric.arrays import Floats, Ints, in_brief
from likely.numeric.nearest import squared_distances

_STROKES = 500  # rows beyond which no strokes are drawn
_SHOWN = 5000  # rows that are drawn, some of more
_NAMED = 24  # clusters beyond which there is no legend
_SHAPES = "os^vD"


class Stage(NamedTuple):
    """One state of a clustering."""

    title: str
    labels: Ints  # (n,)
    centres: Floats  # (k, 2)


@dataclass(eq=False)
class ClustersDisplay(Drawn):
    """Clusters of rows in the plane, at one stage or several.

    >>> import matplotlib; matplotlib.use("agg")
    >>> rows = [[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [8.0, 2.0]]
    >>> model = KMeans(2, init=[[8, 2], [2, 1]]).fit(rows)
    >>> display = ClustersDisplay.from_estimator(model, rows)
    >>> display.frame()["cluster"].to_list()
    [1, 1, 1, 0]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    points: Floats  # (n, 2)  the rows
    stages: Sequence[Stage]  # labels and centres, a panel each
    lines: bool = True  # a stroke from each row to its centre
    labels: tuple[str, str] = ("x", "y")  # of the two axes

    __repr__ = in_brief

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: TableLike,
        *,
        stages: bool | Sequence[int] = False,
        lines: bool = True,
        ax: Axes | None = None,
    ) -> Self:
        """Draw rows X by a fitted `KMeans` or `Hierarchy`; `stages` are passes of K-means, True all of them."""
        check_type(estimator, KMeans | Hierarchy, "a fitted KMeans or Hierarchy")
        x = estimator.design_.transform(X)
        x = np.asarray(x.toarray() if hasattr(x, "indptr") else x, dtype=np.float64)
        said = np.asarray(estimator.predict(X), dtype=np.int64)
        if len(x) > _SHOWN:
            kept = np.sort(np.random.default_rng(0).choice(len(x), _SHOWN, replace=False))
            x, said = x[kept], said[kept]
        plane = _Plane.of(x, estimator.design_)
        if stages is False:
            made = [Stage("", said, plane(_centres(estimator, x, said)))]
        else:
            made = _stages(estimator, x, stages, plane)
        return cls(plane(x), made, lines, plane.labels).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones; several stages beside each other."""
        count = len(self.stages)
        rows = 1 if count <= 3 else 2
        columns = -(-count // rows)
        self.figure_, self.ax_ = canvas(ax, max(5.6, 3.4 * columns), 4.2 if rows == 1 else 6.4)
        places = [self.ax_] if count == 1 else panels(self.ax_, count, rows)
        for place, stage in zip(places, self.stages, strict=True):
            canvas(place)
            self._draw(place, stage)
        if 1 < len(self.stages[-1].centres) <= _NAMED:
            legend(places[-1])
        return self

    def frame(self) -> Any:
        """The rows in the plane and their clusters at the last stage, as a Polars frame."""
        import polars as pl

        return pl.DataFrame({"x": self.points[:, 0], "y": self.points[:, 1], "cluster": self.stages[-1].labels})

    def _draw(self, ax: Axes, stage: Stage) -> None:
        for c in range(len(stage.centres)):
            own = self.points[stage.labels == c]
            shade = colour(c)
            if self.lines and len(self.points) <= _STROKES:
                for x, y in own.tolist():
                    ax.plot(
                        [x, stage.centres[c, 0]], [y, stage.centres[c, 1]], color=shade, lw=0.7, alpha=0.6, zorder=1
                    )
            shape = _SHAPES[c // len(COLOURS) % len(_SHAPES)]  # another where colours begin again
            name = f"cluster {c}" if len(own) else None
            ax.plot(own[:, 0], own[:, 1], shape, color=shade, markersize=4.5, zorder=2, gid="rows", label=name)
            mark: dict[str, Any] = {"markeredgecolor": INK, "markersize": 9, "zorder": 3, "gid": "centre"}
            ax.plot(*stage.centres[c], "D", color=shade, **mark)
        ax.set(xlabel=self.labels[0], ylabel=self.labels[1])
        if stage.title:
            ax.set_title(stage.title, fontsize=10)


class _Plane:
    """How rows of a matrix come into the plane."""

    def __init__(self, model: PCA | None, labels: tuple[str, str], units: tuple[Floats, Floats]) -> None:
        self.model, self.labels, self.units = model, labels, units

    @classmethod
    def of(cls, x: Floats, design: Design) -> "_Plane":
        names, units = design.names, design.affine[:2]
        if x.shape[1] <= 2:
            return cls(None, (names[0], names[1] if len(names) == 2 else ""), units)
        model = PCA(2, missing="pairs", solver="scatter" if x.shape[1] <= 500 else "randomized", random_state=0).fit(x)
        first, second = (100 * model.explained_variance_ratio_).tolist()
        return cls(model, (f"component 1 ({first:.0f} %)", f"component 2 ({second:.0f} %)"), units)

    def __call__(self, x: Floats) -> Floats:
        if self.model is not None:
            return np.asarray(self.model.transform(x))
        seen = ~np.isnan(x)
        x = np.where(seen, x, np.where(seen, x, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1))
        x = x * self.units[1] + self.units[0]
        return x if x.shape[1] == 2 else np.column_stack([x[:, 0], np.zeros(len(x))])


def _centres(estimator: Any, x: Floats, labels: Ints) -> Floats:
    if isinstance(estimator, KMeans):
        return estimator.centres_
    return np.stack([np.nanmean(x[labels == c], axis=0) for c in range(estimator.n_clusters_)])


def _stages(estimator: Any, x: Floats, wanted: bool | Sequence[int], plane: _Plane) -> list[Stage]:
    trace = estimator.history_.centres if isinstance(estimator, KMeans) else np.empty(0)
    if not len(trace):
        raise InputError("only a KMeans that was fitted keeps the centres of its passes, and only few of them")
    passes = range(len(trace)) if isinstance(wanted, bool) else [int(each) for each in wanted]
    stages = []
    for each in passes:
        if not 0 <= each < len(trace):
            raise InputError(f"there is no pass {each}: they are numbered from 0 to {len(trace) - 1}")
        centres = trace[each]
        labels = squared_distances(x, centres).argmin(axis=1)
        title = f"pass {each + 1}, error {estimator.history_.error[each]:.4g}"
        stages.append(Stage(title, labels, plane(centres)))
    return stages
