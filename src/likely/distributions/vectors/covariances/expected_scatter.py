"""The scatter that rows with missing cells are expected to have, given Gaussian members: the E step of their EM.

With o the observed and m the missing columns of a row, under a member of mean u and covariance S,

    E[x_m | x_o] = u_m + B (x_o - u_o),   B = S_mo S_oo^-1,   Cov[x_m | x_o] = S_mm - B S_om

A cell that is missing at random is filled with its expectation, and the covariance that is left of it is added to the
sum of squares (Little and Rubin, Statistical Analysis with Missing Data, section 11.2), all rows of the same gaps at
once.
"""

from dataclasses import fields

import numpy as np

from likely.distributions.vectors.gaussian_vectors import MultivariateGaussian
from likely.numeric.arrays import Array, Floats
from likely.statistics import Membership
from likely.statistics.summing.scatter import Scatter


def expected_scatter(x: Array, membership: Membership, current: MultivariateGaussian) -> Scatter:
    """Without gaps: of rows x (n, d), each shared out among the members as `membership` says.

    >>> x = np.array([[0.0, 0.0], [2.0, 2.0], [4.0, np.nan]])
    >>> line = MultivariateGaussian.of(np.array([[0.0, 0.0]]), np.array([[1.0, 0.5], [0.5, 1.0]]))
    >>> expected_scatter(x, Membership.whole(3), line).mean.round(3)  # the cell is expected at 2
    array([[2.   , 1.333]])
    """
    shares = membership.as_shares()
    gaps, pattern = np.unique(np.isnan(x), axis=0, return_inverse=True)
    rows_of = [np.flatnonzero(pattern.ravel() == i) for i in range(len(gaps))]
    covariances = np.broadcast_to(current.covariance, (current.members, x.shape[1], x.shape[1]))
    parts = []
    for c, (mean, covariance) in enumerate(zip(current.mean, covariances, strict=True)):
        full, left = x.astype(np.float64), np.zeros(covariance.shape)
        centre = np.where(np.isfinite(mean), mean, 0.0)
        for gap, rows in zip(gaps, rows_of, strict=True):
            if not gap.any():
                continue
            slope, rest = _conditional(covariance, gap)
            full[np.ix_(rows, gap)] = centre[gap] + (x[np.ix_(rows, ~gap)] - centre[~gap]) @ slope.T
            left[np.ix_(gap, gap)] += shares[rows, c].sum() * rest
        part = Scatter.of(np.ascontiguousarray(full), Membership.of_shares(np.ascontiguousarray(shares[:, c : c + 1])))
        parts.append((part, left))
    sums = {f.name: np.concatenate([getattr(part, f.name) for part, _ in parts]) for f in fields(Scatter)}
    sums["second"] = sums["second"] + np.stack([left for _, left in parts])
    return Scatter(**sums)


def _conditional(covariance: Floats, gap: Array) -> tuple[Floats, Floats]:
    """Slopes of the missing columns on the observed ones, and the covariance that is left of them."""
    seen = covariance[np.ix_(~gap, ~gap)]
    across = covariance[np.ix_(gap, ~gap)]
    unit = np.sqrt(np.where(np.diagonal(seen) > 0, np.diagonal(seen), 1.0))
    # columns that repeat others, or are constant, share their slope: the smallest that explains as much
    slope = np.linalg.pinv(seen / unit[:, None] / unit, hermitian=True) @ (across / unit).T
    slope = (slope / unit[:, None]).T
    return slope, covariance[np.ix_(gap, gap)] - slope @ across.T
