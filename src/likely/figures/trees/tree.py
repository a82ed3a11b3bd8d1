"""A decision tree drawn: its tests from the root down, left where the answer is yes, and its leaves at the bottom.

A leaf has the colour of its class, as strong as it is sure, its smoothed probability and the weight of its rows. Where
the picture ends above a leaf, the edge is dashed and the number of tests that are not shown stands below.
"""

import re
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.data.printing.wording import amount
from likely.errors import InputError
from likely.figures.drawing.canvas import INK, MUTED, Axes, Drawn, canvas, colour, plain_names
from likely.models.any_classifier.inside import unwrap
from likely.models.trees import DecisionTree
from likely.models.trees.classifier import TreeClassifier
from likely.models.trees.reading import condition
from likely.numeric.arrays import Floats, in_brief

_WIDEST = 32  # leaves that can be told apart
_LEAF, _LINE, _GAP = 1.15, 0.135, 0.34  # inches: a leaf across, a line of words, and between two levels
_LETTER = 5.0  # points across, of letters 8 points high
_LINES = 4  # of the words of a node


@dataclass(eq=False)
class TreeDisplay(Drawn):
    """A tree.

    >>> import matplotlib; matplotlib.use("agg")
    >>> from likely import DecisionTree
    >>> model = DecisionTree().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
    >>> display = TreeDisplay.from_estimator(model)
    >>> display.frame()["says"].to_list()
    ['x0 < 2.5', 'no', 'yes']
    >>> matplotlib.pyplot.close(display.figure_)
    """

    nodes: tuple[int, ...]  # from the root, level by level
    parents: tuple[int, ...]  # places among the nodes; -1: the root
    words: tuple[str, ...]  # the test of an inner node, the class of a leaf
    leaf: tuple[bool, ...]  # whether the node is drawn as one
    classes: tuple[int, ...]  # the most probable class, by its place
    probability: tuple[float, ...]  # of that class, in the node
    weight: tuple[float, ...]  # of the rows in the node
    place: Floats  # (n, 2)  across in leaves, down in levels
    hidden: tuple[int, ...] = ()  # tests below each node that are not shown

    __repr__ = in_brief

    @classmethod
    def from_estimator(cls, estimator: TreeClassifier, *, max_depth: int | None = 4, ax: Axes | None = None) -> Self:
        """Draw a fitted `DecisionTree`, or one in wrappers, down to a depth; what is below counts as a leaf."""
        model = unwrap(estimator)
        if not isinstance(model, DecisionTree):
            raise InputError(f"{type(model).__name__} is no DecisionTree: only one tree can be drawn")
        model._check_fitted()
        grove, share = model.grove_, model.grove_.share
        depth = grove.depth if max_depth is None else np.minimum(grove.depth, max_depth)
        level, order = [int(grove.roots[0])], []
        while level:
            order += level
            inner = [n for n in level if grove.child[n] >= 0 and (max_depth is None or grove.depth[n] < max_depth)]
            level = [int(grove.child[n]) + side for n in inner for side in (0, 1)]
        shown = set(order)
        leaf = [grove.child[n] < 0 or int(grove.child[n]) not in shown for n in order]
        if sum(leaf) > _WIDEST:
            raise InputError(f"{sum(leaf)} leaves cannot be told apart in a picture: set a smaller max_depth")
        best = [int(share[n].argmax()) for n in order]
        words = [
            str(model.classes_[b]) if ends else condition(grove, model.coding_, n, True)
            for n, b, ends in zip(order, best, leaf, strict=True)
        ]
        places = _places(order, [bool(x) for x in leaf], grove.child, depth)
        parent = grove.parent
        above = [order.index(int(parent[n])) if parent[n] >= 0 else -1 for n in order]
        sure = [float(share[n, b]) for n, b in zip(order, best, strict=True)]
        weight = [float(grove.counts[n].sum()) for n in order]
        display = cls(
            nodes=tuple(order),
            parents=tuple(above),
            words=tuple(words),
            leaf=tuple(map(bool, leaf)),
            classes=tuple(best),
            probability=tuple(sure),
            weight=tuple(weight),
            place=places,
            hidden=tuple(_tests(grove.child, n) if ends else 0 for n, ends in zip(order, leaf, strict=True)),
        )
        return display.plot(ax)

    @plain_names
    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on these axes, or on new ones."""
        leaves, levels = sum(self.leaf), int(self.place[:, 1].max()) + 1
        across = max(leaves, 4.2 / _LEAF) * _LEAF if ax is None else ax.bbox.width / ax.figure.dpi
        letters = max(8, int((72 * across / max(leaves, 1.2) - 10) / _LETTER))
        said = [self._said(i, letters) for i in range(len(self.words))]
        lines = max(words.count("\n") + 1 for words in said)
        self.figure_, self.ax_ = canvas(ax, across, max(2.2, (_LINE * lines + _GAP) * levels + 0.6))
        self.ax_.set_axis_off()
        for i, above in enumerate(self.parents):
            if above >= 0:
                (x0, y0), (x1, y1) = self.place[above], self.place[i]
                self.ax_.plot([x0, x1, x1], [-y0, -y0, -y1], color=MUTED, lw=1, zorder=1)
        for i, words in enumerate(said):
            x, y = self.place[i]
            box = {"boxstyle": "round,pad=0.25", "fc": "white", "ec": MUTED, "lw": 0.8}
            if self.leaf[i]:
                shade = colour(self.classes[i])
                box |= {"ec": shade, "lw": 0.6 + 1.8 * self.probability[i]}
                box["ls"] = "--" if self.hidden and self.hidden[i] else "-"
            self.ax_.text(x, -y, words, ha="center", va="center", fontsize=8, color=INK, bbox=box, zorder=2)
        self.ax_.set_xlim(-0.6, max(leaves - 0.4, 0.6))
        self.ax_.set_ylim(-levels + 0.4, 0.5)
        return self

    def _said(self, i: int, letters: int) -> str:
        """What stands in a node, in lines of so many letters; of a leaf also how sure it is, and of how many rows."""
        words = _in_lines(self.words[i], letters)
        if not self.leaf[i]:
            return words
        rows = f"{amount(self.weight[i])} row{'s' * (self.weight[i] != 1)}"
        told = _in_lines(f"{self.probability[i]:.2f}, {rows}", letters)
        more = self.hidden[i] if self.hidden else 0
        return f"{words}\n{told}" + (f"\n… {more} more test{'s' * (more != 1)}" if more else "")

    def frame(self) -> Any:
        """The nodes as a Polars frame."""
        import polars as pl

        above = [None if a < 0 else self.nodes[a] for a in self.parents]
        return pl.DataFrame(
            {"node": self.nodes, "parent": above, "says": self.words, "leaf": self.leaf}
            | {"probability": self.probability, "weight": self.weight}
            | {"hidden": self.hidden or (0,) * len(self.nodes)}
        )


def _places(order: list[int], leaf: list[bool], child: Any, depth: Any) -> Floats:
    """Leaves side by side, every test in the middle of what is below it."""
    at = {node: i for i, node in enumerate(order)}
    place = np.zeros((len(order), 2))
    place[:, 1] = [depth[node] for node in order]
    across, waiting = 0, [order[0]]
    while waiting:
        node = waiting.pop()
        if leaf[at[node]]:
            place[at[node], 0] = across
            across += 1
        else:
            waiting += [int(child[node]) + 1, int(child[node])]
    for node in reversed(order):
        if not leaf[at[node]]:
            place[at[node], 0] = (place[at[int(child[node])], 0] + place[at[int(child[node]) + 1], 0]) / 2
    return place


def _tests(child: Any, node: int) -> int:
    """How many tests there are from this node down."""
    count, waiting = 0, [node]
    while waiting:
        below = int(child[waiting.pop()])
        if below >= 0:
            count += 1
            waiting += [below, below + 1]
    return count


def _in_lines(words: str, letters: int) -> str:
    """Words in lines of so many letters; of more lines than there is room for the middle goes: a test ends in what it
    asks.

    >>> _in_lines("weight < 2.5", 12), _in_lines("the weight of the whole parcel and its box < 2.5", 9)
    ('weight < 2.5', 'the\\nweight of\\nth…nd its\\nbox < 2.5')
    """
    most, lines = _LINES * letters, _filled(words, letters)
    while len(lines) > _LINES:
        most -= 1
        ending = most // 2
        lines = _filled(f"{words[: most - ending]}…{words[-ending:]}", letters)
    return "\n".join(lines)


def _filled(words: str, letters: int) -> list[str]:
    """Lines that break behind blanks and underscores, and within what is longer than a line.

    >>> _filled("amount_of_rain < 2.5", 10)
    ['amount_of_', 'rain < 2.5']
    """
    lines = [""]
    for part in re.split(r"(?<=[ _])", words):
        if lines[-1] and len(lines[-1]) + len(part.rstrip()) > letters:
            lines.append("")
        pieces = [part[at : at + letters] for at in range(0, len(part), letters)] or [""]
        lines[-1] += pieces[0]
        lines += pieces[1:]
    return [line.strip() for line in lines if line.strip()]
