"""Log density of the normal-inverse-Wishart prior of Gaussian vectors, at the parameters of a fit.

With W the overall covariance, m0 the overall mean, s pseudo-rows and r columns that carry information,

    ln p = - (s + 2 r) / 2 ln det S - s / 2 tr(W S^-1)                      of each covariance, or of the shared one
           - 1 / 2 ln det S - s / 2 (m - m0)' S^-1 (m - m0)                 of each mean

but for a constant. In units of the overall deviations, which do not change while EM shares out the rows.
"""

import numpy as np

from likely.distributions.vectors.covariances.group_covariances import GroupCovariances
from likely.numeric.arrays import Array


def log_wishart_prior(groups: GroupCovariances, strength: float, mean: Array, covariance: Array) -> float:
    """Of means (k, d) and covariances (g, d, d), g being k or 1."""
    overall, columns = groups.overall, groups.overall.columns
    if not len(columns):
        return 0.0
    away = (mean - groups.centre)[:, columns] / overall.scale[columns]
    freedom, whole = strength + 2 * len(columns), 0.0
    for i, matrix in enumerate(covariance):
        s = overall.standardized(matrix)
        log_determinant = float(np.linalg.slogdet(s)[1])
        own = away if len(covariance) < len(away) else away[i : i + 1]
        whole -= (freedom + len(own)) / 2 * log_determinant
        whole -= strength / 2 * float(np.trace(np.linalg.solve(s, overall.correlation + own.T @ own)))
    return whole
