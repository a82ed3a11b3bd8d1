"""What shuffling each column costs a tree or a forest, with intervals: the costliest columns first."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.figures.drawing.canvas import MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.models.any_classifier.inside import unwrap
from likely.models.traits.protocols import FittedClassifier
from likely.models.trees import Importance, permutation_importance

_LETTERS = 30  # of a line


@dataclass(eq=False)
class ImportanceDisplay(Drawn):
    """Permutation importances.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely import DecisionTree
    >>> X, y = [[1.0, 5.0], [2.0, 1.0], [3.0, 5.0], [4.0, 1.0]] * 5, list("aabb") * 5
    >>> display = ImportanceDisplay.from_estimator(DecisionTree(max_depth=1).fit(X, y), X, y)
    >>> display.frame()["column"].to_list()
    ['x0', 'x1']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    importances: Sequence[Importance]  # what `permutation_importance` gave
    unit: str = "bits for each row"

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedClassifier,
        X: TableLike,
        y: TargetLike,
        *,
        top: int = 15,
        loss: Any = "bits",
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw `permutation_importance` of a fitted tree or forest on rows X, best ones that it has not learned."""
        found = permutation_importance(unwrap(estimator), X, y, loss, **options)[:top]
        return cls(found, "bits for each row" if loss == "bits" else "share of rows").plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        names = [fill(each.column, _LETTERS) for each in self.importances]
        lines = len(names) * max((name.count("\n") + 1 for name in names), default=1)
        self.figure_, self.ax_ = canvas(ax, height=max(1.6, 0.32 * lines + 1.0))
        at = np.arange(len(self.importances))[::-1]
        for y, each in zip(at, self.importances, strict=True):
            self.ax_.plot([each.cost.low, each.cost.high], [y, y], color=colour(0), lw=2, alpha=0.5)
            self.ax_.plot(each.cost.value, y, "o", color=colour(0), markersize=5)
        self.ax_.axvline(0, color=MUTED, lw=1)
        self.ax_.set_yticks(at, names, parse_math=False)
        self.ax_.set_xlabel(fill(f"cost of shuffling the column, {self.unit}", _LETTERS))
        return self

    def frame(self) -> Any:
        """The costs and their intervals as a Polars frame."""
        import polars as pl

        costs = [each.cost for each in self.importances]
        return pl.DataFrame(
            {
                "column": [each.column for each in self.importances],
                "cost": [cost.value for cost in costs],
                "low": [cost.low for cost in costs],
                "high": [cost.high for cost in costs],
            }
        )
