"""Which group a row belongs to: a label (classification), or shares of every group (EM, hidden labels)."""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.numeric.arrays import Array, frozen


@dataclass(frozen=True)
class Membership:
    """Labels with optional weights, or a matrix of responsibilities (shares).

    A negative label belongs to no group and is left out. Shares have the rows' weights multiplied in; a row
    whose label is known is one whose share is all in one group, so both kinds mix in one matrix.

    >>> import numpy as np
    >>> Membership(2, np.array([0, 1, 1])).groups
    2
    """

    groups: int
    labels: Array | None = None  # (n,)    int32 codes below `groups`
    weight: Array | None = None  # (n,)    float64; None: every row weighs 1 and tallies stay integers
    shares: Array | None = None  # (n, k)  float64  of each row in each group

    @classmethod
    def of_labels(cls, labels: Array, groups: int, weight: Array | None = None) -> Self:
        """Rows that belong to one group each, -1: to none; with weights, if they have any."""
        labels = np.ascontiguousarray(labels, dtype=np.int32)
        if labels.size and labels.max() >= groups:  # kernels do not check bounds
            raise ValueError(f"label {labels.max()} with only {groups} groups")
        if weight is not None:
            weight = frozen(np.ascontiguousarray(weight, dtype=np.float64))
        return cls(groups, labels=frozen(labels), weight=weight)

    @classmethod
    def of_shares(cls, shares: Array) -> Self:
        """Rows that are shared out among the groups, (n, groups)."""
        shares = np.ascontiguousarray(shares, dtype=np.float64)
        return cls(shares.shape[1], shares=frozen(shares))

    @classmethod
    def whole(cls, rows: int, weight: Array | None = None) -> Self:
        """Every row in one group."""
        return cls.of_labels(np.zeros(rows, dtype=np.int32), 1, weight)

    def __len__(self) -> int:
        array = self.labels if self.labels is not None else self.shares
        assert array is not None
        return len(array)

    def rows(self, start: int, stop: int) -> Self:
        """The membership of a range of rows."""

        def cut(array: Array | None) -> Array | None:
            return None if array is None else array[start:stop]

        return replace(self, labels=cut(self.labels), weight=cut(self.weight), shares=cut(self.shares))

    def without(self, left_out: Array) -> Self:
        """Some rows (n,) belong to no group."""
        if self.shares is not None:
            return replace(self, shares=frozen(np.where(left_out[:, None], 0.0, self.shares)))
        assert self.labels is not None
        return replace(self, labels=frozen(np.where(left_out, np.int32(-1), self.labels)))

    def totals(self) -> Array:
        """Sum of weights per group (k,): integers when the rows carry no weights."""
        if self.shares is not None:
            return np.asarray(self.shares.sum(axis=0))
        assert self.labels is not None
        known = self.labels >= 0
        weight = None if self.weight is None else self.weight[known]
        return np.bincount(self.labels[known], weights=weight, minlength=self.groups)

    def as_shares(self) -> Array:
        """The matrix (n, k) of shares, also when labels are known."""
        if self.shares is not None:
            return self.shares
        assert self.labels is not None
        shares = np.zeros((len(self.labels), self.groups))
        rows = np.flatnonzero(self.labels >= 0)
        shares[rows, self.labels[rows]] = 1.0 if self.weight is None else self.weight[rows]
        return shares
