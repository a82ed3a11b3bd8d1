"""Laws of counts: successes in n trials, trials until the first success, arrangements.

    binomial     P(s) = C(n, s) p^s (1 - p)^(n - s)        mean n p     variance n p (1 - p)
    geometric    P(k) = p (1 - p)^(k - 1), k = 1, 2, ...   mean 1 / p   variance (1 - p) / p^2
    multinomial  n! / (n_1! ... n_d!) distinct orders of n things of d kinds

One trial is the binomial law with n = 1 (Bernoulli). Laws that are learned from data (Bernoulli, categorical,
multinomial, Poisson, ...) are in `likely.distributions`. Probabilities are computed in log space; what is not a whole
number has probability 0. One number has its probability returned as a float, several as an array.

The binomial probability of 0 < s < n is taken in Loader's form (2000), in which nothing large is subtracted from
anything large: with the deviance D (see `numeric.deviance`) and Stirling's remainder r,

    ln P(s) = r(n) - r(s) - r(n - s) - D(s, n p) - D(n - s, n (1 - p)) + 1/2 ln[ n / (2 pi s (n - s)) ]

to within a few 1e-16 of it. Sums of it are the incomplete beta function, P(at most s) = 1 - I(p; s + 1, n - s).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, Ints
from likely.numeric.random_state import Seed, as_generator
from likely.numeric.special.binomial import binomial_cdf
from likely.numeric.special.deviance import deviance
from likely.numeric.special.log_gamma import stirling_rest
from likely.probability.given import plain, read_numbers


@dataclass(frozen=True)
class Binomial:
    """The binomial distribution: successes in n independent trials that succeed with probability p.

    >>> law = Binomial(8, 0.3)
    >>> round(law.mean, 6), round(law.variance, 6), round(law.pmf(3), 4)
    (2.4, 1.68, 0.2541)
    >>> law.pmf([0, 2, 9]).round(4)
    array([0.0576, 0.2965, 0.    ])
    """

    n: int  # how many trials
    p: float  # of success in each

    def __post_init__(self) -> None:
        if self.n != int(self.n) or self.n < 0:
            raise InputError(f"the number of trials is a whole number from 0, got {self.n}")
        _check_probability(self.p)

    @property
    def mean(self) -> float:
        """The expected value."""
        return self.n * self.p

    @property
    def variance(self) -> float:
        """The mean squared distance from the expected value."""
        return self.n * self.p * (1 - self.p)

    @property
    def standard_deviation(self) -> float:
        """Root of the variance."""
        return sqrt(self.variance)

    def log_pmf(self, count: ArrayLike) -> Any:
        """Ln P(count); minus infinity for what is not a whole number from 0 to n."""
        from scipy.special import xlog1py, xlogy

        s = read_numbers(count, "counts")
        possible = (s >= 0) & (s <= self.n) & (s == np.floor(s))
        s = np.where(possible, s, 0.0)
        alike = xlogy(s, self.p) + xlog1py(self.n - s, -self.p)  # all trials went the same way: one arrangement
        between = (s > 0) & (s < self.n)
        if 0 < self.p < 1 and between.any():
            alike = np.where(between, _log_binomial(np.where(between, s, 1.0), max(self.n, 2), self.p), alike)
        return plain(np.where(possible, alike, -np.inf))

    def pmf(self, count: ArrayLike) -> Any:
        """P(count)."""
        return plain(np.exp(self.log_pmf(count)))

    def cdf(self, count: ArrayLike) -> Any:
        """P(at most so many), also far out in the lower tail.

        >>> round(Binomial(10, 0.5).cdf(3), 6)
        0.171875
        >>> round(Binomial(10**9, 0.3).cdf(3 * 10**8), 9)
        0.5000156
        """
        return plain(binomial_cdf(np.floor(read_numbers(count, "counts")), self.n, self.p))

    def sample(self, size: int, random_state: Seed = None) -> Ints:
        """Counts (size,) drawn from the law.

        >>> Binomial(4, 1.0).sample(3, random_state=0)
        array([4, 4, 4])
        """
        return as_generator(random_state).binomial(self.n, self.p, size)


@dataclass(frozen=True)
class Geometric:
    """The geometric distribution: the number of the first trial that succeeds, when each does with probability p.

    >>> law = Geometric(0.25)
    >>> law.mean, law.variance, law.pmf([1, 2, 3])
    (4.0, 12.0, array([0.25    , 0.1875  , 0.140625]))
    """

    p: float  # of success in each trial

    def __post_init__(self) -> None:
        _check_probability(self.p)
        if self.p == 0:
            raise InputError("with p = 0 no trial ever succeeds; p must be above 0")

    @property
    def mean(self) -> float:
        """The expected value."""
        return 1.0 / self.p

    @property
    def variance(self) -> float:
        """The mean squared distance from the expected value."""
        return (1.0 - self.p) / self.p**2

    @property
    def standard_deviation(self) -> float:
        """Root of the variance."""
        return sqrt(self.variance)

    def log_pmf(self, trial: ArrayLike) -> Any:
        """Ln P(the first success is this trial); minus infinity for what is not a whole number from 1."""
        from scipy.special import xlog1py

        k = read_numbers(trial, "numbers of trials")
        possible = (k >= 1) & (k == np.floor(k))
        score = np.log(self.p) + xlog1py(np.where(possible, k, 1.0) - 1.0, -self.p)
        return plain(np.where(possible, score, -np.inf))

    def pmf(self, trial: ArrayLike) -> Any:
        """P(the first success is this trial)."""
        return plain(np.exp(self.log_pmf(trial)))

    def cdf(self, trial: ArrayLike) -> Any:
        """P(a success in at most so many trials) = 1 - (1 - p)^k, exact also where it is tiny.

        >>> Geometric(0.5).cdf([1, 2, 3])
        array([0.5  , 0.75 , 0.875])
        """
        from scipy.special import xlog1py

        k = np.maximum(np.floor(read_numbers(trial, "numbers of trials")), 0.0)
        return plain(0.0 - np.expm1(xlog1py(k, -self.p)))

    def sample(self, size: int, random_state: Seed = None) -> Ints:
        """Numbers of trials (size,) drawn from the law."""
        return as_generator(random_state).geometric(self.p, size)


def multinomial_coefficient(counts: Iterable[int]) -> int:
    """The multinomial coefficient n! / (n_1! ... n_d!), exactly: arrangements of things of which so many are alike.

    >>> from collections import Counter
    >>> multinomial_coefficient(Counter("Mississippi").values())
    34650
    """
    numbers = list(counts)
    if any(n != int(n) or n < 0 for n in numbers):
        raise InputError(f"counts are whole numbers from 0, got {numbers!r:.60}")
    total, arrangements = 0, 1
    for n in map(int, numbers):
        total += n
        arrangements *= comb(total, n)
    return arrangements


def _log_binomial(s: Floats, n: int, p: float) -> Floats:
    """Loader's form, for 0 < s < n and 0 < p < 1."""
    mean = Fraction(n) * Fraction(p)
    nearest = float(mean)
    away, rest = (s - nearest) - float(mean - Fraction(nearest)), n - s  # the rounding of n p would show at 1e9 trials
    remainders = stirling_rest(np.asarray(n)) - stirling_rest(s) - stirling_rest(rest)
    deviances = deviance(s, np.asarray(nearest), away) + deviance(rest, np.asarray(n * (1 - p)), -away)
    return np.asarray(remainders - deviances - 0.5 * (np.log(2 * np.pi * s) + np.log(rest / n)))


def _check_probability(p: float) -> None:
    if not 0 <= p <= 1:
        raise InputError(f"a probability lies between 0 and 1, got {p}")
