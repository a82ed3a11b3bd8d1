"""A Gaussian of two numbers: contours or a surface of its density, ellipses of so many deviations, and rows behind it.

The ellipse of one standard deviation touches the box of mean -+ deviation on all four sides, whatever the correlation;
its major axis is tilted. Estimated from rows with a full, a diagonal or a spherical covariance, the ellipses show what
each of these can and cannot follow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, TypeAlias

import numpy as np

from likely.data.accepted import TableLike
from likely.distributions import MultivariateGaussian
from likely.distributions.family import fit
from likely.distributions.vectors.family import MultivariateGaussianFamily
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.figures.laws.ellipses import draw_ellipses, moments_of
from likely.numeric.arrays import Floats, in_brief
from likely.probability import Ellipse

Style: TypeAlias = Literal["contours", "surface", "ellipses"]
_POINTS = 121
_REACH = 3.0  # deviations that are shown


@dataclass(eq=False)
class GaussianPlaneDisplay(Drawn):
    """A Gaussian in the plane.

    >>> import matplotlib; matplotlib.use("agg")
    >>> rows = np.random.default_rng(0).normal(size=(200, 2)) @ [[2.0, 1.0], [0.0, 1.0]]
    >>> display = GaussianPlaneDisplay.from_values(rows, "full", labels=("length", "width"))
    >>> round(display.ellipse.correlation, 1), display.frame().shape
    (0.7, (14641, 3))
    >>> matplotlib.pyplot.close(display.figure_)
    """

    mean: Floats  # (2,)  the middle
    covariance: Floats  # (2, 2)  of the two
    rows: Floats | None = None  # (n, 2)  points drawn over it
    style: Style = "contours"  # "contours", "surface" or "ellipses"
    radii: Sequence[float] = (1.0, 2.0)  # of the ellipses, in standard deviations
    box: bool = False  # the box of mean -+ one deviation, and the major axis
    labels: tuple[str, str] = ("x1", "x2")  # of the two axes
    name: str | None = None
    limits: Any = None  # ((left, right), (low, high))

    __repr__ = in_brief

    def __post_init__(self) -> None:
        if self.style not in ("contours", "surface", "ellipses"):
            raise InputError(f"unknown style={self.style!r}; choose contours, surface or ellipses")
        self.ellipse  # noqa: B018  (complains of a covariance that is none)

    @classmethod
    def from_law(cls, mean: Any, covariance: Any, *, ax: Axes | None = None, **options: Any) -> Self:
        """Draw a Gaussian of this mean (2,) and covariance (2, 2); the options are fields of the display."""
        centre, spread = (np.asarray(part, dtype=np.float64) for part in (mean, covariance))
        return cls(centre, spread, **options).plot(ax)

    @classmethod
    def from_values(cls, X: TableLike, covariance: str = "full", *, ax: Axes | None = None, **options: Any) -> Self:
        """Estimate a Gaussian from rows (n, 2), with a full, diagonal or spherical covariance; draw it over them."""
        rows = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise InputError(f"a Gaussian in the plane is of two columns, got shape {rows.shape}")
        rows = rows[np.isfinite(rows).all(axis=1)]
        law: Any = fit(MultivariateGaussianFamily(covariance=covariance), rows)  # type: ignore[arg-type]
        found = moments_of(law)
        assert found is not None
        options = {"name": f"{covariance} covariance, {len(rows):,} rows", **options}
        return cls(found[0][0], found[1][0], rows, **options).plot(ax)

    @property
    def ellipse(self) -> Ellipse:
        """That of one standard deviation."""
        return Ellipse.of_covariance(self.covariance, self.mean.tolist())

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones; ellipses on the same axes get other colours."""
        self.figure_, self.ax_ = canvas(ax, 5.4, 4.8)
        if self.style == "surface":
            self._draw_surface()
            return self
        before = sum(line.get_gid() == "ellipse" for line in self.ax_.lines)
        place = before // max(len(self.radii), 1)
        x, y, density = self._density()
        if self.style == "contours":
            self.ax_.contourf(x, y, density, levels=10, cmap="Blues", alpha=0.8)
        if self.rows is not None:
            self.ax_.scatter(*self.rows.T, s=8, color=INK, alpha=0.5, linewidths=0, label="rows")
        tone = INK if self.style == "contours" else colour(place)
        draw_ellipses(self.ax_, self.mean, self.covariance, tone, self.radii, self.name)
        if self.box:
            self._draw_box()
        self.ax_.set(xlabel=self.labels[0], ylabel=self.labels[1], aspect="equal")
        left, right = (x[0], x[-1]) if not before else _wider(self.ax_.get_xlim(), x)
        low, high = (y[0], y[-1]) if not before else _wider(self.ax_.get_ylim(), y)
        self.ax_.set(xlim=(left, right), ylim=(low, high))
        legend(self.ax_)
        return self

    def frame(self) -> Any:
        """The density on the grid that is drawn, as a Polars frame."""
        import polars as pl

        x, y, density = self._density()
        across, up = (part.ravel() for part in np.meshgrid(x, y))
        return pl.DataFrame({self.labels[0]: across, self.labels[1]: up, "density": density.ravel()})

    def _density(self) -> tuple[Floats, Floats, Floats]:
        if self.limits is None:
            wide = _REACH if self.style != "ellipses" else 1.4 * max(self.radii, default=1.0)
            reach = wide * np.sqrt(np.diag(self.covariance))
            ends = np.stack([self.mean - reach, self.mean + reach], axis=1)
            if self.rows is not None and len(self.rows):
                ends[:, 0] = np.minimum(ends[:, 0], self.rows.min(axis=0))
                ends[:, 1] = np.maximum(ends[:, 1], self.rows.max(axis=0))
        else:
            ends = np.asarray(self.limits, dtype=np.float64)
        x, y = (np.linspace(low, high, _POINTS) for low, high in ends.tolist())
        grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
        law = MultivariateGaussian.of(self.mean[None], self.covariance)
        return x, y, np.exp(law.log_density(grid)).reshape(_POINTS, _POINTS)

    def _draw_surface(self) -> None:
        """On axes of three dimensions in the place of those of two."""
        spec = self.ax_.get_subplotspec()
        if spec is None:
            raise InputError("a surface needs axes of a grid of subplots, as pyplot.subplots makes them")
        self.ax_.set_axis_off()
        self.ax_ = self.figure_.add_subplot(spec, projection="3d")
        x, y, density = self._density()
        across, up = np.meshgrid(x, y)
        self.ax_.plot_surface(across, up, density, cmap="Blues", linewidth=0, rcount=60, ccount=60)
        self.ax_.set_xlabel(self.labels[0], fontsize=8)
        self.ax_.set_ylabel(self.labels[1], fontsize=8)
        self.ax_.set_zlabel("density", fontsize=8)
        self.ax_.tick_params(labelsize=7)
        self.ax_.locator_params(nbins=4)
        self.ax_.set_box_aspect(None, zoom=0.85)  # within the page

    def _draw_box(self) -> None:
        (wide, high), (across, up) = self.ellipse.half_widths, self.mean
        corners = [(across - wide, up - high), (across + wide, up - high), (across + wide, up + high)]
        corners += [(across - wide, up + high), corners[0]]
        self.ax_.plot(*np.array(corners).T, color=INK, lw=0.8, ls=":")
        half, turn = self.ellipse.half_axes[0], np.radians(self.ellipse.angle)
        ends = np.array([-half, half])
        text = f"major axis at {self.ellipse.angle:.1f}°"
        self.ax_.plot(across + ends * np.cos(turn), up + ends * np.sin(turn), color=colour(1), lw=1.2, label=text)


def _wider(limits: tuple[float, float], x: Floats) -> tuple[float, float]:
    return min(limits[0], float(x[0])), max(limits[1], float(x[-1]))
