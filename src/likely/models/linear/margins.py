"""Losses as functions of the margin m = y f(x), y = +-1: what a linear classifier is charged for a row.

    zero-one  [m <= 0]      squares  (m - 1)^2, which is (y - f)^2      logistic  log(1 + e^-m)

Squares also charge rows that lie far on the right side; the logistic loss falls towards 0 there.
"""

import numpy as np
from numpy.typing import ArrayLike

from likely.numeric.arrays import Floats


def zero_one_loss(margin: ArrayLike) -> Floats:
    """Whether the margin is on the wrong side, the boundary included.

    >>> zero_one_loss([-2, 0, 3])
    array([1., 1., 0.])
    """
    return np.asarray(np.asarray(margin, dtype=np.float64) <= 0, dtype=np.float64)


def squared_loss(margin: ArrayLike) -> Floats:
    """The square of how far the margin is from 1.

    >>> squared_loss([-2, 1, 3])
    array([9., 0., 4.])
    """
    return np.asarray((np.asarray(margin, dtype=np.float64) - 1) ** 2)


def logistic_loss(margin: ArrayLike) -> Floats:
    """The negative log probability of the right class if the margin is its log odds.

    >>> logistic_loss([0.0, 1000.0]).round(4)
    array([0.6931, 0.    ])
    """
    return np.asarray(np.logaddexp(0.0, -np.asarray(margin, dtype=np.float64)))


def logistic(score: ArrayLike) -> Floats:
    """The logistic sigmoid 1 / (1 + e^-a), which makes log odds a probability; its slope is g (1 - g).

    Parameters
    ----------
    score : log odds, of any shape

    >>> logistic([0.0, -800.0, 800.0])
    array([0.5, 0. , 1. ])
    """
    a = np.asarray(score, dtype=np.float64)
    return np.asarray(np.exp(-np.logaddexp(0.0, -a)))


def logit(probability: ArrayLike) -> Floats:
    """The log odds log p / (1 - p): the inverse of the sigmoid.

    >>> logit([0.5, 0.8]).round(4)
    array([0.    , 1.3863])
    """
    p = np.asarray(probability, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(p) - np.log1p(-p))


def softmax_jacobian(score: ArrayLike) -> Floats:
    """The slopes p_c ([c = b] - p_b) of the softmax of scores (k,).

    Parameters
    ----------
    score : activations (k,)

    >>> softmax_jacobian([0.0, 0.0])
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    """
    a = np.asarray(score, dtype=np.float64)
    p = np.exp(a - np.logaddexp.reduce(a))
    return np.asarray(np.diag(p) - np.outer(p, p))
