"""Circles of equal distance: what lies within reach of a point under Minkowski distances of several orders.

Below p = 1 the circle is caved in, and the way through a corner of it is shorter than the straight one: the triangle
inequality fails. With points, each circle goes through them: which of two is nearer depends on the order.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.distances.pairs import distance_matrix, rule_of
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.figures.drawing.legends import legend
from likely.numeric.arrays import Floats, as_floats, in_brief

ORDERS = (0.8, 1.0, 1.5, 2.0, 4.0, 8.0, float("inf"))
_ANGLES = 721


@dataclass(eq=False)
class MetricCirclesDisplay(Drawn):
    """Circles of equal Minkowski distance about a centre.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = MetricCirclesDisplay.from_orders([1, 2])
    >>> display.frame().select("p", "diagonal").rows()
    [(1.0, 0.5), (2.0, 0.7071067811865476)]
    >>> matplotlib.pyplot.close(display.figure_)
    """

    orders: Sequence[float]  # p of each Minkowski distance
    centre: Floats  # (2,)  of the circles
    radii: Sequence[Sequence[float]]  # of the circles of each order
    points: Mapping[str, Floats] = field(default_factory=dict)  # (2,)  by name

    __repr__ = in_brief

    @classmethod
    def from_orders(cls, orders: Sequence[float] = ORDERS, *, radius: float = 1.0, ax: Axes | None = None) -> Self:
        """Draw the circle of one radius about the origin, for each order."""
        if not radius > 0:
            raise InputError(f"a radius is above 0, got {radius}")
        return cls(_checked(orders), np.zeros(2), [[float(radius)]] * len(orders)).plot(ax)

    @classmethod
    def from_points(
        cls,
        points: Mapping[str, Any],
        centre: ArrayLike,
        *,
        orders: Sequence[float] = (2.0, 1.0, 0.8),
        ax: Axes | None = None,
    ) -> Self:
        """Draw, for each order, the circles about a centre that go through named points (2,)."""
        named = {str(name): as_floats(point, "a point") for name, point in points.items()}
        middle = as_floats(centre, "the centre")
        if middle.shape != (2,) or any(point.shape != (2,) for point in named.values()):
            raise InputError("circles are drawn in the plane: give points of two numbers")
        rows = np.array(list(named.values()))
        found = [distance_matrix(middle[None], rows, "minkowski", p=p)[0] for p in _checked(orders)]
        return cls(_checked(orders), middle, [sorted(set(row[row > 0].tolist())) for row in found], named).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        self.figure_, self.ax_ = canvas(ax, 5.2, 4.6)
        for place, (p, radii) in enumerate(zip(self.orders, self.radii, strict=True)):
            for number, radius in enumerate(radii):
                x = self.centre + radius * _circle(p)
                said = "p = ∞" if np.isinf(p) else f"p = {p:g}"
                self.ax_.plot(*x.T, color=colour(place), lw=1.6, label=None if number else said, gid="circle")
        self.ax_.plot(*self.centre, "+", color=INK, markersize=8)
        for name, point in self.points.items():
            self.ax_.plot(*point, "o", color=INK, markersize=5, gid="point")
            self.ax_.annotate(name, point, textcoords="offset points", xytext=(6, 6), color=INK, fontsize=9)
        self.ax_.axhline(self.centre[1], color=MUTED, lw=0.5, zorder=0)
        self.ax_.axvline(self.centre[0], color=MUTED, lw=0.5, zorder=0)
        self.ax_.set(xlabel="x1", ylabel="x2", aspect="equal")
        legend(self.ax_, "beside")
        return self

    def frame(self) -> Any:
        """A circle a row: its order, its radius, and the coordinate of its points on the axes and on the diagonal."""
        import polars as pl

        rows = [
            (float(p), r, r, r * (1.0 if np.isinf(p) else float(2 ** (-1 / p))))
            for p, radii in zip(self.orders, self.radii, strict=True)
            for r in radii
        ]
        return pl.DataFrame(rows, schema=["p", "radius", "axis", "diagonal"], orient="row")


def _circle(p: float) -> Floats:
    """Points (m, 2) at distance 1 from the origin, all the way round."""
    angle = np.linspace(0, 2 * np.pi, _ANGLES)
    way = np.column_stack([np.cos(angle), np.sin(angle)])
    way[np.abs(way) < 1e-15] = 0.0
    return np.asarray(way / distance_matrix(way, np.zeros((1, 2)), "minkowski", p=p))


def _checked(orders: Sequence[float]) -> tuple[float, ...]:
    if not len(orders):
        raise InputError("give at least one order p")
    for p in orders:
        rule_of("minkowski", p)
    return tuple(float(p) for p in orders)
