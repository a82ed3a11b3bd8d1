"""The members of the exponential family: what each has for G, h and A.

    p(x | eta) = h(x) exp( eta . G(x) - A(eta) )

Rows x are (n, d), G(x) is (n, m), log h(x) is (n,); natural parameters eta are (k, m), A is (k,), and its derivative,
the mean of G, is (k, m).
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from likely.distributions.support import BINARY, COUNTS, POSITIVE
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_sum_exp, normalize
from likely.numeric.special.log_gamma import log_minus_digamma


class Member(Protocol):
    """One family in exponential form."""

    def statistic(self, x: Floats) -> Floats: ...
    def log_base(self, x: Floats) -> Floats: ...
    def log_partition(self, natural: Floats) -> Floats: ...
    def mean(self, natural: Floats) -> Floats: ...


@dataclass(frozen=True)
class BernoulliMember:
    """eta = log(q / (1 - q)), G = x, A = log(1 + e^eta), h = 1.

    >>> BernoulliMember().log_partition(np.array([[0.0]])).round(4)
    array([0.6931])
    """

    def statistic(self, x: Floats) -> Floats:
        return np.asarray(BINARY.check(x))

    def log_base(self, x: Floats) -> Floats:
        return np.zeros(len(x))

    def log_partition(self, natural: Floats) -> Floats:
        return np.asarray(np.logaddexp(0.0, natural)[:, 0])

    def mean(self, natural: Floats) -> Floats:
        from scipy.special import expit

        return np.asarray(expit(natural))


@dataclass(frozen=True)
class GaussianMember:
    """eta = (m / v, -1 / (2 v)), G = (x, x^2), A = m^2 / (2 v) + 1/2 log v, h = (2 pi)^(-1/2).

    >>> GaussianMember().mean(np.array([[0.375, -0.125]]))  # m = 1.5, v = 4
    array([[1.5 , 6.25]])
    """

    def statistic(self, x: Floats) -> Floats:
        return np.hstack([x, x * x])

    def log_base(self, x: Floats) -> Floats:
        return np.full(len(x), -0.5 * np.log(2 * np.pi))

    def log_partition(self, natural: Floats) -> Floats:
        one, two = natural.T
        return np.asarray(-(one**2) / (4 * two) - 0.5 * np.log(-2 * two))

    def mean(self, natural: Floats) -> Floats:
        one, two = natural.T
        m, v = -one / (2 * two), -1 / (2 * two)
        return np.stack([m, m * m + v], axis=1)


@dataclass(frozen=True)
class MultinomialMember:
    """eta_t = log(p_t / p_d), G = x, A = trials log sum e^eta, h = n! / prod x_t!; one trial is the categorical case.

    >>> MultinomialMember(trials=1).log_partition(np.zeros((1, 3))).round(4)  # log 3
    array([1.0986])
    """

    trials: int = 1

    def statistic(self, x: Floats) -> Floats:
        x = COUNTS.check(x)
        wrong = np.flatnonzero(x.sum(axis=1) != self.trials)
        if len(wrong):
            raise InputError(f"row {wrong[0]} has {x[wrong[0]].sum():g} counts where {self.trials} are to be drawn")
        return np.asarray(x)

    def log_base(self, x: Floats) -> Floats:
        from scipy.special import gammaln

        return np.asarray(gammaln(self.trials + 1) - gammaln(x + 1).sum(axis=1))

    def log_partition(self, natural: Floats) -> Floats:
        return self.trials * log_sum_exp(natural, axis=1)

    def mean(self, natural: Floats) -> Floats:
        return self.trials * normalize(natural)


@dataclass(frozen=True)
class PoissonMember:
    """eta = log r, G = x, A = e^eta, h = 1 / x!.

    >>> PoissonMember().mean(np.array([[0.0]]))
    array([[1.]])
    """

    def statistic(self, x: Floats) -> Floats:
        return np.asarray(COUNTS.check(x))

    def log_base(self, x: Floats) -> Floats:
        from scipy.special import gammaln

        return np.asarray(-gammaln(x[:, 0] + 1))

    def log_partition(self, natural: Floats) -> Floats:
        return np.asarray(np.exp(natural)[:, 0])

    def mean(self, natural: Floats) -> Floats:
        return np.asarray(np.exp(natural))


@dataclass(frozen=True)
class GammaMember:
    """eta = (shape - 1, -1 / scale), G = (log x, x), A = log G(shape) + shape log scale, h = 1.

    >>> GammaMember().mean(np.array([[2.0, -0.5]])).round(4)  # the mean of x: shape 3 times scale 2
    array([[1.6159, 6.    ]])
    """

    def statistic(self, x: Floats) -> Floats:
        x = POSITIVE.check(x)
        return np.hstack([np.log(x), x])

    def log_base(self, x: Floats) -> Floats:
        return np.zeros(len(x))

    def log_partition(self, natural: Floats) -> Floats:
        from scipy.special import gammaln

        shape, rate = natural[:, 0] + 1, -natural[:, 1]
        return np.asarray(gammaln(shape) - shape * np.log(rate))

    def mean(self, natural: Floats) -> Floats:
        shape, rate = natural[:, 0] + 1, -natural[:, 1]
        return np.stack([np.log(shape / rate) - log_minus_digamma(shape), shape / rate], axis=1)


@dataclass(frozen=True)
class DirichletMember:
    """eta = a - 1, G = log x, A = sum log G(a_t) - log G(sum a_t), h = 1; rows are positive shares that sum to 1.

    >>> DirichletMember().log_partition(np.array([[0.0, 0.0, 0.0]])).round(4)  # -log 2
    array([-0.6931])
    """

    def statistic(self, x: Floats) -> Floats:
        x = POSITIVE.check(x)
        wrong = np.flatnonzero(np.abs(x.sum(axis=1) - 1) > 1e-9)
        if len(wrong):
            raise InputError(f"row {wrong[0]} must be shares that sum to 1; they sum to {x[wrong[0]].sum():.6g}")
        return np.asarray(np.log(x))

    def log_base(self, x: Floats) -> Floats:
        return np.zeros(len(x))

    def log_partition(self, natural: Floats) -> Floats:
        from scipy.special import gammaln

        a = natural + 1
        return np.asarray(gammaln(a).sum(axis=1) - gammaln(a.sum(axis=1)))

    def mean(self, natural: Floats) -> Floats:
        from scipy.special import digamma

        a = natural + 1
        return np.asarray(digamma(a) - digamma(a.sum(axis=1, keepdims=True)))
