"""Covariances of rows with missing cells, from the pairs of cells that are complete.

Each entry is estimated from the rows that have both cells. Such a matrix need not be positive definite: its entries
come from different rows. The same products divided as if the missing cells held their group's mean are positive
semidefinite, but weaken the correlations. So the two are mixed,

    S = (1 - l) S_pairs + l S_filled,   both with the variances of the observed cells,

with the smallest l for which no direction has less than half the variance that it has in S_filled (and l = 1 where
S_pairs varies in directions in which S_filled does not: there are too few rows to say anything about them). With few
missing cells or many rows l is 0. A pair that was never seen together is uncorrelated; a column of which a group has no
cell has the overall variance.
"""

from dataclasses import replace

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.statistics.scatter import Scatter

LEAST = 0.5  # share of a direction's variance in the filled data that must remain
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
    return replace(
        statistic,
        origin=mean,
        count=weight[:, None, None],
        first=np.zeros((*mean.shape, 1)),
        second=covariances * scatter[:, None, None],
    )


def _covariance(pairs: Array, filled: Array, left: Array, overall: Array) -> Floats:
    variance = _variances(pairs, left, overall)
    unit = np.sqrt(np.where(variance > 0, variance, 1.0))
    spread = np.sqrt(np.where(np.diagonal(filled) > 0, np.diagonal(filled), 1.0))
    sure = filled / spread[:, None] / spread
    loose = np.where(left > 0, pairs / np.where(left > 0, left, 1) / unit[:, None] / unit, sure)
    for correlation in (sure, loose):
        np.fill_diagonal(correlation, 1.0)
    deviation = np.sqrt(variance)
    return np.asarray(_mixed(loose, sure) * deviation[:, None] * deviation)


def _mixed(loose: Floats, sure: Floats) -> Floats:
    value, vector = np.linalg.eigh(sure)
    varies = value > _NOTHING
    if np.abs(loose @ vector[:, ~varies]).max(initial=0.0) > np.sqrt(_NOTHING):
        return sure
    white = vector[:, varies] / np.sqrt(value[varies])
    smallest = float(np.linalg.eigvalsh(white.T @ loose @ white)[0])
    if smallest >= LEAST:
        return loose
    share = (LEAST - smallest) / (1 - smallest)
    return np.asarray((1 - share) * loose + share * sure)


def _variances(pairs: Array, left: Array, otherwise: Array) -> Floats:
    rows = np.diagonal(np.broadcast_to(left, pairs.shape))
    return np.asarray(np.where(rows > 0, np.diagonal(pairs) / np.where(rows > 0, rows, 1), otherwise))
