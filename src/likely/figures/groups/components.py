"""Rows on two principal components, in colours of groups or with names, and the columns as arrows if asked for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.errors import InputError, check_type
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.figures.drawing.names import check_names, write_names
from likely.models.components import PCA
from likely.numeric.arrays import Array, Floats, in_brief

_ARROWS = 12  # columns that are drawn, those with the longest arrows
_SHAFT = (0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.94, 0.97)  # of an arrow: where no name should stand, least at its head
_POINTS = 500  # rows, some of more, that names make way for


@dataclass(eq=False)
class ComponentsDisplay(Drawn):
    """Scores of rows on two components.

    >>> import matplotlib; matplotlib.use("agg")
    >>> rows = [[3.0, 7.0, 4.0], [7.0, 5.0, 5.0], [7.0, 5.0, 6.0], [5.0, 6.0, 8.0]]
    >>> display = ComponentsDisplay.from_estimator(PCA(2).fit(rows), rows, names=["a", "b", "c", "d"])
    >>> display.frame().columns
    ['name', 'component 1', 'component 2']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    scores: Floats  # (n, 2)  on the two components
    shares: tuple[float, float]  # of the variance, of the two components
    which: tuple[int, int] = (0, 1)  # places of the two components
    names: Sequence[str] = ()  # of the rows; none or n
    groups: Array | None = None  # (n,)  the colour of each row; None: one colour
    loadings: Floats | None = None  # (m, 2)  correlations of the columns with the components
    columns: Sequence[str] = ()

    __repr__ = in_brief

    @classmethod
    def from_estimator(
        cls,
        estimator: PCA,
        X: TableLike,
        y: TargetLike = None,
        *,
        names: Any = None,
        loadings: bool = False,
        which: tuple[int, int] = (0, 1),
        ax: Axes | None = None,
    ) -> Self:
        """Draw rows X on two components of a fitted `PCA`, coloured by y; `loadings` draws the columns as arrows."""
        check_type(estimator, PCA, "a fitted PCA")
        scores = np.asarray(estimator.transform(X))
        if max(which) >= estimator.n_components_ or min(which) < 0:
            raise InputError(f"components {which} are asked for, and there are {estimator.n_components_}, from 0 up")
        shares = estimator.explained_variance_ratio_
        groups = None if y is None else np.asarray(y)
        if groups is not None and groups.shape != (len(scores),):
            raise InputError(f"{len(scores)} rows need as many groups, got shape {groups.shape}")
        arrows: dict[str, Any] = {}
        if loadings:
            arrows = {"loadings": estimator.loadings_[:, list(which)], "columns": estimator.design_.names}
        kept = float(shares[which[0]]), float(shares[which[1]])
        rows = check_names(names, len(scores))
        return cls(scores[:, list(which)], kept, which, rows, groups, **arrows).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax)
        if self.groups is None:
            self._draw(self.scores, colour(0), None)
        else:
            for place, name in enumerate(np.unique(self.groups).tolist()):
                self._draw(self.scores[self.groups == name], colour(place), str(name))
        labels = [f"component {c + 1} ({100 * share:.1f} %)" for c, share in zip(self.which, self.shares, strict=True)]
        self.ax_.set(xlabel=labels[0], ylabel=labels[1])
        self._draw_arrows()
        if self.groups is not None:
            legend(self.ax_)
        return self

    def frame(self) -> Any:
        """The scores, as a Polars frame."""
        import polars as pl

        columns: dict[str, Any] = {"name": list(self.names)} if self.names else {}
        columns |= {} if self.groups is None else {"group": self.groups}
        scores = {f"component {c + 1}": self.scores[:, i] for i, c in enumerate(self.which)}
        return pl.DataFrame(columns | scores)

    def _draw(self, points: Floats, shade: str, name: str | None) -> None:
        self.ax_.plot(points[:, 0], points[:, 1], "o", color=shade, markersize=4.5, label=name, zorder=2, gid="rows")

    def _draw_arrows(self) -> None:
        """Columns as arrows, as long as the rows reach where the correlation is 1; and the names of both."""
        from matplotlib.patheffects import withStroke

        if self.loadings is None:
            if self.names:
                write_names(self.ax_, self.names, self.scores)
            return
        reach = float(np.abs(self.scores).max()) or 1.0
        longest = np.argsort(-np.square(self.loadings).sum(axis=1), kind="stable")[:_ARROWS]
        if len(longest) < len(self.loadings):
            title = f"the {len(longest)} longest arrows of {len(self.loadings)} columns"
            self.ax_.set_title(title, fontsize=9, color=MUTED)
        ends = reach * self.loadings[longest]
        for end in ends.tolist():
            self.ax_.annotate("", end, (0, 0), arrowprops={"arrowstyle": "->", "color": MUTED, "lw": 1})
        self.ax_.plot(ends[:, 0], ends[:, 1], ".", color=MUTED, markersize=1)
        before, shafts = len(self.ax_.texts), np.concatenate([part * ends for part in _SHAFT])
        some = self.scores[:: max(1, len(self.scores) // _POINTS)]
        columns = [self.columns[j] for j in longest]
        if self.names:
            write_names(self.ax_, [*columns, *self.names], np.concatenate([ends, self.scores]), shafts)
        else:
            write_names(self.ax_, columns, ends, np.concatenate([shafts, some]))
        for words in self.ax_.texts[before : before + len(columns)]:  # with a rim that parts them from the rows
            words.set_path_effects([withStroke(linewidth=2.5, foreground=self.ax_.get_facecolor())])
            words.set(zorder=4, color=INK, fontstyle="italic")
