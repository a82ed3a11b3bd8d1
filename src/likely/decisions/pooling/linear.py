"""The linear pool: a mixture of the members' posteriors.

    p(k | x) = sum_m v_m p_m(k | x),   v_m >= 0, sum v_m = 1

Its shares maximise the likelihood of the labels of rows left out, with pseudo-rows that are shared out equally. EM, a
concave problem in few numbers: every round is the mean of the members' shares in what came true.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of, log_sum_exp

_ROUNDS = 1000
_TOL = 1e-10
_NONE = 1e-4  # a share below it is none


def mixture_shares(log_posterior: Floats, codes: Array, weight: Floats | None, pseudo: float) -> Floats:
    """Shares (m,) of members whose log posteriors of rows left out are (n, m, k).

    >>> said = np.log([[[0.9, 0.1], [0.5, 0.5]], [[0.2, 0.8], [0.5, 0.5]]] * 50)
    >>> mixture_shares(said, np.array([0, 1] * 50), None, 1.0).round(2)
    array([0.99, 0.01])
    """
    own = log_posterior[np.arange(len(codes)), :, codes]
    amount = np.ones(len(codes)) if weight is None else weight
    m = own.shape[1]
    share = np.full(m, 1.0 / m)
    for _ in range(_ROUNDS):
        joint = own + log_of(share)
        told = np.exp(joint - log_sum_exp(joint, axis=1)[:, None])
        new = (amount @ np.where(np.isnan(told), 1.0 / m, told) + pseudo / m) / (amount.sum() + pseudo)
        if np.abs(new - share).max() < _TOL:
            break
        share = new
    share = np.where(share < _NONE, 0.0, share)
    return np.asarray(share / share.sum())
