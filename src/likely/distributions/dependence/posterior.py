"""What is believed of the probabilities of dependent features: a Dirichlet for each, alone and given each level."""

from dataclasses import dataclass, replace

import numpy as np

from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.dependence.averaged import Averaged
from likely.distributions.dependence.tree import DependenceTree
from likely.errors import InputError
from likely.numeric.shares import draw_log_shares
from likely.statistics.counting.joint_counts import JointCounts


@dataclass(frozen=True)
class DependencePosterior:
    """Counts and pseudo-counts; the structure is taken for known."""

    seen: JointCounts
    m: float
    fitted: Averaged | DependenceTree

    @property
    def size(self) -> int:
        """Numbers in one draw."""
        return max(int(self.fitted.table.size), 1)

    def of(self, member: int, column: int) -> Dirichlet:
        """The probabilities of a feature's levels in a group, whatever the others are."""
        names = tuple(self.seen.levels[column])
        if not names:
            raise InputError(f"nominal column {column} was never observed: it has no levels to believe anything of")
        at = self.seen.offset
        counts = self.seen.single[member, at[column] : at[column + 1]]
        return Dirichlet(counts + self.m / len(names), names)

    def draw(self, n: int, rng: np.random.Generator) -> Averaged | DependenceTree:
        """N draws of the k members, one after the other."""
        k, at = self.fitted.members, self.seen.offset
        width = int(at[-1])
        table = np.zeros((width, width, n * k))
        for j, names in enumerate(self.seen.levels):
            if not names:
                continue
            columns = slice(int(at[j]), int(at[j + 1]))
            own = np.arange(at[j], at[j + 1])
            table[own, own] = self._drawn(self.seen.single[:, None, columns], n, rng)[0]
            others = np.setdiff1d(np.arange(width), own)
            if len(others):
                table[others, columns] = self._drawn(self.seen.count[:, others, columns], n, rng)
        return replace(self.fitted, table=table)

    def _drawn(self, counts: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
        """Log shares (u, L, n k) of levels, from counts (k, u, L); of one parent level (1, L, n k)."""
        k, given, size = counts.shape
        alpha = (counts + self.m / size).transpose(1, 0, 2).reshape(-1, size)
        drawn = draw_log_shares(alpha, n, rng).reshape(n, given, k, size)
        return np.ascontiguousarray(drawn.transpose(1, 3, 0, 2).reshape(given, size, n * k))
