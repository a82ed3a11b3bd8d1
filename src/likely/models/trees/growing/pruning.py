"""Pruning by description length: a test stays only if it saves more bits of exceptions than it costs itself.

Of a node with n rows, d columns and k classes the code says

    1 bit                                    whether it is a leaf
    log2 d, and log2 of the cuts there were  which test it asks; of levels, one bit for each but one: which are left
    log2 k                                   a leaf's class
    log2(n + 1) + log2 C(n, e) + e log2(k - 1)    its e exceptions: how many, which rows, and their classes

From the leaves up, a node whose code as a leaf is no longer than that of its tests and all below becomes a leaf.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from likely.models.trees.grove import Grove
from likely.numeric.arrays import Array, Floats


class TreeLength(NamedTuple):
    """Bits that it takes to tell a tree, and the labels of its rows given the tree."""

    tree: float
    exceptions: float

    @property
    def total(self) -> float:
        return self.tree + self.exceptions


def description(grove: Grove, columns: int) -> TreeLength:
    """How long a tree and its exceptions are."""
    leaf, own = grove.child < 0, _own_bits(grove, columns)
    return TreeLength(float(own.sum()), float(_exception_bits(grove.counts[leaf]).sum()))


def shortened(grove: Grove, columns: int) -> Grove:
    """The tree with the shortest description of those that are left when tests are taken away from below."""
    k = grove.counts.shape[1]
    as_leaf = 1.0 + np.log2(k) + _exception_bits(grove.counts)
    bits, ends = as_leaf.copy(), np.ones(grove.n_nodes, dtype=np.bool_)
    own = _own_bits(grove, columns)
    for node in np.flatnonzero(grove.child >= 0)[::-1]:  # a child's number is above its parent's
        below = own[node] + bits[grove.child[node]] + bits[grove.child[node] + 1]
        ends[node] = as_leaf[node] <= below
        bits[node] = min(as_leaf[node], below)
    return cut_back(grove, ends)


def cut_back(grove: Grove, ends: Array) -> Grove:
    """The trees with these nodes as leaves, and what was below them gone."""
    kept = np.zeros(grove.n_nodes, dtype=np.bool_)
    kept[grove.roots] = True
    for node in np.flatnonzero((grove.child >= 0) & ~ends):
        if kept[node]:
            kept[grove.child[node]] = kept[grove.child[node] + 1] = True
    place, old = np.cumsum(kept) - 1, np.flatnonzero(kept)
    stays = (grove.child[old] >= 0) & ~ends[old]
    return replace(
        grove,
        roots=place[grove.roots],
        feature=np.where(stays, grove.feature[old], -1).astype(np.int32),
        threshold=np.where(stays, grove.threshold[old], np.nan),
        child=np.where(stays, place[grove.child[old]], -1).astype(np.int32),
        gaps_left=np.where(stays, grove.gaps_left[old], 0).astype(np.uint8),
        mask_at=np.where(stays, grove.mask_at[old], -1).astype(np.int32),
        counts=grove.counts[old],
        gain=np.where(stays, grove.gain[old], 0.0),
        test_bits=np.where(stays, grove.test_bits[old], 0.0),
    )


def _own_bits(grove: Grove, columns: int) -> Floats:
    """Bits of each node itself."""
    inner = grove.child >= 0
    return np.asarray(1.0 + np.where(inner, np.log2(columns) + grove.test_bits, np.log2(grove.counts.shape[1])))


def _exception_bits(counts: Floats) -> Floats:
    """Bits of the labels of nodes with these counts (nodes, k) that are not their commonest class."""
    from scipy.special import gammaln

    n, k = counts.sum(axis=1), counts.shape[1]
    wrong = n - counts.max(axis=1)
    which = (gammaln(n + 1) - gammaln(wrong + 1) - gammaln(n - wrong + 1)) / np.log(2)
    return np.asarray(np.log2(n + 1) + which + wrong * np.log2(max(k - 1, 1)))
