"""Trees side by side in the same arrays: what a tree or a forest has learned.

A node holds the weight of each class of the rows that came to it. Its class shares are drawn towards those of the node
above it, by as much as `smoothing` rows would (the m-estimate, along the path):

    p(c | node) = (n_c + m p(c | parent)) / (n + m)          root: towards all classes alike

so a leaf of few rows says little that its parent did not, and no class that was seen at all is ever impossible. The
counts are sums: rows are added to them and taken from them exactly, while the tests stay as they are.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from likely import engines
from likely.models.trees.growing.gathering import Gathering
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.trees.walking import (
    add_leaves,
    add_leaves_of_numbers,
    add_steps,
    find_leaves,
    find_leaves_of_numbers,
)

_CELLS, _MOST_CELLS = 1 << 15, 1 << 19  # of rows that stay in the nearer or farther cache while every tree is walked
_FEW_WALKS = 1 << 18  # of rows down trees: up to so many are not worth the start of threads
_PACKED = 1 << 16  # nodes at a time
_SIDE_BY_SIDE = 8  # rows that a kernel walks together, and trees whose shares are worked out together
PLACES_IN = {"roots": "feature", "child": "feature", "mask_at": "masks"}  # which arrays hold places in which
_NAN = np.uint64(0x7FF8 << 48)  # the bits of one


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
    counts: Array  # (nodes, k)  weight of each class; in four bytes where those hold it
    gain: Floats  # (nodes,)  of the test, in the units of the criterion: bits, or Gini's impurity
    test_bits: Array  # (nodes,)  to say which test of its column it is
    smoothing: float  # rows by which shares are drawn to those of the node above
    stored_as: ClassVar[str] = "Grove"

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """All trees of several groves, in their order, with the smoothing of the first."""
        gathering = Gathering(len(parts), PLACES_IN)
        for part in parts:
            gathering.add(part.nodes)
        return cls(**gathering.together(), smoothing=parts[0].smoothing)

    @property
    def nodes(self) -> dict[str, Array]:
        """The arrays by their names."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "smoothing"}

    def in_short(self) -> Self:
        """The same in fewer bytes: counts where four hold them exactly, and bits of tests, which nobody adds up."""
        exact = self.counts.max(initial=0) < 1 << 24 and bool((self.counts == np.floor(self.counts)).all())
        counts: Array = self.counts.astype(np.float32) if exact else self.counts
        return replace(self, counts=counts, test_bits=self.test_bits.astype(np.float32))

    @property
    def n_trees(self) -> int:
        """How many trees there are."""
        return len(self.roots)

    @property
    def n_nodes(self) -> int:
        """Nodes of all trees, leaves included."""
        return len(self.feature)

    @property
    def leaves(self) -> Ints:
        """Numbers of the leaves."""
        return np.flatnonzero(self.child < 0)

    @property
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
        for above, left in self.generations():
            depth[left] = depth[left + 1] = depth[above] + 1
        return depth

    def generations(self) -> Iterator[tuple[Ints, Ints]]:
        """The nodes that ask something and their left children, one generation after the other."""
        level = self.roots
        while True:
            above = level[self.child[level] >= 0]
            if not len(above):
                return
            left = self.child[above].astype(np.int64)
            yield above, left
            level = np.concatenate([left, left + 1])

    @cached_property
    def share(self) -> Floats:
        """Smoothed shares of the classes in each node (nodes, k)."""
        k, m = self.counts.shape[1], self.smoothing
        share = np.empty(self.counts.shape)
        share[self.roots] = _drawn_to(self.counts[self.roots], m, 1.0 / k)
        for above, left in self.generations():
            share[left] = _drawn_to(self.counts[left], m, share[above])
            share[left + 1] = _drawn_to(self.counts[left + 1], m, share[above])
        return share

    def posterior(self, x: Array) -> Floats:
        """Mean of the shares of the leaves that rows come to (n, k)."""
        out = self.sums(x, self.leaf_share)
        if self.n_trees > 1:
            out /= self.n_trees
        return out

    def sums(self, x: Array, of: Floats, roots: Ints | None = None) -> Floats:
        """Sum of a figure of the leaves (leaves, m) over those that rows come to, in these or all trees (n, m)."""
        out = np.zeros((len(x), of.shape[1]))
        roots = self.roots if roots is None else roots

        def walk(part: tuple[Array, Floats]) -> None:
            rows, own = part
            if self._of_levels(rows):
                add_leaves(
                    np.ascontiguousarray(rows, dtype=np.float64), roots, *self._tests[1:], self.packed[1], of, own
                )
            else:
                leaf = np.empty(len(rows), dtype=np.uint32)
                add_leaves_of_numbers(_as_they_are(rows), roots, *self.packed, of, leaf, own)

        size = self._rows_at_once(len(x), x.shape[1], len(roots))
        starts = range(0, len(x), size)
        engine = engines.current() if len(x) * len(roots) > _FEW_WALKS else engines.Serial()
        engine.map([(x[start : start + size], out[start : start + size]) for start in starts], walk)
        return out

    def _rows_at_once(self, n: int, d: int, trees: int) -> int:
        """How many rows are walked down all trees together, where there are many: n in equal parts for every core.

        About as many as a tree has nodes, so that neither is read from memory much more often than the other.
        """
        d, cores = max(1, d), os.cpu_count() or 1
        near = min(max(self.n_nodes // self.n_trees, _CELLS // d), _MOST_CELLS // d)
        size = max(8 * _SIDE_BY_SIDE, near if trees > 1 else _MOST_CELLS // d)
        parts = max(1, -(-n // size))
        parts = -(-parts // cores) * cores if parts > 1 else 1
        return max(1, -(-n // parts))

    def _of_levels(self, rows: Array) -> bool:
        """Whether rows are walked one by one: tests of levels, or too few to walk side by side."""
        return len(self.masks) > 0 or len(rows) < _SIDE_BY_SIDE

    @cached_property
    def packed(self) -> tuple[Floats, Array]:
        """Thresholds and links of nodes, 16 bytes each, as two views of the same memory; see the kernel."""
        limits = np.empty((self.n_nodes, 2))
        links, leaves = limits.view(np.uint64), 0
        for first in range(0, self.n_nodes, _PACKED):
            some = slice(first, first + _PACKED)
            child, at = self.child[some].astype(np.int64), links[some]
            leaf = np.flatnonzero(child < 0)
            limits[some, 0] = self.threshold[some]
            at[:, 1] = child << 32 | 2 * self.feature[some].astype(np.int64) | (self.gaps_left[some] == 0)
            at[leaf, 0] = _NAN + np.arange(leaves, leaves + len(leaf), dtype=np.uint64)
            at[leaf, 1] = (first + leaf) << 32
            leaves += len(leaf)
        return limits.ravel(), links.ravel()

    @cached_property
    def leaf_share(self) -> Floats:
        """The shares of the leaves alone (leaves, k), made without those of all nodes."""
        m, k = self.smoothing, self.counts.shape[1]
        share = np.empty((np.count_nonzero(self.child < 0), k))
        for first in range(0, self.n_trees, _SIDE_BY_SIDE):
            nodes = self.roots[first : first + _SIDE_BY_SIDE]
            own = _drawn_to(self.counts[nodes], m, 1.0 / k)
            while len(nodes):
                ends = self.child[nodes] < 0
                share[self.number_of(nodes[ends])] = own[ends]
                left, above = self.child[nodes[~ends]].astype(np.int64), own[~ends]
                nodes = np.concatenate([left, left + 1])
                own = np.concatenate([_drawn_to(self.counts[at], m, above) for at in (left, left + 1)])
        return share

    def number_of(self, leaf: Array) -> Array:
        """Which of the leaves nodes are that are leaves."""
        return (self.packed[1][2 * leaf.astype(np.int64)] - _NAN).astype(np.uint32)

    def leaf_of(self, x: Array) -> Ints:
        """The node at which each row ends in each tree (n, trees)."""
        out = np.empty((len(x), self.n_trees), dtype=np.int64)
        if self._of_levels(x):
            find_leaves(np.ascontiguousarray(x, dtype=np.float64), *self._tests, out)
            return out
        rows, leaf = _as_they_are(x), np.empty(len(x), dtype=np.uint32)
        for t, root in enumerate(self.roots.astype(np.uint64)):
            find_leaves_of_numbers(rows, root, *self.packed, leaf)
            out[:, t] = leaf
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
        counts, parent = self.counts.astype(np.float64), self.parent
        added = sign * (np.ones(len(x)) if weight is None else weight)
        for tree in self.leaf_of(x).T:
            node = tree.copy()
            there = np.ones(len(node), dtype=np.bool_)
            while there.any():
                np.add.at(counts, (node[there], codes[there]), added[there])
                node[there] = parent[node[there]]
                there &= node >= 0
        return replace(self, counts=counts)

    @property
    def _tests(self) -> tuple[Any, ...]:
        return self.roots, self.feature, self.threshold, self.child, self.gaps_left, self.mask_at, self.masks

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name in self.__dataclass_fields__}


def _as_they_are(x: Array) -> Array:
    """Numbers of four bytes are compared as such."""
    return np.ascontiguousarray(x, dtype=np.float32 if x.dtype == np.float32 else np.float64)


def _drawn_to(counts: Floats, m: float, towards: Any) -> Floats:
    counts = counts.astype(np.float64, copy=False)
    total = counts.sum(axis=1, keepdims=True)
    if m > 0:
        return np.asarray((counts + m * towards) / (total + m))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(total > 0, counts / total, towards))  # a node that all rows were taken from
