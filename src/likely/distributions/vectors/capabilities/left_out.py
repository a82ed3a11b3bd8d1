"""Gaussian vectors with the row itself taken out of its group, without a new factor.

With n, m, C the weight, mean and scatter of the row's group, w its weight, u = x - m and q = u' C^-1 u,

    a = w n / (n - w),   C' = C - a u u',   x - m' = u n / (n - w),   h = a q

    (x - m')' C'^-1 (x - m')  = (n / (n - w))^2 q / (1 - h)          (Sherman and Morrison)
    log det C'                = log det C + log(1 - h)

For a shared covariance C is the pooled scatter, and the distance to every other group changes too. Relative to that of
the row's own, with t = m' - m_k, s = u' C^-1 t and all groups divided by the same number f,

    D_k - D_own = f [ 2 n / (n - w) s / (1 - h) + t' C^-1 t + a s^2 / (1 - h) ]

This is plain maximum likelihood. Where the estimate does more (missing cells, columns that determine others, groups
that do not vary in some direction, and all of that also without the row) the answer is NaN. h is that of a leverage:
at most d + 1 rows of a group can have one near 1.
"""

import numpy as np

from likely.distributions.support import checked_table
from likely.distributions.vectors.covariances.group_covariances import GroupCovariances
from likely.distributions.vectors.covariances.overall_covariance import Overall
from likely.distributions.vectors.elliptical import Elliptical
from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels.densities.whitening import standardize
from likely.numeric.kernels.left_out.variances import variances_without_own_row
from likely.numeric.linear.covariance import inverse_lower
from likely.statistics import Membership, Moments
from likely.statistics.additive import check_rows
from likely.statistics.summing.moments import near_zero
from likely.statistics.summing.scatter import Scatter

_ENOUGH = 1e-3  # of a weight or a determinant that must be left for its digits to be good
_MARGIN = 10 / _ENOUGH  # by which every direction must vary more than one that says nothing
_HALF_LOG_TAU = 0.5 * np.log(2 * np.pi)


def vectors_without_own_row(statistic: Scatter, shared: bool, ddof: int, x: Array, membership: Membership) -> Floats:
    """Log density (n, k) of each row under the maximum likelihood estimates without it.

    For a shared covariance but for a term common to all groups.
    """
    check_rows(len(checked_table(x, statistic.features)), membership)
    assert membership.labels is not None
    statistic, x = near_zero(statistic, x)
    out = np.full((len(x), statistic.groups), np.nan)
    groups = GroupCovariances.of(statistic, shared)
    # a single column has the short form in any case
    whole = statistic.complete and np.allclose(statistic.count[:, 0, 0], statistic.weight, 1e-12, 0)
    if not whole or not _is_plain(statistic, groups, ddof):
        return out
    known = membership.labels >= 0
    own = np.where(known, membership.labels, 0)
    weight = np.where(known, 1.0 if membership.weight is None else membership.weight, 0.0)
    shape = Elliptical(groups.mean, groups.factors(ddof), groups.overall.columns)
    count = statistic.weight.astype(np.float64)
    divisor = groups.weight - ddof * groups.means.reshape(-1).astype(np.float64)  # (g,)
    n, left = count[own], count[own] - weight
    remains = (left >= _ENOUGH * n) & (_leverage_of_all(groups, x, weight) <= 1 - _ENOUGH)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        part = weight * n / left
        score = _shared if shared else _apart
        values = score(shape, divisor, x, own, weight, n / left, part)
    rows = remains & np.isfinite(values).all(axis=1)
    out[rows] = values[rows]
    return out


