"""How often each pair of levels of two nominal features occurs together, for k groups at once.

What a model of dependent features (a tree-augmented naive Bayes, say) needs to know of the data. Levels are handled as
in `CategoryCounts`: two statistics add over the union, and a level that occurs in no pair is dropped. A row counts in
a pair where both cells are observed. The table has sum_(i<j) L_i L_j columns, so features of very many levels
are better grouped first.

    I(i; j | group) = sum_k N_k / N sum_(a, b) p_k(a, b) log2 [ p_k(a, b) / (p_k(a) p_k(b)) ]
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, Self

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen
from likely.numeric.kernels.sums import pairs as kernels
from likely.statistics.additive import fixed, tally
from likely.statistics.counting.categories import Codes, Levels, OverLevels, sort_key
from likely.statistics.membership import Membership


@dataclass(frozen=True)
class PairCounts(OverLevels):
    """A flat table of counts: one block of L_i by L_j columns for each pair of features i < j.

    >>> x, levels = np.array([[0, 0], [1, 1], [1, 1], [0, 0]]), (("no", "yes"), ("low", "high"))
    >>> codes = Codes(x, np.zeros(2, dtype=np.int64), levels)
    >>> seen = PairCounts.of(codes, Membership.whole(4))
    >>> seen.block(0, 1)
    array([[[0, 2], [2, 0]]])
    >>> seen.mutual_information()
    array([[0., 1.], [1., 0.]])
    """

    levels: Levels = fixed()  # per feature, sorted
    count: Array = tally()  # (k, sum over pairs of L_i L_j)  rows with both levels
    shapes: ClassVar[Shapes] = {"count": "k r"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        if found := super().misfit(size):
            return found
        sizes = [len(names) for names in self.levels]
        return "count" if size["r"] != (sum(sizes) ** 2 - sum(n * n for n in sizes)) // 2 else None

    @classmethod
    def of(cls, codes: Codes, membership: Membership) -> Self:
        """The counts of rows, in the groups that they belong to."""
        x, base = frozen(codes.x), codes.base
        size = _sizes(codes.levels)
        start = _starts(codes.levels)
        shape = (membership.groups, int(start[-1]))
        if membership.shares is not None:
            count = np.zeros(shape)
            kernels.share_pairs(x, membership.shares, base, size, start, count)
        else:
            weight = membership.weight
            if weight is None:
                weight = frozen(np.ones(len(codes), dtype=np.int64))
            count = np.zeros(shape, dtype=weight.dtype)
            kernels.weigh_pairs(x, membership.labels, weight, base, size, start, count)
        return cls(membership.totals(), codes.levels, count).canonical()

    def block(self, i: int, j: int) -> Array:
        """Counts (k, L_i, L_j) of two different features."""
        d = len(self.levels)
        if i == j or not (0 <= i < d and 0 <= j < d):
            raise InputError(f"a pair is two different features of 0 to {d - 1}, got {i} and {j}")
        if i > j:
            return self.block(j, i).transpose(0, 2, 1)
        start = int(_starts(self.levels)[i * d - i * (i + 1) // 2 + j - i - 1])
        width = len(self.levels[i]) * len(self.levels[j])
        return self.count[:, start : start + width].reshape(self.groups, len(self.levels[i]), len(self.levels[j]))

    def canonical(self) -> Self:
        """Levels sorted, those that occur in no pair dropped."""
        used = [np.zeros(len(names), dtype=bool) for names in self.levels]
        for i, j in self._pairs():
            present = np.asarray(self.block(i, j).any(axis=0))
            used[i] |= present.any(axis=1)
            used[j] |= present.any(axis=0)
        kept = [_sorted_places(names, u) for names, u in zip(self.levels, used, strict=True)]
        levels: Levels = tuple(tuple(names[i] for i in k) for names, k in zip(self.levels, kept, strict=True))
        blocks = [self.block(i, j)[:, kept[i]][:, :, kept[j]] for i, j in self._pairs()]
        return replace(self, levels=levels, count=_flat(blocks, self.count))

    def over(self, levels: Levels) -> Self:
        """The same counts in a table over other levels, which must include those counted."""
        place = []
        for mine, names in zip(self.levels, levels, strict=True):
            where = {name: at for at, name in enumerate(names)}
            place.append(np.array([where[name] for name in mine], dtype=np.int64))
        blocks = []
        for i, j in self._pairs():
            wide = np.zeros((self.groups, len(levels[i]), len(levels[j])), dtype=self.count.dtype)
            wide[:, place[i][:, None], place[j][None, :]] = self.block(i, j)
            blocks.append(wide)
        return replace(self, levels=levels, count=_flat(blocks, self.count))

    def mutual_information(self) -> Floats:
        """Between each two features given the group, in bits (d, d): group by group, averaged by their weight.

        The diagonal is zero: a feature is not paired with itself. A pair that was never observed together has zero.
        """
        d = len(self.levels)
        bits = np.zeros((d, d))
        for i, j in self._pairs():
            bits[i, j] = bits[j, i] = conditional_information(self.block(i, j).astype(np.float64))
        return bits

    def _pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.levels)), 2))


def conditional_information(joint: Floats) -> float:
    """Mutual information of two features within groups, in bits, from their counts (k, levels, levels)."""
    rows, columns = joint.sum(axis=2, keepdims=True), joint.sum(axis=1, keepdims=True)
    group = rows.sum(axis=1, keepdims=True)
    whole = float(group.sum())
    if whole <= 0:
        return 0.0
    seen = joint > 0
    # Ratios of shares, each at most one: products of counts could overflow.
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = np.where(seen, (joint / rows) / (columns / group), 1.0)
    return max(float((joint * np.log2(ratio, where=seen, out=np.zeros_like(joint))).sum()) / whole, 0.0)


def _sizes(levels: Levels) -> Ints:
    return np.array([len(names) for names in levels], dtype=np.int64)


def _starts(levels: Levels) -> Ints:
    widths = [len(a) * len(b) for a, b in combinations(levels, 2)]
    return np.concatenate([[0], np.cumsum(widths, dtype=np.int64)]).astype(np.int64)


def _sorted_places(names: Sequence[Hashable], used: Array) -> Ints:
    places = [int(i) for i in np.flatnonzero(used)]
    if not isinstance(names, range):
        places.sort(key=lambda i: sort_key(names[i]))
    return np.array(places, dtype=np.int64)


def _flat(blocks: list[Array], like: Array) -> Array:
    if not blocks:
        return like[:, :0]
    return np.concatenate([block.reshape(len(like), -1) for block in blocks], axis=1)
