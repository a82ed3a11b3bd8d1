"""Shares of outcomes from their counts and pseudo-counts, and draws of them from their posterior.

    p = (count + pseudo) / whole,   standard deviation sqrt(p (1 - p) / (whole + 1))

Every estimate of a probability is of this form: whole is what was counted and what was added. Where it is nothing, the
counts say nothing, and the answer is the one given.
"""

import numpy as np
from numpy.typing import ArrayLike

from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_of, log_sum_exp


def smoothed_shares(count: ArrayLike, pseudo: ArrayLike, whole: ArrayLike, otherwise: ArrayLike) -> Floats:
    """Shares of counts with pseudo-counts in a whole, and what they are where the whole is nothing; all broadcast.

    >>> smoothed_shares(np.array([0.0, 4.0]), 1.0, 6.0, 0.5)
    array([0.16666667, 0.83333333])
    >>> smoothed_shares(np.array([0.0, 0.0]), 0.0, 0.0, 0.5)
    array([0.5, 0.5])
    """
    part, whole = np.asarray(count) + np.asarray(pseudo), np.asarray(whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, otherwise), dtype=np.float64)


def share_errors(share: ArrayLike, rows: ArrayLike) -> Floats:
    """Standard errors sqrt(p (1 - p) / rows); NaN where there are no rows. All broadcast.

    >>> share_errors(np.array([0.5, 0.5]), np.array([25.0, 0.0]))
    array([0.1, nan])
    """
    p, n = np.asarray(share, dtype=np.float64), np.asarray(rows, dtype=np.float64)
    return np.asarray(np.sqrt(p * (1 - p) / np.where(n > 0, n, np.nan)))


def draw_chances(ones: Floats, zeros: Floats, n: int, rng: np.random.Generator) -> Floats:
    """N draws (n, ...) from Beta(ones, zeros), neither 0 nor 1."""
    return np.clip(rng.beta(ones, zeros, (n, *ones.shape)), 1e-300, 1 - 1e-16)


def draw_log_shares(alpha: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Logarithms of n draws from the Dirichlet of each of k groups (n k, levels); -inf for an alpha of 0."""
    size = (n, *alpha.shape)
    log = log_of(rng.standard_gamma(alpha, size)) if (alpha >= 1).all() else draw_log_gamma(alpha, size, rng)
    log = log.reshape(-1, alpha.shape[1])
    return np.asarray(log - log_sum_exp(log, axis=1)[:, None])


def draw_log_gamma(shape: Floats, size: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Logarithms of gamma draws, also of shapes so small that the draws themselves would be 0."""
    with np.errstate(divide="ignore"):  # Gamma(a) = Gamma(a + 1) U^(1 / a)
        return np.asarray(np.log(rng.standard_gamma(shape + 1.0, size)) - rng.standard_exponential(size) / shape)
