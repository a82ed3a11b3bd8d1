"""How often levels of nominal features occur alone, two and three at a time, for k groups at once.

What averaged two-dependence estimators need. Singles and pairs are those of `JointCounts`; triples stand in one row,
block after block, one block for every three features i < j < l in lexicographic order:

    triple[k, start(i, j, l) + (a L_j + b) L_l + c]     rows with levels a of i, b of j and c of l

Memory is k C numbers for the C cells of all blocks, about (T^3 - ...) / 6 for T levels in all; more than `MOST_CELLS`
are refused.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, Self

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Ints, Shapes, frozen
from likely.numeric.kernels.sums import triples as kernels
from likely.statistics.additive import tally
from likely.statistics.counting.categories import Codes, Levels
from likely.statistics.counting.joint_counts import JointCounts
from likely.statistics.membership import Membership

MOST_CELLS = 2**24  # 128 megabytes of counts, three times that of probabilities


@dataclass(frozen=True)
class TripleCounts(JointCounts):
    """Joint counts of all pairs and of all triples of features.

    >>> x, levels = np.array([[0, 0, 1], [1, 1, 1], [1, 1, 1]]), (("no", "yes"), ("low", "high"), ("a", "b"))
    >>> seen = TripleCounts.of(Codes(x, np.zeros(3, dtype=np.int64), levels), Membership.whole(3))
    >>> seen.levels, seen.triple
    ((('no', 'yes'), ('high', 'low'), ('b',)), array([[0, 1, 2, 0]]))
    """

    triple: Array = tally()  # (k, C)  rows with all three levels
    shapes: ClassVar[Shapes] = {"count": "k r r", "triple": "k q"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        found = super().misfit(size)
        return found or (None if size["q"] == cells_of(self.sizes) else "triple")

    @classmethod
    def of(cls, codes: Codes, membership: Membership) -> Self:
        """The counts of rows, in the groups that they belong to."""
        sizes = tuple(map(len, codes.levels))
        refuse_too_many_triples(membership.groups, sizes)
        pairs = JointCounts.of(codes, membership)
        x = frozen(np.ascontiguousarray(codes.x, dtype=np.int32))
        start, length = block_starts(sizes), np.array(sizes, dtype=np.int64)
        if membership.shares is not None:
            triple = np.zeros((membership.groups, cells_of(sizes)))
            kernels.share_triples(x, membership.shares, codes.base, length, start, triple)
        else:
            weight = membership.weight
            if weight is None:
                weight = frozen(np.ones(len(codes), dtype=np.int64))
            triple = np.zeros((membership.groups, cells_of(sizes)), dtype=weight.dtype)
            kernels.add_triples(x, membership.labels, weight, codes.base, length, start, triple)
        places = [_places(names, all_names) for names, all_names in zip(pairs.levels, codes.levels, strict=True)]
        own = triple[:, moved(places, sizes)]
        return cls(pairs.weight, pairs.levels, pairs.count, own)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Levels of each feature (d,)."""
        return tuple(map(len, self.levels))

    def canonical(self) -> Self:
        """Levels sorted, those that nobody counts dropped."""
        pairs = JointCounts(self.weight, self.levels, self.count).canonical()
        return self._as(pairs)

    def over(self, levels: Levels) -> Self:
        """The same counts over other levels, which must include those counted."""
        if levels == self.levels:
            return self
        refuse_too_many_triples(self.groups, tuple(map(len, levels)))
        return self._as(JointCounts(self.weight, self.levels, self.count).over(levels))

    def _as(self, pairs: JointCounts) -> Self:
        """The same with the triples in the order of the pairs."""
        if pairs.levels == self.levels:
            return self
        places = [_places(names, mine) for names, mine in zip(pairs.levels, self.levels, strict=True)]
        at = moved(places, self.sizes)
        triple = np.where(at < 0, 0, self.triple[:, at]) if self.triple.shape[1] else self._none(len(at))
        return replace(self, levels=pairs.levels, count=pairs.count, triple=triple)

    def _none(self, cells: int) -> Array:
        return np.zeros((self.groups, cells), dtype=self.triple.dtype)


def cells_of(sizes: Sequence[int]) -> int:
    """Cells of all blocks: the third elementary symmetric polynomial of the sizes.

    >>> cells_of((2, 3, 4)), cells_of((2, 2)), cells_of((10,) * 16)
    (24, 0, 560000)
    """
    one, two, three = 0, 0, 0
    for size in map(int, sizes):
        one, two, three = one + size, two + one * size, three + two * size
    return three


def block_starts(sizes: Sequence[int]) -> Ints:
    """Where the block of each three features begins: [i, j, l] for i < j < l (d, d, d)."""
    length = np.array(sizes, dtype=np.int64)
    number = np.arange(len(sizes))
    rising = (number[:, None] < number)[:, :, None] & (number[:, None] < number)
    cells = np.where(rising, length[:, None, None] * length[:, None] * length, 0)
    starts = np.cumsum(cells).reshape(cells.shape)
    starts -= cells
    starts[~rising] = 0
    return frozen(starts)


def moved(places: Sequence[Ints], sizes: Sequence[int]) -> Ints:
    """Where each cell of a table stands in another: `places[j]` has the other's level for each, -1 for none."""
    start = block_starts(sizes)
    found = [np.zeros(0, dtype=np.int64)]
    for i, j, l in combinations([j for j, own in enumerate(places) if len(own)], 3):  # noqa: E741
        a, b, c = places[i][:, None, None], places[j][None, :, None], places[l][None, None, :]
        at = start[i, j, l] + (a * sizes[j] + b) * sizes[l] + c
        found.append(np.where((a < 0) | (b < 0) | (c < 0), -1, at).ravel())
    return np.concatenate(found)


def refuse_too_many_triples(groups: int, sizes: Sequence[int]) -> None:
    """Refuse tables that would not fit in memory."""
    if len(sizes) ** 3 > MOST_CELLS:  # where the block of each three begins
        empty = sum(not size for size in sizes)
        raise InputError(
            f"n_parents=2 is for {round(MOST_CELLS ** (1 / 3))} columns at most, got {len(sizes):,}, {empty:,} of them "
            "without a value: leave those out, or others, or use n_parents=1"
        )
    cells = groups * cells_of(sizes)
    if cells > MOST_CELLS:
        raise InputError(
            f"the joint counts of all triples of {len(sizes)} columns with {sum(sizes):,} levels in all, for {groups} "
            f"classes, would be {cells:,} numbers, and at most {MOST_CELLS:,} ({MOST_CELLS * 8 / 2**20:.0f} MB) are "
            "allowed: use fewer bins (bins=), leave out columns with many levels, or n_parents=1"
        )


def _places(names: Sequence[object], among: Sequence[object]) -> Ints:
    at = {name: i for i, name in enumerate(among)}
    return np.array([at.get(name, -1) for name in names], dtype=np.int64)
