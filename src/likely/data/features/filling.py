"""Fill missing cells with means of the observed ones.

    training rows   m_kj = mean of attribute j over the rows of class k in which it is observed
    queries         m_j  = mean of attribute j over all training rows in which it is observed

A training row knows its class, a query does not. An attribute that was never observed in a class takes the overall
mean there; one that was never observed at all has no mean and is refused.

Statistic: `Moments` per class; the fillers of merged data come from added statistics. No prior.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.features.labels import indices
from likely.data.features.scaling import rows_of_attributes
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats
from likely.statistics import Membership, Moments


@dataclass(frozen=True)
class MeanFiller:
    """The means that stand in for missing cells.

    >>> x = [[1, 10], [3, None], [None, 14], [7, 2], [9, None]]
    >>> filler = MeanFiller.learn(x, ["a", "a", "a", "b", "b"])
    >>> filler.class_means
    array([[ 2., 12.],
           [ 8.,  2.]])
    >>> filler.fill_query([[None, 5], [4, None]]).round(2)
    array([[5.  , 5.  ],
           [4.  , 8.67]])
    """

    classes: tuple[Hashable, ...]
    class_means: Array  # (k, d)  of the rows of each class
    overall_mean: Array  # (d,)  of all rows, for queries whose class is not known

    @classmethod
    def learn(cls, x: ArrayLike, y: TargetLike) -> Self:
        """From rows (n, d), NaN or None for a missing cell, and their classes (n,)."""
        rows = rows_of_attributes(x)
        codes, classes = indices(y)
        if len(codes) != len(rows):
            raise InputError(f"{len(rows)} rows have {len(codes)} labels; give one label per row")
        return cls.of(Moments.of(np.ascontiguousarray(rows), Membership.of_labels(codes, len(classes))), classes)

    @classmethod
    def of(cls, moments: Moments, classes: Sequence[Hashable]) -> Self:
        """From the sums over rows, one group per class."""
        if moments.groups != len(classes):
            raise InputError(f"the statistic has {moments.groups} groups, but {len(classes)} classes are named")
        if not moments.groups:
            raise InputError("there are no rows to learn means from")
        overall = moments.overall()
        never = np.flatnonzero(overall.count[0] == 0)
        if never.size:
            raise InputError(
                f"column {never[0]} has no observed cell, so there is no mean to fill it with; leave it out"
            )
        means = np.where(moments.count > 0, moments.mean, overall.mean)
        return cls(tuple(classes), means, overall.mean[0])

    def fill_training(self, x: ArrayLike, y: TargetLike) -> Floats:
        """Rows (n, d) whose missing cells hold the mean of the row's own class.

        >>> x = [[1, 10], [3, None], [None, 14]]
        >>> MeanFiller.learn(x, ["a", "a", "b"]).fill_training(x, ["a", "a", "b"])
        array([[ 1., 10.],
               [ 3., 10.],
               [ 2., 14.]])
        """
        rows = self._checked(x)
        codes, _ = indices(y, self.classes)
        if len(codes) != len(rows):
            raise InputError(f"{len(rows)} rows have {len(codes)} labels; give one label per row")
        return np.where(np.isnan(rows), self.class_means[codes], rows)

    def fill_query(self, x: ArrayLike) -> Floats:
        """Rows (n, d) whose missing cells hold the overall mean."""
        rows = self._checked(x)
        return np.where(np.isnan(rows), self.overall_mean, rows)

    def _checked(self, x: ArrayLike) -> Floats:
        rows = rows_of_attributes(x)
        if rows.shape[1] != self.overall_mean.size:
            raise InputError(f"means of {self.overall_mean.size} attributes cannot fill rows of {rows.shape[1]}")
        return rows
