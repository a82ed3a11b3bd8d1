"""Nominal features that depend on each other within a group.

    average   every feature in turn the parent of all others, the models averaged (`averaged`); with two parents
              every two features (`averaged_pairs`)
    tree      one tree of features, those that say most of each other given the group (`tree`)

Statistic: `JointCounts`, one pass for either; with two parents `TripleCounts`. Prior: `m` pseudo-counts for every
distribution of a feature given a level of another, shared out equally over its levels; m = 1 towards uniform does
better than shrinking to the marginal. Numbers are cut into bins where rows are encoded: `cuts` has the cut
points of each feature, None where it has levels. A level never seen in training says nothing, as a missing cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias

import numpy as np

from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.dependence.averaged import Averaged
from likely.distributions.dependence.averaged_pairs import (
    AveragedPairs,
    errors_of_pairs,
    log_pairs,
    log_triples,
    observed_together,
)
from likely.distributions.dependence.posterior import DependencePosterior, PairsPosterior
from likely.distributions.dependence.table import feature_of, log_conditionals, places
from likely.distributions.dependence.tree import DependenceTree, greatest_tree, tree_without_own_row
from likely.distributions.family import Form
from likely.errors import InputError, check_choice, check_number
from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels.densities.dependence import average_without_own_row
from likely.numeric.kernels.densities.pairs_of_parents import pairs_without_own_row
from likely.statistics import Codes, Membership
from likely.statistics.additive import check_rows
from likely.statistics.counting.joint_counts import JointCounts
from likely.statistics.counting.triple_counts import TripleCounts, block_starts, cells_of

Structure: TypeAlias = Literal["average", "tree"]
STRUCTURES = ("average", "tree")


@dataclass(frozen=True)
class DependenceFamily:
    """Dependent nominal features with pseudo-counts towards a uniform distribution."""

    m: float = 1.0
    structure: Structure = "average"
    cuts: tuple[Sequence[float] | None, ...] | None = None  # per feature; None: no feature is cut
    parents: int = 1  # on how many other features each depends: 1, or in an average 2
    rank: tuple[int, ...] | None = None  # of features that a tree's counts do not tell apart; None: as they stand
    form: ClassVar[Form] = "codes"
    conjugate_prior: ClassVar[type] = Dirichlet

    def __post_init__(self) -> None:
        check_number("m", self.m, above=True)
        check_choice("structure", self.structure, STRUCTURES)
        if self.parents not in (1, 2) or (self.parents == 2 and self.structure == "tree"):
            raise InputError(f"a feature has one parent, or in an average two; got {self.parents!r}")

    def summarize(self, x: Codes, membership: Membership) -> JointCounts:
        check_rows(len(x), membership)
        return TripleCounts.of(x, membership) if self.parents == 2 else JointCounts.of(x, membership)

    def numbers_in(self, x: Codes) -> int:
        """Numbers that the sums of one group of such rows hold."""
        sizes = list(map(len, x.levels))
        return sum(sizes) ** 2 + (cells_of(sizes) if self.parents == 2 else 0)

    def estimate(self, statistic: JointCounts) -> Averaged | AveragedPairs | DependenceTree:
        if self.parents == 2:
            assert isinstance(statistic, TripleCounts)
            return AveragedPairs(statistic.levels, log_pairs(statistic, self.m), log_triples(statistic, self.m))
        table = log_conditionals(statistic, self.m)
        if self.structure == "average":
            return Averaged(statistic.levels, table)
        return DependenceTree(statistic.levels, table, *greatest_tree(statistic, self.rank))

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` is what estimating without a row would give: the tree may change with the row."""
        return self.structure == "average"

    def leave_one_out(self, statistic: JointCounts, x: Codes, membership: Membership) -> Floats:
        """Log density (n, k) of each row under the groups as they are without it; the rows must be in the statistic.

        A level that only this row has is then unseen. A row that outweighs all others is NaN: estimate without it.

        >>> x = Codes(np.array([[0, 0], [0, 1], [1, 1], [1, 1]]), np.zeros(2, dtype=np.int64), (("a", "b"), ("c", "d")))
        >>> groups = Membership.of_labels(np.array([0, 1, 1, 1]), 2)
        >>> family = DependenceFamily()
        >>> np.exp(family.leave_one_out(family.summarize(x, groups), x, groups)[2:]).round(4)
        array([[0.125 , 0.3958],
               [0.125 , 0.3958]])
        """
        check_rows(len(x), membership)
        assert membership.labels is not None
        weight = np.ones(len(x)) if membership.weight is None else membership.weight
        exact = statistic.count.dtype.kind == "i" and membership.weight is None
        if isinstance(statistic, TripleCounts):
            return self._without_own_row(statistic, x, membership.labels, weight, exact)
        if self.structure == "tree":
            tree = DependenceTree(
                statistic.levels, log_conditionals(statistic, self.m), *greatest_tree(statistic, self.rank)
            )
            return tree_without_own_row(tree, statistic, x, membership.labels, weight, self.m)
        out = np.empty((len(x), statistic.groups))
        average_without_own_row(
            frozen(places(x, statistic.levels)),
            membership.labels,
            frozen(weight),
            exact,
            frozen(log_conditionals(statistic, self.m)),
            frozen(statistic.count.astype(np.float64)),
            frozen(statistic.together().astype(np.float64)),
            frozen(statistic.single.sum(axis=0).astype(np.float64)),
            frozen(feature_of(statistic.levels)[1]),
            float(self.m),
            out,
        )
        return out

    def _without_own_row(self, seen: TripleCounts, x: Codes, labels: Array, weight: Floats, exact: bool) -> Floats:
        out = np.empty((len(x), seen.groups))
        pairs_without_own_row(
            frozen(places(x, seen.levels)),
            frozen(seen.offset),
            block_starts(seen.sizes),
            frozen(log_pairs(seen, self.m)),
            frozen(log_triples(seen, self.m)),
            labels,
            frozen(weight),
            exact,
            frozen(seen.count.astype(np.float64)),
            frozen(seen.triple.astype(np.float64)),
            frozen(observed_together(seen)),
            float(self.m),
            out,
        )
        return out

    def parameter_posterior(self, statistic: JointCounts) -> DependencePosterior | PairsPosterior:
        """Dirichlet of every feature, alone and given each level (or two) of every other."""
        fitted = self.estimate(statistic)
        if isinstance(fitted, AveragedPairs):
            assert isinstance(statistic, TripleCounts)
            return PairsPosterior(statistic, self.m, fitted)
        return DependencePosterior(statistic, self.m, fitted)

    def standard_errors(self, statistic: JointCounts) -> dict[str, Array]:
        """sqrt(p (1 - p) / (N + m + 1)): the deviation of the Dirichlet posterior of each probability (T, T, k)."""
        if isinstance(statistic, TripleCounts):
            return errors_of_pairs(statistic, self.m)
        own, _ = feature_of(statistic.levels)
        p = np.exp(log_conditionals(statistic, self.m))
        whole = (statistic.together()[:, :, own] + self.m + 1).transpose(1, 2, 0)
        return {"table": np.sqrt(p * (1 - p) / whole)}
