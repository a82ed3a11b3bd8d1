"""Distributions whose members differ by a linear function of some terms G(x): the terms, weights and constants.

    log p(x | k) = w_k . G(x) + b_k + a term common to all members

A distribution that is linear in its features has `linear() -> (weights, constants)`. One that is linear in other terms
(levels, squares, words) has `linear_terms(names)`, which says what they are.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from likely.distributions.family import Distribution
from likely.errors import TierError
from likely.numeric.arrays import Floats, Matrix


class LinearTerms(NamedTuple):
    """What k members differ by."""

    coef: Floats  # (k, m)
    constant: Floats  # (k,)
    design: Callable[[Any], Floats]  # rows to their m terms
    names: tuple[str, ...]  # of the m terms


def linear_terms(distribution: Distribution, names: tuple[str, ...]) -> LinearTerms:
    """Of a distribution over columns of these names; refused where it has none.

    >>> from likely.distributions import Poisson
    >>> linear_terms(Poisson(np.array([[1.0], [2.0]])), ("visits",)).coef.round(4).tolist()
    [[0.0], [0.6931]]
    """
    if hasattr(distribution, "linear_terms"):
        return LinearTerms(*distribution.linear_terms(names))
    if hasattr(distribution, "linear"):
        coef, constant = distribution.linear()
        return LinearTerms(coef, constant, features, names)
    raise TierError(f"{type(distribution).__name__} features have no equivalent linear model")


def features(x: Matrix) -> Floats:
    """The design of a distribution that is linear in its features: rows as they are."""
    return np.asarray(x.toarray() if hasattr(x, "toarray") else x, dtype=np.float64)
