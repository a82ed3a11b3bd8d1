"""The observed (Fisher) information of any log-likelihood: how sharply it is curved.

    I(theta)_ij = - d^2 log L / d theta_i d theta_j

At the maximum its inverse is the covariance of the estimates, to first order in 1 / n: a sharp peak leaves little
doubt. The families of the library know theirs in closed form (`maximum_likelihood`); this one takes a function, and its
derivatives from differences (see `optimize.differences`).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import as_floats
from likely.optimize.differences import hessian


def observed_information(log_likelihood: Callable[[Any], float], at: ArrayLike) -> Any:
    """Observed information, minus the second derivatives of a log-likelihood: a number, or a matrix (p, p).

    The function takes what `at` is: a number, or an array (p,). It must be finite near `at`: an estimate on the
    boundary (no success in n trials) has no curvature there, and is refused.

    Parameters
    ----------
    log_likelihood : of the data, as a function of the parameters

    >>> round(observed_information(lambda p: 3 * np.log(p) + 2 * np.log(1 - p), at=0.6), 6)
    20.833333
    """
    theta = as_floats(at, "the parameters")
    if theta.ndim > 1 or not theta.size:
        raise InputError(f"give the parameters as a number or as a list of numbers, got shape {theta.shape}")
    if not np.isfinite(theta).all():
        raise InputError(f"parameters must be finite, got {at!r}")
    if theta.ndim:
        return -hessian(log_likelihood, theta)
    return float(-hessian(lambda x: log_likelihood(float(x[0])), theta[None])[0, 0])
