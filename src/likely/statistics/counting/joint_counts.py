"""How often levels of nominal features occur, alone and two at a time, for k groups at once.

What models of dependent features need: averaged one-dependence estimators, trees. All levels stand in one row, feature
after feature, and the counts are one square table per group:

    count[k, u, v]   rows with level u and level v;   count[k, u, u]   rows with level u

It is symmetric, and two levels of one feature never meet. A row counts in a pair where both cells are observed. Levels
are handled as in `CategoryCounts`: two statistics add over the union, and a level that nobody counts is dropped. Memory
is k T^2 numbers for T levels in all; more than `MOST_CELLS` are refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen
from likely.numeric.kernels.sums import joint as kernels
from likely.statistics.additive import fixed, tally
from likely.statistics.counting.categories import Codes, Levels, OverLevels, offsets, sort_key
from likely.statistics.membership import Membership

MOST_CELLS = 2**26  # half a gigabyte of counts


@dataclass(frozen=True)
class JointCounts(OverLevels):
    """A square table of counts per group, over the levels of all features.

    >>> x, levels = np.array([[0, 0], [1, 1], [1, 1], [0, -1]]), (("no", "yes"), ("low", "high"))
    >>> seen = JointCounts.of(Codes(x, np.zeros(2, dtype=np.int64), levels), Membership.whole(4))
    >>> seen.levels, seen.block(0, 1)
    ((('no', 'yes'), ('high', 'low')), array([[[0, 1], [2, 0]]]))
    >>> seen.observed
    array([[4, 3]])
    """

    levels: Levels = fixed()  # per feature, sorted
    count: Array = tally()  # (k, T, T)  rows with both levels
    shapes: ClassVar[Shapes] = {"count": "k r r"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        if found := super().misfit(size):
            return found
        fits = size["r"] == self.offset[-1] and np.array_equal(self.count, self.count.transpose(0, 2, 1))
        return None if fits else "count"

    @classmethod
    def of(cls, codes: Codes, membership: Membership) -> Self:
        """The counts of rows, in the groups that they belong to."""
        offset = codes.offset
        width = int(offset[-1])
        refuse_too_many(membership.groups, width, len(codes.levels))
        x, shape = frozen(np.ascontiguousarray(codes.x, dtype=np.int32)), (membership.groups, width, width)
        if membership.shares is not None:
            count = np.zeros(shape)
            kernels.share_joint(x, membership.shares, codes.base, offset, count)
        else:
            weight = membership.weight
            if weight is None:
                weight = frozen(np.ones(len(codes), dtype=np.int64))
            count = np.zeros(shape, dtype=weight.dtype)
            kernels.add_joint(x, membership.labels, weight, codes.base, offset, count)
        above = np.triu(np.ones((width, width), dtype=bool), 1)
        count = count + np.where(above, count, 0).transpose(0, 2, 1)
        return cls(membership.totals(), codes.levels, count).canonical()

    @property
    def offset(self) -> Ints:
        """Where each feature begins in the flat table of counts; the last entry is its width."""
        return offsets(self.levels)

    @property
    def single(self) -> Array:
        """Counts of the levels alone (k, T)."""
        return np.diagonal(self.count, axis1=1, axis2=2)

    @property
    def observed(self) -> Array:
        """Sum of weights over the observed cells (k, d)."""
        return by_feature(self.single, self.offset)

    def together(self) -> Array:
        """[k, u, j]: rows with level u in which feature j is observed; of its own feature, all rows that have a level.

        What a probability of feature j given level u is a share of.
        """
        whole = by_feature(self.count, self.offset)
        own = np.repeat(np.arange(len(self.levels)), np.diff(self.offset))
        whole[:, np.arange(len(own)), own] = self.observed[:, own]
        return whole

    def block(self, i: int, j: int) -> Array:
        """Counts (k, L_i, L_j) of two features."""
        at = self.offset
        return self.count[:, at[i] : at[i + 1], at[j] : at[j + 1]]

    def canonical(self) -> Self:
        """Levels sorted, those that nobody counts dropped."""
        used = np.asarray(self.count.any(axis=(0, 1)))
        order: list[int] = []
        levels: list[tuple[object, ...]] = []
        for names, start in zip(self.levels, self.offset.tolist(), strict=False):
            present = [i for i in range(len(names)) if used[start + i]]
            present.sort(key=lambda i, names=names: sort_key(names[i]))  # type: ignore[misc]
            levels.append(tuple(names[i] for i in present))
            order.extend(start + i for i in present)
        if order == list(range(len(used))):
            return replace(self, levels=tuple(levels))
        return replace(self, levels=tuple(levels), count=self.count[:, order][:, :, order])

    def over(self, levels: Levels) -> Self:
        """The same counts in a table over other levels, which must include those counted."""
        if levels == self.levels:
            return self
        offset = offsets(levels)
        refuse_too_many(self.groups, int(offset[-1]), len(levels))
        places: list[int] = []
        for mine, names, start in zip(self.levels, levels, offset.tolist(), strict=False):
            at = {name: start + i for i, name in enumerate(names)}
            places.extend(at[name] for name in mine)
        wide = np.zeros((self.groups, int(offset[-1]), int(offset[-1])), dtype=self.count.dtype)
        at_level = np.array(places, dtype=np.int64)
        wide[np.ix_(np.arange(self.groups), at_level, at_level)] = self.count
        return replace(self, levels=levels, count=wide)

    def mutual_information(self) -> Floats:
        """Between each two features given the group, in bits (d, d), groups averaged by weight; 0 on the diagonal.

        Of the rows in which both are observed. The same to the last digit in whatever order the features stand.
        """
        bits, rows = self._information()
        return np.asarray(np.divide(bits, rows, out=np.zeros_like(bits), where=rows > 0))

    def bits_a_row(self) -> Floats:
        """What each two features say of each other given the group, in bits for every row (d, d).

        Their mutual information times the share of rows in which both are observed: what rows gain in log likelihood
        where one is the parent of the other. Two features that are seldom observed together say much of each other by
        chance, and little of a row.

        >>> x, levels = np.array([[0, 0], [1, 1], [0, -1], [1, -1]]), (("no", "yes"), ("low", "high"))
        >>> seen = JointCounts.of(Codes(x, np.zeros(2, dtype=np.int64), levels), Membership.whole(4))
        >>> seen.mutual_information()[0].tolist(), seen.bits_a_row()[0].tolist()
        ([0.0, 1.0], [0.0, 0.5])
        """
        bits, _ = self._information()
        return bits / max(float(np.maximum(self.weight, 0).sum()), np.finfo(np.float64).tiny)

    def _information(self) -> tuple[Floats, Floats]:
        """Bits that each two features say of each other in all rows with both (d, d), and how many those are (d, d)."""
        d, at = len(self.levels), self.offset
        bits, rows = np.zeros((d, d)), np.zeros((d, d))
        some = np.flatnonzero(np.diff(at))
        if not len(some):
            return bits, rows
        begin, own = at[some], np.repeat(np.arange(len(some)), np.diff(at)[some])
        for i in some.tolist():
            joint = np.maximum(self.count[:, at[i] : at[i + 1]].astype(np.float64), 0.0)  # (k, L_i, T)
            mine, its = np.add.reduceat(joint, begin, axis=2), joint.sum(axis=1)
            both = np.add.reduceat(its, begin, axis=1)
            seen = joint > 0
            # Ratios of shares, each at most one: products of counts could overflow.
            with np.errstate(divide="ignore", invalid="ignore"):
                ratio = np.where(seen, (joint / mine[:, :, own]) / (its / both[:, own])[:, None], 1.0)
            told = (joint * np.log2(ratio)).sum(axis=1)
            bits[i, some] = np.add.reduceat(told, begin, axis=1).sum(axis=0)
            rows[i, some] = both.sum(axis=0)
        bits[np.diag_indices(d)] = 0.0
        return np.maximum((bits + bits.T) / 2, 0.0), (rows + rows.T) / 2  # adding up both ways rounds differently


def refuse_too_many(groups: int, levels: int, features: int) -> None:
    """Refuse tables that would not fit in memory."""
    if groups * levels * levels > MOST_CELLS:
        raise InputError(
            f"the joint counts of {features} columns with {levels:,} levels in all, for {groups} classes, "
            f"would take {groups * levels * levels * 8 / 2**30:.1f} GB, and at most "
            f"{MOST_CELLS * 8 / 2**30:.1f} GB are allowed: use fewer bins (bins=), leave out columns with many levels,"
            " or naive Bayes"
        )


def by_feature(counts: Array, offset: Ints) -> Array:
    """Sums over the levels of each feature (..., d), from counts by level (..., T); features may have no level.

    Each is a sum of its own: a difference of running sums would lose the digits of small weights beside large ones.

    >>> by_feature(np.array([[1e17, 1.0, 2.0, 4.0]]), np.array([0, 1, 1, 4]))
    array([[1.e+17, 0.e+00, 7.e+00]])
    """
    out = np.zeros((*counts.shape[:-1], len(offset) - 1), dtype=counts.dtype)
    some = np.flatnonzero(np.diff(offset))
    if len(some):
        out[..., some] = np.add.reduceat(counts, offset[some], axis=-1)
    return out
