"""Posteriors of what is counted, for all classes and columns of a part at once: events, levels, shares, rates, words.

Each has the parameters of the posteriors as arrays with a leading axis of k classes. `of(member, column)` is one of
them as a value of `likely.estimation`; `draw(n, rng)` is a distribution with n k members, the k classes of the first
draw, then those of the second, and so on: all draws score a row in one pass.

A prior of no pseudo-counts (maximum likelihood) is replaced by the reference prior of Jeffreys: 1/2 for every level,
event, bin or word; Gamma(1/2, 0) for a rate of counts and Gamma(0, 0) for one of waiting times. Where that leaves a
class of which nothing was seen without an answer, one pseudo-row at the overall mean speaks, as in the family itself.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from likely.distributions.amounts.exponential import ExponentialDistribution, ExponentialFamily
from likely.distributions.amounts.histogram import Histogram, HistogramFamily
from likely.distributions.conjugate.beta import Beta
from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.conjugate.gamma import Gamma, Likelihood
from likely.distributions.counts.bernoulli import Bernoulli, BernoulliFamily
from likely.distributions.counts.categorical import Categorical, CategoricalFamily
from likely.distributions.counts.multinomial import Multinomial, MultinomialFamily
from likely.distributions.counts.poisson import Poisson, PoissonFamily, overall_mean
from likely.distributions.counts.polya import Polya
from likely.distributions.texts.documents import TextDistribution
from likely.distributions.texts.term_weights import TermWeights
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of, log_sum_exp
from likely.statistics import CategoryCounts, Totals, ValueCounts
from likely.statistics.terms import TermCounts

REFERENCE = 0.5  # pseudo-counts of Jeffreys' prior
_TINY = 1e-300


@dataclass(frozen=True)
class EventPosterior:
    """Beta(a, b) of the probability of each binary column."""

    a: Floats  # (k, d)
    b: Floats  # (k, d)
    silent: Array  # (d,)  columns that the model lets say nothing

    @classmethod
    def learned(cls, family: BernoulliFamily, seen: Totals, fitted: Bernoulli) -> "EventPosterior":
        pseudo = pseudo_counts(family.alpha, family.estimation)
        ones = np.clip(seen.sum, 0, seen.count)
        silent = np.asarray(np.isnan(fitted.probability).any(axis=0))
        return cls(ones + pseudo, seen.count - ones + pseudo, silent)

    def of(self, member: int, column: int) -> Beta:
        return Beta(self.a[member, column], self.b[member, column])

    def draw(self, n: int, rng: np.random.Generator) -> Bernoulli:
        p = np.clip(rng.beta(self.a, self.b, (n, *self.a.shape)), _TINY, 1 - 1e-16)
        p[:, :, self.silent] = np.nan
        return Bernoulli(p.reshape(-1, p.shape[2]))


@dataclass(frozen=True)
class LevelPosterior:
    """Dirichlet of the probabilities of the levels of each nominal column.

    With unseen="prior" there is one more level, None, for whatever was never seen. A level that the prior holds for
    impossible (a share p of 0) and that a class never had is left out of what is believed of the class: it is 0 there.
    """

    alpha: tuple[Floats, ...]  # per column (k, levels)
    fitted: Categorical

    @classmethod
    def learned(cls, family: CategoricalFamily, seen: CategoryCounts, fitted: Categorical) -> "LevelPosterior":
        counts = seen.over(fitted.levels)
        alpha = []
        for j, names in enumerate(fitted.levels):
            pseudo = _level_pseudo_counts(family, names)
            table = counts.table(j) + pseudo
            if fitted.unseen == "prior" and len(names):
                table = np.concatenate([table, np.full((len(table), 1), pseudo.mean())], axis=1)
            alpha.append(table)
        return cls(tuple(alpha), fitted)

    def of(self, member: int, column: int) -> Dirichlet:
        names = tuple(self.fitted.levels[column])
        if not names:
            raise InputError(f"nominal column {column} was never observed: it has no levels to believe anything of")
        alpha = self.alpha[column][member]
        spare = (None,) if len(alpha) > len(names) else ()
        possible = alpha > 0
        return Dirichlet(alpha[possible], tuple(np.array((*names, *spare), dtype=object)[possible]))

    def draw(self, n: int, rng: np.random.Generator) -> Categorical:
        members = n * self.fitted.members
        parts, unseen = [np.zeros((members, 0))], np.zeros((members, len(self.alpha)))
        for j, (alpha, names) in enumerate(zip(self.alpha, self.fitted.levels, strict=True)):
            if not len(names):
                continue
            drawn = log_dirichlet(alpha, n, rng)
            parts.append(drawn[:, : len(names)])
            if drawn.shape[1] > len(names):
                unseen[:, j] = drawn[:, -1]
        return Categorical(self.fitted.levels, np.concatenate(parts, axis=1), unseen, self.fitted.unseen)


@dataclass(frozen=True)
class BinPosterior:
    """Dirichlet of the probabilities of the bins of each column; the bins themselves are taken as given."""

    alpha: tuple[Floats, ...]  # per column (k, bins)
    edges: tuple[Array, ...]

    @classmethod
    def learned(cls, family: HistogramFamily, seen: ValueCounts, fitted: Histogram) -> "BinPosterior":
        edges, count = family.bin_counts(seen)
        ends = np.cumsum([max(len(e) - 1, 0) for e in edges])
        pseudo = float(family.alpha) or REFERENCE
        return cls(tuple(part + pseudo for part in np.split(count, ends[:-1], axis=1)), edges)

    def of(self, member: int, column: int) -> Dirichlet:
        edges = self.edges[column].tolist()
        if not edges:
            raise InputError(f"column {column} of the histograms never varied: it has no bins to believe anything of")
        bins = tuple(pairwise(edges))
        return Dirichlet(self.alpha[column][member], bins)

    def draw(self, n: int, rng: np.random.Generator) -> Histogram:
        parts = [log_dirichlet(alpha, n, rng) for alpha in self.alpha if alpha.shape[1]]
        empty = np.zeros((n * len(self.alpha[0]), 0))
        return Histogram(self.edges, np.concatenate([empty, *parts], axis=1))


@dataclass(frozen=True)
class SharePosterior:
    """Dirichlet of the shares of the columns in a vector of counts; of one column its marginal Beta.

    Where cells are missing the shares are those of the counts with the gaps filled in, as in the family itself, but
    each is as sure as what was observed of its column: share_t ~ w_t G_t / sum_u w_u G_u, G_t from Gamma(seen_t) and
    w_t = alpha_t / seen_t. The Beta of a column has the mean and, to first order, the variance of that. A Dirichlet of
    several columns has but one degree of sureness: that of the column of which least was seen.
    """

    alpha: Floats  # (k, d)  pseudo-counts and counts, those in missing cells included
    seen: Floats  # (k, d)  pseudo-counts and counts that were observed
    mean_length: Floats  # (k,)

    @classmethod
    def learned(cls, family: MultinomialFamily, seen: Totals, fitted: Multinomial | Polya) -> "SharePosterior":
        # counts as if no cell had been missing, which is what the Dirichlet of the predictive distribution holds
        whole = replace(family, alpha=1.0, estimation="bayes").estimate(seen)
        assert isinstance(whole, Polya)
        counts, pseudo = np.maximum(whole.pseudo_count - 1.0, 0.0), pseudo_counts(family.alpha, family.estimation)
        filled = (seen.count > 0) & (seen.count < seen.weight[:, None])
        observed = np.where(filled, np.maximum(seen.sum, 0.0), counts)
        return cls(counts + pseudo, observed + pseudo, fitted.mean_length)

    def of(self, member: int, column: int) -> Beta:
        alpha, seen = self.alpha[member], self.seen[member]
        if (alpha == seen).all():
            return Dirichlet(alpha).marginal(column)
        share = alpha / alpha.sum()
        others = np.arange(len(share)) != column
        p, rest = float(share[column]), float(share[others].sum())
        relative = rest**2 / seen[column] + (share[others] ** 2 / seen[others]).sum()  # variance of the share / p^2
        total = rest / p / relative
        return Beta(total * p, total * rest)

    def together(self, member: int, columns: Sequence[int], names: Sequence[Hashable]) -> Dirichlet:
        """Of some columns, their shares among themselves."""
        alpha, seen = self.alpha[member, list(columns)], self.seen[member, list(columns)]
        return Dirichlet(alpha * (seen / alpha).min(), tuple(names))

    def draw(self, n: int, rng: np.random.Generator) -> Multinomial:
        log = log_dirichlet(self.seen, n, rng) + np.tile(np.log(self.alpha / self.seen), (n, 1))
        return Multinomial(np.exp(log - log_sum_exp(log, axis=1)[:, None]), np.tile(self.mean_length, n))


@dataclass(frozen=True)
class RatePosterior:
    """Gamma of the rate of each column of counts or waiting times."""

    shape: Floats  # (k, d)
    rate: Floats  # (k, d)
    likelihood: Likelihood
    silent: Array  # (d,)

    @classmethod
    def learned(cls, family: PoissonFamily | ExponentialFamily, seen: Totals) -> "RatePosterior":
        likelihood: Likelihood = "poisson" if isinstance(family, PoissonFamily) else "exponential"
        centre, total = overall_mean(seen), np.maximum(seen.sum, 0)
        none = np.isnan(centre[0])
        centre = np.where(np.isnan(centre), 1.0, centre)
        pseudo_rows = np.full(seen.count.shape, float(family.strength))
        if family.estimation == "ml":
            pseudo_rows[:] = (seen.count == 0) | ((total == 0) & (likelihood == "exponential"))
        sums, rows = total + pseudo_rows * centre, seen.count + pseudo_rows
        if family.estimation == "ml" and likelihood == "poisson":
            sums = sums + np.where(seen.count == 0, 0.0, REFERENCE)
        shape, rate = (sums, rows) if likelihood == "poisson" else (rows, sums)
        return cls(np.asarray(shape, dtype=np.float64), np.asarray(rate, dtype=np.float64), likelihood, none)

    def of(self, member: int, column: int) -> Gamma:
        return Gamma(self.shape[member, column], self.rate[member, column], self.likelihood)

    def draw(self, n: int, rng: np.random.Generator) -> Poisson | ExponentialDistribution:
        drawn = np.maximum(rng.standard_gamma(self.shape, (n, *self.shape.shape)) / self.rate, _TINY)
        drawn[:, :, self.silent] = np.nan
        drawn = drawn.reshape(-1, drawn.shape[2])
        return Poisson(drawn) if self.likelihood == "poisson" else ExponentialDistribution(drawn)


@dataclass(frozen=True)
class WordPosterior:
    """Of texts: Dirichlet of the words' shares (multinomial), or Beta of each word's presence (bernoulli)."""

    alpha: Floats  # (k, words kept [+ 1 for a word never seen])  occurrences, or documents that hold the word
    other: Floats | None  # (k, words kept [+ 1])  documents without it; None: multinomial
    fitted: TextDistribution

    @classmethod
    def learned(cls, seen: TermCounts, fitted: TextDistribution) -> "WordPosterior":
        family = fitted.family
        place, smooth = np.flatnonzero(fitted.kept), family.unseen == "smooth"
        once = family.model == "bernoulli"
        counts = seen.table("documents" if once else "count")[:, place].astype(np.float64)
        counts = np.pad(counts, ((0, 0), (0, int(smooth))))
        pseudo = float(family.alpha) or REFERENCE
        rows = np.asarray(seen.weight, dtype=np.float64)[:, None]
        return cls(counts + pseudo, np.maximum(rows - counts, 0.0) + pseudo if once else None, fitted)

    def of(self, member: int, column: int) -> Any:
        """A `Dirichlet` with the words as its levels, or a `Beta` by word; None is a word never seen."""
        words: list[Any] = [w for w, kept in zip(self.fitted.words.tolist(), self.fitted.kept, strict=True) if kept]
        words += [None] * (self.alpha.shape[1] - len(words))
        if self.other is None:
            return Dirichlet(self.alpha[member], tuple(words))
        return {word: Beta(a, b) for word, a, b in zip(words, self.alpha[member], self.other[member], strict=True)}

    def draw(self, n: int, rng: np.random.Generator) -> TextDistribution:
        place, known = np.flatnonzero(self.fitted.kept), len(self.fitted.words)
        smooth = self.alpha.shape[1] > len(place)
        rows = np.append(place, known) if smooth else place
        present = np.zeros((known + 1, n * len(self.alpha)))
        absent = None
        if self.other is None:
            present[rows] = log_dirichlet(self.alpha, n, rng).T
        else:
            p = np.clip(rng.beta(self.alpha, self.other, (n, *self.alpha.shape)), _TINY, 1 - 1e-16)
            p = p.reshape(-1, p.shape[2]).T
            absent = np.zeros_like(present)
            present[rows], absent[rows] = np.log(p), np.log1p(-p)
            absent[-1] = 0.0  # nobody knows which words were never seen and are absent
        weights = TermWeights(np.ascontiguousarray(present), absent)
        return replace(self.fitted, weights=weights, mean_length=np.tile(self.fitted.mean_length, n))


def pseudo_counts(alpha: float, estimation: str) -> float:
    """Of the prior that the family estimates with; those of the reference prior where it has none."""
    return float(alpha) if estimation != "ml" and alpha > 0 else REFERENCE


def log_dirichlet(alpha: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Logarithms of n draws of the probabilities of each of k groups (n k, levels); -inf for an alpha of 0."""
    size = (n, *alpha.shape)
    if (alpha >= 1).all():
        log = log_of(rng.standard_gamma(alpha, size))
    else:  # Gamma(a) = Gamma(a + 1) U^(1 / a), in log space: small pseudo-counts do not underflow
        with np.errstate(divide="ignore"):
            log = np.log(rng.standard_gamma(alpha + 1.0, size)) - rng.standard_exponential(size) / alpha
    log = log.reshape(-1, alpha.shape[1])
    return np.asarray(log - log_sum_exp(log, axis=1)[:, None])


def _level_pseudo_counts(family: CategoricalFamily, names: Sequence[Any]) -> Floats:
    if family.estimation == "ml":
        return np.full(len(names), REFERENCE)
    if family.m is not None:
        shares = [family.p.get(name, 0.0) for name in names] if family.p else [1 / max(len(names), 1)] * len(names)
        pseudo = family.m * np.array(shares)
    else:
        pseudo = np.full(len(names), float(family.alpha))
    return np.asarray(pseudo if pseudo.any() else np.full(len(names), REFERENCE))
