"""Mean and covariance of the rows of a matrix, found in one pass, by EM over gaps, or only as far as asked.

One pass: the scatter of all pairs of columns, a sum that merges and forgets. Pairs of which cells are missing count the
rows that have both; the result is mended where it is no covariance.

EM over gaps (Little and Rubin): the rows are normal; given mean and covariance, a missing cell has an expectation and a
variance from the cells that its row has; those sums give the next mean and covariance. Columns are divided by the
deviations of their observed cells, so units do not matter, and a column that does not vary takes no part. A prior as
light as 1e-9 of each variance, -N/2 1e-9 tr S^-1, keeps S from being singular: with it the likelihood never falls.

As far as asked: the leading directions by subspace iteration from random ones (Halko, Martinsson and Tropp, 2011); each
pass is a sum over batches and never forms the covariance, so wide and sparse tables fit.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.distributions.combined.expectation import Expected
from likely.models.learning.unlabelled import NumberedRows
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.nearest import about
from likely.statistics.summing.scatter import Scatter

_RIDGE = 1e-9  # of a column's variance: what keeps a covariance that is to be inverted from being singular
_NONE = 1e-12  # of the largest variance, of columns of one size: what is no larger is rounding
_CLOSE = 1e-6  # of the largest variance: larger ones are found to ten digits from the covariance itself
_ALIKE = 10.0  # times the least deviation of a column: up to there columns are of one size
_OVERSAMPLED = 10  # random directions beyond those asked for
_PASSES = 6  # of subspace iteration


class Spread(NamedTuple):
    """What components are made of."""

    mean: Floats  # (m,)
    deviation: Floats  # (m,)  of each column
    values: Floats  # (l,)  leading eigenvalues of the covariance (of the correlation, if scaled), largest first
    vectors: Floats  # (l, m)
    total: float  # sum of all eigenvalues
    squares: float  # sum of their squares; NaN where only the leading ones are known


def spread_of(statistic: Scatter, scaled: bool) -> Spread:
    """From the sums of one pass; the divisor is the weight less 1."""
    count = np.broadcast_to(statistic.count[0], statistic.second[0].shape)
    covariance = statistic.deviations[0] / np.maximum(count - 1, 1)
    mean = np.where(statistic.observed[0] > 0, np.nan_to_num(statistic.mean[0]), 0.0)
    return eigen(mean, covariance, scaled)


def eigen(mean: Floats, covariance: Floats, scaled: bool) -> Spread:
    """All directions of a covariance; what is below 0, by rounding or missing cells, is 0."""
    deviation = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    scale = scale_of(deviation, scaled)
    values, vectors = _directions(covariance / np.outer(scale, scale), deviation / scale)
    with np.errstate(over="ignore"):  # of variances beyond 1e154, whose squares are left open
        squares = float(np.square(values).sum())
    known = squares if np.isfinite(squares) else float("nan")
    return Spread(mean, deviation, values, upright(vectors), float(values.sum()), known)


def _directions(covariance: Floats, deviation: Floats) -> tuple[Floats, Floats]:
    """All variances (m,), largest first, 0 where rounding is all there is, and their directions (m, m).

    Rounding is a share of the largest variance, and drowns columns of much smaller units. There the correlations say
    how many directions vary, and the singular values of their root, in the units of the columns, how much.
    """
    from scipy.linalg import eigh

    values, vectors = _largest_first(*eigh(covariance))
    most, varies = values.max(initial=0.0), deviation > 0
    rank = int((values > _NONE * most).sum())
    if rank and values[-1] <= _CLOSE * most and deviation.max() > _ALIKE * deviation[varies].min():
        size = deviation[varies]
        own, turn = _largest_first(*eigh(covariance[np.ix_(varies, varies)] / np.outer(size, size)))
        if own[-1] > -_NONE * own[0]:  # else no covariance: of pairs of columns, each over other rows
            own, turn = own[own > _NONE * own[0]], turn[own > _NONE * own[0]]
            root = np.zeros((len(deviation), len(own)))
            root[varies] = size[:, None] * turn.T * np.sqrt(own)
            found, singular, _ = np.linalg.svd(root, full_matrices=False)
            rank = int((singular > _NONE * singular[0]).sum())
            values, vectors = np.square(singular), np.ascontiguousarray(found.T)
    left = len(deviation) - rank
    return np.append(values[:rank], np.zeros(left)), np.concatenate([vectors[:rank], _beyond(vectors[:rank])])


def _largest_first(values: Floats, vectors: Floats) -> tuple[Floats, Floats]:
    """Eigenvalues and their vectors as rows, from ascending ones with columns."""
    return values[::-1], np.ascontiguousarray(vectors[:, ::-1].T)


def number_for_share(values: Floats, total: float, share: float | None) -> int:
    """How many of the largest variances keep that share of their total; None is all.

    >>> number_for_share(np.array([6.0, 3.0, 1.0]), 10.0, 0.9)
    2
    """
    if share is None:
        return len(values)
    upto = np.cumsum(values) / total if total > 0 else np.ones(len(values))
    return int(np.searchsorted(upto, share * (1 - 1e-12))) + 1


def _beyond(vectors: Floats) -> Floats:
    """Directions (m - r, m) at right angles to these (r, m) and each other, of the space that is left alone.

    Where rows do not vary any direction will do; those of a solver would be those of its rounding.
    """
    from scipy.linalg import qr

    left = np.eye(vectors.shape[1]) - vectors.T @ vectors
    basis, _, _ = qr(left, pivoting=True)
    return np.ascontiguousarray(basis[:, : vectors.shape[1] - len(vectors)].T)


def scale_of(deviation: Floats, scaled: bool) -> Floats:
    """What columns are divided by: their deviations if asked for, 1 where they do not vary."""
    return np.where(scaled & (deviation > 0), deviation, 1.0)


def upright(vectors: Floats) -> Floats:
    """Directions (l, m) whose largest component is positive: a direction and its opposite are the same.

    >>> upright(np.array([[0.6, -0.8]]))
    array([[-0.6,  0.8]])
    """
    largest = np.abs(vectors).argmax(axis=1) if vectors.size else np.zeros(len(vectors), dtype=np.int64)
    sign = np.sign(vectors[np.arange(len(vectors)), largest])
    return np.asarray(vectors * np.where(sign == 0, 1.0, sign)[:, None])


class Completed(NamedTuple):
    """Where EM has led."""

    mean: Floats
    covariance: Floats  # divisor: the weight less 1, as without gaps
    log_likelihoods: Floats  # of what was observed, with the light prior, before every pass


def complete(rows: Source[NumberedRows], statistic: Scatter, max_iter: int, tol: float) -> Completed:
    """Maximum likelihood of mean and covariance from rows with gaps, by EM from columns whose gaps are at their means;
    stops when a row gains < tol. The statistic is that of the rows.
    """
    weight, seen = float(statistic.weight[0]), statistic.observed[0]
    mean = np.where(seen > 0, np.nan_to_num(statistic.mean[0]), 0.0)
    begun = statistic.filled().deviations[0]
    squares = np.diagonal(statistic.deviations[0])
    kept = np.flatnonzero((squares > 0) & (np.diagonal(begun) > 0))
    scale = np.sqrt(squares[kept] / seen[kept])
    at = Expect(kept, scale, mean[kept], begun[np.ix_(kept, kept)] / weight / np.outer(scale, scale))
    units = float(seen[kept] @ np.log(scale))
    reached: list[float] = []
    for _ in range(max_iter if len(kept) else 0):
        expected: Expected[Scatter] = engines.current().fold(rows, at)
        reached.append(expected.log_likelihood + weight * at.log_prior() - units)
        shift = expected.statistic.first[0, :, 0] / weight
        inner = expected.statistic.second[0] / weight - np.outer(shift, shift)
        at = Expect(kept, scale, at.mean + shift * scale, (inner + inner.T) / 2)
        if len(reached) > 1 and reached[-1] - reached[-2] <= tol * weight:
            break
    covariance = np.zeros((len(mean), len(mean)))
    covariance[np.ix_(kept, kept)] = at.inner * np.outer(scale, scale) * (weight / max(weight - 1, 1))
    mean[kept] = at.mean
    return Completed(mean, covariance, np.array(reached))


@dataclass(frozen=True)
class Expect:
    """The expectations of a batch, rows with the same gaps together, in the columns that vary and in their units."""

    kept: Ints  # (l,)  columns
    scale: Floats  # (l,)
    mean: Floats  # (l,)  as the columns are
    inner: Floats  # (l, l)  covariance of columns that are divided by their scales

    @cached_property
    def covariance(self) -> Floats:
        """The same with the prior: what is the most likely with it."""
        return np.asarray(self.inner + _RIDGE * np.eye(len(self.inner)))

    def log_prior(self) -> float:
        """Of the covariance, for one row."""
        from scipy.linalg import cho_factor, cho_solve

        inverse = cho_solve(cho_factor(self.covariance, lower=True), np.eye(len(self.inner)))
        return -0.5 * _RIDGE * float(np.trace(inverse))

    def __call__(self, rows: NumberedRows) -> Expected[Scatter]:
        x = (np.asarray(rows.x[:, self.kept], dtype=np.float64) - self.mean) / self.scale
        weight = np.ones(len(x)) if rows.weight is None else rows.weight
        missing = np.isnan(x)
        first, second, reached = np.zeros(x.shape[1]), np.zeros((x.shape[1],) * 2), 0.0
        patterns, which = np.unique(missing, axis=0, return_inverse=True)
        order = np.argsort(which.ravel(), kind="stable")
        ends = np.cumsum(np.bincount(which.ravel(), minlength=len(patterns)))
        for gaps, own in zip(patterns, np.split(order, ends[:-1]), strict=True):
            filled, doubt, density = fill(x[own], gaps, self.covariance)
            share = weight[own]
            first += share @ filled
            second += (filled * share[:, None]).T @ filled + share.sum() * doubt
            reached += float(share @ density)
        sums = Scatter.of_sums(np.array([weight.sum()]), np.zeros((1, x.shape[1])), first[None], second[None])
        return Expected(sums, reached)


def fill(x: Floats, gaps: Array, covariance: Floats) -> tuple[Floats, Floats, Floats]:
    """Rows about the mean with their gaps (m,) filled in, the covariance of what was filled, and log densities (n,)."""
    from scipy.linalg import cho_factor, cho_solve

    filled, doubt, seen = x.copy(), np.zeros_like(covariance), ~gaps
    if not seen.any():
        filled[:] = 0.0
        return filled, covariance, np.zeros(len(x))
    factor = cho_factor(covariance[np.ix_(seen, seen)], lower=True)
    solved = cho_solve(factor, x[:, seen].T)  # (seen, n)
    log_det = 2.0 * np.log(np.diagonal(factor[0])).sum()
    density = -0.5 * ((x[:, seen].T * solved).sum(axis=0) + log_det + seen.sum() * np.log(2 * np.pi))
    if gaps.any():
        across = covariance[np.ix_(gaps, seen)]
        filled[:, gaps] = (across @ solved).T
        doubt[np.ix_(gaps, gaps)] = covariance[np.ix_(gaps, gaps)] - across @ cho_solve(factor, across.T)
    return filled, doubt, density


def leading(rows: Source[NumberedRows], origin: Floats, count: int, scaled: bool, rng: np.random.Generator) -> Spread:
    """The `count` leading directions, without the covariance; a missing cell is its column's mean."""
    engine = engines.current()
    sums: Sums = engine.fold(rows, _Sum(origin))
    mean = sums.first / np.maximum(sums.seen, np.finfo(np.float64).tiny)
    weight = sums.weight
    variance = np.maximum(sums.second - sums.seen * mean**2, 0.0) / max(weight - 1, 1)
    deviation = np.sqrt(variance)
    scale = scale_of(deviation, scaled)
    wide = min(count + _OVERSAMPLED, len(origin))
    basis = np.linalg.qr(rng.normal(size=(len(origin), wide)))[0]
    product = np.empty(0)
    for _ in range(_PASSES + 1):
        inner = basis / scale[:, None]
        product = engine.fold(rows, _Product(origin, mean, inner)) / (scale[:, None] * max(weight - 1, 1))
        small = basis.T @ product
        values, turn = np.linalg.eigh((small + small.T) / 2)
        turned = basis @ turn[:, ::-1]
        basis = np.linalg.qr(product)[0]
    values = np.maximum(values[::-1], 0.0)[:count]
    total = float((variance / scale**2).sum())
    return Spread(origin + mean, deviation, values, upright(np.ascontiguousarray(turned.T[:count])), total, np.nan)


