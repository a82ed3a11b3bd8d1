"""The deviance of an amount from its expectation, without cancellation.

    D(x, r) = x log(x / r) + r - x

Densities of Poisson, gamma and beta form are exp(-D) times a factor that is easy to compute. Near its root at x = r the
three terms cancel, as they do in SciPy's `kl_div`; there it is taken from log(1 + u), u = (x - r) / r, to within
1e-16 |x - r|.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats


def deviance(x: Array, r: Array) -> Floats:
    """For x >= 0 and r > 0; zero where x = r.

    >>> deviance(np.array([2.0, 0.0]), np.array([1.0, 3.0])).round(4)
    array([0.3863, 3.    ])
    >>> round(float(deviance(np.array(1e12 + 1e6), np.array(1e12))), 6)
    0.5
    """
    from scipy.special import xlogy

    x, r = np.asarray(x, dtype=np.float64), np.asarray(r, dtype=np.float64)
    away = x - r
    with np.errstate(over="ignore"):
        u = np.clip(away / r, -0.5, 1.0)
    near = r * ((1 + u) * np.log1p(u) - u)
    far = xlogy(x, x) - xlogy(x, r) - away
    return np.asarray(np.where(np.abs(away) < 0.5 * r, near, far))
