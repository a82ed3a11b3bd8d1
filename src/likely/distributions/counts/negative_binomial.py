"""Counts that vary more than Poisson's: independent negative binomial features.

    log p(x) = log G(r + x) - log G(r) - log x! - r log(1 + f m) + x log[ f m / (1 + f m) ],   f = 1 / r

with mean m, dispersion f and variance m + f m^2; f = 0 is Poisson. For large counts see large_counts.py.

Statistic: `ValueCounts`. The likelihood of the dispersion depends on how often each value occurs and on nothing
less; two moments would add up as well, but at mean 10 and dispersion 1 the method of moments throws away half of the
data, at dispersion 5 three quarters. The table has as many entries as there are different values, at most 65536 a
feature (neighbouring values share an entry beyond that, which moves an estimate by far less than its standard error).

The maximum-likelihood mean is the sample mean; the dispersion solves d L_k / d f = 0, and is 0 (Poisson) when the
variance does not exceed the mean, where the likelihood falls from f = 0 on.

    ml     each group's own maximum; a group of at most one row takes that of all groups together, each about its
           own mean
    map    the maximum of L_k + (strength / N) sum_l L_l, where L is the profile likelihood with Cox and Reid's
           correction for the estimated mean: `strength` pseudo-rows of the evidence of all groups. A small group
           leans on the common dispersion, a large one stands on its own (Robinson and Smyth 2007).

A group that counted nothing has the mean m0 / (n + 1), where m0 is the overall mean: one pseudo-row. A feature that is
zero in all data, or never observed, carries no information: its term is 0 for every group.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from likely.data.columns.kinds import Kind
from likely.distributions.capabilities.likelihood import Likelihood, no_maximum, rows_of
from likely.distributions.capabilities.operators import Graph, linear_operators
from likely.distributions.comparing import Verdict, compare_value_counts
from likely.distributions.conjugate.components import Component
from likely.distributions.conjugate.large_sample import LargeSamplePosterior
from likely.distributions.counts.large_counts import (
    LARGE,
    count_scores,
    count_terms,
    drawn_counts,
    negative_binomial_log,
    score_large_rows,
)
from likely.distributions.counts.rising_operators import rising_operators
from likely.distributions.family import Form
from likely.distributions.features import IndependentFeatures
from likely.distributions.support import COUNTS, EXACT_COUNTS, check_options
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Ranges, Shapes, frozen
from likely.numeric.kernels.densities import rising as kernels
from likely.numeric.special.log_gamma import digamma_rise
from likely.numeric.special.roots import bracketed_roots
from likely.statistics.additive import check_rows
from likely.statistics.counting.values import ValueCounts
from likely.statistics.membership import Membership

NARROWEST, WIDEST = 1e-10, 1e12  # dispersions looked at, the first in units of 1 / (1 + mean)
_ROUNDING = 64 * float(np.finfo(np.float64).eps)  # of sums of a rise over values
_ENOUGH = 1e-5  # of a group's weight that must be left for its digits to be good


@dataclass(frozen=True)
class NegativeBinomial(IndependentFeatures):
    """k members with independent negative binomial features.

    >>> two = NegativeBinomial(mean=np.array([[2.0], [2.0]]), dispersion=np.array([[0.0], [1.0]]))
    >>> np.exp(two.log_density(np.array([[0.0], [6.0]]))).round(4)
    array([[0.1353, 0.3333],
           [0.012 , 0.0293]])
    """

    mean: Array  # (k, d)  NaN: the feature carries no information
    dispersion: Array  # (k, d)  0: Poisson
    shapes: ClassVar[Shapes] = {"mean": "k d", "dispersion": "k d"}
    ranges: ClassVar[Ranges] = {"mean": NOT_NEGATIVE, "dispersion": NOT_NEGATIVE}

    @property
    def variance(self) -> Floats:
        """(k, d): mean + dispersion mean^2."""
        return np.asarray(self.mean * (1.0 + self.dispersion * self.mean))

    def log_density(self, x: Array) -> Floats:
        x = COUNTS.check(x, self.mean.shape[1])
        known, slope, constant, size = self._coefficients()
        out = count_scores(x, known, slope, constant)
        kernels.add_excess(frozen(x), size, out[:, None, :])
        score_large_rows(out, x, self.log_density_terms)
        return out

    def log_density_terms(self, x: Array) -> Floats:
        x = COUNTS.check(x, self.mean.shape[1])
        known, slope, constant, size = self._coefficients()
        out = count_terms(x, known, slope, constant)
        kernels.add_excess(frozen(x), size, out)
        rows, columns = np.nonzero((x >= LARGE) & known)
        out[rows, columns] = negative_binomial_log(x[rows, columns, None], self.mean.T[columns], size[columns])
        return out

    def onnx_log_density(self, graph: Graph, columns: tuple[int, ...]) -> str:
        """Poisson's form, linear in every cell, and the rising factorial beyond it."""
        x, (_, slope, constant, size) = graph.numbers(columns), self._coefficients()
        return graph.add("Add", linear_operators(graph, x, slope, constant), rising_operators(graph, x, size.T))

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        mean, dispersion = self.mean[member], self.dispersion[member]
        plain = ~(dispersion > 0)
        shape = np.where(plain, 1.0, 1.0 / np.where(plain, 1.0, dispersion))
        rate = np.where(plain, mean, mean / shape * rng.standard_gamma(shape))
        return drawn_counts(rate, rng)

    def _coefficients(self) -> tuple[Array, Floats, Floats, Floats]:
        """The affine part of the log density, and the sizes r (d, k) of the rising factorial."""
        known = ((self.mean > 0) & (self.dispersion >= 0)).all(axis=0)  # a feature speaks for all members or for none
        mean, dispersion = np.where(known, self.mean, 1.0), np.where(known, self.dispersion, 0.0)
        with np.errstate(divide="ignore", over="ignore"):
            size = 1.0 / dispersion
        spread = np.log1p(dispersion * mean)
        constant = -np.where(np.isinf(size), mean, spread * np.where(np.isinf(size), 1.0, size))
        constant, slope = np.where(known, constant, 0.0), np.where(known, np.log(mean) - spread, 0.0)
        return np.asarray(known), slope, constant, np.ascontiguousarray(size.T)


