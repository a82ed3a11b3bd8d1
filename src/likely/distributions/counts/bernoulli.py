"""Binary features: independent events with a probability per group.

    log p(x) = sum_j [ x_j log p_j + (1 - x_j) log(1 - p_j) ]

Statistic: `Totals` (how many cells were observed, how many were 1). Prior: Beta(alpha, alpha), the same for every
feature; alpha = 1 is Laplace's correction.

    ml     n1 / N
    map    (n1 + a - 1) / (N + 2 (a - 1)), the mode of the posterior; alpha below 1 counts as 1
    bayes  (n1 + a) / (N + 2 a), its mean, which is also the predictive probability

A group that observed nothing of a feature, with no prior to speak for it, has p = 1/2. Maximum likelihood may say
that a value is impossible: its log density is then minus infinity. With `neutral`, a feature whose value is the same
in all data of all groups (an indicator of missing cells where nothing was missing, say) has the term 0 for every
group and every value. Without it such a feature speaks through the prior, which weighs more in small groups: a column
of ones in groups of 90 and 10 rows has p = 91/92 and 11/12, which is .11 bits in favour of the larger one. This is
the usual Bernoulli naive Bayes, and what other libraries do.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from likely.data.columns.kinds import Kind
from likely.distributions.capabilities.likelihood import rows_of
from likely.distributions.capabilities.operators import Graph
from likely.distributions.comparing import TOO_FEW, Verdict, compare_counts
from likely.distributions.conjugate.belief import REFERENCE
from likely.distributions.conjugate.beta import Beta
from likely.distributions.counts.likelihoods import ChanceLikelihood
from likely.distributions.family import Estimation, Form
from likely.distributions.features import IndependentFeatures
from likely.distributions.support import BINARY, check_options, check_width, every_cell
from likely.errors import InputError
from likely.numeric.arrays import SHARES, Array, Floats, Ints, Matrix, Ranges, Shapes, frozen
from likely.numeric.kernels.left_out.counts import events_without_own_row
from likely.numeric.linear.affine import affine_scores, affine_terms
from likely.numeric.logspace import log_of, weighted_logs
from likely.numeric.shares import draw_chances, share_errors, smoothed_shares
from likely.statistics.additive import check_rows, never_learned
from likely.statistics.membership import Membership
from likely.statistics.summing.totals import Totals

CONSTANT = 1e-12  # share of the other value below which a feature counts as constant: what rounding leaves of weights
_ROUNDING = 1e-9  # of a count: more than rounding can add to the ones among it


@dataclass(frozen=True)
class Bernoulli(IndependentFeatures):
    """k members with independent binary features.

    >>> two = Bernoulli(np.array([[0.5, 0.9], [0.5, 0.2]]))
    >>> np.exp(two.log_density(np.array([[1.0, 1.0], [np.nan, 0.0]]))).round(4)
    array([[0.45, 0.1 ],
           [0.1 , 0.8 ]])
    """

    probability: Array  # (k, d)  NaN: the feature carries no information
    shapes: ClassVar[Shapes] = {"probability": "k d"}
    ranges: ClassVar[Ranges] = {"probability": SHARES}

    @property
    def mean(self) -> Floats:
        """The probabilities (k, d)."""
        return np.asarray(self.probability, dtype=np.float64)

    @property
    def variance(self) -> Floats:
        """(k, d): p (1 - p)."""
        return np.asarray(self.probability * (1.0 - self.probability))

    def log_density(self, x: Matrix) -> Floats:
        """Rows may also be compressed sparse: a cell that is not stored is a 0."""
        x = BINARY.check(x, self.probability.shape[1])
        slope, constant, bar, barred = self._coefficients()
        out = affine_scores(x, slope, constant)
        if bar is not None:
            out[affine_scores(x, bar, barred) > 0.5] = -np.inf
        return out

    def log_density_terms(self, x: Array) -> Floats:
        x = BINARY.check(x, self.probability.shape[1])
        slope, constant, bar, barred = self._coefficients()
        out = affine_terms(x, slope, constant)
        if bar is not None:
            out[affine_terms(x, bar, barred) > 0.5] = -np.inf
        return out

    def linear(self) -> tuple[Floats, Floats]:
        """Weights (k, d) and constants (k,) with which the log density of a complete row is w x + b."""
        slope, constant, bar, _ = self._coefficients()
        if bar is not None:
            raise InputError("a probability of 0 or 1 has no finite weight; estimate with alpha > 0")
        return slope, constant.sum(axis=1)

    def every_row(self, most: int) -> Floats | None:
        """All combinations of 0 and 1, if they are no more than so many."""
        cells = every_cell([2] * self.probability.shape[1], most)
        return None if cells is None else cells.astype(np.float64)

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """What a 0 and what a 1 says, chosen cell by cell."""
        width = self.probability.shape[1]
        zero, one = self.log_density_terms(np.array([[0.0] * width, [1.0] * width]))  # (d, k) each
        cells = graph.add("Unsqueeze", graph.numbers(columns), graph.constant(np.array([2])))  # (n, d, 1)
        present = graph.add("Greater", cells, graph.constant(np.array(0.5)))
        terms = graph.add("Where", present, graph.constant(one), graph.constant(zero))
        return graph.sum_of(graph.or_nothing(graph.add("IsNaN", cells), terms), 1)

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        p = self.probability[member]
        return np.where(np.isnan(p), np.nan, (rng.random(p.shape) < p).astype(np.float64))

    def _coefficients(self) -> tuple[Floats, Floats, Floats | None, Floats]:
        """The log density as an affine function, and the number of impossible cells as another (None: none are)."""
        known = ~np.isnan(self.probability).any(axis=0)  # a feature speaks for all members or for none
        p = np.where(known, self.probability, 0.5)
        one, zero = log_of(p), log_of(1.0 - p)
        no_one, no_zero = np.isneginf(one), np.isneginf(zero)
        one, zero = np.where(no_one | ~known, 0.0, one), np.where(no_zero | ~known, 0.0, zero)
        barred = no_zero.astype(np.float64)
        bar = no_one - barred if no_one.any() or no_zero.any() else None
        return one - zero, zero, bar, barred


@dataclass(frozen=True)
class BernoulliFamily:
    """Independent binary features with a Beta prior.

    >>> x = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    >>> family = BernoulliFamily(alpha=1.0)
    >>> family.estimate(family.summarize(x, Membership.of_labels(np.array([0, 0, 1]), 2))).probability
    array([[0.75      , 0.5       ],
           [0.33333333, 0.66666667]])
    """

    alpha: float | tuple[float, ...] = 1.0  # of every feature, or one for each
    estimation: Estimation = "bayes"
    neutral: bool = False  # whether a feature with one value in all groups says nothing
    unseen: Literal["error", "ignore"] = "error"  # what becomes of a third value in a row that is asked about
    name: ClassVar[str] = "bernoulli"
    alpha_per_column: ClassVar[bool] = True
    kind: ClassVar[Kind] = "binary"
    form: ClassVar[Form] = "real"
    conjugate_prior: ClassVar[type] = Beta
    takes_sparse: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_options(self)

    def prepare(self, x: Matrix, learning: bool) -> Any:
        """Rows to be asked about, in which a third value says nothing, as a level that was never seen."""
        if learning or self.unseen == "error" or not isinstance(x, np.ndarray):
            return x
        late = ~((x == 0) | (x == 1) | np.isnan(x))
        return np.where(late, np.nan, x) if late.any() else x

    def summarize(self, x: Matrix, membership: Membership) -> Totals:
        return Totals.of(BINARY.check(x), membership)

    def estimate(self, statistic: Totals) -> Bernoulli:
        if np.any(statistic.sum > statistic.count + _ROUNDING * np.abs(statistic.count)):
            raise never_learned("more cells would be 1 than are left")
        probability = self._probability(statistic)
        if self.neutral:
            probability[:, _is_constant(statistic)] = np.nan
        return Bernoulli(probability)

    def log_prior(self, statistic: Totals, fitted: Bernoulli) -> float:
        """Of the pseudo-counts: both values of every feature `pseudo` times."""
        p = fitted.probability
        return weighted_logs(self._pseudo, log_of(p)) + weighted_logs(self._pseudo, log_of(1 - p))

    def filled(self, statistic: Totals) -> Totals:
        """As if every missing cell held its group's more frequent value."""
        gaps = statistic.weight[:, None] - statistic.count
        common = (2 * statistic.sum > statistic.count).astype(statistic.sum.dtype)
        return replace(statistic, count=statistic.count + gaps, sum=statistic.sum + gaps * common)

    def typical(self, statistic: Totals) -> Floats:
        """The more frequent value overall (d,)."""
        whole = statistic.merged()
        return np.asarray((2 * whole.sum > whole.count)[0], dtype=np.float64)

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` has an answer."""
        return np.ndim(self.alpha) == 0

    def leave_one_out(self, statistic: Totals, x: Matrix, membership: Membership) -> Floats:
        """Log probability (n, k) of each row under the groups estimated without it; the rows must be in the statistic.

        A row that outweighs all others is NaN: estimate without it instead.

        >>> x = np.array([[1.0], [1.0], [0.0], [1.0]])
        >>> groups = Membership.of_labels(np.array([0, 0, 1, 1]), 2)
        >>> family = BernoulliFamily()
        >>> np.exp(family.leave_one_out(family.summarize(x, groups), x, groups)[0]).round(4)
        array([0.6667, 0.5   ])
        """
        x = BINARY.check(x, statistic.count.shape[1])
        check_rows(x.shape[0], membership)
        x = x if isinstance(x, np.ndarray) else x.toarray()
        if not self.leaves_one_out:
            return np.full((len(x), statistic.groups), np.nan)
        assert membership.labels is not None
        weight = np.ones(len(x)) if membership.weight is None else membership.weight
        p = self._probability(statistic)
        out = np.empty((len(x), statistic.groups))
        events_without_own_row(
            frozen(x),
            membership.labels,
            frozen(weight),
            statistic.sum.dtype.kind == "i" and membership.weight is None,
            statistic.sum.astype(np.float64),
            statistic.count.astype(np.float64),
            statistic.sum.sum(axis=0).astype(np.float64),
            statistic.count.sum(axis=0).astype(np.float64),
            log_of(p),
            log_of(1.0 - p),
            float(self._pseudo),
            self.neutral,
            CONSTANT,
            out,
        )
        return out

    def parameter_posterior(self, statistic: Totals) -> "EventPosterior":
        """Beta of the probability of each class and column; without a prior, under Jeffreys'."""
        alpha = np.asarray(self.alpha, dtype=np.float64)
        pseudo = np.where((alpha > 0) & (self.estimation != "ml"), alpha, REFERENCE)
        ones = np.clip(statistic.sum, 0, statistic.count)
        silent = _is_constant(statistic) if self.neutral else np.zeros(ones.shape[1], dtype=bool)
        return EventPosterior(ones + pseudo, statistic.count - ones + pseudo, silent)

    def likelihood(self, statistic: Totals, feature: int = 0) -> ChanceLikelihood:
        """Log-likelihood of one feature of the first group, highest where the family estimates it."""
        rows, ones = rows_of(statistic.count[0, feature]), float(statistic.sum[0, feature])
        p = float(self.estimate(statistic).probability[0, feature])
        return ChanceLikelihood(ones, max(rows - ones, 0.0), p)  # weights may leave a little less than nothing

    def compare(self, before: Totals, after: Totals, i: int, j: int) -> Verdict | str:
        """The G-test, or Fisher's where a value is rare."""
        a, b = (np.array([s.count[0, at] - s.sum[0, at], s.sum[0, at]]) for s, at in ((before, i), (after, j)))
        return compare_counts(a, b, (0, 1)) or TOO_FEW

    def standard_errors(self, statistic: Totals) -> dict[str, Array]:
        """Ml: sqrt(p (1 - p) / N), NaN without data; otherwise the deviation of the Beta posterior."""
        prior = 0.0 if self.estimation == "ml" else np.asarray(self.alpha)
        rows = statistic.count + 2 * prior
        p = smoothed_shares(statistic.sum, prior, rows, np.nan)
        errors = share_errors(p, rows if self.estimation == "ml" else rows + 1)
        if self.neutral:
            errors[:, _is_constant(statistic)] = np.nan
        return {"probability": errors}

    @property
    def _pseudo(self) -> Floats:
        alpha = np.asarray(self.alpha, dtype=np.float64)
        return np.asarray({"ml": 0.0, "map": np.maximum(alpha - 1.0, 0.0), "bayes": alpha}[self.estimation])

    def _probability(self, statistic: Totals) -> Floats:
        check_width(self.alpha, statistic.sum.shape[1])
        p = smoothed_shares(statistic.sum, self._pseudo, statistic.count + 2 * self._pseudo, 0.5)
        return np.asarray(np.clip(p, 0.0, 1.0))


@dataclass(frozen=True)
class EventPosterior:
    """Beta(a, b) of the probability of each class and column."""

    a: Floats  # (k, d)
    b: Floats  # (k, d)
    silent: Array  # (d,)  columns that the model lets say nothing

    def of(self, member: int, column: int) -> Beta:
        return Beta(self.a[member, column], self.b[member, column])

    def draw(self, n: int, rng: np.random.Generator) -> Bernoulli:
        """N draws of the k members, one after the other."""
        p = draw_chances(self.a, self.b, n, rng)
        p[:, :, self.silent] = np.nan
        return Bernoulli(p.reshape(-1, p.shape[2]))


def _is_constant(statistic: Totals) -> Array:
    """Features (d,) whose value is the same in all data of all groups, or that were never observed."""
    ones, rows = statistic.sum.sum(axis=0), statistic.count.sum(axis=0)
    return np.asarray((np.abs(ones) <= CONSTANT * rows) | (np.abs(rows - ones) <= CONSTANT * rows))
