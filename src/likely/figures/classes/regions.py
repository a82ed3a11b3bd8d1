"""Decision regions in the plane: which class is said where, over the rows, with the classes' ellipses.

A boundary is drawn where two classes are equally probable: as the zero of how far a class is ahead of the best other
one, in nats, which is a smooth function of the place, so that a straight boundary is drawn straight. Where a model
decides by costs, or tells no probabilities, the boundary follows the points of the grid.

Rows stand in the colour of their own class, with a ring around those of which another class was said. Classes that are
Gaussian in these two features have the ellipse of one standard deviation. Lines of equal posterior show how fast a
model becomes sure: straight for classes with one covariance, which is what makes their posterior logistic or softmax.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TableLike, TargetLike
from likely.data.labels.target import read_target
from likely.decisions.optimal.population import Population
from likely.decisions.optimal.regions import DecisionRegions, decision_regions
from likely.errors import InputError
from likely.figures.drawing.canvas import BAND, INK, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.figures.laws.ellipses import draw_ellipses, moments_of
from likely.models.any_classifier.posteriors import names_of
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Array, Floats, Ints, in_brief

_POINTS = 161  # of the grid along each feature
_MARGIN = 0.08  # of the rows' range, around them
_REACH = 3.0  # deviations from the means that are shown where there are no rows
_LEVELS = (0.05, 0.2, 0.5, 0.8, 0.95)  # of equal posterior, of one of two classes
_SURE = (0.5, 0.8, 0.95)  # of each of more classes


@dataclass(eq=False)
class DecisionRegionsDisplay(Drawn):
    """Decision regions over two features.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from sklearn.datasets import load_iris
    >>> from likely import GaussianBayes
    >>> X, y = load_iris(return_X_y=True)
    >>> model = GaussianBayes("full").fit(X[:, 2:], y)
    >>> display = DecisionRegionsDisplay.from_estimator(model, X[:, 2:], y, labels=("petal length", "petal width"))
    >>> display.frame()["wrong"].sum(), display.regions.pieces()
    (3, {0: 1, 1: 1, 2: 1})
    >>> matplotlib.pyplot.close(display.figure_)
    """

    regions: DecisionRegions
    rows: Floats | None = None  # (n, 2)  drawn over the regions
    truth: Ints | None = None  # (n,)  places of their classes; -1: not known
    said: Ints | None = None  # (n,)  places of what was said of them
    moments: tuple[Floats, Floats] | None = None  # means (k, 2) and covariances (k, 2, 2) of Gaussian classes
    labels: tuple[str, str] = ("x1", "x2")  # of the two axes
    radii: Sequence[float] = (1.0,)  # of the ellipses, in standard deviations
    lines: bool = False  # draw lines of equal posterior
    shade: bool = True  # colour the regions
    rings: bool = True  # mark the rows of which another class was said
    names: Sequence[str] = ()  # beside the rows; none, or one for each
    aspect: str = "auto"  # "equal": one unit is as long up as across

    __repr__ = in_brief

    def __post_init__(self) -> None:
        if self.names and (self.rows is None or len(self.names) != len(self.rows)):
            raise InputError(f"{0 if self.rows is None else len(self.rows)} rows need as many names")
        if self.lines and self.regions.log_posterior is None:
            raise InputError("lines of equal posterior need a model that decides by its probabilities")

    @classmethod
    def from_estimator(
        cls,
        estimator: FittedClassifier,
        X: TableLike,
        y: TargetLike = None,
        *,
        features: tuple[Any, Any] = (0, 1),
        at: Any = None,
        limits: ArrayLike | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw what a fitted classifier says, over rows X with classes y, if they are known.

        Of a model of more than two features `features` names the two that are drawn, and the others are held at the
        row `at`; without it, where all of them are numbers, at their medians. `limits` are
        ((left, right), (low, high)); the options are fields of the display.
        """
        table = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
        plain = table.ndim == 2 and table.shape[1] == 2
        names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
        places = [names.index(f) if f in names else int(f) for f in features]
        rows = table[:, places].astype(np.float64)
        x, up = grid_axes(rows, None, limits)
        at = _medians(table) if at is None and table.ndim == 2 and table.shape[1] > 2 else at
        regions = decision_regions(estimator, x, up, features, at)
        if names:
            options = {"labels": (names[places[0]], names[places[1]]), **options}
        moments = _of_model(estimator) if plain else None
        truth = None if y is None else codes_of(y, regions.classes)
        said = codes_of(estimator.predict(X), regions.classes)
        return cls(regions, rows, truth, said, moments, **options).plot(ax)

    @classmethod
    def from_population(
        cls,
        population: Population,
        X: TableLike | None = None,
        y: TargetLike = None,
        *,
        limits: ArrayLike | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Draw the best rule of a population of two numbers, over rows, if there are any."""
        moments = moments_of(population.distribution)
        rows = None if X is None else np.asarray(X, dtype=np.float64)
        if rows is None and moments is None and limits is None:
            raise InputError("where to draw? give rows X, or limits=((left, right), (low, high))")
        regions = decision_regions(population, *grid_axes(rows, moments, limits))
        truth = None if y is None else codes_of(y, regions.classes)
        said = None if rows is None else np.asarray(population.log_posterior(rows).argmax(axis=1))
        return cls(regions, rows, truth, said, moments, **options).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax, 5.8, 4.8)
        x, y = self.regions.x, self.regions.y
        draw_regions(self.ax_, self.regions, self.shade)
        if self.lines:
            self._draw_lines()
        shown = names_of(self.regions.classes)
        for k, name in enumerate(shown):
            counted = "" if self.truth is None else f" ({int((self.truth == k).sum())})"
            label: str | None = f"{name}{counted}"
            if self.moments is not None:
                draw_ellipses(self.ax_, self.moments[0][k], self.moments[1][k], colour(k), self.radii, label)
                label = None
            own = (self.truth if self.truth is not None else self.said) == k
            if self.rows is not None and np.any(own):
                self.ax_.scatter(*self.rows[own].T, s=12, color=colour(k), linewidths=0, label=label, zorder=3)
            elif label is not None:  # a class without rows or ellipse has its region in the legend
                self.ax_.fill_between([], [], [], color=colour(k), alpha=BAND, label=label)
        self._mark_rows()
        self.ax_.set(xlabel=self.labels[0], ylabel=self.labels[1], aspect=self.aspect)
        self.ax_.set(xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))
        legend(self.ax_)
        return self

    def frame(self) -> Any:
        """The rows, with their class and what was said of them, as a Polars frame."""
        import polars as pl

        if self.rows is None:
            raise InputError("no rows are drawn; the regions are in `regions`")
        names = np.array([*map(str, names_of(self.regions.classes)), None], dtype=object)
        columns: dict[str, Any] = dict(zip(self.labels, self.rows.T, strict=True))
        columns["said"] = names[self.said].tolist()
        if self.truth is not None:
            columns |= {"class": names[self.truth].tolist(), "wrong": self._wrong()}
        return pl.DataFrame(columns)

    def _draw_lines(self) -> None:
        assert self.regions.log_posterior is not None  # as checked when it was made
        posterior = np.exp(self.regions.log_posterior)
        two = posterior.shape[-1] == 2
        for k in range(1 if two else 0, posterior.shape[-1]):
            tone = INK if two else colour(k)
            levels = [p for p in (_LEVELS if two else _SURE) if posterior[..., k].min() < p < posterior[..., k].max()]
            if levels:
                drawn = self.ax_.contour(
                    self.regions.x, self.regions.y, posterior[..., k], levels, colors=tone, linewidths=0.8
                )
                drawn.set_gid("posterior")
                self.ax_.clabel(drawn, fontsize=7, manual=label_places(drawn), inline_spacing=2)
        of = names_of(self.regions.classes)[1] if two else "the class"
        self.ax_.plot([], [], color=INK, lw=0.8, label=f"probability of {of}")

    def _mark_rows(self) -> None:
        if self.rows is None:
            return
        wrong = self._wrong()
        if self.rings and self.truth is not None and wrong.any():
            ring = {"s": 40, "facecolors": "none", "edgecolors": INK, "linewidths": 0.8, "zorder": 3}
            text = f"said otherwise ({int(wrong.sum())})"
            self.ax_.scatter(*self.rows[wrong].T, label=text, gid="wrong", **ring)
        for name, place in zip(self.names, self.rows, strict=False):
            self.ax_.annotate(name, place, (4, 3), textcoords="offset points", fontsize=8, color=INK)

    def _wrong(self) -> Array:
        if self.truth is None or self.said is None:
            return np.zeros(0 if self.rows is None else len(self.rows), dtype=bool)
        return np.asarray((self.truth != self.said) & (self.truth >= 0))


def draw_regions(ax: Axes, regions: DecisionRegions, shade: bool = True) -> None:
    """Regions in the colours of their classes, and the boundaries between them."""
    margin = regions.margin()
    for k in range(len(regions.classes)):
        here = regions.code == k
        ahead = margin[..., k] if margin is not None else np.where(here, 1.0, -1.0)
        if shade and here.any():
            top = max(float(ahead.max()), 0.0) + 1.0
            ax.contourf(regions.x, regions.y, ahead, levels=[0.0, top], colors=[colour(k)], alpha=BAND)
        if here.any() and not here.all():
            edge = ax.contour(regions.x, regions.y, ahead, levels=[0.0], colors=INK, linewidths=1.1)
            edge.set_gid("boundary")


def grid_axes(
    rows: Floats | None, moments: tuple[Floats, Floats] | None, limits: ArrayLike | None
) -> tuple[Floats, Floats]:
    """Coordinates of the grid: within the limits, around the rows, or around the means."""
    if limits is not None:
        ends = np.asarray(limits, dtype=np.float64)
        if ends.shape != (2, 2) or not (ends[:, 0] < ends[:, 1]).all():
            raise InputError(f"limits are ((left, right), (low, high)), got {limits!r}")
        low, high = ends.T
    elif rows is not None:
        if rows.ndim != 2 or rows.shape[1] != 2 or not np.isfinite(rows).any(axis=0).all():
            raise InputError(f"decision regions are drawn over two numeric features, got rows of shape {rows.shape}")
        low, high = np.nanmin(rows, axis=0), np.nanmax(rows, axis=0)
        margin = np.where(high > low, _MARGIN * (high - low), 1.0)
        low, high = low - margin, high + margin
    else:
        assert moments is not None
        spread = np.sqrt(moments[1][:, [0, 1], [0, 1]])
        low, high = (moments[0] - _REACH * spread).min(axis=0), (moments[0] + _REACH * spread).max(axis=0)
    return np.linspace(low[0], high[0], _POINTS), np.linspace(low[1], high[1], _POINTS)


def codes_of(labels: Any, classes: Array) -> Ints:
    """Places of labels among the classes; -1 for what is none of them."""
    place: dict[Hashable, int] = {name: i for i, name in enumerate(names_of(classes))}
    target = read_target(labels)
    names = [place.get(name, -1) for name in target.classes]
    return np.array([*names, -1], dtype=np.int64)[target.codes]


def _of_model(model: Any) -> tuple[Floats, Floats] | None:
    from likely.models.generative.classifier import GenerativeClassifier

    return moments_of(model.distribution_) if isinstance(model, GenerativeClassifier) else None


def label_places(drawn: Any) -> list[tuple[float, float]]:
    """Where lines bear their number: on each of them at another height of the axes, so that none covers another."""
    places, count = [], len(drawn.levels)
    low, high = drawn.axes.get_ylim()
    for i, path in enumerate(drawn.get_paths()):
        points = path.vertices
        height = low + (high - low) * (0.25 + 0.5 * (i + 0.5) / count)
        places.append(tuple(points[np.abs(points[:, 1] - height).argmin()].tolist()))
    return places


def _medians(table: Array) -> Floats | None:
    """The middle of every column (d,); None where one of them holds no numbers."""
    try:
        numbers = table.astype(np.float64)
    except (TypeError, ValueError):
        return None
    known = ~np.isnan(numbers).all(axis=0)
    return np.asarray(np.nanmedian(numbers, axis=0)) if known.all() else None
