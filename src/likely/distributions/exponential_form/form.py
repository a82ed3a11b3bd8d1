"""Distributions in the form that all exponential families share.

    p(x | eta) = h(x) exp( eta . G(x) - A(eta) )

| family      | eta                     | G(x)       | A(eta)                          | h(x)           |
| ----------- | ----------------------- | ---------- | ------------------------------- | -------------- |
| Bernoulli   | log(q / (1 - q))        | x          | log(1 + e^eta)                  | 1              |
| Gaussian    | (m / v, -1 / (2 v))     | (x, x^2)   | m^2 / (2 v) + 1/2 log v         | (2 pi)^(-1/2)  |
| multinomial | log(p_t / p_d)          | x          | n log sum e^eta                 | n! / prod x_t! |
| Poisson     | log r                   | x          | e^eta                           | 1 / x!         |
| gamma       | (a - 1, -1 / scale)     | (log x, x) | log G(a) + a log scale          | 1              |
| Dirichlet   | a - 1                   | log x      | sum log G(a_t) - log G(sum a_t) | 1              |

A is convex and its derivative is the mean of G(x), so the log-likelihood is concave in eta. Classes that differ only in
eta have posteriors that are a softmax of a function linear in G(x), whatever the family:

    p(k | x) = softmax_k( eta_k . G(x) - A(eta_k) + log q_k )

This is the form to reason with. The families beside it compute the same densities with more care for the last digits.
"""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.exponential_form.members import (
    BernoulliMember,
    DirichletMember,
    GammaMember,
    GaussianMember,
    Member,
    MultinomialMember,
    PoissonMember,
)
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats


@dataclass(frozen=True)
class ExponentialForm:
    """k distributions of one exponential family, by their natural parameters.

    >>> form = ExponentialForm.bernoulli([0.3])
    >>> form.natural.round(4), form.log_partition.round(4), form.mean.round(4)
    (array([[-0.8473]]), array([0.3567]), array([[0.3]]))
    >>> np.exp(form.log_density([0, 1])).ravel().round(4)
    array([0.7, 0.3])
    """

    natural: Array  # (k, m)  eta
    member: Member  # the family, in exponential form

    @classmethod
    def bernoulli(cls, probability: ArrayLike) -> Self:
        """From the probabilities (k,) of a 1."""
        q = _column(probability, "probability", positive=True)
        if (q >= 1).any():
            raise InputError(f"probability must lie between 0 and 1, got {q.max():g}: eta is infinite at the ends")
        return cls(np.log(q) - np.log1p(-q), BernoulliMember())

    @classmethod
    def gaussian(cls, mean: ArrayLike, variance: ArrayLike) -> Self:
        """From the means and variances (k,) of one feature."""
        m, v = _column(mean, "mean"), _column(variance, "variance", positive=True)
        return cls(np.hstack([m / v, -0.5 / v]), GaussianMember())

    @classmethod
    def multinomial(cls, probability: ArrayLike, trials: int = 1) -> Self:
        """From probabilities (k, d); each row counts `trials` draws. One draw is the categorical distribution."""
        p = _table(probability, "probability")
        if (np.abs(p.sum(axis=1) - 1) > 1e-9).any():
            raise InputError("the probabilities of each member must sum to 1")
        return cls(np.log(p) - np.log(p[:, -1:]), MultinomialMember(trials))

    @classmethod
    def poisson(cls, rate: ArrayLike) -> Self:
        """From the rates (k,)."""
        return cls(np.log(_column(rate, "rate", positive=True)), PoissonMember())

    @classmethod
    def gamma(cls, shape: ArrayLike, scale: ArrayLike) -> Self:
        """From the shapes and scales (k,)."""
        a, s = _column(shape, "shape", positive=True), _column(scale, "scale", positive=True)
        return cls(np.hstack([a - 1, -1 / s]), GammaMember())

    @classmethod
    def dirichlet(cls, concentration: Any) -> Self:
        """From the concentrations (k, d)."""
        return cls(_table(concentration, "concentration") - 1, DirichletMember())

    @property
    def members(self) -> int:
        return len(self.natural)

    @property
    def log_partition(self) -> Floats:
        """A(eta) of each member (k,)."""
        return self.member.log_partition(np.asarray(self.natural, dtype=np.float64))

    @property
    def mean(self) -> Floats:
        """Mean of G(x) under each member (k, m): the derivative of A."""
        return self.member.mean(np.asarray(self.natural, dtype=np.float64))

    def statistic(self, x: Any) -> Floats:
        """G(x): (n, m)."""
        return self.member.statistic(_rows(x))

    def log_base(self, x: Any) -> Floats:
        """The base measure log h(x): (n,)."""
        return self.member.log_base(_rows(x))

    def log_density(self, x: object) -> Floats:
        """The log density eta . G(x) - A(eta) + log h(x): (n, k)."""
        return np.asarray(self.log_ratio(x) + self.log_base(x)[:, None])

    def log_ratio(self, x: object) -> Floats:
        """The part eta . G(x) - A(eta) of the log density, which tells the members apart: (n, k)."""
        return np.asarray(self.statistic(x) @ np.asarray(self.natural, dtype=np.float64).T - self.log_partition)


def _rows(x: ArrayLike) -> Floats:
    """A number, a sequence of numbers (one feature) or a table, as a table (n, d)."""
    rows = np.asarray(x, dtype=np.float64)
    rows = rows.reshape(-1, 1) if rows.ndim < 2 else rows
    if not np.isfinite(rows).all():
        raise InputError("a missing or infinite cell has no exponential form; leave the row out or use a family")
    return rows


def _column(values: ArrayLike, name: str, positive: bool = False) -> Floats:
    """A parameter of each member as (k, 1)."""
    column = np.asarray(values, dtype=np.float64).reshape(-1, 1)
    if not np.isfinite(column).all() or (positive and not (column > 0).all()):
        raise InputError(f"{name} must be {'positive and ' if positive else ''}finite, got {values!r}")
    return column


def _table(values: ArrayLike, name: str) -> Floats:
    """A positive vector of each member as (k, d)."""
    table = np.atleast_2d(np.asarray(values, dtype=np.float64))
    if table.ndim != 2 or not (np.isfinite(table).all() and (table > 0).all()):
        raise InputError(f"{name} must be a table (k, d) of positive numbers, got {values!r}")
    return table
