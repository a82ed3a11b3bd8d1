"""How decisions move with the prior: of one number the regions over every prior, of two the boundary at several.

    class 1 is said where  ln p(x | 1) / p(x | 2)  >  ln (1 - p) / p,   p the prior of class 1

so that in the plane the boundary of every prior is a contour of the log likelihood ratio. Of more than two classes the
prior of one goes from 0 to 1, and the others keep their shares of the rest.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from likely.decisions.optimal.population import Population
from likely.decisions.optimal.regions import DecisionRegions
from likely.errors import InputError
from likely.evaluation.judged_input import choose_positive
from likely.figures.classes.on_a_line import best_regions, check_line, log_joint_at, shown_range
from likely.figures.classes.regions import draw_regions, grid_axes, label_places
from likely.figures.drawing.canvas import BAND, INK, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.figures.laws.ellipses import draw_ellipses, moments_of
from likely.models.any_classifier.posteriors import names_of
from likely.models.traits.protocols import FittedClassifier
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_normalize, log_of

_EDGE = 0.005  # priors beside 0 and 1 that are drawn
_ACROSS, _UP = 401, 199
_IN_THE_PLANE = (0.05, 0.2, 0.5, 0.8, 0.95)


@dataclass(eq=False)
class PriorRegionsDisplay(Drawn):
    """Decision points or regions as the prior varies.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely.distributions import Gaussian
    >>> two = Population.of(Gaussian(np.array([[0.0], [2.0]]), np.ones((2, 1))), classes=["low", "high"])
    >>> display = PriorRegionsDisplay.from_population(two, priors=[0.2, 0.5], pos_label="low")
    >>> display.frame().with_columns(display.frame()["at"].round(4)).rows()
    [(0.2, 0.3069), (0.5, 1.0)]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    population: Population
    pos_label: Hashable  # whose prior varies
    priors: Sequence[float] = ()  # whose boundaries are marked, or in the plane drawn
    features: int = 1  # one number, or two
    labels: tuple[str, str] = ("x1", "x2")  # of the two axes
    limits: Any = None  # (low, high); in the plane ((left, right), (low, high))

    def __post_init__(self) -> None:
        self.priors = tuple(float(p) for p in self.priors)
        if any(not 0 < p < 1 for p in self.priors):
            raise InputError(f"priors lie between 0 and 1, got {list(self.priors)}")

    @classmethod
    def from_population(
        cls, population: Population, *, pos_label: Hashable = None, ax: Axes | None = None, **options: Any
    ) -> Self:
        """Draw a population of one number, or of two; the prior that varies is that of `pos_label`.

        Of two classes the second one's unless told otherwise. The options are fields of the display.
        """
        chosen, _ = choose_positive(names_of(population.classes), pos_label)
        features = _features(population)
        if features == 2 and population.members != 2:
            raise InputError(
                f"in the plane the boundary between two classes is drawn, there are {population.members}; draw "
                f"DecisionRegionsDisplay once for each prior instead"
            )
        if features == 2:
            options = {"priors": _IN_THE_PLANE, **options}
        return cls(population, chosen, features=features, **options).plot(ax)

    @classmethod
    def from_estimator(cls, estimator: FittedClassifier, **options: Any) -> Self:
        """Draw what a generative classifier of one or two numeric features would say under other priors."""
        population = Population.of(estimator)
        names = [str(name) for name in getattr(estimator, "feature_names_in_", ())]
        if names:
            options = {"labels": (names[0], names[-1]), **options}
        return cls.from_population(population, **options)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax, 5.8, 4.6)
        if self.features == 1:
            self._draw_line()
        else:
            self._draw_plane()
        legend(self.ax_)
        return self

    def frame(self) -> Any:
        """The decision points of every named prior, a point a row, as a Polars frame."""
        import polars as pl

        if self.features != 1:
            raise InputError("in the plane boundaries are curves; there are no points to list")
        rows = [(p, region.high) for p in self.priors for region in best_regions(self._with(p))[:-1]]
        return pl.DataFrame(rows, schema={"prior": pl.Float64, "at": pl.Float64}, orient="row")

    def _shares(self, p: Floats) -> Floats:
        """Priors of all classes (..., k) where that of the chosen class is p."""
        own = names_of(self.population.classes).index(self.pos_label)
        rest = np.array(self.population.prior, dtype=np.float64)
        rest[own] = 0.0
        rest = rest / rest.sum() if rest.sum() > 0 else np.where(np.arange(len(rest)) == own, 0, 1 / (len(rest) - 1))
        shares = (1 - p)[..., None] * rest
        shares[..., own] = p
        return np.asarray(shares)

    def _with(self, p: float) -> Population:
        return replace(self.population, prior=self._shares(np.array(p)))

    def _draw_line(self) -> None:
        low, high = self.limits or self._span()
        x, p = np.linspace(low, high, _ACROSS), np.linspace(_EDGE, 1 - _EDGE, _UP)
        density = log_joint_at(replace(self.population, prior=np.ones(self.population.members)), x)
        joint = density[None] + log_of(self._shares(p))[:, None]
        known = log_normalize(joint.reshape(-1, joint.shape[-1])).reshape(joint.shape)
        draw_regions(self.ax_, DecisionRegions(x, p, known.argmax(axis=-1), self.population.classes, known))
        for k, name in enumerate(names_of(self.population.classes)):
            self.ax_.fill_between([], [], [], color=colour(k), alpha=BAND, label=f"{name} is said")
        moments = moments_of(self.population.distribution)
        if moments is not None:
            for k, name in enumerate(names_of(self.population.classes)):
                self.ax_.axvline(moments[0][k, 0], color=colour(k), lw=1, ls=":", label=f"mean of {name}")
        for prior, at in self.frame().rows():
            self.ax_.plot(at, prior, "o", color=INK, markersize=5, gid="point")
            right = at < (low + high) / 2
            side = {"ha": "left" if right else "right", "xytext": (8 if right else -8, -3)}
            plate = {"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 1}
            place = {"textcoords": "offset points", "fontsize": 8, "color": INK, "bbox": plate}
            self.ax_.annotate(f"{at:.4g}", (at, prior), **side, **place)
        self.ax_.set(xlabel=self.labels[0] if self.labels[0] != "x1" else "x", ylabel=f"prior of {self.pos_label}")
        self.ax_.set(xlim=(low, high), ylim=(0, 1))

    def _span(self) -> tuple[float, float]:
        """Where the boundary lies at any drawn prior, if it is somewhere; at most where the classes lie."""
        low, high = shown_range(self.population)
        ends = [region.high for p in (_EDGE, 0.5, 1 - _EDGE) for region in best_regions(self._with(p))[:-1]]
        normal = moments_of(self.population.distribution)
        ends += [] if normal is None else normal[0][:, 0].tolist()
        inside = [end for end in ends if low <= end <= high]
        if normal is None or not inside:
            return low, high
        margin = 0.05 * (max(inside) - min(inside)) or 0.1 * (high - low)
        return min(inside) - margin, max(inside) + margin

    def _draw_plane(self) -> None:
        moments = moments_of(self.population.distribution)
        x, y = grid_axes(None, moments, self.limits)
        own = names_of(self.population.classes).index(self.pos_label)
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        density = np.asarray(self.population.distribution.log_density(grid))
        ratio = (density[:, own] - density[:, 1 - own]).reshape(len(y), len(x))
        levels = {float(np.log1p(-p) - np.log(p)): p for p in self.priors}
        within = [level for level in sorted(levels) if ratio.min() < level < ratio.max()]
        if within:
            drawn = self.ax_.contour(x, y, ratio, within, colors=INK, linewidths=1.0, linestyles="solid")
            drawn.set_gid("boundary")
            text = {level: f"{p:g}" for level, p in levels.items()}
            self.ax_.clabel(drawn, fontsize=7, manual=label_places(drawn), inline_spacing=2, fmt=text)
        self.ax_.plot([], [], color=INK, lw=1.0, label=f"boundary, by the prior of {self.pos_label}")
        if moments is not None:
            for k, name in enumerate(names_of(self.population.classes)):
                draw_ellipses(self.ax_, moments[0][k], moments[1][k], colour(k), (1.0,), str(name))
        self.ax_.set(xlabel=self.labels[0], ylabel=self.labels[1], xlim=(x[0], x[-1]), ylim=(y[0], y[-1]))


def _features(population: Population) -> int:
    """One number or two, or a complaint."""
    try:
        drawn = np.asarray(population.draw(4, 0)[0], dtype=np.float64)
    except (TypeError, ValueError):
        drawn = np.zeros((4, 0))
    if drawn.ndim == 2 and drawn.shape[1] == 2:
        return 2
    check_line(population)
    return 1
