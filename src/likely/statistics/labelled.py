"""A statistic per class, with the names of the classes: what a classifier keeps of its data.

Two of them add over the union of their classes, so classes may turn up in any order and in any batch.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely.numeric.arrays import Array
from likely.statistics.additive import Additive
from likely.statistics.counting.categories import union_of


@dataclass(frozen=True)
class Labelled:
    """Group i of `given` holds the data of classes[i]; the classes are sorted.

    >>> import numpy as np
    >>> from likely.statistics import Membership, Moments
    >>> sums = Moments.of(np.array([[1.0], [3.0]]), Membership(2, np.array([0, 1])))
    >>> (Labelled(("a", "b"), sums) + Labelled(("a", "b"), sums)).given.weight
    array([2, 2])
    """

    classes: tuple[Hashable, ...]
    given: Additive  # sums of the rows, a group for each class

    def __add__(self, other: Self) -> Self:
        mine, its = self._aligned(other)
        return type(self)(mine.classes, mine.given + its.given)

    def __sub__(self, other: Self) -> Self:
        mine, its = self._aligned(other)
        return type(self)(mine.classes, mine.given - its.given)

    def __mul__(self, factor: float) -> Self:
        return type(self)(self.classes, self.given * factor)

    __rmul__ = __mul__

    def without(self, other: Self) -> Self:
        """Remove data; a class of which nothing is left is forgotten too."""
        mine, its = self._aligned(other)
        left = mine.given.without(its.given)
        kept = np.flatnonzero(left.weight != 0)
        return type(self)(tuple(mine.classes[i] for i in kept), left.taken(kept))

    @property
    def weight(self) -> Array:
        """Sum of weights per class (k,)."""
        return self.given.weight

    def over(self, classes: tuple[Hashable, ...]) -> Self:
        """The same data among other classes, which must include these; the new ones are empty."""
        if classes == self.classes:
            return self
        place: dict[Any, int] = {name: i for i, name in enumerate(classes)}
        index = np.array([place[name] for name in self.classes], dtype=np.int64)
        return type(self)(classes, self.given.regrouped(index, len(classes)))

    def _aligned(self, other: Self) -> tuple[Self, Self]:
        union = self.classes if self.classes == other.classes else union_of(self.classes, other.classes)
        return self.over(union), other.over(union)
