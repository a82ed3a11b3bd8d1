"""What the trees of a forest say of the rows that they did not draw, added up as they are grown.

A row is out of bag for about e^-1 of the T trees, m of them. The mean of fewer trees is less sure, so the log-loss of
their posterior is larger than that of the forest. With r the variance of what single trees give to the row's class,
over the square of its mean p, -log of a mean over m trees is larger on average by about log(1 + r / m) / 2 (to second
order in r / m; exactly, were it log-normal). So the loss for T trees is estimated by

    -log p - log(1 + r / m) / 2 + log(1 + r / T) / 2
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from likely.models.trees.grove import Grove
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.trees.walking import add_told
from likely.numeric.logspace import log_of

_BLOCK = 4096  # rows that are put side by side to be walked


class Told(NamedTuple):
    """What one tree says of the rows that it did not draw."""

    rows: Array  # (m,)
    leaf: Array  # (m,)  the number of the leaf that each came to
    share: Floats  # (leaves, k)

    @classmethod
    def by(cls, tree: Grove, x: Array, rows: Ints) -> Self:
        """Of these rows of x."""
        leaf = np.empty(len(rows), dtype=np.uint32)
        for first in range(0, len(rows), _BLOCK):
            leaf[first : first + _BLOCK] = tree.leaf_of(x[rows[first : first + _BLOCK]])[:, 0]
        return cls(rows.astype(np.uint32), tree.number_of(leaf), tree.leaf_share)


@dataclass(frozen=True, eq=False)
class OutOfBag:
    """Sums over the trees that did not draw each row."""

    codes: Array  # (n,)  its class
    said: Floats  # (n, k)  their shares of the classes
    trees: Ints  # (n,)  how many they are
    squares: Floats  # (n,)  of their shares of the row's class

    @classmethod
    def none(cls, codes: Array, k: int) -> Self:
        """Of no tree."""
        n = len(codes)
        return cls(codes, np.zeros((n, k)), np.zeros(n, dtype=np.int64), np.zeros(n))

    def add(self, told: "Told") -> None:
        """Add what a tree says."""
        add_told(*told, self.codes, self.said, self.trees, self.squares)

    @property
    def posterior(self) -> Floats:
        """The mean of the trees (n, k); NaN where every tree drew the row."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(self.trees[:, None] > 0, self.said / self.trees[:, None], np.nan))

    def log_loss(self, n_trees: int) -> Floats:
        """Of each row (n,), for a posterior of so many trees."""
        m = np.maximum(self.trees, 1)
        mean = self.said[np.arange(len(m)), self.codes] / m
        variance = np.maximum(self.squares / m - mean**2, 0.0) * m / np.maximum(m - 1, 1)
        r = np.divide(variance, mean**2, out=np.zeros_like(mean), where=mean > 0)
        return np.asarray(-log_of(mean) - (np.log1p(r / m) - np.log1p(r / n_trees)) / 2)
