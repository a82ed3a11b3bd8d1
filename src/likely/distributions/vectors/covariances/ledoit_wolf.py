"""How far to weaken correlations, from the scatter alone: Ledoit and Wolf's intensity in its Rao-Blackwell form.

    rho = min(1, ((n - 2) / n tr R^2 + d^2) / ((n + 2) (tr R^2 - d)))        R (1 - rho) + rho I

R are the correlations of d columns behind which n degrees of freedom stand. Ledoit and Wolf (2004) estimate from fourth
moments what is best in mean square, which a scatter does not hold. In a Gaussian family it need not: the scatter is
sufficient, and the mean of their estimate given the scatter, which is this formula (Chen, Wiesel, Eldar and Hero 2010,
with the identity for the target), is never worse than their own. Correlations, and not covariances, are drawn,
as scikit-learn's `shrinkage="auto"` standardizes columns first: units do not matter.

A column that varies, but not in this group, has one pseudo-row of its overall spread, and no correlations.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats


def intensity(correlations: Floats, freedom: float) -> float:
    """How far correlations (d, d) are drawn to none.

    >>> intensity(np.eye(3), 50.0), intensity(np.ones((2, 2)), 1e9) < 1e-8
    (1.0, True)
    """
    d, squares = len(correlations), float((correlations**2).sum())
    excess = squares - d
    if freedom <= 2 or excess <= 0:
        return 1.0
    return float(min(1.0, ((freedom - 2) / freedom * squares + d**2) / ((freedom + 2) * excess)))


def drawn(covariance: Array, freedom: Array, spread: Array) -> Floats:
    """Covariances (g, d, d) with weaker correlations, of g degrees of freedom, and overall variances (d,)."""
    out = np.zeros(covariance.shape)
    for group, (each, left) in enumerate(zip(covariance, freedom.tolist(), strict=True)):
        variance = np.diagonal(each)
        varies = variance > 0
        scale = np.sqrt(np.where(varies, variance, 1.0))
        correlations = np.where(varies[:, None] & varies, each / scale[:, None] / scale, 0.0)
        rho = intensity(correlations[np.ix_(varies, varies)], left)
        weaker = (1 - rho) * correlations
        np.fill_diagonal(weaker, 1.0)
        scale = np.sqrt(np.where(varies, variance, spread / (max(left, 0.0) + 2.0)))
        out[group] = scale[:, None] * weaker * scale
    return out
