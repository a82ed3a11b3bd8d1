"""The gamma function; derivatives of its logarithm, combined so that large arguments do not cancel; an inverse.

    log s - psi(s)    = 1 / (2 s) + 1 / (12 s^2) - 1 / (120 s^4) + ...
    psi'(s) - 1 / s   = 1 / (2 s^2) + 1 / (6 s^3) - 1 / (30 s^5) + ...
    log G(s) - [ s log s - s ] = - 1/2 log(s / (2 pi)) + r(s),   r(s) = 1 / (12 s) - 1 / (360 s^3) + ...

r is what Stirling's formula leaves of log s!: log s! = 1/2 log(2 pi s) + s log s - s + r(s).

(Abramowitz and Stegun 6.3.18, 6.4.12, 6.1.41.) The series serve from s = 20 on, where they are exact to rounding.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, as_floats

LARGE = 20.0


def gamma_function(x: ArrayLike, log: bool = False) -> Any:
    """The gamma function, (n - 1)! at a whole number n; its logarithm where the value is too large for a number.

    >>> gamma_function([1, 2, 5, 0.5]).round(6)
    array([ 1.      ,  1.      , 24.      ,  1.772454])
    >>> gamma_function(1000, log=True)
    5905.22...
    """
    from scipy.special import gamma, gammaln

    values = as_floats(x, "arguments of the gamma function")
    if (values <= 0).any() and log:
        raise InputError(f"the logarithm of the gamma function is of positive numbers, got {values.min():g}")
    found = gammaln(values) if log else gamma(values)
    return float(found) if values.ndim == 0 else np.asarray(found)


def log_minus_digamma(s: Array) -> Floats:
    """The difference log s - psi(s), positive and decreasing.

    >>> float(log_minus_digamma(np.array(1e12))) * 2e12
    1.0000000000001...
    """
    from scipy.special import digamma

    s = np.asarray(s, dtype=np.float64)
    z = np.maximum(s, LARGE)
    w = 1 / (z * z)
    series = 0.5 / z + w * (1 / 12 - w * (1 / 120 - w * (1 / 252 - w * (1 / 240 - w / 132))))
    near = np.minimum(s, LARGE)
    return np.asarray(np.where(s >= LARGE, series, np.log(near) - digamma(near)))


def trigamma_minus_inverse(s: Array) -> Floats:
    """psi'(s) - 1 / s, minus the derivative of `log_minus_digamma`."""
    from scipy.special import polygamma

    s = np.asarray(s, dtype=np.float64)
    z = np.maximum(s, LARGE)
    w = 1 / (z * z)
    series = w * (0.5 + (1 / 6 - w * (1 / 30 - w * (1 / 42 - w * (1 / 30 - w * 5 / 66)))) / z)
    near = np.minimum(s, LARGE)
    return np.asarray(np.where(s >= LARGE, series, polygamma(1, near) - 1 / near))


def digamma_rise(a: Array, x: Array) -> Floats:
    """psi(a + x) - psi(a) for x >= 0.

    >>> float(digamma_rise(np.array(0.5), np.array(2.0)))  # 1 / 0.5 + 1 / 1.5
    2.666666...
    """
    from scipy.special import digamma

    a, x = np.asarray(a, dtype=np.float64), np.asarray(x, dtype=np.float64)
    far = np.log1p(x / a) + log_minus_digamma(a) - log_minus_digamma(a + x)
    return np.asarray(np.where(a >= LARGE, far, digamma(a + x) - digamma(a)))


def gamma_constant(s: Array) -> Floats:
    """The part s log s - s - log G(s) of a gamma log density: what it is at its mean, but for - log x."""
    from scipy.special import gammaln

    s = np.asarray(s, dtype=np.float64)
    z = np.maximum(s, LARGE)
    near = np.minimum(s, LARGE)
    direct = near * np.log(near) - near - gammaln(near)
    return np.asarray(np.where(s >= LARGE, 0.5 * np.log(z / (2 * np.pi)) - _stirling_series(z), direct))


def stirling_rest(s: Array) -> Floats:
    """The remainder r(s) of Stirling's formula, for s > 0.

    >>> float(stirling_rest(np.array(1.0)))  # 1 - 1/2 log(2 pi)
    0.0810614667953...
    """
    from scipy.special import gammaln

    s = np.asarray(s, dtype=np.float64)
    near = np.minimum(s, LARGE)
    direct = gammaln(near + 1) - (near + 0.5) * np.log(near) + near - 0.5 * np.log(2 * np.pi)
    return np.asarray(np.where(s >= LARGE, _stirling_series(np.maximum(s, LARGE)), direct))


def _stirling_series(z: Array) -> Floats:
    w = 1 / z / z
    return np.asarray((1 / 12 - w * (1 / 360 - w * (1 / 1260 - w * (1 / 1680 - w / 1188)))) / z)


def shape_of_gap(gap: Array) -> Floats:
    """The shape s with log s - psi(s) = gap, for any positive gap.

    >>> shape_of_gap(np.array([1e-16, 0.5, 100.0])) * np.array([1e-16, 0.5, 100.0])
    array([0.5       , 0.56886236, 0.96076548])
    """
    gap = np.asarray(gap, dtype=np.float64)
    # good to 1.5 percent; written so that neither small nor large gaps cancel
    root = np.sqrt((gap - 3) ** 2 + 24 * gap)
    shape = np.where(gap < 3, (3 - gap + root) / (12 * gap), 2 / (np.maximum(gap, 3.0) - 3 + root))
    for _ in range(20):
        change = (log_minus_digamma(shape) - gap) / (shape * trigamma_minus_inverse(shape))
        shape = shape / (1 - np.minimum(change, 0.5))
        if np.all(np.abs(change) < 1e-15):
            break
    return np.asarray(shape)
