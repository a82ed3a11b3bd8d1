"""Covariances of rows with missing cells, from the pairs of cells that are complete.

Each entry is estimated from the rows that have both cells. Such a matrix need not be positive definite: its entries come
from different rows. The same products divided as if the missing cells held their group's mean are positive
semidefinite, but weaken the correlations. So the two are mixed,

    S = (1 - l) S_pairs + l S_filled,   both with the variances of the observed cells,

with the smallest l for which no direction has less than half the variance that it has in S_filled. With few missing
cells or many rows l is 0. A pair that was never seen together is uncorrelated in S_filled and takes that value.
"""

from dataclasses import replace

import numpy as np

from likely.numeric.arrays import Floats
from likely.statistics.scatter import Scatter

LEAST = 0.5  # share of a direction's variance in the filled data that must remain
_RIDGE = 1e-10  # lets directions without any variance in the filled data count as lost


def completed(statistic: Scatter, ddof: int = 0) -> Scatter:
    """The statistic of complete rows that have these means and covariances; the same if no cell is missing."""
    if statistic.complete:
        return statistic
    whole = _moments(statistic.overall(), 0)
    means, covariances = [], []
    observed, mean = statistic.observed, statistic.mean
    for c, (own, own_covariance) in enumerate(zip(mean, _moments(statistic, ddof), strict=True)):
        seen = observed[c] > 0
        means.append(np.where(seen, own, statistic.overall().mean[0]))
        unseen = ~seen | ~np.isfinite(np.diagonal(own_covariance))
        own_covariance = np.where(unseen[:, None] | unseen[None, :], 0.0, own_covariance)
        covariances.append(own_covariance + np.diag(np.where(unseen, np.diagonal(whole[0]), 0.0)))
    weight = statistic.weight.astype(np.float64)
    rows = weight[:, None, None]
    origin = np.where(np.isfinite(np.stack(means)), np.stack(means), statistic.origin)
    return replace(
        statistic,
        origin=origin,
        count=rows,
        first=np.zeros((*origin.shape, 1)),
        second=np.stack(covariances) * np.maximum(rows - ddof, 0.0),
    )


def _moments(statistic: Scatter, ddof: int) -> Floats:
    """Covariances (k, d, d), positive semidefinite; NaN on the diagonal where a feature has too few cells."""
    filled = statistic.filled().deviations
    pairs, rows = statistic.deviations, np.broadcast_to(statistic.count, filled.shape)
    out = np.empty(filled.shape)
    for c in range(len(filled)):
        left = rows[c] - ddof
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.where(np.diagonal(left) > 0, np.diagonal(pairs[c]) / np.diagonal(left), np.nan)
            by_pairs = np.where(left > 0, pairs[c] / left, np.nan)
        unit = np.sqrt(np.where(variance > 0, variance, 1.0))
        spread = np.sqrt(np.where(np.diagonal(filled[c]) > 0, np.diagonal(filled[c]), 1.0))
        sure = filled[c] / spread / spread[:, None]
        loose = np.where(np.isfinite(by_pairs), by_pairs / unit / unit[:, None], sure)
        mixed = _mixed(loose, sure) * unit * unit[:, None]
        np.fill_diagonal(mixed, variance)
        out[c] = mixed
    return out


def _mixed(loose: Floats, sure: Floats) -> Floats:
    from scipy.linalg import eigh

    smallest = float(eigh(loose, sure + _RIDGE * np.eye(len(sure)), eigvals_only=True, subset_by_index=[0, 0])[0])
    if smallest >= LEAST:
        return loose
    share = (LEAST - smallest) / (1 - smallest)
    return np.asarray((1 - share) * loose + share * sure)
