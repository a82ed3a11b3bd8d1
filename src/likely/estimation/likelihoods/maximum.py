"""Maximum likelihood: the parameters under which the data were most probable, and how sure that is.

    estimate          theta_ML = argmax log L(theta), that of the family of `likely.distributions`
    information       I = - d^2 log L / d theta^2 at the maximum; covariance I^-1, standard error sqrt of its diagonal
    Wald interval     estimate -+ z standard errors
    likelihood        all values whose deviance 2 [log L(theta_ML) - log L(value)] is below that of the confidence, the
                      other parameters being refitted at each value (profile likelihood)
    invariance        the estimate of g(theta) is g(theta_ML), with the standard error |g'| se (delta method)

An estimate on the boundary (no success, or no failure; a count of 0) has no normal law: its information is infinite and
its standard error 0, as the formulas say, and it is printed without one. A Wald interval is refused there; the
likelihood interval starts at the boundary and has one other end. Data under which the likelihood grows without bound
(all values equal, for a Gaussian) have no estimate and are refused.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.distributions.conjugate.belief import Interval
from likely.distributions.conjugate.summaries import DataLike
from likely.distributions.family import Family
from likely.errors import InputError
from likely.estimation.likelihoods.interval import likelihood_ends
from likely.estimation.likelihoods.invariance import Method, Transformed, refuse_boundary, shown, with_error
from likely.estimation.likelihoods.observed import Observed, observe
from likely.estimation.likelihoods.parameters import as_vector, by_name, places
from likely.estimation.likelihoods.ratio import LikelihoodRatioTest, likelihood_ratio_test
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Floats
from likely.optimize.differences import jacobian

_STEP = 0.01  # of a standard error: over it a function of the parameters is nearly straight


def maximum_likelihood(
    data: DataLike, family: Family | str, *, group: int | None = None, feature: int | None = None
) -> "MaximumLikelihood":
    """Maximum-likelihood estimate of the parameters of a family from data, counts or one of the library's statistics.

    `family` is a family of `likely.distributions` or a name: "bernoulli", "binomial", "categorical", "multinomial",
    "poisson", "negative binomial", "exponential", "gaussian", "log-normal", "gamma" or "multivariate gaussian". A
    column of values is a list of them, or a mapping from each value to how often it occurred. `binomial` takes pairs
    (successes, trials), `multinomial` a row of counts, or rows of them. Of a statistic of several groups or features,
    `group` and `feature` name the one to use.

    >>> tack = maximum_likelihood([1, 0, 0, 1, 1], "bernoulli")
    >>> print(tack)
    probability 0.6 (standard error 0.219), log-likelihood -3.365, n=5
    >>> [round(end, 3) for end in tack.interval(0.95)["probability"]]
    [0.199, 0.919]
    >>> print(tack.of(lambda p: p / (1 - p)))
    1.5 (standard error 1.37)
    >>> print(tack.test(0.5))
    deviance 0.2014, 1 degree of freedom, p = 0.654
    """
    return MaximumLikelihood(observe(data, family, group, feature))


@dataclass(frozen=True)
class MaximumLikelihood:
    """A maximum-likelihood estimate and what surrounds it, as `maximum_likelihood` returns it.

    >>> found = maximum_likelihood({"a": 3, "b": 7, "c": 0}, "categorical")
    >>> print(found)
    a 0.3 (standard error 0.145), b 0.7 (standard error 0.145), c 0 (at the edge: no standard error), log-likelihood ...
    >>> found.estimate["probability"], found.n_parameters, found.on_boundary
    (array([0.3, 0.7, 0. ]), 2, True)
    """

    observed: Observed  # the likelihood of the data, and its family

    @property
    def family(self) -> str:
        """Its name."""
        return self.observed.family

    @property
    def levels(self) -> tuple[Any, ...]:
        """The outcomes whose probabilities were estimated, in their order (categorical)."""
        return self.observed.levels

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters."""
        return tuple(self.observed.likelihood.shapes)

    @property
    def rows(self) -> float:
        """How many rows, or their weight."""
        return self.observed.likelihood.rows

    @property
    def n_parameters(self) -> int:
        """How many of the parameters vary freely."""
        return len(self.observed.likelihood.free)

    @property
    def estimate(self) -> dict[str, Any]:
        """Numbers and arrays by name."""
        return by_name(self.observed.likelihood, self.observed.likelihood.best)

    @property
    def log_likelihood(self) -> float:
        """The highest log-likelihood.

        From a statistic that does not hold it (Poisson, multinomial) this is without the part in which no parameter
        stands, the factorials of the counts: `complete` is then False.
        """
        return self._log_likelihood(self.observed.likelihood.best)

    @property
    def complete(self) -> bool:
        """Whether the log-likelihood is that of the data, with every constant."""
        return self.observed.likelihood.constant is not None

    @property
    def information(self) -> Floats:
        """The observed (Fisher) information of the freely varying parameters.

        Those are all, in the order of `estimate`; of shares all but the most frequent one, of a covariance the lower
        triangle row by row.
        """
        return self.observed.likelihood.information()

    @property
    def covariance(self) -> Floats:
        """Covariance of all estimates as one flat vector, in the order of `estimate` (p, p)."""
        with np.errstate(over="ignore"):
            return np.asarray(self.observed.likelihood.correlations() * np.outer(self._errors, self._errors))

    @property
    def standard_errors(self) -> dict[str, Any]:
        """Standard error of each estimate, by name."""
        return by_name(self.observed.likelihood, self._errors)

    @property
    def on_boundary(self) -> bool:
        """Whether an estimate lies at an end of what it can be, where it has no normal law."""
        likelihood = self.observed.likelihood
        return bool(((likelihood.best <= likelihood.low) | (likelihood.best >= likelihood.high)).any())

    def interval(self, confidence: float = 0.95, method: Method = "likelihood") -> dict[str, Any]:
        """Confidence interval by name: a pair for a number, an array (..., 2) for an array.

        >>> none = maximum_likelihood((0, 10), "binomial")
        >>> [round(end, 3) for end in none.interval(0.95)["probability"]]  # 1 - exp(-3.84 / 20)
        [0.0, 0.175]
        """
        z = normal_quantile(confidence)
        likelihood = self.observed.likelihood
        if method == "likelihood":
            ends = np.array([likelihood_ends(likelihood, j, e, z) for j, e in enumerate(self._errors.tolist())])
        elif method == "wald":
            refuse_boundary(self.on_boundary)
            ends = likelihood.best[:, None] + z * self._errors[:, None] * np.array([-1.0, 1.0])
        else:
            raise InputError(f"unknown method {method!r}; choose 'likelihood' or 'wald'")
        found = {}
        for name, (start, stop) in places(likelihood).items():
            shape = likelihood.shapes[name]
            found[name] = ends[start:stop].reshape(*shape, 2) if shape else Interval(*ends[start].tolist())
        return found

    def of(self, g: Callable[..., Any]) -> Transformed:
        """The estimate of a function of the parameters, which takes them in the order of `estimate`.

        >>> print(maximum_likelihood([9.0, 10.0, 11.0], "gaussian").of(lambda mean, variance: variance**0.5 / mean))
        0.08165 (standard error 0.0336)
        """
        with np.errstate(all="ignore"):
            value = np.asarray(self._function(g)(self.observed.likelihood.best), dtype=np.float64)
        return Transformed(value if value.ndim else float(value), self._delta(g), self, g)

    def log_likelihood_at(self, theta: Any) -> Any:
        """The log-likelihood of other parameters.

        They are a mapping from names to values; a value alone where there is one name, or values in the order of
        `estimate`. Parameters that are left out, or NaN, take the values that fit best: this is then the profile
        log-likelihood. For a family of one number, an array of values gives an array.

        >>> maximum_likelihood([9.0, 10.0, 11.0], "gaussian").log_likelihood_at({"mean": 10.0, "variance": 1.0})
        -3.756...
        """
        if list(self.observed.likelihood.shapes.values()) == [()] and np.ndim(theta) > 0:
            values = np.asarray(theta, dtype=np.float64)
            return np.array([self._at(self._vector(value)) for value in values.ravel()]).reshape(values.shape)
        return self._at(self._vector(theta))

    def test(self, theta: ArrayLike) -> LikelihoodRatioTest:
        """Likelihood-ratio test that the parameters are these; the ones left out (or NaN) are free.

        >>> print(maximum_likelihood([9.0, 10.0, 11.0, 12.0], "gaussian").test({"mean": 9.0}))
        deviance 4.118, 1 degree of freedom, p = 0.0424
        """
        fixed = self._vector(theta)
        degrees = self.observed.likelihood.dimensions(fixed)
        return likelihood_ratio_test(self._at(fixed), self.log_likelihood, degrees)

    def __str__(self) -> str:
        errors = self.standard_errors
        if self.levels:
            each = zip(self.levels, self.estimate["probability"], errors["probability"], strict=True)
            parts = [f"{level} {shown(value)} {with_error(error, not 0 < value < 1)}" for level, value, error in each]
        else:
            parts = [
                f"{name} {shown(value)} {with_error(errors[name], self.on_boundary)}"
                for name, value in self.estimate.items()
            ]
        return f"{', '.join(parts)}, log-likelihood {self.log_likelihood:.4g}, n={self.rows:g}"

    @property
    def _errors(self) -> Floats:
        return self.observed.likelihood.errors()

    def _log_likelihood(self, theta: Floats) -> float:
        return self.observed.likelihood.log_likelihood(theta) + (self.observed.likelihood.constant or 0.0)

    def _at(self, fixed: Floats) -> float:
        return self._log_likelihood(self.observed.likelihood.restricted(fixed))

    def _function(self, g: Callable[..., Any]) -> Callable[[Floats], Any]:
        """The function g of the flat vector; numbers are NumPy's, which divide by zero without raising."""
        return lambda theta: g(*(np.float64(p) if np.ndim(p) == 0 else p for p in self._named(theta)))

    def _named(self, theta: Floats) -> Any:
        return by_name(self.observed.likelihood, theta).values()

    def _delta(self, g: Callable[..., Any]) -> Any:
        """Standard error of g by the delta method: sqrt of J R J', J the derivatives times the standard errors."""
        slope = jacobian(self._function(g), self.observed.likelihood.best, _STEP * self._errors)
        reach = slope * self._errors
        size = np.where(np.abs(reach).max(axis=-1) > 0, np.abs(reach).max(axis=-1), 1.0)  # its square may overflow
        share = reach / size[..., None]
        variance = np.einsum("...i,ij,...j->...", share, self.observed.likelihood.correlations(), share)
        errors = size * np.sqrt(np.maximum(variance, 0.0))
        return errors if errors.ndim else float(errors)

    def _vector(self, theta: ArrayLike) -> Floats:
        return as_vector(self.observed.likelihood, theta, self.levels)