@dataclass(frozen=True)
class NegativeBinomialFamily:
    """Independent negative binomial features.

    >>> x = np.array([[0.0], [1.0], [1.0], [2.0], [7.0], [13.0]])
    >>> family = NegativeBinomialFamily(estimation="ml")
    >>> fitted = family.estimate(family.summarize(x, Membership.whole(6)))
    >>> fitted.mean.item(), round(fitted.dispersion.item(), 4)
    (4.0, 1.2188)
    """

    estimation: Literal["ml", "map"] = "map"
    strength: float = 10.0
    name: ClassVar[str] = "negative_binomial"
    kind: ClassVar[Kind] = "count"
    form: ClassVar[Form] = "real"

    def __post_init__(self) -> None:
        check_options(self)

    def summarize(self, x: Array, membership: Membership) -> ValueCounts:
        return ValueCounts.of(EXACT_COUNTS.check(x), membership)

    def estimate(self, statistic: ValueCounts) -> NegativeBinomial:
        shape = (statistic.groups, len(statistic.values))
        mean, dispersion = np.full(shape, np.nan), np.full(shape, np.nan)
        for j in range(shape[1]):
            mean[:, j], dispersion[:, j] = self._evidence(statistic, j).estimate()
        return NegativeBinomial(mean, dispersion)

    def held_open(self, statistic: ValueCounts, how: Component) -> NegativeBinomial:
        """As components of a mixture: the most likely with pseudo-rows of all groups together, "map" or "ml".

        Dispersions that lean on those of other groups, with Cox and Reid's correction, are the maximum of nothing that
        passes of EM could climb.
        """
        ml = NegativeBinomialFamily("ml")
        return ml.estimate(_with_pseudo_rows(statistic, how.rows) if how.rows else statistic)

    def held_open_log_prior(self, statistic: ValueCounts, fitted: NegativeBinomial, how: Component) -> float:
        """The log prior of such an estimate: the log-likelihood of the pseudo-rows."""
        whole, total = statistic.merged(), 0.0
        for j in range(len(whole.values) if how.rows else 0):
            table, points = whole.table(j)[0], np.rint(self._points(whole, j))
            if table.sum() > 0:
                one = NegativeBinomial(fitted.mean[:, [j]], fitted.dispersion[:, [j]])
                total += float((table @ one.log_density(points[:, None])).sum() / table.sum())
        return how.rows * total

    def filled(self, statistic: ValueCounts) -> ValueCounts:
        """As if every missing cell held its group's most frequent value."""
        return statistic.filled()

    def typical(self, statistic: ValueCounts) -> Floats:
        """The most frequent value overall (d,), NaN where there is none."""
        whole = statistic.merged()
        tables = [(whole.points(j), whole.table(j)[0]) for j in range(len(whole.values))]
        return np.array([points[counts.argmax()] if len(points) else np.nan for points, counts in tables])

    @property
    def leaves_one_out(self) -> bool:
        """Whether `leave_one_out` has an answer."""
        return True

    def leave_one_out(self, statistic: ValueCounts, x: Array, membership: Membership) -> Floats:
        """Log probability (n, k) of each row under the groups estimated without it; the rows must be in the statistic.

        Rows of one group with the same value and weight leave the same data behind: each feature is estimated once for
        every such kind of row. A row that outweighs all others is NaN, as are all where values share an entry, and
        under "ml" all with weights, whose rounding may decide whether a dispersion is 0: estimate without it instead.

        >>> x = np.array([[1.0], [3.0], [3.0], [2.0], [4.0]])
        >>> groups = Membership.of_labels(np.array([0, 0, 0, 1, 1]), 2)
        >>> family = NegativeBinomialFamily()
        >>> family.leave_one_out(family.summarize(x, groups), x, groups)[0]  # means 3 and 3, no dispersion
        array([-1.90138771, -1.90138771])
        """
        x = EXACT_COUNTS.check(x, len(statistic.values))
        check_rows(len(x), membership)
        assert membership.labels is not None
        weight = np.ones(len(x)) if membership.weight is None else membership.weight
        weight = np.where(membership.labels >= 0, weight, 0.0)
        out = self.estimate(statistic).log_density(x)
        out[weight > 0] = 0.0 if self.estimation == "map" or membership.weight is None else np.nan
        open_rows = (weight > 0) & ~np.isnan(out[:, 0])
        for j in range(x.shape[1]):
            rows = np.flatnonzero(open_rows & ~np.isnan(x[:, j]))
            kinds, kind = np.unique(
                np.stack([membership.labels[rows], x[rows, j], weight[rows]]), axis=1, return_inverse=True
            )
            scores = [self._without(statistic, j, int(c), v, w) for c, v, w in kinds.T]
            if scores:
                out[rows] += np.array(scores)[kind.ravel()]
        return out

    def _without(self, statistic: ValueCounts, feature: int, own: int, value: float, weight: float) -> Floats:
        """Log probability of a value (k,) where one row with this value and weight is taken from a group."""
        table, values = statistic.table(feature), statistic.points(feature)
        at = int(np.searchsorted(values, value))
        if statistic.exponent[feature] is not None or at == len(values) or values[at] != value:
            return np.full(len(table), np.nan)
        left = table.astype(np.float64)
        left[own, at] -= weight
        if table.dtype.kind != "i" and left[own, at] != 0 and left[own].sum() < _ENOUGH * table[own].sum():
            return np.full(len(table), np.nan)
        used = left.any(axis=0)
        mean, dispersion = self._evidence_of(left[:, used], values[used]).estimate()
        return np.asarray(NegativeBinomial(mean[:, None], dispersion[:, None]).log_density(np.array([[value]]))[0])

    def parameter_posterior(self, statistic: ValueCounts) -> LargeSamplePosterior:
        """By its shape in large samples: the logarithm of each parameter is normal about its estimate."""
        return LargeSamplePosterior.learned(
            self.estimate(statistic), self.standard_errors(statistic), statistic.observed
        )

    def likelihood(self, statistic: ValueCounts, feature: int = 0) -> Likelihood:
        """Log-likelihood of one feature of the first group, highest where the family estimates it."""
        from likely.distributions.counts.likelihoods import CountsLikelihood

        values, counts = self._points(statistic, feature), statistic.table(feature)[0].astype(np.float64)
        rows_of(counts.sum())
        if not values @ counts > 0:
            raise no_maximum("all counts are 0, and every dispersion is as likely as another")
        fitted, errors = self.estimate(statistic), self.standard_errors(statistic)
        mean, dispersion = float(fitted.mean[0, feature]), float(fitted.dispersion[0, feature])
        error = float(errors["dispersion"][0, feature]) if dispersion > 0 else 0.0
        return CountsLikelihood(values, counts, mean, dispersion, error)

    def compare(self, before: ValueCounts, after: ValueCounts, i: int, j: int) -> Verdict | str:
        """Kolmogorov and Smirnov's test and one of counts in ten cells, of the values that were seen."""
        return compare_value_counts(before, after, i, j)

    def standard_errors(self, statistic: ValueCounts) -> dict[str, Array]:
        """Of the mean sqrt((m + f m^2) / n); of the dispersion by the curvature of what it maximises, NaN at 0."""
        fitted = self.estimate(statistic)
        errors = {"mean": np.full(fitted.mean.shape, np.nan), "dispersion": np.full(fitted.mean.shape, np.nan)}
        for j in range(fitted.mean.shape[1]):
            evidence = self._evidence(statistic, j)
            mean, dispersion = fitted.mean[:, j], fitted.dispersion[:, j]
            with np.errstate(divide="ignore", invalid="ignore"):
                errors["mean"][:, j] = np.sqrt((mean + dispersion * mean**2) / evidence.rows)
                positive = np.where(dispersion > 0, dispersion, 1.0)
                step = 1e-4
                ahead, behind = evidence.slope(np.log(positive) + step), evidence.slope(np.log(positive) - step)
                deviation = positive / np.sqrt(np.maximum(behind - ahead, 0.0) / (2 * step))
                errors["dispersion"][:, j] = np.where(dispersion > 0, deviation, np.nan)
        return errors

    def _evidence(self, statistic: ValueCounts, feature: int) -> "_Evidence":
        return self._evidence_of(statistic.table(feature), self._points(statistic, feature))

    def _points(self, statistic: ValueCounts, feature: int) -> Floats:
        # of a cell of several values the middle of the whole numbers in it, not of the cell
        return statistic.points(feature) - (0.0 if statistic.exponent[feature] is None else 0.5)

    def _evidence_of(self, table: Array, values: Floats) -> "_Evidence":
        rows = table.sum(axis=1)
        mean = np.where(rows > 0, table @ values / np.where(rows > 0, rows, 1), 0.0)
        if self.estimation == "map":
            pseudo = np.full(len(rows), self.strength / rows.sum() if rows.sum() > 0 else 0.0)
            return _Evidence(values, table, rows, mean, np.ones(len(rows)), pseudo, np.minimum(rows, 1.0))
        alone = (rows > 1).astype(np.float64)
        return _Evidence(values, table, rows, mean, alone, 1.0 - alone, np.zeros(len(rows)))


