"""Polya's distribution: vectors of counts whose probabilities are themselves drawn from a Dirichlet distribution.

    p(x) = n! / prod x_t! * prod_t (a_t)_(x_t) / (A)_n,   (a)_x = a (a + 1) ... (a + x - 1),  A = sum_t a_t

It is the predictive distribution of a multinomial whose probabilities have the Dirichlet posterior a, and it
lets a word that occurred once in a row occur again more easily. With p_t = a_t / A it is computed as the multinomial
and an excess that vanishes as the pseudo-counts grow (see `numeric.kernels.densities`):

    log p(x) = log multinomial(x; p) + sum_t e(a_t, x_t) - e(A, n)

A missing cell leaves its column out: the other columns follow Polya's distribution with their own pseudo-counts. A term
of the density holds, besides its own parts, the share x_t / n of log n! and of e(A, n).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from likely.distributions.support import AMOUNTS
from likely.numeric.arrays import NOT_NEGATIVE, Array, Floats, Ints, Matrix, Ranges, Shapes, frozen
from likely.numeric.kernels.densities import rising as kernels
from likely.numeric.linear.affine import BLOCK, LIMIT, affine_scores
from likely.numeric.logspace import log_of
from likely.numeric.shares import draw_log_gamma

MOST = 1e18  # the largest mean length that NumPy draws from


@dataclass(frozen=True)
class Polya:
    """k members, each a Dirichlet mixture of multinomials over d columns.

    >>> one = Polya(np.array([[1.0, 1.0]]), mean_length=np.array([2.0]))
    >>> np.exp(one.log_density(np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]]))).ravel()
    array([0.33333333, 0.33333333, 0.33333333])
    """

    pseudo_count: Array  # (k, d)
    mean_length: Array  # (k,)
    shapes: ClassVar[Shapes] = {"pseudo_count": "k d", "mean_length": "k"}
    ranges: ClassVar[Ranges] = {"pseudo_count": NOT_NEGATIVE, "mean_length": NOT_NEGATIVE}

    @property
    def members(self) -> int:
        return len(self.pseudo_count)

    @property
    def n_parameters(self) -> int:
        return self.pseudo_count.size

    @property
    def mean(self) -> Floats:
        """Of the counts (k, d): the mean length times a_t / A."""
        return np.asarray(self.mean_length[:, None] * self._share)

    @property
    def variance(self) -> Floats:
        """Of the counts (k, d), their number being Poisson of mean L: L p + L^2 p (1 - p) / (A + 1)."""
        whole = self.pseudo_count.sum(axis=1, keepdims=True)
        return np.asarray(self.mean + self.mean**2 * (1.0 / self._share - 1.0) / (whole + 1.0))

    @property
    def _share(self) -> Floats:
        return np.asarray(self.pseudo_count / self.pseudo_count.sum(axis=1, keepdims=True))

    def log_density(self, x: Matrix) -> Floats:
        """Rows may also be compressed sparse; they are not made dense."""
        x = AMOUNTS.check(x, self.pseudo_count.shape[1])
        slope, impossible = self._slopes()
        out = affine_scores(x, slope, np.zeros_like(slope))
        size = np.ascontiguousarray(self.pseudo_count.T)
        if isinstance(x, np.ndarray):
            kernels.add_excess(frozen(x), size, out[:, None, :])
        else:
            kernels.add_sparse_excess(frozen(x.data), frozen(x.indices), frozen(x.indptr), size, out)
        out -= self._length_terms(x, _lengths(x))
        if impossible.any():
            out[affine_scores(x, impossible.astype(np.float64), np.zeros_like(slope)) > 0] = -np.inf
        out += log_coefficient(x)[:, None]
        return out

    def log_density_terms(self, x: Matrix) -> Floats:
        """Dense (n, d, k), also for sparse rows."""
        x = AMOUNTS.check(x, self.pseudo_count.shape[1])
        x = x if isinstance(x, np.ndarray) else x.toarray()
        slope, impossible = self._slopes()
        counts = np.minimum(np.where(np.isnan(x), 0.0, x), LIMIT)
        out = counts[:, :, None] * slope.T
        kernels.add_excess(frozen(counts), np.ascontiguousarray(self.pseudo_count.T), out)
        length = counts.sum(axis=1)
        share = counts / np.where(length > 0, length, 1.0)[:, None]
        out -= share[:, :, None] * self._length_terms(x, length)[:, None, :]
        out[(counts[:, :, None] > 0) & impossible.T] = -np.inf
        out += log_coefficient_terms(counts)[:, :, None]
        return out

    def sample(self, member: Ints, rng: np.random.Generator) -> Floats:
        a = self.pseudo_count[member]
        length = draw_lengths(self.mean_length[member], rng)
        log_weight = draw_log_gamma(a, a.shape, rng)
        weight = np.exp(log_weight - log_weight.max(axis=1, keepdims=True))
        return rng.multinomial(length, weight / weight.sum(axis=1, keepdims=True)).astype(np.float64)

    def _slopes(self) -> tuple[Floats, Array]:
        log_size = log_of(self.pseudo_count)
        impossible = np.isneginf(log_size)
        return np.where(impossible, 0.0, log_size), impossible

    def _length_terms(self, x: Matrix, length: Floats) -> Floats:
        """The part log (A)_n = n log A + e(A, n), where A is of the observed columns of the row: (n, k)."""
        size = np.broadcast_to(self.pseudo_count.sum(axis=1), (len(length), self.members)).copy()
        for rows, _, mass in observed_sums(x, self.pseudo_count):
            size[rows] = mass
        excess = np.zeros((1, len(length), self.members))
        kernels.add_excess(frozen(length[None, :]), size, excess)
        return np.asarray(excess[0] + length[:, None] * np.log(np.where(size > 0, size, 1.0)))


def observed_sums(x: Matrix, parameter: Array) -> Iterator[tuple[Ints, Floats, Floats]]:
    """For the rows with a missing cell, in blocks: their places, their lengths (b,) and the sum of a parameter (k, d)
    over the columns that they observe (b, k).
    """
    if isinstance(x, np.ndarray):
        with np.errstate(over="ignore"):
            lacking = np.flatnonzero(np.isnan(x.sum(axis=1)))
    else:
        lacking = np.unique(np.searchsorted(x.indptr, np.flatnonzero(np.isnan(x.data)), side="right") - 1)
    for start in range(0, len(lacking), BLOCK):
        rows = lacking[start : start + BLOCK]
        part = x[rows]
        if isinstance(part, np.ndarray):
            seen = ~np.isnan(part)
            yield rows, _lengths(part), seen.astype(np.float64) @ parameter.T
        else:
            missing = part.copy()
            missing.data = np.isnan(part.data).astype(np.float64)
            yield rows, _lengths(part), np.maximum(parameter.sum(axis=1) - missing @ parameter.T, 0.0)


def log_coefficient(x: Matrix) -> Floats:
    """The multinomial coefficient log n! - sum log x_t! of each row (n,)."""
    from scipy.special import gammaln

    if isinstance(x, np.ndarray):
        factorials = kernels.log_factorials(frozen(x), np.ones(x.shape[1], dtype=bool))
    else:
        each = kernels.log_factorials(frozen(x.data[:, None]), np.ones(1, dtype=bool))
        rows = np.repeat(np.arange(x.shape[0]), np.diff(x.indptr))
        factorials = np.bincount(rows, weights=each, minlength=x.shape[0])
    return np.asarray(gammaln(_lengths(x) + 1) - factorials)


def log_coefficient_terms(counts: Floats) -> Floats:
    """The coefficient shared out over the columns (n, d): log n! in proportion to the counts."""
    from scipy.special import gammaln

    length = counts.sum(axis=1)
    share = counts / np.where(length > 0, length, 1.0)[:, None]
    return np.asarray(share * gammaln(length + 1)[:, None] - gammaln(counts + 1))


def draw_lengths(mean_length: Array, rng: np.random.Generator) -> Ints:
    """Numbers of counts, Poisson with the given means."""
    return np.asarray(rng.poisson(np.clip(mean_length, 0.0, MOST)))


def _lengths(x: Matrix) -> Floats:
    """Sum of the observed counts of each row (n,)."""
    if isinstance(x, np.ndarray):
        with np.errstate(over="ignore"):
            total = x.sum(axis=1, dtype=np.float64)
        again = np.flatnonzero(~(total <= LIMIT))
        total[again] = np.minimum(np.where(np.isnan(x[again]), 0.0, x[again]), LIMIT).sum(axis=1)
        return np.asarray(total)
    counts = np.minimum(np.where(np.isnan(x.data), 0.0, x.data), LIMIT)
    rows = np.repeat(np.arange(x.shape[0]), np.diff(x.indptr))
    return np.asarray(np.bincount(rows, weights=counts, minlength=x.shape[0]), dtype=np.float64)
