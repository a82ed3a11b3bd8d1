"""Information: how many bits an outcome, a distribution, or a wrong distribution costs.

    information content  -log2 p                 of one outcome
    entropy              sum_i p_i -log2 p_i      the mean over outcomes, with 0 log 0 = 0
    cross entropy        sum_i p_i -log2 q_i      the mean when q is believed and p is true
    divergence           sum_i p_i log2(p_i / q_i), cross entropy less entropy: 0 only where q = p

All are in bits unless another base is given; e gives nats. Distributions lie along an axis of an array (None: the whole
array is one), or are mappings from outcome to probability. One number is returned as a float, several as an array.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_of
from likely.numeric.special.deviance import deviance
from likely.probability.given import SLACK, ProbabilitiesLike, plain, read_numbers, read_probabilities


def information_content(p: ProbabilitiesLike, base: float = 2.0) -> Any:
    """Information content (surprisal): bits in outcomes of these probabilities, which need not sum to 1.

    Infinite for the impossible.

    >>> information_content(0.5), information_content([0.5, 1 / 6]).round(3)
    (1.0, array([1.   , 2.585]))
    """
    values = read_numbers(p, "the probabilities")
    outside = (values < 0) | (values > 1 + SLACK)
    if outside.any():
        raise InputError(f"{values[outside].flat[0]:g} is no probability: it is not between 0 and 1")
    return plain(0.0 - log_of(np.minimum(values, 1.0)) / _log(base))


def entropy(p: ProbabilitiesLike, base: float = 2.0, axis: int | None = -1) -> Any:
    """Entropy, the mean information of the outcomes of distributions: log2 k for k equal ones, 0 for certainty.

    >>> entropy([0.5, 0.25, 0.125, 0.125])
    1.75
    >>> entropy([[0.5, 0.5], [1, 0]])
    array([1., 0.])
    """
    values = read_probabilities(p, axis)
    return plain(np.maximum(-_times_log(values, values).sum(axis=axis), 0.0) / _log(base))


def cross_entropy(p: ProbabilitiesLike, q: ProbabilitiesLike, base: float = 2.0, axis: int | None = -1) -> Any:
    """Cross-entropy: mean bits for outcomes of p in the best code for q; infinite where q rules out what p does not.

    >>> round(cross_entropy([0.5, 0.5], [0.25, 0.75]), 4)
    1.2075
    """
    true, believed = _two(p, q, axis)
    return plain(np.maximum(-_times_log(true, believed).sum(axis=axis), 0.0) / _log(base))


def kl_divergence(p: ProbabilitiesLike, q: ProbabilitiesLike, base: float = 2.0, axis: int | None = -1) -> Any:
    """Kullback-Leibler divergence of p from q (relative entropy): bits lost by believing q where p is true, from 0 up.

    >>> round(kl_divergence([0.5, 0.5], [0.25, 0.75]), 4), kl_divergence([0.5, 0.5], [1, 0])
    (0.2075, inf)
    """
    true, believed = _two(p, q, axis)
    impossible = (believed == 0) & (true > 0)
    terms = deviance(true, np.where(believed > 0, believed, 1.0))  # with - p + q, which sums to 0, nothing cancels
    terms = np.where(impossible, np.inf, np.where(believed > 0, terms, 0.0))
    return plain(np.maximum(terms.sum(axis=axis), 0.0) / _log(base))


def _two(p: Any, q: Any, axis: int | None) -> tuple[Floats, Floats]:
    """Two distributions over the same outcomes; those of mappings are brought into one order."""
    if isinstance(p, Mapping) != isinstance(q, Mapping):
        raise InputError("give both distributions as mappings, or both as arrays")
    if isinstance(p, Mapping):
        if set(p) != set(q):
            raise InputError(f"the distributions differ in their outcomes: {sorted(map(str, set(p) ^ set(q)))}")
        q = {name: q[name] for name in p}
    true, believed = read_probabilities(p, axis), read_probabilities(q, axis)
    try:
        return true, np.broadcast_to(believed, np.broadcast_shapes(true.shape, believed.shape))
    except ValueError:
        raise InputError(f"distributions of shapes {true.shape} and {believed.shape} do not go together") from None


def _times_log(p: Floats, q: Floats) -> Floats:
    """The terms p ln q, 0 where p is."""
    from scipy.special import xlogy

    return np.asarray(xlogy(p, q))


def _log(base: float) -> float:
    if not base > 1:
        raise InputError(f"the base of the logarithm must be above 1 (2 for bits, e for nats), got {base}")
    return float(np.log(base))
