"""Classes projected on a direction: histograms on Fisher's direction, on the line of means, or on any other."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.target import read_target
from likely.errors import InputError
from likely.figures.drawing.canvas import BAND, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.numeric.arrays import Floats, Ints, in_brief

_BINS = 40


@dataclass(eq=False)
class ProjectionDisplay(Drawn):
    """How the rows of each class lie along one direction; what overlaps cannot be told apart there.

    >>> import matplotlib; matplotlib.use("agg")
    >>> import numpy as np
    >>> from likely import FisherDiscriminant
    >>> rng = np.random.default_rng(0)
    >>> X, y = rng.normal(size=(60, 3)) + np.repeat([[0.0], [2.0]], 30, axis=0), np.repeat(["calm", "wild"], 30)
    >>> display = ProjectionDisplay.from_estimator(FisherDiscriminant().fit(X, y), X, y)
    >>> display.frame().columns
    ['class', 'place']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    places: Floats  # (n,)  of the rows along the direction
    codes: Ints  # (n,)
    classes: tuple[Any, ...]
    label: str = "projection"  # of the axis
    ratio: float | None = None  # products between classes over those within

    __repr__ = in_brief

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: TableLike, y: TargetLike, *, component: int = 0, ax: Axes | None = None, **options: Any
    ) -> Self:
        """Draw rows along one direction of a fitted model that can `transform`."""
        found = np.asarray(estimator.transform(X), dtype=np.float64)
        if not 0 <= component < found.shape[1]:
            raise InputError(f"there is no direction {component}: the model has {found.shape[1]}")
        ratios = getattr(estimator, "ratios_", None)
        named = {"fisher": "Fisher's direction", "means": "line of means"}
        options.setdefault("label", named.get(getattr(estimator, "direction", ""), "projection"))
        options.setdefault("ratio", None if ratios is None else float(ratios[component]))
        target = read_target(y, len(found))
        return cls(found[:, component], target.codes, target.classes, **options).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on the axes given, or on new ones."""
        self.figure_, self.ax_ = canvas(ax)
        edges = np.linspace(self.places.min(), self.places.max() + 1e-12, _BINS + 1)
        for c, name in enumerate(self.classes):
            own = self.places[self.codes == c]
            self.ax_.hist(own, edges, color=colour(c), alpha=2 * BAND, label=str(name))
            self.ax_.hist(own, edges, color=colour(c), histtype="step")
        self.ax_.set_xlabel(self.label)
        self.ax_.set_ylabel("rows")
        if self.ratio is not None:
            self.ax_.set_title(f"between / within {self.ratio:.3g}", fontsize=10)
        legend(self.ax_)
        return self

    def frame(self) -> Any:
        """The places as a Polars frame."""
        import polars as pl

        return pl.DataFrame({"class": [str(self.classes[c]) for c in self.codes], "place": self.places})
