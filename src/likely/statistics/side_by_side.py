"""Statistics of several parts of the same rows, side by side: what a product of families sums."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from likely.errors import InputError
from likely.numeric.arrays import Array
from likely.statistics.additive import Additive, check_rows_left, fixed


@dataclass(frozen=True)
class SideBySide(Additive):
    """One statistic per part; each operation is that of the parts.

    >>> import numpy as np
    >>> from likely.statistics import Membership, Moments
    >>> rows = Membership(1, np.zeros(2, dtype=int))
    >>> sums = Moments.of(np.array([[1.0], [3.0]]), rows)
    >>> both = SideBySide(sums.weight, (sums, sums))
    >>> (both + both).parts[1].first
    array([[4.]])
    """

    parts: tuple[Any, ...] = fixed()
    stored_as: ClassVar[str] = "Joint"

    def aligned(self, other: Self) -> tuple[Self, Self]:
        if len(self.parts) != len(other.parts):
            raise InputError(f"cannot combine statistics of {len(self.parts)} and {len(other.parts)} parts")
        return self, other

    def canonical(self) -> Self:
        return replace(self, parts=tuple(part.canonical() for part in self.parts))

    def __add__(self, other: Self) -> Self:
        mine, its = self._with(other)
        rows = mine._added(its, 1)  # the parts bring themselves into canonical form
        return replace(rows, parts=tuple(a + b for a, b in zip(self.parts, other.parts, strict=True)))

    def __sub__(self, other: Self) -> Self:
        rows = super().__sub__(other)
        return replace(rows, parts=tuple(a - b for a, b in zip(self.parts, other.parts, strict=True)))

    def __mul__(self, factor: float) -> Self:
        return replace(super().__mul__(factor), parts=tuple(part * factor for part in self.parts))

    __rmul__ = __mul__

    def without(self, other: Self) -> Self:
        rows = super().without(other)
        parts = tuple(a.without(b) for a, b in zip(self.parts, other.parts, strict=True))
        for before, left in zip(self.parts, parts, strict=True):  # a part may count only the rows that have its cell
            check_rows_left(before.weight, self.weight, left.weight, rows.weight)
        return replace(rows, parts=parts)

    def _each_group(self, change: Callable[[Array], Array]) -> Self:
        parts = tuple(part._each_group(change) for part in self.parts)
        return replace(super()._each_group(change), parts=parts)
