"""Histograms: a density that is constant within bins, per feature and group.

    p_kb = (n_kb + alpha) / (N_k + alpha B),   f_k(x) = p_kb / width_b   for x in bin b = [low, high)

Statistic: `ValueCounts`. Prior: Dirichlet with `alpha` pseudo-counts in each of the B bins (alpha = 1 is Laplace's
correction; with alpha = 0 an empty bin is impossible). All groups share the bins of a feature, which are computed from
the statistic when estimating, never stored:

    width      bins of equal width from the smallest value to the largest
    frequency  bins of about equally many rows, cut midway between neighbouring values
    mdl        cuts where the groups change, as many as pay for their description (Fayyad & Irani 1993)

`bins` is a number, the edges themselves (one list for all features, or one list per feature), or "auto":

    width      B = max(log2 n + 1, min(range / (2 IQR n^(-1/3)), 2 sqrt n)), rounded up: the larger of Sturges' and
               Freedman & Diaconis' numbers, the latter limited; NumPy's "auto", over all groups together
    frequency  B = sqrt(n) rounded down, so that bins grow in number and in content alike (Yang & Webb 2001)
    mdl        always decides by itself

The outer bins take in everything beyond the outer edges, in training and in prediction. So that the density still
integrates to one, it falls off there as TAIL / (1 + z)^2 times that of the outer bin, z being the distance in widths of
that bin; this tail holds TAIL = 1e-12 of the bin's probability, which the inside gives up. It is the same for all
groups, so a value beyond the edges speaks for them as the outer bin does.

A feature that is constant over all data, or never observed, carries no information: its term is 0 for every group,
unless edges are given. A group that saw nothing, with no prior to speak for it, holds every bin for equally probable.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.comparing import Verdict, compare_value_counts
from likely.distributions.conjugate.belief import REFERENCE
from likely.distributions.conjugate.dirichlet import Dirichlet
from likely.distributions.family import Form
from likely.distributions.support import check_options, checked_table
from likely.errors import InputError, check_whole
from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen, rising
from likely.numeric.kernels.densities import bins as kernels
from likely.numeric.kernels.sums.cut_points import even_steps, frequency_cuts, midway, separating_cuts
from likely.numeric.logspace import log_of
from likely.numeric.shares import draw_log_shares, share_errors, smoothed_shares
from likely.statistics import Membership
from likely.statistics.counting.categories import offsets
from likely.statistics.counting.values import MAX_VALUES, ValueCounts, quantile_of

Rule: TypeAlias = Literal["width", "frequency", "mdl"]
Bins: TypeAlias = int | Literal["auto"] | Sequence[float] | Sequence[Sequence[float]]
_MOST_ROWS = 1e9  # what weights beyond say of the number of bins is too many of them
RULES = ("width", "frequency", "mdl")


@dataclass(frozen=True)
class Histogram:
    """k members with independent piecewise constant features.

    >>> one = Histogram((np.array([0.0, 1.0, 3.0]),), np.log([[0.5, 0.5]]))
    >>> np.exp(one.log_density(np.array([[0.5], [2.0]]))).round(9)
    array([[0.5 ], [0.25]])
    """

    edges: tuple[Array, ...]  # per feature (bins + 1,); none: the feature carries no information
    log_probability: Array  # (k, total number of bins)  of every bin, feature after feature
    cuts: int = 0  # edges between bins that were chosen by the groups (rule "mdl")
    shapes: ClassVar[Shapes] = {"log_probability": "k r"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        """The name of the first field that does not fit the others, as a damaged file may have; None: all do."""
        bins = [max(len(edges) - 1, 0) for edges in self.edges]
        fit = len(bins) == size["d"] and sum(bins) == size["r"]
        return None if fit and all(len(edges) != 1 and rising(edges) for edges in self.edges) else "edges"

    @property
    def members(self) -> int:
        return len(self.log_probability)

    @property
    def n_parameters(self) -> int:
        """The free probabilities of all bins, and the cuts that were chosen by looking at the groups."""
        return self.members * sum(max(len(edges) - 2, 0) for edges in self.edges) + self.cuts

    @property
    def mean(self) -> Floats:
        """(k, d), uniform within the bins; NaN where nothing is known. The tails' 1e-12 is left out."""
        return self._moments[0]

    @property
    def variance(self) -> Floats:
        """(k, d), within and between the bins."""
        return self._moments[1]

    def log_density(self, x: Array) -> Floats:
        x = checked_table(x, len(self.edges))
        out = np.zeros((len(x), 1, self.members))
        kernels.add_bins(frozen(x), *self._tables, 0, out)
        return out[:, 0]

    def log_density_terms(self, x: Array) -> Floats:
        x = checked_table(x, len(self.edges))
        out = np.zeros((*x.shape, self.members))
        kernels.add_bins(frozen(x), *self._tables, 1, out)
        return out

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        """Rows of all members, uniform within the bins (the tails' 1e-12 is left out); NaN where nothing is known."""
        drawn = np.full((len(member), len(self.edges)), np.nan)
        for j, edges in enumerate(self.edges):
            if len(edges):
                upto = np.cumsum(self.probability(j), axis=1)
                bins = np.empty(len(member), dtype=np.int64)
                for k in range(self.members):
                    mine = np.flatnonzero(member == k)
                    u = rng.random(len(mine)) * upto[k, -1]
                    bins[mine] = np.searchsorted(upto[k, :-1], u, side="right")
                u = rng.random(len(member))
                drawn[:, j] = edges[bins] * (1 - u) + edges[bins + 1] * u
        return drawn

    def probability(self, feature: int) -> Floats:
        """The probability of each bin of a feature (k, bins)."""
        first = _first_bins(self.edges)
        return np.asarray(np.exp(self.log_probability[:, first[feature] : first[feature + 1]]))

    def bins(self, x: Array) -> Ints:
        """The bin of each cell (n, d), counted from 0; -1 where the cell is missing or the feature has no bins."""
        x = checked_table(x, len(self.edges))
        found = np.empty(x.shape, dtype=np.int64)
        kernels.find_bins(frozen(x), *self._tables[:2], found)
        return found

    def bin_probability(self, x: Array) -> Floats:
        """The probability of the bin that each cell falls in (n, d, k); 1 where the cell is missing.

        >>> one = Histogram((np.array([0.0, 1.0, 3.0]),), np.log([[0.4, 0.6]]))
        >>> one.bin_probability(np.array([[-5.0], [1.0], [np.nan]])).ravel().round(9)
        array([0.4, 0.6, 1. ])
        """
        bins = self.bins(x)
        column = np.maximum(bins, 0) + _first_bins(self.edges)[:-1]
        padded = np.concatenate([self.log_probability, np.zeros((self.members, 1))], axis=1)
        column = np.where(bins < 0, padded.shape[1] - 1, column)
        return np.asarray(np.exp(padded.T[column]))

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        """Means and variances (k, d): a bin of width w varies by w^2 / 12 about its middle."""
        mean, variance = np.full((2, self.members, len(self.edges)), np.nan)
        for j, edges in enumerate(self.edges):
            if len(edges):
                p = self.probability(j)
                p /= p.sum(axis=1, keepdims=True)
                middle = edges[:-1] / 2 + edges[1:] / 2
                away = middle - middle[0]
                mean[:, j] = p @ away
                apart = (away - mean[:, j, None]) ** 2 + np.diff(edges) ** 2 / 12
                variance[:, j] = (p * apart).sum(axis=1)
                mean[:, j] += middle[0]
        return mean, variance

    @cached_property
    def _tables(self) -> tuple[Floats, Ints, Ints, Floats]:
        """Flat edges, where each feature's edges begin, where its bins begin, and log densities (bins, k)."""
        inside = self.log_probability.T.copy()
        first = _first_bins(self.edges)
        for j, edges in enumerate(self.edges):
            if len(edges):
                rows = inside[first[j] : first[j + 1]]
                rows -= _log_widths(edges)[:, None]
                rows[0] += np.log1p(-kernels.TAIL)
                rows[-1] += np.log1p(-kernels.TAIL)
        flat = np.concatenate([np.zeros(0), *self.edges])
        return flat, offsets(self.edges), first, inside


