"""Beta distribution, conjugate prior of a probability: what is believed of it after some successes and failures.

    p(x) = x^(a - 1) (1 - x)^(b - 1) / B(a, b),   0 <= x <= 1

    update      Beta(a, b) and s successes, f failures  ->  Beta(a + s, b + f)
    mean        a / (a + b), also the predictive probability of a success
    mode        (a - 1) / (a + b - 2), the maximum a posteriori
    predictive  Bernoulli of the mean; of n trials together Polya (beta-binomial)

Beta(1, 1) is flat (Laplace's prior), Beta(1/2, 1/2) the reference prior of Jeffreys. a and b act as successes and
failures seen before, a + b rows in all (`equivalent_sample_size`). Zero is allowed in a prior (Beta(0, 0) adds
nothing to maximum likelihood), but such a Beta is improper: it answers once both kinds have been seen.

This is the posterior of `BernoulliFamily`, whose "bayes" is the mean and whose "map" is the mode.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.distributions.conjugate.belief import REFERENCE, Belief, Interval, not_negative
from likely.distributions.conjugate.predictive import Predictive, PredictiveTrial
from likely.distributions.conjugate.summaries import DataLike, column, read_sums
from likely.distributions.counts.polya import Polya
from likely.errors import InputError
from likely.numeric.arrays import Floats
from likely.numeric.special.deviance import deviance
from likely.numeric.special.log_gamma import gamma_constant
from likely.probability.given import number
from likely.statistics import Totals


@dataclass(frozen=True)
class Beta(Belief):
    """The belief Beta(a, b) about a probability x: p(x) = x^(a - 1) (1 - x)^(b - 1) / B(a, b).

    a and b count successes and failures, those of the prior included.

    >>> belief = Beta(3, 2).update(7, 3)
    >>> belief, round(belief.mean, 4), round(belief.mode, 4)
    (Beta(a=10.0, b=5.0), 0.6667, 0.6923)
    >>> round(belief.probability(below=0.5), 4)
    0.0898
    >>> [round(end, 3) for end in belief.interval(0.95)]
    [0.419, 0.872]
    """

    a: float  # successes, the prior's included
    b: float  # failures, the prior's included
    support: ClassVar[tuple[float, float]] = (0.0, 1.0)

    def __post_init__(self) -> None:
        not_negative(a=self.a, b=self.b)
        object.__setattr__(self, "a", float(self.a))
        object.__setattr__(self, "b", float(self.b))

    @classmethod
    def reference(cls) -> Self:
        """Jeffreys' prior, which says as little as possible: Beta(1/2, 1/2)."""
        return cls(REFERENCE, REFERENCE)

    def update(
        self, data: DataLike, failures: float | None = None, *, group: int | None = None, feature: int | None = None
    ) -> Self:
        """The posterior after successes and failures (two numbers), values of 0 and 1, or a `Totals` of them.

        The values may be counted: a mapping from 0 and 1 to how often they occurred.

        >>> Beta(1, 1).update([1, 0, 1, 1]) == Beta(1, 1).update(3, 1) == Beta(1, 1).update({1: 3, 0: 1})
        True
        """
        if failures is None:
            seen = read_sums(data, group, feature)
            _check_bits(data)
            if seen.total > seen.rows * (1 + 1e-9):
                raise InputError(f"{seen.rows:g} zeros and ones cannot sum to {seen.total:g}; a Beta takes no others")
            successes, failures = seen.total, max(seen.rows - seen.total, 0.0)
        else:
            successes = number(data, "successes")
        not_negative(successes=successes, failures=failures)
        return replace(self, a=self.a + successes, b=self.b + failures)

    @property
    def equivalent_sample_size(self) -> float:
        """Equivalent sample size: how many rows this belief weighs as much as."""
        return self.a + self.b

    @property
    def mean(self) -> float:
        """A / (a + b), also the probability of a success in a new trial."""
        self._check()
        return self.a / (self.a + self.b)

    @property
    def mode(self) -> float:
        """Where the density is highest: one half if it is flat, an end if it only falls or only rises."""
        self._check()
        if self.a < 1 and self.b < 1:
            raise InputError(f"{self} has no single mode: its density rises without bound at both ends")
        if self.a == self.b == 1:
            return 0.5
        return min(max((self.a - 1) / (self.a + self.b - 2), 0.0), 1.0) if self.a > 1 and self.b > 1 else self._end()

    @property
    def variance(self) -> float:
        """Mean (1 - mean) / (a + b + 1): the more rows, the smaller."""
        mean = self.mean
        return mean * (self.b / (self.a + self.b)) / (self.a + self.b + 1)

    @property
    def predictive(self) -> Predictive:
        """Posterior predictive distribution of a new trial, 1 for a success: Bernoulli.

        >>> Beta(10, 2).predictive.sample(5, random_state=1)
        array([1., 0., 1., 0., 1.])
        >>> round(Beta(10, 2).predictive.density(1), 4)
        0.8333
        """
        return PredictiveTrial(self.mean)

    def predictive_counts(self, trials: float = 1.0) -> Polya:
        """Beta-binomial distribution: of new trials together, rows of (successes, failures).

        Rows of any number of trials can be scored; samples have about `trials`.

        >>> np.exp(Beta(2, 1).predictive_counts().log_density(np.array([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]]))).ravel()
        array([0.5       , 0.33333333, 0.16666667])
        """
        self._check()
        return Polya(np.array([[self.a, self.b]]), np.array([float(trials)]))

    def log_evidence(self, successes: float, failures: float) -> float:
        """Log marginal likelihood of successes and failures in a given order, all values of the parameter averaged.

        >>> round(float(np.exp(Beta(1, 1).log_evidence(4, 1))), 6)  # B(5, 2) = 1 / 30
        0.033333
        """
        from scipy.special import betaln

        self._check()
        not_negative(successes=successes, failures=failures)
        return float(betaln(self.a + successes, self.b + failures) - betaln(self.a, self.b))

    def _log_density(self, x: Floats) -> Floats:
        a, b, n = self.a, self.b, self.a + self.b
        inside = (x > 0) & (x < 1)
        y = np.where(inside, x, 0.5)
        # B(a, b) would cancel with the powers where a and b are large
        constant = float(gamma_constant(np.array(a)) + gamma_constant(np.array(b)) - gamma_constant(np.array(n)))
        log = constant - deviance(np.array(a), n * y) - deviance(np.array(b), n * (1 - y)) - np.log(y) - np.log1p(-y)
        log = np.where(inside, log, np.where(np.isnan(x), np.nan, -np.inf))
        log = np.where(x == 0, _at_end(a, b), log)
        return np.asarray(np.where(x == 1, _at_end(b, a), log))

    def _highest_density(self, confidence: float) -> Interval:
        return self.interval(confidence) if self.a == self.b == 1 else super()._highest_density(confidence)

    def _end(self) -> float:
        return 0.0 if self.a <= 1 and self.b >= 1 else 1.0

    def _quantile(self, p: float, upper: bool) -> float:
        from scipy.special import betainccinv, betaincinv

        return float((betainccinv if upper else betaincinv)(self.a, self.b, p))

    def _tail(self, x: float, upper: bool) -> float:
        from scipy.special import betainc, betaincc

        return float((betaincc if upper else betainc)(self.a, self.b, min(max(x, 0.0), 1.0)))

    def _draw(self, n: int, rng: np.random.Generator) -> Floats:
        return np.asarray(rng.beta(self.a, self.b, n))

    def _check(self) -> None:
        if self.a == 0 or self.b == 0:
            raise InputError(f"{self} is improper: it takes data of both kinds, or a prior above zero, to say anything")


def _at_end(own: float, other: float) -> float:
    """Log density at the end where the power is own - 1."""
    return float(np.log(other)) if own == 1 else (np.inf if own < 1 else -np.inf)


def _check_bits(data: DataLike) -> None:
    values = np.empty(0) if isinstance(data, Totals) else column(data)[0]
    wrong = values[~((values == 0) | (values == 1) | np.isnan(values))]
    if len(wrong):
        raise InputError(f"a Beta takes values of 0 and 1, got {wrong[0]:g}; counts are given as two numbers")
