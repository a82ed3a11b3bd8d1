"""Ordinal features: a table of level probabilities per group, in which what was seen speaks for the levels next to it.

    p_kl = (n_kl + m s_kl) / (N_k + m),   s_k = (I + r^2 D)^-1 (n_k + a) / (N_k + m),   m = sum of a

Like a nominal feature, but the m pseudo-counts are shared out by the group's own shares, smoothed over adjacent levels:
s is the table nearest to those shares whose steps from level to level are small (D is the Laplacian of the path of
levels, so s minimises (s - q)^2 + r^2 sum of (s_l+1 - s_l)^2). `reach`, r, says over how many levels; 0 smooths nothing
and infinity makes the levels alike, which is the nominal family. As rows come in m counts for less and less, so that
the probabilities become the shares, whatever their shape. On samples of bell-shaped scales of 4 to 12 levels the loss
against the truth is up to 30 % below Laplace's correction, on scales without any order at most 6 % above it.

Statistic: `CategoryCounts`. Levels stand in the order that is declared; others, and undeclared ones, by value. Two
samples are compared by rank: the Wilcoxon rank sum, beside the G-test of the levels.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.data.columns.kinds import Kind
from likely.distributions.comparing import TOO_FEW, Verdict, compare_counts
from likely.distributions.comparing.ranks import compare_ranks
from likely.distributions.counts.categorical import CategoricalFamily
from likely.distributions.counts.level_table import Categorical
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of
from likely.numeric.shares import smoothed_shares
from likely.statistics import CategoryCounts, Codes, Membership
from likely.statistics.additive import check_rows
from likely.statistics.counting.categories import offsets


@dataclass(frozen=True)
class OrdinalFamily(CategoricalFamily):
    """Ordinal features, with pseudo-counts beside what was seen.

    >>> from likely.distributions import fit
    >>> sizes = ("small", "medium", "large", "huge")
    >>> seen = Codes(np.array([[0], [0], [1], [0]]), np.zeros(1, dtype=np.int64), (sizes,))
    >>> law = fit(OrdinalFamily(levels=(sizes,)), seen)
    >>> {size: round(float(p[0]), 3) for size, p in law.probability(0).items()}
    {'small': 0.545, 'medium': 0.26, 'large': 0.104, 'huge': 0.091}
    """

    reach: float = 1.5  # levels over which pseudo-counts spread
    name: ClassVar[str] = "ordinal"
    kind: ClassVar[Kind] = "ordinal"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.reach >= 0:
            raise InputError(f"reach is how many levels pseudo-counts spread over, 0 or more; got {self.reach}")

    def log_prior(self, statistic: CategoryCounts, fitted: Categorical) -> float | None:
        """None where pseudo-counts follow the counts: such an estimate is the maximum of no posterior."""
        return super().log_prior(statistic, fitted) if self.estimation == "ml" else None

    def compare(self, before: CategoryCounts, after: CategoryCounts, i: int, j: int) -> Verdict | str:
        """The rank sum of the levels in their order, and the G-test of their shares."""
        one, two = before.only(i).aligned(after.only(j))
        seen = list(one.levels[0])
        first = [] if self.levels is None else [name for name in self.levels[i] if name in seen]
        names = [*first, *(name for name in seen if name not in first)]
        place = [seen.index(name) for name in names]
        a, b = one.count[0][place], two.count[0][place]
        shares = compare_counts(a, b, names)
        return TOO_FEW if shares is None else compare_ranks(a, b, names, shares)

    def leave_one_out(self, statistic: CategoryCounts, x: Codes, membership: Membership) -> Floats:
        """Log probability (n, k) of each row under the groups estimated without it; the rows must be in the statistic.

        A row that alone has its level is NaN where unseen levels say something: estimate without it instead.
        """
        check_rows(len(x), membership)
        fitted = self.estimate(statistic)
        fitted._check(x)
        counts, offset = statistic.over(fitted.levels), offsets(fitted.levels)
        assert membership.labels is not None
        weight = np.ones(len(x)) if membership.weight is None else np.asarray(membership.weight, dtype=np.float64)
        out = np.zeros((len(x), statistic.groups))
        for j, names in enumerate(fitted.levels):
            place = {name: at for at, name in enumerate(names)}
            known = np.array([place.get(name, -1) for name in x.levels[j]] + [-1], dtype=np.int64)
            code = known[x.x[:, j] - x.base[j]]
            rows = np.flatnonzero(code >= 0)
            if not len(rows):
                continue
            at, own, w = code[rows], membership.labels[rows], weight[rows]
            count = counts.count[:, offset[j] : offset[j + 1]].astype(np.float64)
            terms = fitted.log_probability[:, offset[j] : offset[j + 1]].T[at]
            inside = own >= 0
            terms[inside, own[inside]] = self._without(names, count, at[inside], own[inside], w[inside])
            declared = self.levels is not None and np.array([name in set(self.levels[j]) for name in names])[at]
            alone = (count.sum(axis=0)[at] - w <= 1e-12 * w) & ~np.asarray(declared) & inside
            terms[alone] = 0.0 if self.unseen == "ignore" else np.nan
            out[rows] += terms
        return out

    def _without(self, names: Sequence[Hashable], count: Floats, at: Array, own: Array, weight: Floats) -> Floats:
        """Log probability of the level of each row in its own group, without the row: what is smoothed is linear."""
        pseudo = self._pseudo_counts(names)
        whole, spare = float(pseudo.sum()), float(pseudo.mean()) if self.unseen == "prior" else 0.0
        rows = np.maximum(count.sum(axis=1)[own] - weight, 0.0)
        left = np.maximum(count[own, at] - weight, 0.0)
        near = np.zeros(len(at))
        if whole > 0:
            spread = _spread(np.eye(len(names)), self.reach)
            near = ((count + pseudo) @ spread)[own, at] - weight * spread[at, at]
            near = whole * np.maximum(near, 0.0) / (rows + whole)
        return log_of(smoothed_shares(left, near, rows + whole + spare, 1.0 / len(names)))

    def _shared_out(self, pseudo: Floats, count: Array) -> Floats:
        whole = float(np.sum(pseudo))
        if whole == 0 or not count.shape[1]:
            return pseudo
        seen = count + pseudo
        return np.asarray(whole * _spread(seen.T, self.reach).T / seen.sum(axis=1, keepdims=True))


def _spread(table: Floats, reach: float) -> Floats:
    """Columns (levels, m) smoothed along the levels; sums stay, and levels that are alike stay so."""
    levels = len(table)
    strength = reach * reach
    if levels < 2 or strength == 0:
        return np.asarray(table, dtype=np.float64)
    if not np.isfinite(strength) or strength > 1e12:
        return np.broadcast_to(table.mean(axis=0), table.shape).astype(np.float64)
    from scipy.linalg import solveh_banded

    inside = np.full(levels, 1 + 2 * strength)
    inside[[0, -1]] = 1 + strength
    band = np.stack([np.concatenate([[0.0], np.full(levels - 1, -strength)]), inside])
    return np.asarray(np.maximum(solveh_banded(band, table), 0.0))
