"""The deviance of an amount from its expectation, without cancellation.

    D(x, r) = x log(x / r) + r - x

Densities of Poisson, binomial, gamma and beta form are exp(-D) times a factor that is easy to compute. Near its root at
x = r the three terms cancel, as they do in SciPy's `kl_div`; there it is taken from a series in (x - r) / (x + r), in
which nothing cancels: to within a few 1e-16 of itself, or of what the rounding of x - r makes of it.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats

_NEAR = 0.1  # of (x - r) / (x + r): where the series is used
_SERIES = 1 / (2 * np.arange(1, 10) + 1)  # 1/3, 1/5, ...: the first that is left out is below 1e-18


def deviance(x: Array, r: Array, away: Array | None = None) -> Floats:
    """For x >= 0 and r > 0; zero where x = r. `away` is x - r where it is known to more digits than the two show.

    >>> deviance(np.array([2.0, 0.0]), np.array([1.0, 3.0])).round(4)
    array([0.3863, 3.    ])
    >>> round(float(deviance(np.array(1e12 + 1e6), np.array(1e12))), 6)
    0.5
    """
    from scipy.special import xlogy

    x, r = np.asarray(x, dtype=np.float64), np.asarray(r, dtype=np.float64)
    away = x - r if away is None else away
    # Loader's series (2000): x log(x / r) = 2 x artanh(v), v = (x - r) / (x + r)
    v = np.clip(away / (x + r), -_NEAR, _NEAR)
    w = v * v
    near = away * v + 2 * x * v * w * np.polynomial.polynomial.polyval(w, _SERIES)
    far = xlogy(x, x) - xlogy(x, r) - away
    return np.asarray(np.where(np.abs(away) < _NEAR * (x + r), near, far))
