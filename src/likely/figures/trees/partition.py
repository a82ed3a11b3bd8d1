"""The partition of the plane by a tree of two columns of numbers: a rectangle for each leaf, over the rows."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.target import read_target
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.models.any_classifier.inside import unwrap
from likely.models.trees import DecisionTree
from likely.models.trees.classifier import TreeClassifier
from likely.models.trees.reading import edges_of
from likely.numeric.arrays import Floats, Ints, in_brief

_MARGIN = 0.08  # of the rows' range


@dataclass(eq=False)
class TreePartitionDisplay(Drawn):
    """Rectangles of the leaves, shaded by how probable their class is, and rows in the colours of theirs.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely import DecisionTree
    >>> X, y = [[1.0, 5.0], [2.0, 5.5], [3.0, 1.0], [4.0, 1.5]], list("aabb")
    >>> display = TreePartitionDisplay.from_estimator(DecisionTree().fit(X, y), X, y)
    >>> display.frame().select("right", "says").row(0)
    (2.5, 'a')
    >>> matplotlib.pyplot.close(display.figure_)
    """

    boxes: Floats  # (leaves, 4)  left, right, low, high
    says: Ints  # (leaves,)  places of classes
    probability: Floats  # (leaves,)  of the class that the leaf says
    classes: tuple[Hashable, ...]
    rows: Floats  # (n, 2)  drawn over the rectangles
    truth: Ints | None = None  # (n,)  the class of each row, by its place
    labels: tuple[str, str] = ("x0", "x1")  # of the two axes

    __repr__ = in_brief

    @classmethod
    def from_estimator(
        cls, estimator: TreeClassifier, X: TableLike, y: TargetLike = None, *, ax: Axes | None = None
    ) -> Self:
        """Draw what a fitted `DecisionTree` of two columns of numbers makes of the plane around rows X."""
        model = unwrap(estimator)
        if not isinstance(model, DecisionTree):
            raise InputError(f"{type(model).__name__} is no DecisionTree; DecisionRegionsDisplay draws any classifier")
        model._check_fitted()
        if model.n_features_in_ != 2 or model.coding_.nominal.any():
            raise InputError(
                f"the plane is of two columns of numbers, and the tree has {model.n_features_in_} columns: fit it to "
                "two of numbers"
            )
        rows = np.concatenate([x for _, x in model._cells(X)]).astype(np.float64)
        known = rows[~np.isnan(rows).any(axis=1)]
        low, high = known.min(axis=0), known.max(axis=0)
        room = np.where(high > low, _MARGIN * (high - low), 1.0)
        box = np.column_stack([low - room, high + room]).ravel()
        leaves = list(edges_of(model.grove_, box))
        share = model.grove_.share[[leaf for leaf, _ in leaves]]
        names = tuple(model.classes_.tolist())
        truth = None
        if y is not None:
            target = read_target(y, len(rows))
            place = np.array([names.index(name) if name in names else -1 for name in target.classes] or [-1])
            truth = np.where(target.codes < 0, -1, place[target.codes])
        labels = (model.schema_.names[0], model.schema_.names[1])
        boxes = np.array([edges for _, edges in leaves])
        return cls(boxes, share.argmax(axis=1), share.max(axis=1), names, rows, truth, labels).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        from matplotlib.patches import Rectangle

        self.figure_, self.ax_ = canvas(ax)
        k = len(self.classes)
        for (a, b, c, d), says, p in zip(self.boxes, self.says, self.probability, strict=True):
            sure = 0.06 + 0.3 * max(0.0, (p - 1 / k) / (1 - 1 / k)) if k > 1 else 0.3
            shade = colour(int(says))
            self.ax_.add_patch(Rectangle((a, c), b - a, d - c, facecolor=shade, alpha=sure, lw=0, gid="leaf"))
            self.ax_.add_patch(Rectangle((a, c), b - a, d - c, fill=False, edgecolor=MUTED, lw=0.8))
        if self.truth is None:
            self.ax_.plot(*self.rows.T, "o", color=INK, markersize=4, gid="rows")
        else:
            for c, name in enumerate(self.classes):
                own = self.rows[self.truth == c]
                self.ax_.plot(*own.T, "o", color=colour(c), markersize=5, label=str(name), gid="rows")
        self.ax_.set_xlim(self.boxes[:, 0].min(), self.boxes[:, 1].max())
        self.ax_.set_ylim(self.boxes[:, 2].min(), self.boxes[:, 3].max())
        self.ax_.set(xlabel=self.labels[0], ylabel=self.labels[1])
        legend(self.ax_)
        return self

    def frame(self) -> Any:
        """The rectangles as a Polars frame."""
        import polars as pl

        sides = dict(zip(("left", "right", "low", "high"), self.boxes.T, strict=True))
        names = [str(self.classes[c]) for c in self.says]
        return pl.DataFrame({**sides, "says": names, "probability": self.probability})