@dataclass(frozen=True)
class Sums:
    """Sums of each column, about the origin."""

    weight: float
    seen: Floats  # (m,)  weight of the observed cells
    first: Floats  # (m,)
    second: Floats  # (m,)

    def __add__(self, other: Self) -> Self:
        pairs = {n: getattr(self, n) + getattr(other, n) for n in ("weight", "seen", "first", "second")}
        return replace(self, **pairs)


@dataclass(frozen=True)
class _Sum:
    origin: Floats

    def __call__(self, rows: NumberedRows) -> Sums:
        x = about(rows.x, self.origin)
        weight = np.ones(x.shape[0]) if rows.weight is None else rows.weight
        total = float(weight.sum())
        if hasattr(x, "indptr"):
            squares = x.multiply(x)
            return Sums(total, np.full(x.shape[1], total), np.asarray(x.T @ weight), np.asarray(squares.T @ weight))
        seen = ~np.isnan(x)
        x = np.where(seen, x, 0.0)
        return Sums(total, weight @ seen, weight @ x, weight @ np.square(x))


@dataclass(frozen=True)
class _Product:
    """The scatter about the mean, times some directions (m, l)."""

    origin: Floats
    mean: Floats  # about the origin
    directions: Floats

    def __call__(self, rows: NumberedRows) -> Any:
        x = about(rows.x, self.origin)
        weight = np.ones(x.shape[0]) if rows.weight is None else rows.weight
        if not hasattr(x, "indptr"):
            x = np.nan_to_num(x - self.mean)
            return x.T @ (weight[:, None] * (x @ self.directions))
        along = np.asarray(x @ self.directions) - self.mean @ self.directions
        weighed = weight[:, None] * along
        return np.asarray(x.T @ weighed) - np.outer(self.mean, weighed.sum(axis=0))
