"""Classes of one number, prior times density: where each is said, and what is lost at a boundary.

Where two curves cross, two classes are equally probable; between the crossings the class of the highest curve is said.
The error of a rule is the area under the curves of the classes that it does not say: least at the crossings, larger
wherever else a boundary is put.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.decisions.optimal.boundaries import Region
from likely.decisions.optimal.population import Population
from likely.figures.classes.on_a_line import (
    best_regions,
    check_line,
    halves,
    log_joint_at,
    lost,
    normal_classes,
    shown_range,
)
from likely.figures.classes.regions import codes_of
from likely.figures.drawing.canvas import BAND, INK, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.models.any_classifier.posteriors import names_of
from likely.models.generative import NaiveBayes
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Floats, Ints, as_floats, in_brief

_POINTS = 801
_NAMED = 4  # boundaries whose places the legend names
_RUG = 400  # values that are drawn one by one


@dataclass(eq=False)
class ClassBoundariesDisplay(Drawn):
    """Weighted densities of classes on a line, with their boundaries.

    >>> import matplotlib; matplotlib.use("agg")
    >>> lengths, sex = [10.1, 9.2, 11.0, 9.9, 12.4, 13.1, 11.9, 14.2], list("ffffmmmm")
    >>> best = ClassBoundariesDisplay.from_values(lengths, sex, name="length")
    >>> [round(region.high, 2) for region in best.regions], round(best.error, 3)
    ([1.71, 11.32, inf], 0.029)
    >>> moved = ClassBoundariesDisplay.from_values(lengths, sex, boundary=10.0, errors=True)
    >>> round(moved.error, 3)
    0.266
    >>> matplotlib.pyplot.close("all")
    """

    population: Population
    regions: Sequence[Region]  # what is said where
    errors: bool = False  # shade what is lost, instead of what is said
    values: Floats | None = None  # (n,)  the rows
    codes: Ints | None = None  # (n,)  their classes; -1: not known
    name: str = "x"
    limits: tuple[float, float] | None = None

    __repr__ = in_brief

    @classmethod
    def from_population(
        cls,
        population: Population,
        *,
        boundary: float | None = None,
        regions: Sequence[Region] | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw a population of one number, by its best rule, or by a `boundary` or `regions` of your own.

        The options are fields of the display.
        """
        check_line(population)
        if regions is None:
            regions = best_regions(population) if boundary is None else halves(population, boundary)
        return cls(population, tuple(regions), **options).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedClassifier,
        X: TableLike | None = None,
        y: TargetLike = None,
        *,
        prior: PriorLike | None = None,
        **options: Any,
    ) -> Self:
        """Draw what a generative classifier has learned of one numeric feature, over rows X with classes y."""
        population = Population.of(estimator, prior)
        if X is not None:
            rows = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X, dtype=np.float64)
            options = {"values": rows.reshape(len(rows), -1)[:, 0], **options}
            if y is not None:
                options = {"codes": codes_of(y, population.classes), **options}
        names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
        return cls.from_population(population, **{"name": names[0] if names else "x", **options})

    @classmethod
    def from_values(
        cls,
        values: ArrayLike,
        y: TargetLike,
        *,
        family: str = "gaussian",
        class_prior: PriorLike | None = None,
        **options: Any,
    ) -> Self:
        """Estimate a density of every class from values (n,), and draw; `family` is a kind of `NaiveBayes`."""
        rows = as_floats(values, "values").reshape(-1, 1)
        model = NaiveBayes(family, class_prior=class_prior).fit(rows, y)
        return cls.from_estimator(model, rows, y, **options)

    @property
    def error(self) -> float:
        """How often a row is given another class than its own, were the densities true."""
        return float(lost(self.population, self.regions).sum())

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax)
        low, high = self.limits or shown_range(self.population)
        cuts = [region.high for region in self.regions[:-1] if low < region.high < high]
        x = np.union1d(np.linspace(low, high, _POINTS), cuts)
        height = np.exp(log_joint_at(self.population, x))
        normal = normal_classes(self.population)
        for k, name in enumerate(names_of(self.population.classes)):
            law = "" if normal is None else f": N({normal[0][k]:.4g}, {normal[1][k]:.3g}²)"
            self.ax_.plot(x, height[:, k], color=colour(k), lw=1.8, label=f"{name}{law}", gid="class")
        self._shade(x, height)
        for place, cut in enumerate(cuts):
            places = ", ".join(f"{at:.4g}" for at in cuts[:_NAMED]) + ", …" * (len(cuts) > _NAMED)
            self.ax_.axvline(cut, color=INK, lw=1, ls="--", label=f"boundary at {places}" if place == 0 else None)
        self._draw_rows()
        self.ax_.set(xlabel=self.name, ylabel="prior × density", xlim=(low, high), ylim=(0, 1.08 * float(height.max())))
        if self.errors:
            self.ax_.set_title(f"error {self.error:.4f} (shaded)", fontsize=10)
        legend(self.ax_)
        return self

    def frame(self) -> Any:
        """A region a row, with the class that is said in it, as a Polars frame."""
        import polars as pl

        names = [str(name) for name in names_of(self.population.classes)]
        rows = [(region.low, region.high, names[region.member]) for region in self.regions]
        return pl.DataFrame(rows, schema=["low", "high", "said"], orient="row")

    def _shade(self, x: Floats, height: Floats) -> None:
        for region in self.regions:
            inside = (x >= region.low) & (x <= region.high)
            others = [k for k in range(height.shape[1]) if k != region.member]
            for k in others if self.errors else [region.member]:
                opacity = 0.35 if self.errors else BAND
                shade = self.ax_.fill_between(
                    x[inside], 0, height[inside, k], color=colour(k), alpha=opacity, linewidth=0
                )
                shade.set_gid("lost" if self.errors else "said")

    def _draw_rows(self) -> None:
        if self.values is None or len(self.values) > _RUG:
            return
        codes = np.full(len(self.values), -1) if self.codes is None else self.codes
        for k in range(-1, self.population.members):
            own = self.values[codes == k]
            if len(own):
                tone = INK if k < 0 else colour(k)
                self.ax_.plot(own, np.zeros(len(own)), "|", color=tone, markersize=12, clip_on=False, gid="rows")