def variances_of_others(
    statistic: Moments, shared: bool, spherical: bool, ddof: int, x: Array, membership: Membership
) -> Floats:
    """Log density (n, k) of each row under the shared variances estimated without it; NaN where digits are lost."""
    check_rows(len(checked_table(x, statistic.origin.shape[1])), membership)
    assert membership.labels is not None
    grain = statistic.grain
    statistic, x = near_zero(statistic, x)
    whole = statistic.overall()
    weight = np.ones(len(x)) if membership.weight is None else membership.weight
    out = np.empty((len(x), statistic.groups))
    variances_without_own_row(
        frozen(x),
        membership.labels,
        frozen(weight),
        statistic.count.astype(np.float64),
        np.where(statistic.count > 0, statistic.mean, 0.0),
        statistic.scatter,
        whole.count[0].astype(np.float64),
        np.where(whole.count > 0, whole.mean, 0.0)[0],
        whole.scatter[0],
        shared,
        spherical,
        float(ddof),
        grain,
        out,
    )
    return out


def _apart(
    shape: Elliptical, divisor: Floats, x: Array, own: Array, weight: Floats, stretch: Floats, part: Floats
) -> Floats:
    rows = np.arange(len(x))
    distance = shape.squared_distance(x)
    out = -0.5 * distance - shape.half_log_determinant - shape.rank * _HALF_LOG_TAU
    q = distance[rows, own] / divisor[own]
    rest = _remaining(part * q)
    left = divisor[own] - weight
    left = np.where(left > 0, left, np.nan)
    log_determinant = 2 * shape.half_log_determinant[own] + np.log(rest) + shape.rank * np.log(divisor[own] / left)
    out[rows, own] = -0.5 * (left * stretch**2 * q / rest + log_determinant) - shape.rank * _HALF_LOG_TAU
    return np.asarray(out)


def _shared(
    shape: Elliptical, divisor: Floats, x: Array, own: Array, weight: Floats, stretch: Floats, part: Floats
) -> Floats:
    white = shape.offset[:, shape.columns] @ shape.whitening[0].T  # (k, r)
    u = _standardized(x, *shape.standard) @ shape.whitening[0].T - white[own]
    q = np.einsum("ij,ij->i", u, u)
    along = u @ white.T
    along = along[np.arange(len(x)), own][:, None] - along  # u' S^-1 (m_own - m_k)
    apart = ((white[:, None] - white[None]) ** 2).sum(axis=2)[own]
    rest = _remaining(part * q / divisor[0])[:, None]
    moved = (stretch - 1)[:, None]  # w / (n - w)
    s = along - moved * q[:, None]
    t = apart - 2 * moved * along + moved**2 * q[:, None]
    away = 2 * stretch[:, None] * s / rest + t + part[:, None] * s**2 / rest / divisor[0]
    away[np.arange(len(x)), own] = 0.0
    left = np.where(divisor[0] > weight, divisor[0] - weight, np.nan)
    return np.asarray(-0.5 * (left / divisor[0])[:, None] * away)


def _remaining(leverage: Floats) -> Floats:
    rest = 1 - leverage
    return np.where(rest >= _ENOUGH, rest, np.nan)


def _is_plain(statistic: Scatter, groups: GroupCovariances, ddof: int) -> bool:
    """Whether the estimate is that of maximum likelihood and stays so without any row of little leverage."""
    overall = groups.overall
    if not len(overall.columns) or len(overall.columns) < np.count_nonzero(overall.scale):
        return False
    everything = GroupCovariances.of(statistic.merged(), shared=False)
    return everything.speaks_everywhere(0, _MARGIN) and groups.speaks_everywhere(ddof, _MARGIN)


def _leverage_of_all(groups: GroupCovariances, x: Array, weight: Floats) -> Floats:
    """Of each row among all data (n,)."""
    overall: Overall = groups.overall
    columns = overall.columns
    z = _standardized(x, columns, groups.centre[columns], 1 / overall.scale[columns]) @ inverse_lower(overall.factor).T
    rows = float(groups.weight.sum())
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return np.asarray(weight / (rows - weight) * np.einsum("ij,ij->i", z, z))


def _standardized(x: Array, columns: Array, centre: Array, inverse_scale: Array) -> Floats:
    out = np.empty((len(x), len(columns)))
    standardize(x, columns, centre, inverse_scale, out)
    return out