def _with_pseudo_rows(statistic: ValueCounts, rows: float) -> ValueCounts:
    """As if each group had so many rows more, with the values of all groups together."""
    seen, offset = statistic.observed.sum(axis=0), statistic.offset
    share = np.divide(rows, seen, out=np.zeros(len(seen)), where=seen > 0)
    more = statistic.count.sum(axis=0) * np.repeat(share, np.diff(offset))
    return replace(statistic, weight=statistic.weight + rows, count=statistic.count + more)


@dataclass(frozen=True)
class _Evidence:
    """What one feature says about the dispersion of each group: own L_k + common sum_l L_l, as a function of log f."""

    values: Floats  # (v,)
    table: Array  # (k, v)  how often each value occurs
    rows: Array  # (k,)
    mean: Floats  # (k,)
    own: Floats  # (k,)  weight of the group's own likelihood
    common: Floats  # (k,)  weight of that of all groups
    correction: Floats  # (k,)  weight of Cox and Reid's term

    def estimate(self) -> tuple[Floats, Floats]:
        """Mean and dispersion (k,); NaN if nothing was counted."""
        rows, sums = self.rows.sum(), (self.rows * self.mean).sum()
        if not sums > 0:
            return np.full(len(self.mean), np.nan), np.full(len(self.mean), np.nan)
        lonely = sums / rows / (self.rows + 1)
        return np.where(self.mean > 0, self.mean, lonely), self.dispersion()

    def dispersion(self) -> Floats:
        # The slope at f = 0 tells whether there is a maximum at a positive dispersion at all.
        scatter = (self.table * (self.values - self.mean[:, None]) ** 2).sum(axis=1)
        surplus = scatter - (self.rows - self.correction) * self.mean
        total, sums = self.rows * self.mean, self.own * surplus + self.common * surplus.sum()
        wide = sums > 0
        # The slope is a difference of two numbers as large as the total times f: of smaller f it has no digits left.
        noise = _ROUNDING * (self.own * total + self.common * total.sum()) / np.where(wide, sums, 1.0)
        low = np.log(np.clip(noise, NARROWEST / (1.0 + self.mean.max()), 1.0))
        root = np.exp(bracketed_roots(self.slope, low, np.full(len(self.mean), np.log(WIDEST))))
        return np.where(wide, root, 0.0)

    def slope(self, log_dispersion: Floats) -> Floats:
        """Derivative by log f (k,): minus r times that by r."""
        size = np.exp(-log_dispersion)
        rise = digamma_rise(size[:, None], self.values)  # (k, v)
        own = (self.table * rise).sum(axis=1) - self._fall(self.mean / size, size)
        if not self.common.any():
            return np.asarray(-size * self.own * own)
        # the evidence of all groups at the size of each: (k, k) summed over its last axis
        fall = self._fall(self.mean / size[:, None], size[:, None]).sum(axis=1)
        return np.asarray(-size * (self.own * own + self.common * (rise @ self.table.sum(axis=0) - fall)))

    def _fall(self, ratio: Floats, size: Floats) -> Floats:
        return np.asarray(self.rows * np.log1p(ratio) + self.correction * 0.5 / size * ratio / (1 + ratio))
