"""How often each level of each nominal feature occurs, for k groups at once.

The levels are part of the statistic: two statistics that have seen different levels add over the union. Levels
are kept sorted and a level that nobody counts is dropped, so the statistic depends on the data alone, never on the
order in which levels turned up.
"""

import itertools
from collections.abc import Hashable, Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, TypeAlias, cast

import numpy as np

from likely.numeric.arrays import Array, Ints, Shapes, frozen
from likely.numeric.kernels.sums import counts as kernels
from likely.statistics.additive import Additive, fixed, tally
from likely.statistics.membership import Membership

Levels: TypeAlias = tuple[Sequence[Hashable], ...]


@dataclass(frozen=True)
class Codes:
    """Rows of nominal features as integers: the value of x[i, j] is levels[j][x[i, j] - base[j]].

    Code -1 is a missing cell; no code is at or above its feature's number of levels.

    >>> import numpy as np
    >>> rows = Codes(np.array([[0], [1], [-1]]), np.array([0]), (("no", "yes"),))
    >>> rows.levels[0][rows.x[1, 0]]
    'yes'
    """

    x: Array  # (n, d)  integers in C order
    base: Ints  # (d,)  the code of each feature's first level
    levels: Levels
    sure: bool = False  # made by an encoder that puts every code within its levels: no need to check again

    def __len__(self) -> int:
        return len(self.x)

    @property
    def offset(self) -> Ints:
        """Where each feature begins in the flat table of counts; the last entry is its width."""
        return offsets(self.levels)

    def rows(self, start: int, stop: int) -> Self:
        """Some of the rows, in their order."""
        return replace(self, x=self.x[start:stop])


class OverLevels(Additive):
    """Counts over the levels of each feature: two of them are added over the union of their levels."""

    levels: Levels  # per feature, sorted

    def over(self, levels: Levels) -> Self:
        """The same counts in a table over other levels, which must include those counted."""
        raise NotImplementedError

    def misfit(self, size: Mapping[str, int]) -> str | None:
        """What does not fit the features; a subclass asks for the size of its counts."""
        return None if len(self.levels) == size["d"] and all(map(levels_in_order, self.levels)) else "levels"

    def aligned(self, other: Self) -> tuple[Self, Self]:
        if self.levels == other.levels:
            return self, other
        union = tuple(union_of(a, b) for a, b in zip(self.levels, other.levels, strict=True))
        return self.over(union), other.over(union)


@dataclass(frozen=True)
class CategoryCounts(OverLevels):
    """A flat table of counts: feature j holds the columns offset[j] to offset[j + 1].

    >>> import numpy as np
    >>> from likely.statistics import Codes, Membership
    >>> rows = Codes(np.array([[0], [1], [1]]), np.array([0]), (("no", "yes"),))
    >>> CategoryCounts.of(rows, Membership(1, np.zeros(3, dtype=int))).count
    array([[1, 2]])
    """

    levels: Levels = fixed()  # per feature, sorted
    count: Array = tally()  # (k, total number of levels)  rows of each level, feature after feature
    shapes: ClassVar[Shapes] = {"count": "k r"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        return super().misfit(size) or ("count" if size["r"] != self.offset[-1] else None)

    @classmethod
    def of(cls, codes: Codes, membership: Membership) -> Self:
        """The counts of rows, in the groups that they belong to."""
        x, offset = frozen(codes.x), codes.offset
        if membership.shares is not None:
            count = kernels.share_codes(x, membership.shares, codes.base, offset)
        elif membership.weight is not None:
            count = kernels.weigh_codes(x, membership.labels, membership.weight, codes.base, offset, membership.groups)
        else:
            assert membership.labels is not None
            count = kernels.count_codes(x, membership.labels, codes.base, offset, membership.groups)
        return cls(membership.totals(), codes.levels, count).canonical()

    @property
    def offset(self) -> Ints:
        """Where each feature begins in the flat table of counts; the last entry is its width."""
        return offsets(self.levels)

    def canonical(self) -> Self:
        """Levels sorted, those that nobody counts dropped."""
        used = np.asarray(self.count.any(axis=0))
        if used.all() and all(_is_sorted(names) for names in self.levels):
            return replace(self, levels=tuple(tuple(names) for names in self.levels))
        offset = self.offset
        levels: list[tuple[Hashable, ...]] = []
        columns: list[int] = []
        for j, names in enumerate(self.levels):
            present = [i for i in range(len(names)) if used[offset[j] + i]]
            if not _is_sorted(names):
                present.sort(key=lambda i: sort_key(names[i]))
            levels.append(tuple(names[i] for i in present))
            columns.extend(int(offset[j]) + i for i in present)
        return replace(self, levels=tuple(levels), count=self.count[:, columns])

    def over(self, levels: Levels) -> Self:
        """The same counts in a table over other levels, which must include those counted."""
        offset = offsets(levels)
        wide = np.zeros((self.groups, int(offset[-1])), dtype=self.count.dtype)
        columns: list[int] = []
        for j, names in enumerate(self.levels):
            place = {name: i for i, name in enumerate(levels[j])}
            columns.extend(int(offset[j]) + place[name] for name in names)
        wide[:, columns] = self.count
        return replace(self, levels=levels, count=wide)

    @property
    def observed(self) -> Array:
        """Sum of weights over the observed cells (k, d)."""
        seen = [self.table(j).sum(axis=1) for j in range(len(self.levels))]
        return np.stack(seen, axis=1) if seen else self.count[:, :0]

    def only(self, feature: int) -> Self:
        """One feature by itself."""
        return replace(self, levels=(self.levels[feature],), count=self.table(feature))

    def filled(self) -> Self:
        """As if every missing cell held its group's most frequent level (the overall one where it saw none)."""
        return replace(self, count=filled_counts(self.count, self.offset, self.weight))

    def table(self, feature: int) -> Array:
        """Counts (k, levels of the feature)."""
        offset = self.offset
        return self.count[:, offset[feature] : offset[feature + 1]]


def filled_counts(count: Array, offset: Ints, weight: Array) -> Array:
    """A flat table as if every missing cell held its group's most frequent column (the overall one if it saw none)."""
    count = count.copy()
    for start, stop in itertools.pairwise(offset):
        table = count[:, start:stop]
        if start < stop:
            common = np.where(table.any(axis=1), table.argmax(axis=1), table.sum(axis=0).argmax())
            table[np.arange(len(count)), common] += weight - table.sum(axis=1)
    return count


def offsets(columns: Iterable[Sized]) -> Ints:
    """Where each feature's columns begin in the flat table; the last entry is its width."""
    return np.concatenate([[0], np.cumsum([len(names) for names in columns], dtype=np.int64)]).astype(np.int64)


def levels_in_order(names: Sequence[Hashable]) -> bool:
    """Whether levels are different ones, as a statistic keeps them."""
    return union_of(names, ()) == tuple(names)


def sort_key(level: object) -> tuple[str, Any]:
    """An order for levels of mixed types: numbers by value, then everything else by type and value."""
    return ("", level) if isinstance(level, int | float) else (type(level).__name__, level)


def _is_sorted(names: Sequence[Hashable]) -> bool:
    """Whether levels are known to be in order, or easily seen to be."""
    if isinstance(names, range):
        return True
    kinds = set(map(type, names))
    return kinds <= {str} and all(a < b for a, b in itertools.pairwise(cast(Sequence[str], names)))


def union_of(a: Iterable[Hashable], b: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """All levels of both, sorted."""
    return tuple(sorted({*a, *b}, key=sort_key))
