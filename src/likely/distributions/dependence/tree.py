"""Tree-augmented naive Bayes (Friedman, Geiger & Goldszmidt 1997, "Bayesian network classifiers").

    p(x | k) = prod_j p(x_j | k, x_parent(j))

Every feature but the root has one other as its parent, the same in all groups: the tree whose features say most of each
other given the group, counted over all rows (`JointCounts.bits_a_row`). Its root is the feature that says most of all
others. Where a parent is missing, its children are taken without it.

Pseudo-counts make it matter which of two features is the parent. Of features that say as much of each other, the one
of fewer levels comes first, then what was counted decides: the counts of its levels, in order of size, then those with
each other feature. So nothing hangs on the order of rows, levels, groups or features, on what these are called, or on
whether rows repeat or are weighted. Features that are alike in all of this, as copies are, come in the order of `rank`
(`DependenceBayes` gives that of their names), else as they stand.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from typing import ClassVar

import numpy as np

from likely.distributions.dependence.averaged import _drawn
from likely.distributions.dependence.table import feature_of, places
from likely.numeric.arrays import Array, Floats, Ints, Shapes
from likely.statistics import Codes
from likely.statistics.counting.categories import Levels, offsets
from likely.statistics.counting.joint_counts import JointCounts

_DIGITS = 11  # of the greatest bits, that rounding leaves alone


@dataclass(frozen=True)
class DependenceTree:
    """k members over one tree of features.

    >>> from likely import DependenceBayes
    >>> rows = [["u", "v"], ["u", "v"], ["x", "w"], ["x", "w"]]
    >>> model = DependenceBayes(structure="tree", calibrate=False).fit(rows, ["a", "b", "a", "b"])
    >>> model.distribution_.members
    2
    """

    levels: Levels  # per feature
    table: Array  # (T, T, k)  log p(v | k, u), log p(u | k) on the diagonal
    parent: Array  # (d,)  of each feature; -1 for the root
    bits: Array  # (d,)  what the parent says of it given the group, for every row
    unseen: ClassVar[str] = "ignore"  # a level that is not in the table says nothing
    shapes: ClassVar[Shapes] = {"table": "r r k", "parent": "d", "bits": "d"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        """The name of the first field that does not fit the others, as a damaged file may have; None: all do."""
        if len(self.levels) != size["d"] or sum(map(len, self.levels)) != size["r"]:
            return "levels"
        return None if ((self.parent >= -1) & (self.parent < size["d"])).all() else "parent"

    @property
    def members(self) -> int:
        return int(self.table.shape[2])

    @property
    def n_parameters(self) -> int:
        """The free probabilities of every feature given each level of its parent."""
        sizes = feature_of(self.levels)[1]
        rows = np.where(self.parent < 0, 1, sizes[self.parent]) if len(sizes) else sizes
        return int(self.members * (rows * np.maximum(sizes - 1, 0)).sum())

    def log_density(self, x: Codes) -> Floats:
        return np.asarray(self.log_density_terms(x).sum(axis=1))

    def log_density_terms(self, x: Codes) -> Floats:
        return self.terms_at(places(x, self.levels))[0]

    def terms_at(self, u: Array) -> tuple[Floats, Array]:
        """Terms (n, d, k) of rows by their places, and the place (n, d) of what each cell is given."""
        above = np.where(self.parent < 0, u, u[:, self.parent]) if u.shape[1] else u
        above = np.where(above < 0, u, above)  # a missing parent leaves its child alone
        terms = np.zeros((*u.shape, self.members))
        seen = u >= 0
        terms[seen] = self.table[above[seen], u[seen]]
        return terms, above

    def sample(self, member: Ints, rng: np.random.Generator) -> Codes:
        """Rows, from the root down."""
        at = offsets(self.levels)
        x = np.full((len(member), len(self.levels)), -1, dtype=np.int32)
        for j in self.order():
            if not len(self.levels[j]):
                continue
            own, above = np.arange(at[j], at[j + 1]), int(self.parent[j])
            if above < 0 or not len(self.levels[above]):
                x[:, j] = _drawn(self.table[own, own][:, member], rng)
            else:
                given = self.table[at[above] + x[:, above], at[j] : at[j + 1]]
                x[:, j] = _drawn(np.take_along_axis(given, member[:, None, None], axis=2)[:, :, 0].T, rng)
        return Codes(x, np.zeros(len(self.levels), dtype=np.int64), self.levels, sure=True)

    def order(self) -> list[int]:
        """Features, every parent before its children."""
        known, order = set[int](), list[int]()
        while len(order) < len(self.parent):
            ready = [j for j in range(len(self.parent)) if j not in known and int(self.parent[j]) in (-1, *known)]
            order += ready
            known.update(ready)
        return order


def tree_without_own_row(
    tree: DependenceTree, seen: JointCounts, x: Codes, labels: Array, weight: Floats, m: float
) -> Floats:
    """Log density (n, k) of each row under the counts without it and the tree as it is.

    The tree itself is of all rows: one row more or less seldom changes it.
    """
    u = places(x, tree.levels)
    everyone = np.concatenate([seen.single.sum(axis=0), [0.0]])
    mine = labels >= 0
    u = np.where(mine[:, None] & (u >= 0) & (everyone[u] - weight[:, None] <= 0), -1, u)  # gone with its row
    terms, above = tree.terms_at(u)
    row, feature = np.nonzero((u >= 0) & mine[:, None])
    group, at, given, w = labels[row], u[row, feature], above[row, feature], weight[row]
    left = np.maximum(seen.count[group, given, at] - w, 0.0)
    whole = np.maximum(seen.together()[group, given, feature] - w, 0.0)
    terms[row, feature, group] = np.log((left + m / feature_of(tree.levels)[1][feature]) / (whole + m))
    return np.asarray(terms.sum(axis=1))


def greatest_tree(seen: JointCounts, rank: Sequence[int] | None = None) -> tuple[Ints, Floats]:
    """The parent of each feature in the tree of the greatest sum of bits; and its bits.

    `rank` is the place of each feature among those that the counts do not tell apart; None: as they stand.

    >>> from likely.statistics import Membership
    >>> x = np.array([[0, 0, 0], [0, 1, 1], [1, 1, 1], [1, 1, 1]])
    >>> codes = Codes(x, np.zeros(3, dtype=np.int64), (("a", "b"), ("c", "d"), ("e", "f")))
    >>> parent, bits = greatest_tree(JointCounts.of(codes, Membership.whole(4)))
    >>> parent, bits.round(2)
    (array([ 1, -1,  1]), array([0.31, 0.  , 0.81]))
    """
    order = _order_of(seen, rank)
    parent, gain = np.full(len(order), -1, dtype=np.int64), np.zeros(len(order))
    bits = seen.bits_a_row()[np.ix_(order, order)]
    above, gain[order] = _spanning_tree(bits)
    parent[order] = np.where(above < 0, -1, order[above]) if len(order) else above
    return parent, gain


def _spanning_tree(bits: Floats) -> tuple[Ints, Floats]:
    """Prim's algorithm from the feature of the most bits (d, d); where only rounding differs, the first is taken."""
    d = len(bits)
    parent, gain = np.full(d, -1, dtype=np.int64), np.zeros(d)
    if d == 0:
        return parent, gain
    even = np.round(bits / max(float(bits.max()), np.finfo(np.float64).tiny), _DIGITS)
    best, above, outside = np.full(d, -1.0), np.full(d, -1, dtype=np.int64), np.ones(d, dtype=bool)
    at = int(np.round(even.sum(axis=1), _DIGITS - 2).argmax())
    for _ in range(d - 1):
        outside[at] = False
        nearer = outside & (even[at] > best)
        best[nearer], above[nearer] = even[at, nearer], at
        at = int(np.where(outside, best, -2.0).argmax())
        parent[at], gain[at] = above[at], bits[above[at], at]
    return parent, gain


def _order_of(seen: JointCounts, rank: Sequence[int] | None) -> Ints:
    """The features by the number of their levels and the counts of these, without names, then by their rank."""
    at = seen.offset.tolist()
    scale = max(float(np.abs(seen.single).max(initial=0.0)), np.finfo(np.float64).tiny)

    def told(counts: Array) -> bytes:  # the same for integers and weights, whatever the order of levels and groups
        return np.sort(np.round(np.ravel(counts) / scale, _DIGITS) + 0.0).tobytes()

    own = [(b - a, told(seen.single[:, a:b])) for a, b in pairwise(at)]
    alike = {key for key, times in Counter(own).items() if times > 1}

    def with_others(j: int) -> list[bytes]:
        rows = seen.count[:, at[j] : at[j + 1]]
        return sorted(blake2b(told(rows[:, :, a:b])).digest() for a, b in pairwise(at))

    last = range(len(own)) if rank is None else rank
    keys = [(own[j], with_others(j) if own[j] in alike else [], last[j]) for j in range(len(own))]
    return np.array(sorted(range(len(keys)), key=keys.__getitem__), dtype=np.int64)
