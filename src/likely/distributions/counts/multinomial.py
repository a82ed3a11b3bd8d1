"""Vectors of counts (the words of a document): one draw from a multinomial per row.

    log p(x) = log n! - sum_t log x_t! + sum_t x_t log p_t,   n = sum_t x_t

Statistic: `Totals`. Prior: Dirichlet with `alpha` pseudo-counts for every column; alpha = 1 is Laplace's correction.

    ml     c_t / C, where c_t counts column t in the group and C = sum_t c_t
    map    (c_t + a - 1) / (C + d (a - 1)), the mode of the posterior; alpha below 1 counts as 1
    mean   (c_t + a) / (C + d a), its mean, plugged in: what is usually called multinomial naive Bayes
    bayes  the predictive probability of the whole row, Polya's distribution (see polya.py)

Not an estimate of p_t but scores in its place: "complement" and "normalized_complement" (see complement.py).

Under `ml` a column that a group never counted is impossible: minus infinity. A group without counts and without prior
has all columns alike. Counts may be fractions (tf-idf weights), with n! the gamma function; they may not be negative.

A missing cell leaves its column out of the vector: the row is scored as a draw from the other columns, with the
probabilities p_t / sum of the observed p, which is what the model without that column says. In the estimate the cells
that a group misses of a column are taken to be, on average, as large as those it observed: c_t is multiplied by
rows / rows observed.

The density is that of the counts given their number n. Samples need n: it is drawn from a Poisson distribution
with the group's mean length.

A term of the density is x_t log p_t - log x_t! plus the share x_t / n of log n!.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from likely.distributions.capabilities.likelihood import log_factorials, missing_cells, rows_of
from likely.distributions.capabilities.operators import Graph
from likely.distributions.comparing import Verdict, compare_counts
from likely.distributions.conjugate.belief import REFERENCE
from likely.distributions.conjugate.beta import Beta
from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.counts.complement import ComplementScores, no_distribution
from likely.distributions.counts.likelihoods import SharesLikelihood
from likely.distributions.counts.polya import Polya, draw_lengths, log_coefficient, log_coefficient_terms, observed_sums
from likely.distributions.family import Form
from likely.distributions.support import AMOUNTS, check_options, check_width
from likely.errors import InputError
from likely.numeric.arrays import NOT_NEGATIVE, SHARES, Array, Floats, Ints, Matrix, Ranges, Shapes
from likely.numeric.linear.affine import LIMIT, affine_scores
from likely.numeric.logspace import log_of, log_sum_exp, weighted_logs
from likely.numeric.shares import draw_log_shares, share_errors, smoothed_shares
from likely.statistics.membership import Membership
from likely.statistics.summing.totals import Totals


@dataclass(frozen=True)
class Multinomial:
    """k members, each a multinomial over d columns.

    >>> one = Multinomial(np.array([[0.2, 0.3, 0.5]]), mean_length=np.array([6.0]))
    >>> float(np.exp(one.log_density(np.array([[1.0, 2.0, 3.0]])))[0, 0])
    0.135...
    """

    probability: Array  # (k, d)  that a count falls on each column
    mean_length: Array  # (k,)  mean sum of the counts of a row
    shapes: ClassVar[Shapes] = {"probability": "k d", "mean_length": "k"}
    ranges: ClassVar[Ranges] = {"probability": SHARES, "mean_length": NOT_NEGATIVE}

    @property
    def members(self) -> int:
        return len(self.probability)

    @property
    def n_parameters(self) -> int:
        return int(self.members * max(self.probability.shape[1] - 1, 0))

    @property
    def mean(self) -> Floats:
        """Of the counts (k, d): the mean length times p."""
        return np.asarray(self.mean_length[:, None] * self.probability)

    @property
    def variance(self) -> Floats:
        """Of the counts (k, d), their number being Poisson: as large as the mean. Given the number see `covariance`."""
        return self.mean

    def covariance(self, length: float) -> Floats:
        """Of the counts (k, d, d) given their number n: n p_t (1 - p_t), and -n p_s p_t between two columns.

        >>> Multinomial(np.array([[0.4, 0.6]]), mean_length=np.array([1.0])).covariance(10)[0].round(9)
        array([[ 2.4, -2.4],
               [-2.4,  2.4]])
        """
        if not 0 <= length < np.inf:
            raise InputError(f"the number of counts is finite and not negative, got {length}")
        p = self.probability
        return np.asarray(length * (p[:, :, None] * np.eye(p.shape[1]) - p[:, :, None] * p[:, None, :]))

    def log_density(self, x: Matrix) -> Floats:
        """Rows may also be compressed sparse; they are not made dense."""
        return np.asarray(self.log_ratio(x) + log_coefficient(AMOUNTS.check(x, self.probability.shape[1]))[:, None])

    def log_ratio(self, x: Matrix) -> Floats:
        """The log density but for the coefficient, which is the same for all members."""
        x = AMOUNTS.check(x, self.probability.shape[1])
        slope, impossible = self._slopes()
        out = affine_scores(x, slope, np.zeros_like(slope))
        for rows, length, mass in observed_sums(x, self.probability):
            out[rows] -= length[:, None] * log_of(np.where(mass > 0, mass, 1.0))
        if impossible.any():
            out[affine_scores(x, impossible.astype(np.float64), np.zeros_like(slope)) > 0] = -np.inf
        return out

    def log_density_terms(self, x: Matrix) -> Floats:
        """Dense (n, d, k), also for sparse rows."""
        x = AMOUNTS.check(x, self.probability.shape[1])
        x = x if isinstance(x, np.ndarray) else x.toarray()
        slope, impossible = self._slopes()
        counts = np.minimum(np.where(np.isnan(x), 0.0, x), LIMIT)
        out = counts[:, :, None] * slope.T
        for rows, _, mass in observed_sums(x, self.probability):
            out[rows] -= counts[rows][:, :, None] * log_of(np.where(mass > 0, mass, 1.0))[:, None, :]
        out[(counts[:, :, None] > 0) & impossible.T] = -np.inf
        out += log_coefficient_terms(counts)[:, :, None]
        return out

    def linear(self) -> tuple[Floats, Floats]:
        """Weights (k, d) and constants (k,) with which the log density of a complete row is w x + b.

        But for the multinomial coefficient, which is the same for all members.
        """
        slope, impossible = self._slopes()
        if impossible.any():
            raise InputError("a probability of 0 has no finite weight; estimate with alpha > 0")
        return slope, np.zeros(self.members)

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """Linear, of complete rows."""
        return graph.affine(graph.numbers(columns), *self.linear())

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        length = draw_lengths(self.mean_length[member], rng)
        return rng.multinomial(length, self.probability[member]).astype(np.float64)

    def _slopes(self) -> tuple[Floats, Array]:
        log_probability = log_of(self.probability)
        impossible = np.isneginf(log_probability)
        return np.where(impossible, 0.0, log_probability), impossible


@dataclass(frozen=True)
class MultinomialFamily:
    """One vector of counts with a Dirichlet prior.

    estimation: "mean", "ml" or "map", probabilities that are plugged in; "bayes", the predictive probability of a row;
    "complement" or "normalized_complement", scores by the counts of all other groups.

    >>> x = np.array([[2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 3.0]])
    >>> family = MultinomialFamily(alpha=1.0)
    >>> family.estimate(family.summarize(x, Membership.of_labels(np.array([0, 0, 1]), 2))).probability.round(3)
    array([[0.571, 0.286, 0.143],
           [0.167, 0.167, 0.667]])
    """

    alpha: float | tuple[float, ...] = 1.0  # of every column, or one for each
    estimation: Literal["mean", "ml", "map", "bayes", "complement", "normalized_complement"] = "mean"
    name: ClassVar[str] = "multinomial"
    alpha_per_column: ClassVar[bool] = True
    form: ClassVar[Form] = "real"
    conjugate_prior: ClassVar[type] = Dirichlet
    of_vectors: ClassVar[bool] = True
    takes_sparse: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options(self)
        if self.scores_only and not (np.asarray(self.alpha) > 0).all():
            raise InputError("the complement needs alpha > 0: a column of one class only would weigh infinitely much")

    @property
    def scores_only(self) -> bool:
        """Whether what is estimated judges rows and is no distribution of them."""
        return self.estimation.endswith("complement")

    def summarize(self, x: Matrix, membership: Membership) -> Totals:
        return Totals.of(AMOUNTS.check(x), membership)

    def estimate(self, statistic: Totals) -> Multinomial | Polya | ComplementScores:
        counts = _filled(statistic)
        check_width(self.alpha, counts.shape[1])
        if self.scores_only:
            return ComplementScores.of(counts, self._pseudo_count(), self.estimation == "normalized_complement")
        mean_length = self._mean_length(statistic, counts)
        weights = counts + self._pseudo_count()
        total = weights.sum(axis=1, keepdims=True)
        if self.estimation == "bayes":
            return Polya(np.where(total > 0, weights, 1.0), mean_length)
        even = 1.0 / max(weights.shape[1], 1)
        return Multinomial(smoothed_shares(counts, self._pseudo_count(), total, even), mean_length)

    def log_prior(self, statistic: Totals, fitted: Multinomial | Polya | ComplementScores) -> float | None:
        """Of the pseudo-counts; None for the predictive of whole rows, and where missing cells have been filled."""
        if not isinstance(fitted, Multinomial) or np.any(statistic.count < statistic.weight[:, None] * (1 - 1e-9)):
            return None
        return weighted_logs(self._pseudo_count(), log_of(fitted.probability))

    def parameter_posterior(self, statistic: Totals) -> "SharePosterior":
        """Dirichlet of the shares of each class; without a prior, under Jeffreys'."""
        if self.scores_only:
            raise no_distribution()
        alpha = np.asarray(self.alpha, dtype=np.float64)
        pseudo = np.where((alpha > 0) & (self.estimation != "ml"), alpha, REFERENCE)
        counts = np.asarray(_filled(statistic), dtype=np.float64)
        filled = (statistic.count > 0) & (statistic.count < statistic.weight[:, None])
        observed = np.where(filled, np.maximum(statistic.sum, 0.0), counts)
        return SharePosterior(counts + pseudo, observed + pseudo, self._mean_length(statistic, counts))

    def likelihood(self, statistic: Totals, feature: int = 0) -> SharesLikelihood:
        """Log-likelihood of the shares of the first group, highest where the family estimates them."""
        if self.scores_only:
            raise no_distribution()
        if (statistic.count != statistic.weight[:, None]).any():
            raise missing_cells()
        counts = statistic.sum[0].astype(np.float64)
        rows_of(counts.sum())
        best = self.estimate(statistic).probability[0]  # type: ignore[union-attr]
        return SharesLikelihood(counts, best, constant=None)

    def log_constant(self, x: Floats, weight: Floats | None = None) -> float:
        """The part of the log-likelihood of rows in which no parameter stands; the statistic does not hold it."""
        return log_factorials(x.sum(axis=1, keepdims=True), weight) - log_factorials(x, weight)

    def compare(self, before: Totals, after: Totals, i: int, j: int) -> Verdict | str:
        """The counts of one column against those of all others, as if every count were drawn by itself."""
        for part in (before, after):
            if (part.count != part.weight[:, None]).any():
                return "cells of the count vector are missing"
            if (part.sum != np.floor(part.sum)).any():
                return "the counts are no whole numbers"
        a, b = (np.array([s.sum[0, at], s.sum.sum() - s.sum[0, at]]) for s, at in ((before, i), (after, j)))
        return compare_counts(a, b, ("here", "elsewhere")) or "no counts"

    def standard_errors(self, statistic: Totals) -> dict[str, Array]:
        """Ml: sqrt(p (1 - p) / C), NaN without counts; otherwise the deviation of the Dirichlet posterior.

        Of scores, which are no shares, NaN.
        """
        if self.scores_only:
            return {"weight": np.full(statistic.sum.shape, np.nan)}
        prior = 0.0 if self.estimation == "ml" else np.asarray(self.alpha)
        weights = _filled(statistic) + prior
        total = weights.sum(axis=1, keepdims=True)
        p = smoothed_shares(weights, 0.0, total, np.nan)
        return {"probability": share_errors(p, total if self.estimation == "ml" else total + 1)}

    def _mean_length(self, statistic: Totals, counts: Array) -> Floats:
        length, rows = counts.sum(axis=1), statistic.weight
        overall = length.sum() / rows.sum() if rows.sum() > 0 else 0.0
        return np.asarray(np.where(rows > 0, length / np.where(rows > 0, rows, 1), overall))

    def _pseudo_count(self) -> Floats:
        alpha = np.asarray(self.alpha, dtype=np.float64)
        return np.asarray({"ml": 0.0, "map": np.maximum(alpha - 1.0, 0.0)}.get(self.estimation, alpha))


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
        """N draws of the k members, one after the other."""
        log = draw_log_shares(self.seen, n, rng) + np.tile(np.log(self.alpha / self.seen), (n, 1))
        return Multinomial(np.exp(log - log_sum_exp(log, axis=1)[:, None]), np.tile(self.mean_length, n))


def _filled(statistic: Totals) -> Array:
    """Counts (k, d) as if no cell had been missing: those missing are as large as those observed."""
    counts, rows = np.maximum(statistic.sum, 0), statistic.weight[:, None]
    missing = (statistic.count > 0) & (statistic.count < rows)
    if not missing.any():
        return counts
    return np.where(missing, counts * (rows / np.where(missing, statistic.count, 1)), counts)
