"""Vectors of counts (the words of a document): one draw from a multinomial per row.

    log p(x) = log n! - sum_t log x_t! + sum_t x_t log p_t,   n = sum_t x_t

Statistic: `Totals`. Prior: Dirichlet with `alpha` pseudo-counts for every column; alpha = 1 is Laplace's correction.

    ml     c_t / C, where c_t counts column t in the group and C = sum_t c_t
    map    (c_t + a - 1) / (C + d (a - 1)), the mode of the posterior; alpha below 1 counts as 1
    mean   (c_t + a) / (C + d a), its mean, plugged in: what is usually called multinomial naive Bayes
    bayes  the predictive probability of the whole row, Polya's distribution (see polya.py)

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

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from likely.distributions.counts.polya import Polya, draw_lengths, log_coefficient, log_coefficient_terms, observed_sums
from likely.distributions.family import Form
from likely.distributions.support import AMOUNTS
from likely.errors import InputError
from likely.numeric.affine import LIMIT, affine_scores
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_of
from likely.numeric.shares import smoothed_shares
from likely.statistics.membership import Membership
from likely.statistics.totals import Totals


@dataclass(frozen=True)
class Multinomial:
    """k members, each a multinomial over d columns.

    >>> one = Multinomial(np.array([[0.2, 0.3, 0.5]]), mean_length=np.array([6.0]))
    >>> float(np.exp(one.log_density(np.array([[1.0, 2.0, 3.0]])))[0, 0])
    0.135...
    """

    probability: Array  # (k, d)
    mean_length: Array  # (k,)

    @property
    def members(self) -> int:
        return len(self.probability)

    @property
    def n_parameters(self) -> int:
        return int(self.members * max(self.probability.shape[1] - 1, 0))

    def log_density(self, x: Any) -> Floats:
        """Rows may also be compressed sparse; they are not made dense."""
        return np.asarray(self.log_ratio(x) + log_coefficient(AMOUNTS.check(x, self.probability.shape[1]))[:, None])

    def log_ratio(self, x: Any) -> Floats:
        """The log density but for the coefficient, which is the same for all members."""
        x = AMOUNTS.check(x, self.probability.shape[1])
        slope, impossible = self._slopes()
        out = affine_scores(x, slope, np.zeros_like(slope))
        for rows, length, mass in observed_sums(x, self.probability):
            out[rows] -= length[:, None] * log_of(np.where(mass > 0, mass, 1.0))
        if impossible.any():
            out[affine_scores(x, impossible.astype(np.float64), np.zeros_like(slope)) > 0] = -np.inf
        return out

    def log_density_terms(self, x: Any) -> Floats:
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

    >>> x = np.array([[2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 3.0]])
    >>> family = MultinomialFamily(alpha=1.0)
    >>> family.estimate(family.summarize(x, Membership.of_labels(np.array([0, 0, 1]), 2))).probability.round(3)
    array([[0.571, 0.286, 0.143],
           [0.167, 0.167, 0.667]])
    """

    alpha: float = 1.0
    estimation: Literal["mean", "ml", "map", "bayes"] = "mean"
    name: ClassVar[str] = "multinomial"
    form: ClassVar[Form] = "real"
    takes_sparse: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not 0 <= self.alpha < np.inf:
            raise InputError(f"alpha must be finite and not negative, got {self.alpha}")
        if self.estimation not in ("mean", "ml", "map", "bayes"):
            raise InputError(f"estimation must be 'mean', 'ml', 'map' or 'bayes', got {self.estimation!r}")

    def summarize(self, x: Any, membership: Membership) -> Totals:
        return Totals.of(AMOUNTS.check(x), membership)

    def estimate(self, statistic: Totals) -> Multinomial | Polya:
        counts = _filled(statistic)
        length, rows = counts.sum(axis=1), statistic.weight
        mean_length = np.where(rows > 0, length / np.where(rows > 0, rows, 1), _ratio(length.sum(), rows.sum()))
        weights = counts + self._pseudo_count()
        total = weights.sum(axis=1, keepdims=True)
        if self.estimation == "bayes":
            return Polya(np.where(total > 0, weights, 1.0), mean_length)
        even = 1.0 / max(weights.shape[1], 1)
        return Multinomial(smoothed_shares(counts, self._pseudo_count(), total, even), mean_length)

    def standard_errors(self, statistic: Totals) -> dict[str, Array]:
        """Ml: sqrt(p (1 - p) / C), NaN without counts; otherwise the deviation of the Dirichlet posterior."""
        prior = 0.0 if self.estimation == "ml" else self.alpha
        weights = _filled(statistic) + prior
        total = weights.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = weights / total
            return {"probability": np.sqrt(p * (1 - p) / (total if self.estimation == "ml" else total + 1))}

    def _pseudo_count(self) -> float:
        return {"ml": 0.0, "map": max(self.alpha - 1.0, 0.0)}.get(self.estimation, self.alpha)


def _filled(statistic: Totals) -> Array:
    """Counts (k, d) as if no cell had been missing: those missing are as large as those observed."""
    counts, rows = np.maximum(statistic.sum, 0), statistic.weight[:, None]
    missing = (statistic.count > 0) & (statistic.count < rows)
    if not missing.any():
        return counts
    return np.where(missing, counts * (rows / np.where(missing, statistic.count, 1)), counts)


def _ratio(a: float, b: float) -> float:
    return a / b if b > 0 else 0.0
