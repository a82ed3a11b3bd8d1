"""Trees side by side in the same arrays: what a tree or a forest has learned.

A node holds the weight of each class of the rows that came to it. Its class shares are drawn towards those of the node
above it, by as much as `smoothing` rows would (the m-estimate, along the path):

    p(c | node) = (n_c + m p(c | parent)) / (n + m)          root: towards all classes alike

so a leaf of few rows says little that its parent did not, and no class that was seen at all is ever impossible. The
counts are sums: rows are added to them and taken from them exactly, while the tests stay as they are.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from likely import engines
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.trees.walking import add_leaves, add_leaves_of_numbers, add_steps, find_leaves

_CELLS = 1 << 15  # of rows that stay in the cache while every tree is walked
_AT_ONCE = 1 << 15  # rows of a single tree, which meets each of them once
_SIDE_BY_SIDE = 8  # rows that a kernel walks together


@dataclass(frozen=True)
class Grove:
    """The nodes of one or more trees.

    >>> from likely import DecisionForest
    >>> forest = DecisionForest(n_estimators=3, random_state=0).fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
    >>> len(forest.grove_.roots)
    3
    """

    roots: Ints  # (trees,)  the node at which each tree begins
    feature: Array  # (nodes,) int32  the column that is tested; -1: a leaf
    threshold: Floats  # (nodes,)  left below it; NaN of tests of levels and of leaves
    child: Array  # (nodes,) int32  the left child, the right one follows it; -1: a leaf
    gaps_left: Array  # (nodes,) uint8  whether missing cells go left
    mask_at: Array  # (nodes,) int32  where the bits of the levels on the left begin; -1: no test of levels
    masks: Array  # (words,) uint64  a bit for each level that goes left
    counts: Floats  # (nodes, k)  weight of each class
    gain: Floats  # (nodes,)  of the test, in the units of the criterion: bits, or Gini's impurity
    test_bits: Floats  # (nodes,)  to say which test of its column it is
    smoothing: float  # rows by which shares are drawn to those of the node above
    stored_as: ClassVar[str] = "Grove"

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """All trees of several groves, in their order."""
        nodes = np.cumsum([0, *(len(part.feature) for part in parts)])
        words = np.cumsum([0, *(len(part.masks) for part in parts)])

        def moved(name: str, by: Ints) -> Array:
            held = [getattr(part, name) for part in parts]
            return np.concatenate([np.where(x >= 0, x + at, x) for x, at in zip(held, by, strict=False)])

        names = ("feature", "threshold", "gaps_left", "masks", "counts", "gain", "test_bits")
        together: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}

        return replace(
            parts[0],
            roots=moved("roots", nodes),
            child=moved("child", nodes).astype(np.int32),
            mask_at=moved("mask_at", words).astype(np.int32),
            **together,
        )

    @property
    def n_trees(self) -> int:
        return len(self.roots)

    @property
    def n_nodes(self) -> int:
        return len(self.feature)

    @property
    def leaves(self) -> Ints:
        """Numbers of the leaves."""
        return np.flatnonzero(self.child < 0)

    @cached_property
    def parent(self) -> Ints:
        """The node above each (nodes,), -1 of a root."""
        above = np.full(self.n_nodes, -1, dtype=np.int64)
        inner = np.flatnonzero(self.child >= 0)
        above[self.child[inner]] = above[self.child[inner] + 1] = inner
        return above

    @cached_property
    def depth(self) -> Ints:
        """Tests above each node (nodes,)."""
        depth = np.zeros(self.n_nodes, dtype=np.int64)
        for level in self._levels:
            depth[level] = depth[self.parent[level]] + 1
        return depth

    @cached_property
    def _levels(self) -> list[Ints]:
        """The nodes below the roots, one generation after the other."""
        found: list[Ints] = []
        level = self.roots
        while True:
            inner = level[self.child[level] >= 0]
            if not len(inner):
                return found
            level = np.concatenate([self.child[inner], self.child[inner] + 1]).astype(np.int64)
            found.append(level)

    @cached_property
    def share(self) -> Floats:
        """Smoothed shares of the classes in each node (nodes, k)."""
        k, m = self.counts.shape[1], self.smoothing
        share = np.empty_like(self.counts)
        share[self.roots] = _drawn_to(self.counts[self.roots], m, 1.0 / k)
        for level in self._levels:
            share[level] = _drawn_to(self.counts[level], m, share[self.parent[level]])
        return share

    def posterior(self, x: Array) -> Floats:
        """Mean of the shares of the leaves that rows come to (n, k)."""
        out = self.sums(x, self.share)
        if self.n_trees > 1:
            out /= self.n_trees
        return out

    def sums(self, x: Array, of: Floats, roots: Ints | None = None) -> Floats:
        """Sum of a figure of the nodes (nodes, m) over the leaves that rows come to, in these or all trees (n, m)."""
        out = np.zeros((len(x), of.shape[1]))
        roots = self.roots if roots is None else roots
        size = max(8 * _SIDE_BY_SIDE, _CELLS // max(1, x.shape[1])) if len(roots) > 1 else _AT_ONCE

        def walk(part: tuple[Array, Floats]) -> None:
            rows, own = part
            if len(self.masks) or len(rows) < _SIDE_BY_SIDE:
                add_leaves(np.ascontiguousarray(rows, dtype=np.float64), roots, *self._tests[1:], of, own)
            else:  # numbers of four bytes are compared as they are
                kind = np.float32 if rows.dtype == np.float32 else np.float64
                add_leaves_of_numbers(np.ascontiguousarray(rows, dtype=kind), roots, *self._packed, of, own)

        starts = range(0, len(x), size)
        engines.current().map([(x[start : start + size], out[start : start + size]) for start in starts], walk)
        return out

    @cached_property
    def _packed(self) -> tuple[Floats, Array]:
        """Thresholds and links of nodes, 16 bytes each, as two views of the same memory; see the kernel."""
        limits = np.empty((self.n_nodes, 2))
        links, inner = limits.view(np.int64), self.child >= 0
        limits[:, 0] = np.where(inner, self.threshold, np.nan)
        links[:, 1] = np.where(inner, self.child, np.arange(self.n_nodes))
        links[:, 1] <<= 32
        links[:, 1] |= np.where(inner, 2 * self.feature.astype(np.int64) + (self.gaps_left == 0), 0)
        return limits.ravel(), links.view(np.uint64).ravel()

    def leaf_of(self, x: Array) -> Ints:
        """The node at which each row ends in each tree (n, trees)."""
        out = np.empty((len(x), self.n_trees), dtype=np.int64)
        find_leaves(np.ascontiguousarray(x, dtype=np.float64), *self._tests, out)
        return out

    def steps(self, x: Array, of: Floats) -> Floats:
        """How much each column moved a figure of the nodes (nodes, k) on the way of each row, on average (n, d, k)."""
        return self.sums_of_steps(x, of, self.roots) / self.n_trees

    def sums_of_steps(self, x: Array, of: Floats, roots: Ints) -> Floats:
        """The same in all, of these trees."""
        out = np.zeros((*x.shape, of.shape[1]))
        add_steps(np.ascontiguousarray(x, dtype=np.float64), roots, *self._tests[1:], of, out)
        return out

    def with_rows(self, x: Array, codes: Array, weight: Floats | None, sign: float) -> Self:
        """The same tests, and the counts with these rows added (sign 1) or taken away (-1)."""
        counts = self.counts.copy()
        added = sign * (np.ones(len(x)) if weight is None else weight)
        for tree in self.leaf_of(x).T:
            node = tree.copy()
            there = np.ones(len(node), dtype=np.bool_)
            while there.any():
                np.add.at(counts, (node[there], codes[there]), added[there])
                node[there] = self.parent[node[there]]
                there &= node >= 0
        return replace(self, counts=counts)

    @property
    def _tests(self) -> tuple[Any, ...]:
        return self.roots, self.feature, self.threshold, self.child, self.gaps_left, self.mask_at, self.masks

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name in self.__dataclass_fields__}


def _drawn_to(counts: Floats, m: float, towards: Any) -> Floats:
    total = counts.sum(axis=1, keepdims=True)
    if m > 0:
        return np.asarray((counts + m * towards) / (total + m))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(total > 0, counts / total, towards))  # a node that all rows were taken from
