"""What is said where no neighbour speaks: the mean of an item, and how much more than others somebody gives.

mean of an item = (sum of its ratings + 5 overall mean) / (their number + 5)
lean of a user  = sum over rated items of (rating - mean of the item) / (their number + 5)
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.models.recommend.ratings import Ratings
from likely.numeric.arrays import Floats, Ints

_PRIOR = 5.0  # ratings of the overall mean in the mean of an item


@dataclass(frozen=True)
class Silence:
    """Sums by item, from which means follow that a few ratings do not carry away."""

    count: Ints  # (items,)
    total: Floats  # (items,)
    overall: float
    leaning: bool  # whether users are taken to differ in how much they give

    @classmethod
    def of(cls, ratings: Ratings, leaning: bool) -> Self:
        """Of all ratings; kept with them."""
        if "item sums" not in ratings.derived:
            count = np.bincount(ratings.item, minlength=len(ratings.items))
            total = np.bincount(ratings.item, ratings.rating, len(ratings.items))
            ratings.derived["item sums"] = count, total, float(ratings.rating.mean())
        count, total, overall = ratings.derived["item sums"]
        return cls(count, total, overall, leaning)

    def about(self, overall: float) -> Self:
        """The same with another mean of all ratings."""
        return replace(self, overall=overall)

    def of_items(self) -> Floats:
        """Means of the items (items,), shrunk towards that of all ratings."""
        return np.asarray((self.total + _PRIOR * self.overall) / (self.count + _PRIOR))

    def of_one(self, ratings: Floats) -> float:
        """The mean of an item with these ratings."""
        return (float(ratings.sum()) + _PRIOR * self.overall) / (len(ratings) + _PRIOR)

    def lean(self, columns: Ints, cells: Floats) -> float:
        """How much more than others somebody with these ratings gives."""
        if not self.leaning or not len(cells):
            return 0.0
        return float((cells - self.of_items()[columns]).sum() / (len(cells) + _PRIOR))

    def leans(self, ratings: Ratings) -> Floats:
        """How much more than others each user gives (users,)."""
        users = len(ratings.users)
        if not self.leaning:
            return np.zeros(users)
        away = ratings.rating - self.of_items()[ratings.item]
        count = np.bincount(ratings.user, minlength=users)
        return np.asarray(np.bincount(ratings.user, away, users) / (count + _PRIOR))
