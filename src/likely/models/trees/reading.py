"""Trees to be read: conditions in words, the tree as text, a rule for each leaf, the way of a row."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.printing.html_table import text_as_html
from likely.models.trees.grove import Grove
from likely.models.trees.growing.coding import Coding
from likely.numeric.arrays import Array, Floats

_LEVELS_SHOWN = 6


@dataclass(frozen=True)
class Rule:
    """The way to a leaf: conditions that all hold there, what is said, and what each condition gained.

    >>> from likely import DecisionTree
    >>> tree = DecisionTree().fit([[1.0], [2.0], [3.0], [4.0]] * 5, ["a", "a", "b", "b"] * 5)
    >>> [rule.says for rule in tree.rules()]
    ['a', 'b']
    """

    conditions: tuple[str, ...]  # in words, from the root down
    says: Any  # the class
    probability: float  # of it, in the leaf
    weight: float  # rows that came to the leaf
    gained: tuple[float, ...]  # of each test on the way, in the units of the criterion
    bits: float  # log2 of the probability of the class in the leaf over that in the root

    def __str__(self) -> str:
        """In one line.

        >>> print(Rule(("width < 6.4",), "lemon", 0.81, 2.0, (0.16,), 0.8))
        if width < 6.4: lemon (p 0.81, 2 rows, +0.80 bits)
        """
        rows = f"{self.weight:g} row{'s' * (self.weight != 1)}"
        told = f"{self.says} (p {self.probability:.3g}, {rows}, {self.bits:+.2f} bits)"
        return f"if {' and '.join(self.conditions)}: {told}" if self.conditions else f"always: {told}"

    _repr_html_ = text_as_html


def condition(grove: Grove, coding: Coding, node: int, left: bool) -> str:
    """What a test asks of a row that goes this way.

    Where all values go left and gaps right, the test is whether the cell is missing.
    """
    j = int(grove.feature[node])
    name = coding.schema.columns[j].name
    if grove.mask_at[node] >= 0:
        on_left = _levels_left(grove, coding, node)
        if on_left.all():
            return f"{name} is {'known' if left else 'missing'}"
        places = np.flatnonzero(on_left == left)
        if len(places) == 1:
            return f"{name} = {coding.words(j, places)[0]}"
        shown = ", ".join(coding.words(j, places[:_LEVELS_SHOWN]))
        more = f", and {len(places) - _LEVELS_SHOWN} more" if len(places) > _LEVELS_SHOWN else ""
        return f"{name} in {{{shown}{more}}}"
    limit = float(grove.threshold[node])
    if np.isinf(limit):
        return f"{name} is {'known' if left else 'missing'}"
    if coding.levels[j]:  # ordered: the cut is between two ranks
        at = int(np.ceil(limit))
        return f"{name} <= {coding.words(j, [at - 1])[0]}" if left else f"{name} >= {coding.words(j, [at])[0]}"
    return f"{name} {'<' if left else '>='} {_number(limit)}"


def _number(limit: float) -> str:
    """A threshold in six digits, or with three decimals: six digits of a date or a large amount are another number.

    >>> _number(43.35), _number(20240101.5), _number(1 / 3)
    ('43.35', '20240101.5', '0.333333')
    """
    before = len(f"{abs(limit):.0f}")
    return f"{limit:.{before + 3 if 3 < before < 13 else 6}g}"


def as_tree(grove: Grove, coding: Coding, classes: Array, max_depth: int | None = None) -> str:
    """A tree as text, a line for each node, what is below a test set in."""
    share, lines = grove.share, []
    waiting = [(int(grove.roots[0]), "", "")]
    while waiting:
        node, indent, words = waiting.pop()
        total = float(grove.counts[node].sum())
        best = int(share[node].argmax())
        told = f"{classes[best]} (p {share[node, best]:.3g}, {total:g} row{'s' * (total != 1)})"
        inner = grove.child[node] >= 0
        if inner and max_depth is not None and grove.depth[node] >= max_depth:
            told, inner = f"{told} ...", False
        lines.append(
            f"{indent}{words}{'' if inner and words else ': ' if words else ''}{'' if inner else told}".rstrip()
        )
        if inner:
            deeper = indent if not words else f"{indent}  "
            child = int(grove.child[node])
            waiting.append((child + 1, deeper, condition(grove, coding, node, False)))
            waiting.append((child, deeper, condition(grove, coding, node, True)))
    return "\n".join(line for line in lines if line)


def rules_of(grove: Grove, coding: Coding, classes: Array, leaves: Any = None) -> list[Rule]:
    """A rule for each leaf of the first tree, or for each of the leaves that are given, from left to right."""
    found: dict[int, Rule] = {}
    base, share = grove.share[grove.roots[0]], grove.share
    waiting: list[tuple[int, tuple[str, ...], tuple[float, ...]]] = [(int(grove.roots[0]), (), ())]
    while waiting:
        node, conditions, gained = waiting.pop()
        child = int(grove.child[node])
        if child < 0:
            best = int(share[node].argmax())
            p = float(share[node, best])
            bits = float(np.log2(p / base[best])) if p > 0 else 0.0
            found[node] = Rule(conditions, classes[best].item(), p, float(grove.counts[node].sum()), gained, bits)
            continue
        for side in (1, 0):
            words = (*conditions, condition(grove, coding, node, side == 0))
            waiting.append((child + side, words, (*gained, float(grove.gain[node]))))
    return list(found.values()) if leaves is None else [found[int(leaf)] for leaf in leaves]


def _levels_left(grove: Grove, coding: Coding, node: int) -> Array:
    j, at = int(grove.feature[node]), int(grove.mask_at[node])
    place = np.arange(len(coding.levels[j]))
    word = grove.masks[at + (place >> 6)]
    return np.asarray((word >> (place & 63).astype(np.uint64)) & np.uint64(1) == 1)


def edges_of(grove: Grove, box: Floats) -> Any:
    """The rectangles of the leaves in the plane of two columns: leaf, and its (left, right, low, high) in the box."""
    waiting = [(int(grove.roots[0]), tuple(box.tolist()))]
    while waiting:
        node, (a, b, c, d) = waiting.pop()
        child = int(grove.child[node])
        if child < 0:
            yield node, (a, b, c, d)
            continue
        cut = float(grove.threshold[node])
        if grove.feature[node] == 0:
            waiting += [(child + 1, (max(a, cut), b, c, d)), (child, (a, min(b, cut), c, d))]
        else:
            waiting += [(child + 1, (a, b, max(c, cut), d)), (child, (a, b, c, min(d, cut)))]
