"""A tree of columns: which column depends on which within a class, and by how many bits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.printing.wording import shortened
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, canvas, colour, plain_names
from likely.models.any_classifier.inside import unwrap

_LONGEST = 18  # letters of a name in its node


@dataclass
class DependenceTreeDisplay:
    """The tree of a `DependenceBayes(structure="tree")`: parents above, lines as wide as the bits they stand for.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = DependenceTreeDisplay({"a": None, "b": "a", "c": "a"}, {"b": 0.5, "c": 0.1}).plot()
    >>> display.frame().rows()
    [('a', None, 0.0), ('b', 'a', 0.5), ('c', 'a', 0.1)]
    """

    parents: Mapping[str, str | None]  # the parent of each column; None: the root
    bits: Mapping[str, float]  # mutual information with the parent given the class

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Axes | None = None) -> Self:
        """Draw the tree of a fitted model."""
        inside = unwrap(estimator)
        if getattr(inside, "structure", None) != "tree":
            raise InputError(f"{inside!r} has no tree of columns; DependenceBayes(structure='tree') has one")
        parents = inside.parents_
        bits = dict(zip(parents, inside.distribution_.parts[0].bits.tolist(), strict=True))
        return cls(parents, {name: bits[name] for name, above in parents.items() if above is not None}).plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes, new ones if none are given."""
        place = self._places()
        deepest = max((depth for _, depth in place.values()), default=0)
        self.figure_, self.ax_ = canvas(ax, height=max(2.0, 0.7 * (deepest + 1)))
        most = max(self.bits.values(), default=1.0) or 1.0
        for name, above in self.parents.items():
            if above is not None:
                (x, depth), (up, higher) = place[name], place[above]
                width = 0.6 + 3.0 * self.bits[name] / most
                self.ax_.plot([up, x], [-higher, -depth], color=colour(0), lw=width, zorder=1, alpha=0.7)
                words = f"{self.bits[name]:.2f}"
                self.ax_.text((x + up) / 2, -(depth + higher) / 2, words, fontsize=7, color=MUTED, ha="center")
        box = {"boxstyle": "round,pad=0.25", "facecolor": "white", "edgecolor": INK, "linewidth": 0.8}
        for name, (x, depth) in place.items():
            label = shortened(name, _LONGEST)
            self.ax_.text(x, -depth, label, ha="center", va="center", fontsize=8, bbox=box, zorder=2, parse_math=False)
        self.ax_.set_xlim(-0.6, max((x for x, _ in place.values()), default=0.0) + 0.6)
        self.ax_.set_ylim(-deepest - 0.5, 0.5)
        self.ax_.axis("off")
        self.ax_.set_title("bits between a column and its parent, given the class", fontsize=9)
        return self

    def frame(self) -> Any:
        """Columns, parents and bits as a Polars frame."""
        import polars as pl

        rows = [(name, above, float(self.bits.get(name, 0.0))) for name, above in self.parents.items()]
        return pl.DataFrame(rows, schema=["column", "parent", "bits"], orient="row")

    def _places(self) -> dict[str, tuple[float, int]]:
        """Across and down, for every column: leaves side by side, parents over the middle of their children."""
        children: dict[str | None, list[str]] = {}
        for name, above in self.parents.items():
            children.setdefault(above, []).append(name)
        place: dict[str, tuple[float, int]] = {}
        free = 0.0
        stack = [(root, 0, False) for root in reversed(children.get(None, []))]
        while stack:
            name, depth, seen = stack.pop()
            below = children.get(name, [])
            if below and not seen:
                stack.append((name, depth, True))
                stack.extend((child, depth + 1, False) for child in reversed(below))
            elif below:
                place[name] = float(np.mean([place[child][0] for child in below])), depth
            else:
                place[name] = free, depth
                free += 1.0
        return place