@dataclass(frozen=True)
class HistogramFamily:
    """Independent features with a histogram each.

    >>> x = np.array([[10.0], [8], [10], [10], [11], [11], [12], [9], [15], [10], [13], [13]])
    >>> groups = Membership.of_labels(np.repeat([0, 1], 6), 2)
    >>> family = HistogramFamily(bins=(7, 9, 11, 13, 16))
    >>> fitted = family.estimate(family.summarize(x, groups))
    >>> fitted.bin_probability(np.array([[11.0]])).round(9)
    array([[[0.3, 0.2]]])
    """

    bins: Bins = "auto"
    rule: Rule = "width"  # bins of one width, of about as many rows, or cut where the groups change
    alpha: float = 1.0
    max_values: int = MAX_VALUES  # distinct values kept per feature; see ValueCounts
    name: ClassVar[str] = "histogram"
    form: ClassVar[Form] = "real"

    def __post_init__(self) -> None:
        check_options(self)
        object.__setattr__(self, "bins", _checked(self.bins, self.rule))

    def summarize(self, x: Array, membership: Membership) -> ValueCounts:
        return ValueCounts.of(x, membership, self.max_values)

    def estimate(self, statistic: ValueCounts) -> Histogram:
        edges, count = self.bin_counts(statistic)
        first = _first_bins(edges)
        log_probability = np.empty(count.shape)
        for start, stop in pairwise(first):
            weights = count[:, start:stop] + float(self.alpha)
            whole, even = weights.sum(axis=1, keepdims=True), 1.0 / max(stop - start, 1)
            log_probability[:, start:stop] = log_of(smoothed_shares(weights, 0.0, whole, even))
        cuts = sum(max(len(mine) - 2, 0) for mine in edges) if self.rule == "mdl" else 0
        return Histogram(edges, log_probability, cuts)

    def cells(self, statistic: ValueCounts) -> int:
        """How many bins the estimate will have, where a number says it; 0 where the data or the edges do."""
        if self.rule == "mdl" or not isinstance(self.bins, int | str):
            return 0
        tables = [(statistic.points(j), statistic.table(j).sum(axis=0)) for j in range(len(statistic.values))]
        return sum(self._number(points, whole) for points, whole in tables if len(points))

    def compare(self, before: ValueCounts, after: ValueCounts, i: int, j: int) -> Verdict | str:
        """Kolmogorov and Smirnov's test and one of counts in ten cells, of the values that were seen."""
        return compare_value_counts(before, after, i, j)

    def standard_errors(self, statistic: ValueCounts) -> dict[str, Array]:
        """Of the bins' probabilities, sqrt(p (1 - p) / (N + alpha B + 1)), flat as the table.

        This is the deviation of the Dirichlet posterior; without a prior (alpha = 0) it is sqrt(p (1 - p) / N), NaN
        for a group that saw nothing.
        """
        fitted = self.estimate(statistic)
        _, count = self.bin_counts(statistic)
        p = np.exp(fitted.log_probability)
        first = _first_bins(fitted.edges)
        errors = np.empty_like(p)
        for j in range(len(fitted.edges)):
            columns = slice(int(first[j]), int(first[j + 1]))
            n = count[:, columns].sum(axis=1, keepdims=True).astype(np.float64)
            if self.alpha > 0:
                n += self.alpha * (first[j + 1] - first[j]) + 1
            errors[:, columns] = share_errors(p[:, columns], n)
        return {"probability": errors}

    def parameter_posterior(self, statistic: ValueCounts) -> "BinPosterior":
        """Dirichlet of the probabilities of the bins; without a prior, under Jeffreys'."""
        edges, count = self.bin_counts(statistic)
        parts = np.split(count, _first_bins(edges)[1:-1], axis=1)
        return BinPosterior(tuple(part + (float(self.alpha) or REFERENCE) for part in parts), edges)

    def bin_counts(self, statistic: ValueCounts) -> tuple[tuple[Array, ...], Array]:
        """The edges of each feature's bins, and how many rows of each group fall in each (k, total number of bins)."""
        given = self._given(len(statistic.values))
        edges: list[Array] = []
        tables: list[Array] = [statistic.count[:, :0]]
        for j in range(len(statistic.values)):
            points, table = statistic.points(j), statistic.table(j)
            mine = self._learned(statistic, j) if given is None else given[j]
            inner = np.searchsorted(points, mine[1:-1], side="left")
            upto = np.pad(table.cumsum(axis=1), ((0, 0), (1, 0)))
            if len(mine):
                tables.append(np.diff(upto[:, [0, *inner, len(points)]], axis=1))
            edges.append(mine)
        return tuple(edges), np.concatenate(tables, axis=1)

    def _given(self, features: int) -> list[Array] | None:
        if isinstance(self.bins, int | str):
            return None
        several: Any = self.bins if not isinstance(self.bins[0], int | float) else (self.bins,) * features
        if len(several) != features:
            raise InputError(f"edges are given for {len(several)} features, but there are {features}")
        return [np.array(edges, dtype=np.float64) for edges in several]

    def _learned(self, statistic: ValueCounts, feature: int) -> Array:
        points, table = statistic.points(feature), statistic.table(feature)
        if len(points) < 2:
            return np.zeros(0)
        weight = table.sum(axis=0)
        low, high = statistic.limits(feature)
        if self.rule == "width":
            edges = even_steps(low, high, self._number(points, weight))
        elif self.rule == "frequency":
            between = frequency_cuts(weight, self._number(points, weight))
            edges = np.concatenate([[low], midway(points, between), [high]])
        else:
            between = np.flatnonzero(separating_cuts(np.ascontiguousarray(table, dtype=np.float64)))
            edges = np.concatenate([[low], midway(points, between), [high]])
        return np.unique(edges)  # neighbouring floats have no room for many bins

    def _number(self, points: Array, weight: Array) -> int:
        if isinstance(self.bins, int):
            return self.bins
        n = min(max(float(weight.sum()), 1.0), _MOST_ROWS)
        if self.rule == "frequency":
            return max(int(np.sqrt(n)), 1)
        upper, lower = (quantile_of(points, weight, p) for p in (0.75, 0.25))
        half_range = float(points[-1] / 2 - points[0] / 2)  # halves, which cannot overflow
        share = (upper / 2 - lower / 2) / half_range if half_range > 0 else 0.0
        narrow = min(n ** (1 / 3) / (2 * share) if share > 0 else np.inf, 2 * np.sqrt(n))
        return int(np.ceil(max(np.log2(n) + 1, narrow)))


