"""The rows themselves, and how much each weighs in each of k groups.

This is the statistic of methods that need every row: nearest neighbours, exact kernel sums. It adds like any other:
the distinct rows are kept sorted (by the first column, then the second, ...; a missing cell comes last and equals any
other missing cell), with one weight per group, and a row that weighs nothing in every group is dropped.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.numeric.arrays import Array, Ints, Shapes, frozen
from likely.numeric.kernels.sums import values as kernels
from likely.statistics.additive import fixed, tally
from likely.statistics.counting.values import Tabulated, table_of
from likely.statistics.membership import Membership


@dataclass(frozen=True)
class Rows(Tabulated):
    """The distinct rows in order and a table of their weights.

    >>> x = np.array([[2.0, 1.0], [0.0, 5.0], [2.0, 1.0]])
    >>> seen = Rows.of(x, Membership.of_labels(np.array([0, 0, 1]), 2))
    >>> seen.rows, seen.count
    (array([[0., 5.], [2., 1.]]), array([[1, 1], [0, 1]]))
    >>> (seen - seen).rows.shape
    (0, 2)
    """

    rows: Array = fixed(gaps=True)  # (m, d)  sorted, without repeats, in C order; NaN for a missing cell
    count: Array = tally()  # (k, m)  sum of w; integers when the rows carry no weights
    shapes: ClassVar[Shapes] = {"rows": "r d", "count": "k r"}

    @classmethod
    def of(cls, x: Array, membership: Membership) -> Self:
        """Keep rows x (n, d) of floats; single precision stays so."""
        x = np.ascontiguousarray(x) + x.dtype.type(0)  # turns -0.0 into 0.0
        order, first, place = _sorted_rows(x)
        codes = np.empty((len(x), 1), dtype=np.int32)
        codes[order, 0] = place
        count = table_of(codes, np.array([0, len(first)], dtype=np.int64), membership)
        return cls(membership.totals(), np.ascontiguousarray(x[order[first]]), count).canonical()

    def canonical(self) -> Self:
        """Rows that weigh nothing dropped."""
        used = np.asarray(self.count.any(axis=0))
        return self if used.all() else replace(self, rows=self.rows[used], count=self.count[:, used])

    def aligned(self, other: Self) -> tuple[Self, Self]:
        if self.rows.shape[1] != other.rows.shape[1]:
            raise ValueError(f"cannot combine rows of {self.rows.shape[1]} and {other.rows.shape[1]} columns")
        dtype = np.result_type(self.rows, other.rows)
        a, b = self.rows.astype(dtype, copy=False), other.rows.astype(dtype, copy=False)
        if np.array_equal(a, b, equal_nan=True):
            return replace(self, rows=a), replace(other, rows=a)
        place_a, place_b, size = kernels.merge_rows(frozen(a), frozen(b))
        union = np.empty((size, a.shape[1]), dtype=dtype)
        union[place_a], union[place_b] = a, b
        return self._over(union, place_a), other._over(union, place_b)

    def _over(self, rows: Array, place: Ints) -> Self:
        wide = np.zeros((self.groups, len(rows)), dtype=self.count.dtype)
        wide[:, place] = self.count
        return replace(self, rows=rows, count=wide)

    def _each_group(self, change: Callable[[Array], Array]) -> Self:
        # The rows are common to all groups: only the table has an axis of groups.
        return replace(self, weight=change(self.weight), count=change(self.count))


def _sorted_rows(x: Array) -> tuple[Ints, Ints, Ints]:
    """The order that sorts the rows, where each distinct row begins in it, and which one each sorted row is."""
    n, d = x.shape
    wide = np.where(np.isnan(x), np.nan, x.astype(np.float64))  # one NaN for all
    bits = np.ascontiguousarray(wide).view(np.uint64)
    sign = np.uint64(1 << 63)
    # Unsigned integers in the order of the floats; as big-endian bytes, a whole row compares at once.
    ordered = np.where(bits & sign, ~bits, bits | sign).astype(">u8")
    if n == 0 or d == 0:
        return np.arange(n), np.arange(min(n, 1)), np.zeros(n, dtype=np.int64)
    order = np.argsort(ordered.view(f"V{8 * d}").ravel(), kind="stable")
    ordered = ordered[order]
    new = np.concatenate([[True], (ordered[1:] != ordered[:-1]).any(axis=1)])
    return order, np.flatnonzero(new), np.cumsum(new) - 1
