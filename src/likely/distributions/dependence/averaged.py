"""Averaged one-dependence estimators (Webb, Boughton & Wang 2005, "Not so naive Bayes").

    p(x | k) = 1/m sum_i p(x_i | k) prod_(j != i) p(x_j | k, x_i)        over the m features that are observed

Every feature in turn is the parent of all others, and the models are averaged: no structure is searched for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.distributions.dependence.table import feature_of, places
from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen
from likely.numeric.kernels.densities.dependence import average_over_parents, terms_of_average
from likely.statistics import Codes
from likely.statistics.counting.categories import Levels, offsets


@dataclass(frozen=True)
class Averaged:
    """k members, each an average over the features as parents.

    >>> from likely import DependenceBayes
    >>> rows = [["u", "v"], ["u", "w"], ["x", "w"], ["x", "v"]]
    >>> model = DependenceBayes(calibrate=False).fit(rows, ["a", "a", "b", "b"])
    >>> model.distribution_.members
    2
    """

    levels: Levels  # per feature
    table: Array  # (T, T, k)  log p(v | k, u), log p(u | k) on the diagonal
    unseen: ClassVar[str] = "ignore"  # a level that is not in the table says nothing
    shapes: ClassVar[Shapes] = {"table": "r r k"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        """The name of the first field that does not fit the others, as a damaged file may have; None: all do."""
        return None if len(self.levels) == size["d"] and sum(map(len, self.levels)) == size["r"] else "levels"

    @property
    def members(self) -> int:
        return int(self.table.shape[2])

    @property
    def n_parameters(self) -> int:
        """The free probabilities of one of the models that are averaged: all have about as many."""
        sizes = feature_of(self.levels)[1]
        free = np.maximum(sizes - 1, 0)
        others = free.sum() * sizes.sum() - (sizes * free).sum()  # of all of them together
        return int(self.members * np.ceil((free.sum() + others) / max(len(sizes), 1)))

    def log_density(self, x: Codes) -> Floats:
        return np.asarray(average_over_parents(frozen(places(x, self.levels)), frozen(self.table)))

    def log_density_terms(self, x: Codes) -> Floats:
        """What each feature adds: its mean log probability under the parents by their shares in the average.

        What the average gains over that mean is shared out equally among the observed features.
        """
        return np.asarray(terms_of_average(frozen(places(x, self.levels)), frozen(self.table)))

    def sample(self, member: Ints, rng: np.random.Generator) -> Codes:
        """Rows: a parent by chance, its level, then all others given it."""
        at = offsets(self.levels)
        able = [j for j in range(len(self.levels)) if len(self.levels[j])]
        x = np.full((len(member), len(self.levels)), -1, dtype=np.int32)
        parent = rng.choice(able, len(member)) if able else np.zeros(len(member), dtype=np.int64)
        for i in able:
            rows = np.flatnonzero(parent == i)
            x[rows, i] = _drawn(self._marginal(i)[:, member[rows]], rng)
            for j in able:
                if j != i:
                    given = self.table[at[i] + x[rows, i], at[j] : at[j + 1]]  # (rows, L_j, k)
                    own = np.take_along_axis(given, member[rows][:, None, None], axis=2)[:, :, 0]
                    x[rows, j] = _drawn(own.T, rng)
        return Codes(x, np.zeros(len(self.levels), dtype=np.int64), self.levels, sure=True)

    def _marginal(self, feature: int) -> Floats:
        at = slice(*offsets(self.levels)[feature : feature + 2].tolist())
        return np.asarray(np.diagonal(self.table[at, at], axis1=0, axis2=1).T)


def _drawn(log_p: Floats, rng: np.random.Generator) -> Ints:
    """A level for each column of log probabilities (L, n)."""
    upto = np.cumsum(np.exp(log_p), axis=0)
    return np.asarray((rng.random(log_p.shape[1]) * upto[-1] >= upto[:-1]).sum(axis=0), dtype=np.int32)
