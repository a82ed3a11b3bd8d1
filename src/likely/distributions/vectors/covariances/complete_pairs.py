"""Covariances of rows with missing cells, from the pairs of cells that are complete.

Each entry is estimated from the rows that have both cells, which is right (and converges to the truth) where cells are
missing completely at random. Such a matrix need not be positive definite: its entries come from different rows. The
same products divided as if the missing cells held their group's mean are positive semidefinite, but weaken the
correlations. So as much of the second is mixed in as is needed, and no more,

    S = (1 - l) S_pairs + l S_filled,   both with the variances of the observed cells.

Let v be one of their common principal axes, so long that v' S_filled v = 1, and s = v' S_pairs v.
Of r such directions, that pairs are incomplete sets the worst off by about

    e^2 = r sum_ij v_i^2 v_j^2 (1 / n_ij - 1 / n),   i != j, n rows of which n_ij have both cells

and where s < 0 it is surely wrong by -s. l is the smallest for which every direction keeps the variance that its error
could be, max(e, -s), though never more than 1/2. It is 0 where the pairs are positive definite beyond their error, as
they are when the rows are many. Where S_pairs varies in directions in which S_filled does not, l = 1: there are too few
rows to say anything about them. A pair that was never seen together is uncorrelated; a column of which a group has no
cell has the overall variance.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.statistics.summing.scatter import Scatter

MOST = 0.5  # share of a direction's variance in the filled data that must remain, however large the error
_NOTHING = 1e-10  # variance of a direction, in units of the columns', below which it does not vary


def completed(statistic: Scatter, shared: bool, ddof: int) -> Scatter:
    """The statistic of complete rows that have these means and covariances, or this one that the groups share."""
    whole = statistic.overall()
    seen = statistic.observed > 0
    mean = np.where(seen, statistic.mean, np.where(whole.observed > 0, whole.mean, 0.0))
    weight = statistic.weight.astype(np.float64)
    means = statistic.count > 0
    parts = (statistic.deviations, statistic.filled().deviations, statistic.count - ddof * means)
    scatter = np.maximum(weight - ddof * (weight > 0), 0.0)
    if shared:
        parts = tuple(part.sum(axis=0, keepdims=True) for part in parts)
        scatter = scatter.sum() * weight / max(weight.sum(), 1e-300)
    overall = _variances(whole.deviations[0], whole.count[0], np.zeros(whole.features))
    covariances = np.stack([_covariance(*part, overall) for part in zip(*parts, strict=True)])
    nothing = np.zeros((*mean.shape, 1))
    return Scatter(statistic.weight, mean, weight[:, None, None], nothing, covariances * scatter[:, None, None])


def _covariance(pairs: Array, filled: Array, left: Array, overall: Array) -> Floats:
    variance = _variances(pairs, left, overall)
    unit = np.sqrt(np.where(variance > 0, variance, 1.0))
    spread = np.sqrt(np.where(np.diagonal(filled) > 0, np.diagonal(filled), 1.0))
    sure = filled / spread[:, None] / spread
    loose = np.where(left > 0, pairs / np.where(left > 0, left, 1) / unit[:, None] / unit, sure)
    for correlation in (sure, loose):
        np.fill_diagonal(correlation, 1.0)
    deviation = np.sqrt(variance)
    return np.asarray(_mixed(loose, sure, left) * deviation[:, None] * deviation)


def _mixed(loose: Floats, sure: Floats, left: Array) -> Floats:
    value, vector = np.linalg.eigh(sure)
    varies = value > _NOTHING
    if np.abs(loose @ vector[:, ~varies]).max(initial=0.0) > np.sqrt(_NOTHING):
        return sure
    white = vector[:, varies] / np.sqrt(value[varies])
    share, axes = np.linalg.eigh(white.T @ loose @ white)
    squares = (white @ axes) ** 2
    error = np.sqrt(len(share) * np.einsum("ik,ij,jk->k", squares, _excess(left), squares, optimize=True))
    least = np.minimum(np.maximum(error, -share), MOST)
    short = share < least
    mixed = float(((least - share)[short] / (1 - share[short])).max(initial=0.0))
    return np.asarray((1 - mixed) * loose + mixed * sure)


def _excess(left: Array) -> Floats:
    """By how much the variance of each correlation is larger than if no cell were missing (d, d)."""
    pairs = np.where(left > 0, left, 1.0)
    excess = np.where(left > 0, np.clip(1 / pairs - 1 / pairs.max(), 0.0, 1.0), 1.0)
    np.fill_diagonal(excess, 0.0)
    return excess


def _variances(pairs: Array, left: Array, otherwise: Array) -> Floats:
    rows = np.diagonal(np.broadcast_to(left, pairs.shape))
    return np.asarray(np.where(rows > 0, np.diagonal(pairs) / np.where(rows > 0, rows, 1), otherwise))
