"""A tree of columns: which column depends on which within a class, and by how many bits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from likely.data.printing.wording import shortened
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, canvas, colour, plain_names
from likely.models.any_classifier.inside import unwrap
from likely.models.generative import DependenceBayes

_LONGEST = 28  # letters of a name in its node


@dataclass
class DependenceTreeDisplay:
    """The tree of a `DependenceBayes(structure="tree")`: each column in a line below its parent, the strokes as wide as
    the bits they stand for.

    >>> import matplotlib; matplotlib.use("agg")
    >>> display = DependenceTreeDisplay({"a": None, "b": "a", "c": "a"}, {"b": 0.5, "c": 0.1}).plot()
    >>> display.frame().rows()
    [('a', None, 0.0), ('b', 'a', 0.5), ('c', 'a', 0.1)]
    """

    parents: Mapping[str, str | None]  # the parent of each column; None: the root
    bits: Mapping[str, float]  # mutual information with the parent given the class

    @classmethod
    def from_estimator(cls, estimator: DependenceBayes, *, ax: Axes | None = None) -> Self:
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
        deepest = max((depth for depth, _ in place.values()), default=0)
        self.figure_, self.ax_ = canvas(ax, height=max(1.6, 0.26 * len(place) + 0.6))
        most = max(self.bits.values(), default=1.0) or 1.0
        for name, (depth, line) in place.items():
            above, words = self.parents[name], shortened(name, _LONGEST)
            if above is not None:
                higher, start = place[above]
                width = 0.6 + 3.0 * self.bits[name] / most
                corner = {"solid_joinstyle": "miter", "solid_capstyle": "butt"}
                self.ax_.plot([higher + 0.1] * 2 + [depth], [-start, -line, -line], color=colour(0), lw=width, zorder=1,
                              alpha=0.7, **corner)  # fmt: skip
            box = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none"}
            node = self.ax_.text(depth, -line, words, va="center", fontsize=8, color=INK, bbox=box, zorder=2)
            node.set_parse_math(False)
            if above is not None:
                self.ax_.annotate(f"{self.bits[name]:.2f}", (1, 0.5), xycoords=node, xytext=(6, 0), fontsize=7,
                                  textcoords="offset points", va="center", color=MUTED)  # fmt: skip
        self.ax_.set_xlim(-0.1, deepest + 1.8)
        self.ax_.set_ylim(-len(place) + 0.4, 0.6)
        self.ax_.axis("off")
        self.ax_.set_title("bits between a column and the one it hangs on, given the class", fontsize=9)
        return self

    def frame(self) -> Any:
        """Columns, parents and bits as a Polars frame."""
        import polars as pl

        rows = [(name, above, float(self.bits.get(name, 0.0))) for name, above in self.parents.items()]
        return pl.DataFrame(rows, schema=["column", "parent", "bits"], orient="row")

    def _places(self) -> dict[str, tuple[int, int]]:
        """Depth and line of every column: each below its parent, what hangs on it by the most bits first."""
        children: dict[str | None, list[str]] = {}
        for name, above in self.parents.items():
            children.setdefault(above, []).append(name)
        place: dict[str, tuple[int, int]] = {}
        stack = [(root, 0) for root in reversed(children.get(None, []))]
        while stack:
            name, depth = stack.pop()
            place[name] = depth, len(place)
            stack.extend((child, depth + 1) for child in sorted(children.get(name, []), key=lambda one: self.bits[one]))
        return place
