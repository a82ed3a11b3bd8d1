"""Nominal features: a table of level probabilities per group.

    p_kl = (n_kl + m_l) / (N_k + sum_l m_l)

Statistic: `CategoryCounts`. Prior: Dirichlet. By default every level has `alpha` pseudo-counts (alpha = 1 is
Laplace's correction); an m-estimate gives `m` pseudo-counts in all, shared out by `p` (uniform, or a mapping from
level to share).

    ml     n_kl / N_k
    map    (n_kl + a_l - 1) / (N_k + sum (a_l - 1)), the mode of the Dirichlet posterior
    bayes  (n_kl + a_l) / (N_k + sum a_l), its mean, which is also the predictive probability

`levels` declares levels that may not occur in the data; others are learned. Ordered levels: `OrdinalFamily`. What a
level never seen in training does is decided by `unseen`: "ignore" leaves the feature out, as if missing; "prior"
keeps one extra slot of the table for whatever was never seen; "error" refuses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from likely.data.columns.kinds import Kind
from likely.distributions.capabilities.likelihood import rows_of
from likely.distributions.comparing import TOO_FEW, Verdict, compare_counts
from likely.distributions.conjugate.belief import REFERENCE
from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.counts.level_posterior import LevelPosterior
from likely.distributions.counts.level_table import Categorical, Unseen
from likely.distributions.counts.likelihoods import SharesLikelihood
from likely.distributions.family import Estimation, Form
from likely.distributions.support import check_options
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, frozen
from likely.numeric.kernels.left_out.counts import levels_without_own_row
from likely.numeric.logspace import log_of, weighted_logs
from likely.numeric.shares import share_errors, smoothed_shares
from likely.statistics import CategoryCounts, Codes, Membership
from likely.statistics.additive import check_rows
from likely.statistics.counting.categories import Levels, offsets, union_of


@dataclass(frozen=True)
class CategoricalFamily:
    """Nominal features with a Dirichlet prior."""

    alpha: float = 1.0
    estimation: Estimation = "bayes"
    m: float | None = None
    p: Mapping[Any, float] | None = None  # shares of the levels that the m pseudo-rows have; None: equal ones
    levels: tuple[Sequence[Any], ...] | None = None  # declared levels, per feature
    unseen: Unseen = "ignore"
    name: ClassVar[str] = "categorical"
    kind: ClassVar[Kind] = "nominal"
    form: ClassVar[Form] = "codes"
    conjugate_prior: ClassVar[type] = Dirichlet

    def __post_init__(self) -> None:
        check_options(self)
        if self.p is not None:
            for level, share in self.p.items():
                if not 0 <= share <= 1:
                    raise InputError(f"the share of level {level!r} in p must lie between 0 and 1, got {share}")
            if abs(sum(self.p.values()) - 1) > 1e-9:
                raise InputError(f"the shares p must sum to 1, they sum to {sum(self.p.values()):.6g}")

    def summarize(self, x: Codes, membership: Membership) -> CategoryCounts:
        return CategoryCounts.of(x, membership)

    def estimate(self, statistic: CategoryCounts) -> Categorical:
        levels = self._levels(statistic.levels)
        counts = statistic.over(levels)
        log_probability = np.empty(counts.count.shape)
        log_unseen = np.zeros((counts.groups, len(levels)))
        offset = offsets(levels)
        for j, names in enumerate(levels):
            columns = slice(int(offset[j]), int(offset[j + 1]))
            pseudo = self._pseudo_counts(names)
            spare = float(pseudo.mean()) if self.unseen == "prior" and len(names) else 0.0
            count = counts.count[:, columns]
            pseudo = self._shared_out(pseudo, count)
            whole = (count + pseudo).sum(axis=1, keepdims=True) + spare
            if len(names):
                # a group that saw nothing, with no prior to speak for it: every level alike
                log_probability[:, columns] = log_of(smoothed_shares(count, pseudo, whole, 1.0 / len(names)))
                if self.unseen == "prior":
                    log_unseen[:, j] = log_of(smoothed_shares(0.0, spare, whole, 0.0))[:, 0]
        return Categorical(levels, log_probability, log_unseen, self.unseen)

    def log_prior(self, statistic: CategoryCounts, fitted: Categorical) -> float | None:
        """Of the pseudo-counts of every level, and of the slot for those never seen."""
        offset, whole = offsets(fitted.levels), 0.0
        for j, names in enumerate(fitted.levels):
            pseudo = self._pseudo_counts(names)
            whole += weighted_logs(pseudo, fitted.log_probability[:, offset[j] : offset[j + 1]])
            if self.unseen == "prior" and len(names):
                whole += weighted_logs(pseudo.mean(), fitted.log_unseen[:, j])
        return whole

    def filled(self, statistic: CategoryCounts) -> CategoryCounts:
        """As if every missing cell held its group's most frequent level."""
        return statistic.filled()

    def typical(self, statistic: CategoryCounts) -> tuple[Any, ...]:
        """The most frequent level overall of each feature, None where there is none."""
        whole = statistic.merged()
        return tuple(
            names[int(np.argmax(whole.table(j)[0]))] if names else None for j, names in enumerate(whole.levels)
        )

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` has an answer."""
        return True

    def leave_one_out(self, statistic: CategoryCounts, x: Codes, membership: Membership) -> Floats:
        """Log probability (n, k) of each row under the groups estimated without it; the rows must be in the statistic.

        A level that only this row has is then unseen. With unseen="error" such a row is NaN, as is one that outweighs
        all others: estimate without it instead.

        >>> x = Codes(np.array([[0], [0], [1]]), np.zeros(1, dtype=np.int64), (("a", "b"),))
        >>> groups = Membership.of_labels(np.array([0, 1, 1]), 2)
        >>> family = CategoricalFamily()
        >>> np.exp(family.leave_one_out(family.summarize(x, groups), x, groups)[:2]).round(4)
        array([[0.5   , 0.5   ],
               [0.6667, 0.3333]])
        """
        check_rows(len(x), membership)
        fitted = self.estimate(statistic)
        fitted._check(x)
        counts = statistic.over(fitted.levels)
        offset = offsets(fitted.levels)
        priors = [self._priors_without(names) for names in fitted.levels]
        declared = [set(names) for names in self.levels] if self.levels else [set()] * len(fitted.levels)
        kept = [name in own for own, names in zip(declared, fitted.levels, strict=True) for name in names]
        place = [_places(names, mine, at) for names, mine, at in zip(x.levels, fitted.levels, offset, strict=False)]
        assert membership.labels is not None
        weight = np.ones(len(x)) if membership.weight is None else membership.weight
        out = np.empty((len(x), statistic.groups))
        levels_without_own_row(
            frozen(x.x),
            x.base,
            x.offset,
            np.concatenate([*place, np.zeros(0, dtype=np.int64)]),
            membership.labels,
            frozen(weight),
            counts.count.dtype.kind == "i" and membership.weight is None,
            np.ascontiguousarray(fitted.log_probability.T),
            fitted.log_unseen,
            counts.count.astype(np.float64),
            counts.observed.astype(np.float64),
            counts.count.sum(axis=0).astype(np.float64),
            np.concatenate([part.pseudo for part in priors]),
            np.array([part.whole for part in priors]),
            np.diff(offset),
            np.array(kept, dtype=bool),
            np.concatenate([part.whole_left for part in priors]),
            np.concatenate([part.spare_left for part in priors]),
            ("ignore", "prior", "error").index(self.unseen),
            out,
        )
        return out

    def parameter_posterior(self, statistic: CategoryCounts) -> LevelPosterior:
        """Dirichlet of the probabilities of each class and column; without a prior, under Jeffreys'."""
        fitted = self.estimate(statistic)
        counts = statistic.over(fitted.levels)
        alpha = []
        for j, names in enumerate(fitted.levels):
            pseudo = self._prior(names) if self.estimation != "ml" else np.zeros(len(names))
            pseudo = pseudo if pseudo.any() else np.full(len(names), REFERENCE)
            table = counts.table(j) + self._shared_out(pseudo, counts.table(j))
            if self.unseen == "prior" and len(names):
                table = np.pad(table, ((0, 0), (0, 1)), constant_values=float(pseudo.mean()))
            alpha.append(table)
        return LevelPosterior(tuple(alpha), fitted)

    def likelihood(self, statistic: CategoryCounts, feature: int = 0) -> SharesLikelihood:
        """Log-likelihood of one feature of the first group, highest where the family estimates it."""
        fitted = self.estimate(statistic)
        counts = statistic.over(fitted.levels).table(feature)[0].astype(np.float64)
        rows_of(counts.sum())
        best = np.array([p[0] for p in fitted.probability(feature).values()])
        return SharesLikelihood(counts, best, levels=tuple(fitted.levels[feature]))

    def compare(self, before: CategoryCounts, after: CategoryCounts, i: int, j: int) -> Verdict | str:
        """The G-test of the levels, with Fisher's of the rare ones."""
        one, two = before.only(i).aligned(after.only(j))
        return compare_counts(one.count[0], two.count[0], one.levels[0]) or TOO_FEW

    def standard_errors(self, statistic: CategoryCounts) -> dict[str, Array]:
        """sqrt(p (1 - p) / (N + prior + 1)): the deviation of the Dirichlet posterior; flat as the table."""
        fitted = self.estimate(statistic)
        counts = statistic.over(fitted.levels)
        p = np.exp(fitted.log_probability)
        errors = np.empty_like(p)
        offset = offsets(fitted.levels)
        for j, names in enumerate(fitted.levels):
            columns = slice(int(offset[j]), int(offset[j + 1]))
            prior = 0.0 if self.estimation == "ml" else float(self._pseudo_counts(names).sum()) + 1
            rows = counts.count[:, columns].sum(axis=1, keepdims=True) + prior
            errors[:, columns] = share_errors(p[:, columns], rows)
        return {"probability": errors}

    def _levels(self, seen: Levels) -> Levels:
        if self.levels is None:
            return seen
        declared = [tuple(names) for names in self.levels]
        extra = [[name for name in s if name not in set(d)] for s, d in zip(seen, declared, strict=True)]
        return tuple((*d, *union_of(e, ())) for d, e in zip(declared, extra, strict=True))

    def _shared_out(self, pseudo: Floats, count: Array) -> Floats:
        """The pseudo-counts of the levels, (levels,) or of every group (k, levels), whose counts are (k, levels)."""
        return pseudo

    def _pseudo_counts(self, names: Sequence[Any]) -> Floats:
        """What the estimate adds to the counts."""
        if self.estimation == "ml":
            return np.zeros(len(names))
        return np.maximum(self._prior(names) - 1, 0.0) if self.estimation == "map" else self._prior(names)

    def _prior(self, names: Sequence[Any]) -> Floats:
        """The Dirichlet prior."""
        if self.m is None:
            return np.full(len(names), float(self.alpha))
        shares = [self.p.get(name, 0.0) if self.p else 1 / len(names) for name in names]
        return self.m * np.array(shares, dtype=np.float64)

    def _priors_without(self, names: Sequence[Any]) -> "_Priors":
        pseudo, size = self._pseudo_counts(names), len(names)
        spare = float(pseudo.mean()) if self.unseen == "prior" and size else 0.0
        if self.m is not None and self.p:  # the shares of the others stay as they are
            left = np.asarray(pseudo.sum() - pseudo)
        else:
            left = np.full(size, float(self._pseudo_counts(names[1:]).sum()))
        spare_left = left / max(size - 1, 1) if self.unseen == "prior" else np.zeros(size)
        return _Priors(pseudo, float(pseudo.sum()) + spare, left + spare_left, spare_left)


class _Priors(NamedTuple):
    """Pseudo-counts of a feature's levels, and what they are without one of the levels."""

    pseudo: Floats  # (levels,)
    whole: float  # of all levels and the spare slot
    whole_left: Floats  # (levels,)  of all but this level, and the spare slot
    spare_left: Floats  # (levels,)


def _places(names: Sequence[Any], mine: Sequence[Any], start: int) -> Ints:
    """Where each level stands in a table whose levels of this feature begin at `start`; -1: nowhere."""
    place = {name: int(start) + i for i, name in enumerate(mine)}
    return np.array([place.get(name, -1) for name in names], dtype=np.int64)
