"""Shares of outcomes from their counts and pseudo-counts.

    p = (count + pseudo) / whole

Every estimate of a probability is of this form: whole is what was counted and what was added. Where it is nothing, the
counts say nothing, and the answer is the one given.
"""

import numpy as np
from numpy.typing import ArrayLike

from likely.numeric.arrays import Floats


def smoothed_shares(count: ArrayLike, pseudo: ArrayLike, whole: ArrayLike, otherwise: ArrayLike) -> Floats:
    """Shares of counts with pseudo-counts in a whole, and what they are where the whole is nothing; all broadcast.

    >>> smoothed_shares(np.array([0.0, 4.0]), 1.0, 6.0, 0.5)
    array([0.16666667, 0.83333333])
    >>> smoothed_shares(np.array([0.0, 0.0]), 0.0, 0.0, 0.5)
    array([0.5, 0.5])
    """
    part, whole = np.asarray(count) + np.asarray(pseudo), np.asarray(whole)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(whole > 0, part / whole, otherwise), dtype=np.float64)
