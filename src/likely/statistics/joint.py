"""Statistics of several parts of the same rows, side by side: what a product of families sums."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from likely.numeric.arrays import Array
from likely.statistics.additive import Additive, fixed


@dataclass(frozen=True)
class Joint(Additive):
    """One statistic per part; each operation is that of the parts."""

    parts: tuple[Any, ...] = fixed()

    def __add__(self, other: Self) -> Self:
        parts = tuple(a + b for a, b in zip(self.parts, other.parts, strict=True))
        return replace(super().__add__(other), parts=parts)

    def __sub__(self, other: Self) -> Self:
        parts = tuple(a - b for a, b in zip(self.parts, other.parts, strict=True))
        return replace(super().__sub__(other), parts=parts)

    def __mul__(self, factor: float) -> Self:
        return replace(super().__mul__(factor), parts=tuple(part * factor for part in self.parts))

    __rmul__ = __mul__

    def without(self, other: Self) -> Self:
        parts = tuple(a.without(b) for a, b in zip(self.parts, other.parts, strict=True))
        return replace(super().without(other), parts=parts)

    def _each_group(self, change: Callable[[Array], Array]) -> Self:
        parts = tuple(part._each_group(change) for part in self.parts)
        return replace(super()._each_group(change), parts=parts)