@dataclass(frozen=True)
class BinPosterior:
    """Dirichlet of the probabilities of the bins of each column; the bins themselves are taken as given."""

    alpha: tuple[Floats, ...]  # per column (k, bins)
    edges: tuple[Array, ...]

    def of(self, member: int, column: int) -> Dirichlet:
        edges = self.edges[column].tolist()
        if not edges:
            raise InputError(f"column {column} of the histograms never varied: it has no bins to believe anything of")
        return Dirichlet(self.alpha[column][member], tuple(pairwise(edges)))

    def draw(self, n: int, rng: np.random.Generator) -> Histogram:
        """N draws of the k members, one after the other."""
        parts = [draw_log_shares(alpha, n, rng) for alpha in self.alpha if alpha.shape[1]]
        empty = np.zeros((n * len(self.alpha[0]), 0))
        return Histogram(self.edges, np.concatenate([empty, *parts], axis=1))


def _checked(bins: object, rule: Rule) -> Any:
    """The bins as given, edges as tuples of floats."""
    if isinstance(bins, str):
        if bins != "auto":
            raise InputError(f"bins must be a number, edges or 'auto', got {bins!r}")
        return bins
    if isinstance(bins, int | np.integer) and not isinstance(bins, bool):
        check_whole("bins", bins)
        if rule == "mdl":
            raise InputError(f"the rule 'mdl' decides on the number of bins itself; use bins='auto' instead of {bins}")
        return int(bins)
    if not isinstance(bins, Sequence | np.ndarray) or not len(bins):
        raise InputError(f"bins must be a number, edges or 'auto', got {bins!r}")
    if rule != "width":
        raise InputError(f"edges are given, so there is nothing left for the rule {rule!r} to decide; leave it out")
    if np.ndim(bins[0]) == 0:
        return _checked_edges(bins)
    return tuple(_checked_edges(edges) for edges in bins)


def _checked_edges(edges: ArrayLike) -> tuple[float, ...]:
    listed = np.asarray(edges, dtype=np.float64)
    if listed.ndim != 1 or len(listed) < 2 or not np.isfinite(listed).all() or not (listed[1:] > listed[:-1]).all():
        raise InputError(f"edges must be at least two finite numbers, each larger than the one before, got {edges!r}")
    return tuple(float(edge) for edge in listed)


def _first_bins(edges: tuple[Array, ...]) -> Ints:
    """Where each feature's bins begin in the flat table; the last entry is its width."""
    return np.concatenate([[0], np.cumsum([max(len(e) - 1, 0) for e in edges], dtype=np.int64)]).astype(np.int64)


def _log_widths(edges: Array) -> Floats:
    with np.errstate(over="ignore"):
        span = edges[-1] - edges[0]
    if np.isfinite(span):
        return np.asarray(np.log(np.diff(edges)))
    return np.asarray(np.log(2.0) + np.log(np.diff(edges / 2)))
