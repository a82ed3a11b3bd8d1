"""What is believed of the probabilities of dependent features: a Dirichlet for each, alone and given each level."""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.dependence.averaged import Averaged
from likely.distributions.dependence.averaged_pairs import AveragedPairs
from likely.distributions.dependence.tree import DependenceTree
from likely.errors import InputError
from likely.numeric.shares import draw_log_shares
from likely.statistics.counting.joint_counts import JointCounts
from likely.statistics.counting.triple_counts import TripleCounts, block_starts


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
        return _alone(self.seen, self.m, member, column)

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
            table[own, own] = _log_shares(self.seen.single[:, None, columns], self.m, n, rng)[0]
            others = self._parents_of(j)
            if len(others):
                table[others, columns] = _log_shares(self.seen.count[:, others, columns], self.m, n, rng)
        return replace(self.fitted, table=table)

    def _parents_of(self, feature: int) -> np.ndarray:
        """The levels that its levels are given: of all others, or of its parent alone in a tree."""
        at = self.seen.offset
        if isinstance(self.fitted, DependenceTree):
            above = int(self.fitted.parent[feature])
            return np.arange(at[above], at[above + 1]) if above >= 0 else np.arange(0)
        return np.setdiff1d(np.arange(at[-1]), np.arange(at[feature], at[feature + 1]))


@dataclass(frozen=True)
class PairsPosterior:
    """The same where every two features are parents: a Dirichlet of each pair, and of each feature given each pair."""

    seen: TripleCounts
    m: float
    fitted: AveragedPairs

    @property
    def size(self) -> int:
        """Numbers in one draw."""
        return max(int(self.fitted.table.size + self.fitted.pair.size), 1)

    def of(self, member: int, column: int) -> Dirichlet:
        """The probabilities of a feature's levels in a group, whatever the others are."""
        return _alone(self.seen, self.m, member, column)

    def draw(self, n: int, rng: np.random.Generator) -> AveragedPairs:
        """N draws of the k members, one after the other."""
        seen, sizes, at = self.seen, self.seen.sizes, self.seen.offset
        width, members = int(at[-1]), n * self.fitted.members
        pair = np.zeros((width, width, members))
        for i, size in enumerate(sizes):
            own = np.arange(at[i], at[i + 1])
            if size:
                pair[own, own] = _log_shares(seen.single[:, None, own], self.m, n, rng)[0]
            for j in range(i + 1, len(sizes)):
                if not size * sizes[j]:
                    continue
                both = seen.block(i, j).reshape(len(seen.count), 1, -1)
                drawn = _log_shares(both, self.m, n, rng)[0].reshape(size, sizes[j], members)
                pair[at[i] : at[i + 1], at[j] : at[j + 1]] = drawn
                pair[at[j] : at[j + 1], at[i] : at[i + 1]] = drawn.transpose(1, 0, 2)
        table, start = np.empty((seen.triple.shape[1], 3, members)), block_starts(sizes)
        for three in combinations(range(len(sizes)), 3):
            shape = tuple(sizes[f] for f in three)
            cells = slice(int(start[three]), int(start[three]) + int(np.prod(shape)))
            block = seen.triple[:, cells].reshape(len(seen.count), *shape)
            for child in range(3 if block.size else 0):
                given = np.moveaxis(block, child + 1, 3)  # (k, a, b, L)
                drawn = _log_shares(given.reshape(len(given), -1, shape[child]), self.m, n, rng)
                back = np.moveaxis(drawn.reshape(*given.shape[1:], members), 2, child)
                table[cells, child] = back.reshape(-1, members)
        return replace(self.fitted, pair=pair, table=table)


def _alone(seen: JointCounts, m: float, member: int, column: int) -> Dirichlet:
    names = tuple(seen.levels[column])
    if not names:
        raise InputError(f"nominal column {column} was never observed: it has no levels to believe anything of")
    at = seen.offset
    return Dirichlet(seen.single[member, at[column] : at[column + 1]] + m / len(names), names)


def _log_shares(counts: np.ndarray, m: float, n: int, rng: np.random.Generator) -> np.ndarray:
    """Log shares (u, L, n k) of levels, from counts (k, u, L); of one parent level (1, L, n k)."""
    k, given, size = counts.shape
    alpha = (counts + m / size).transpose(1, 0, 2).reshape(-1, size)
    drawn = draw_log_shares(alpha, n, rng).reshape(n, given, k, size)
    return np.ascontiguousarray(drawn.transpose(1, 3, 0, 2).reshape(given, size, n * k))
