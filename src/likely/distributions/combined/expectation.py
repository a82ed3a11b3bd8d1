"""Expectation-maximisation, for whatever is hidden: labels of rows, components of mixtures, cells counted together.

    theta <- argmax Q(theta | theta_t),   Q(theta | theta_t) = E[ ln P(X, Z | theta) | X, theta_t ]

Repeat: sum the statistic with each row shared out by the current parameters (E), estimate the parameters from the
sum (M). It may begin at either end: with parameters, or with a guess of what is hidden. Where the M step is maximum
likelihood, the log-likelihood of the data never falls. Where it is the maximum of a posterior (pseudo-counts,
pseudo-rows), what never falls is

    log-likelihood + log prior of the parameters,

the log posterior but for a constant: given the log prior, that is what is monitored. Of an M step that is no maximum
either may fall on the way. Of all passes the parameters with the highest are returned.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Floats, in_brief
from likely.statistics import Membership
from likely.statistics.additive import Additive

ROUNDING = 1e-13  # of a log-likelihood, within which two are equal
_STARTS = 5  # of a mixture that is fitted in one call
PATIENCE = 10  # passes without a new highest log-likelihood, after which no more is expected

P = TypeVar("P")  # parameters
S = TypeVar("S")  # statistic


@dataclass(frozen=True)
class Expected(Generic[S]):
    """What an E step gives of a batch: the statistic expected of its rows, and the log-likelihood of the parameters
    that expect it; both add up.

    >>> Expected(2.0, -1.5) + Expected(3.0, -0.5)
    Expected(statistic=5.0, log_likelihood=-2.0)
    """

    statistic: S
    log_likelihood: float

    def __add__(self, other: Self) -> Self:
        both: Any = self.statistic  # a sum of whatever kind
        return type(self)(both + other.statistic, self.log_likelihood + other.log_likelihood)


@dataclass(frozen=True)
class Ascent(Generic[P, S]):
    """Where EM came to rest: the most likely parameters, their statistic, and the log-likelihood at every pass.

    >>> print(expectation_maximization(lambda x: (x, -x * x), lambda x: x / 2, 1.0, max_iter=20))
    log-likelihood -9.313e-10 after 16 passes, at rest; parameters 3.0517578125e-05
    """

    parameters: P  # the most likely ones that were met
    statistic: S  # rows shared out by these parameters
    log_likelihoods: Floats  # at every pass
    converged: bool  # the last pass changed the log-likelihood, or the parameters, by less than the tolerance
    trace: tuple[P, ...] = ()  # the parameters of every pass, if they were kept
    log_priors: Floats | None = None  # of every pass; None: there is no prior

    __repr__ = in_brief

    @property
    def log_posteriors(self) -> Floats:
        """What was climbed: log-likelihood and log prior of every pass, but for a constant."""
        return self.log_likelihoods if self.log_priors is None else self.log_likelihoods + self.log_priors

    @property
    def log_likelihood(self) -> float:
        """Of the parameters: that of the pass with the highest posterior, which without a prior is the highest."""
        return float(self.log_likelihoods[np.argmax(self.log_posteriors)])

    def __str__(self) -> str:
        rest, passes = "at rest" if self.converged else "not at rest", len(self.log_likelihoods)
        return f"log-likelihood {self.log_likelihood:.4g} after {passes} passes, {rest}; parameters {self.parameters}"


def expectation_maximization(
    e_step: Callable[[P], tuple[S, float]],
    m_step: Callable[[S], P],
    start: P | None = None,
    max_iter: int = 500,
    tol: float = 1e-8,
    *,
    hidden: S | None = None,
    distance: Callable[[P, P], float] | None = None,
    keep_parameters: bool = False,
    log_prior: Callable[[P, S], float] | None = None,
) -> Ascent[P, S]:
    """Iterate until the log-likelihood changes by less than `tol` of its size, or no longer rises.

    With `log_prior` of parameters (and the statistic under them) the same of log-likelihood and log prior together,
    which is what climbs where the M step is the maximum of a posterior.

    A fall is no convergence: EM goes on, and gives up only after a few passes that bring nothing better.
    `e_step` takes parameters and gives the statistic under them with the log-likelihood they have; `m_step` takes a
    statistic and gives parameters. Begin with parameters, `start`, or with a statistic.
    `hidden` is that statistic: what the data would be if what is hidden were known. `distance` is a function of two
    parameters; with it EM rests where a pass moves them by no more than `tol`; that is sharper, for at its top the
    log-likelihood is flat. `keep_parameters` keeps those of every pass
    in `trace`. Counts of which only a sum is known, in cells of probability 1/2 and q/4:

    >>> share = lambda q: (125 * (q / 4) / (1 / 2 + q / 4), 125 * np.log(1 / 2 + q / 4) + 34 * np.log(q)
    ...                    + 38 * np.log(1 - q))
    >>> rest = expectation_maximization(share, lambda s: (s + 34) / (s + 34 + 38), 0.5, tol=1e-12)
    >>> round(rest.parameters, 4), bool(np.all(np.diff(rest.log_likelihoods) > -1e-9))
    (0.6268, True)
    >>> again = expectation_maximization(share, lambda s: (s + 34) / (s + 34 + 38), hidden=60.0, keep_parameters=True)
    >>> [round(q, 4) for q in again.trace[:3]]
    [0.7121, 0.6375, 0.6282]
    """
    if (start is None) == (hidden is None):
        raise InputError("EM begins with parameters (start) or with what is hidden (hidden): give one of them")
    if max_iter < 1:
        raise InputError(f"max_iter must be a whole number of at least 1, got {max_iter!r}")
    parameters = m_step(hidden) if start is None else start  # type: ignore[arg-type]
    best, stalled, converged = parameters, 0, False
    highest, slack = -np.inf, 0.0 if distance is None else ROUNDING
    history: list[float] = []  # of what is climbed
    likelihoods: list[float] = []
    priors: list[float] = []
    trace: list[P] = []
    for _ in range(max_iter):
        statistic, reached = _expected(e_step(parameters), not history)
        likelihoods.append(reached)
        if log_prior is not None:
            priors.append(float(log_prior(parameters, statistic)))
            reached += priors[-1]
        gain = reached - history[-1] if history else np.inf
        history.append(reached)
        if keep_parameters:
            trace.append(parameters)
        stalled += 1
        margin = slack * abs(highest) if np.isfinite(highest) else 0.0
        if len(history) == 1 or reached > highest - margin:
            best, best_statistic, stalled = parameters, statistic, 0
            highest = max(highest, reached)
        if distance is None:
            converged = bool(np.isfinite(reached) and abs(gain) <= tol * (1 + abs(reached)))
        if converged or stalled >= PATIENCE:
            break
        parameters, last = m_step(statistic), parameters
        if parameters is None:
            raise InputError("the M step gave no parameters; it takes a statistic and returns parameters")
        converged = distance is not None and bool(np.isfinite(reached) and distance(last, parameters) <= tol)
        if converged:  # nothing moves any more
            break
    of_prior = None if log_prior is None else np.array(priors)
    return Ascent(best, best_statistic, np.array(likelihoods), converged, tuple(trace), of_prior)


def climb(family: Any, x: Any, membership: Membership, random_state: int = 0) -> Any:
    """The distribution of a family that learns in many passes, the best of a few starts.

    >>> from likely.distributions import GaussianFamily, MixtureFamily, fit
    >>> two = fit(MixtureFamily(GaussianFamily()), np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]]))
    >>> np.sort(two.components.mean.ravel()).round(2)
    array([ 1., 11.])
    """
    shares = membership.as_shares()
    settled = getattr(family, "settled", None)
    family = family if settled is None else settled([(x, membership)])

    def expect(at: Any) -> tuple[Any, float]:
        density = at.log_density(x)
        return family.summarize(x, membership, at), float(np.where(shares > 0, shares * density, 0.0).sum())

    def log_prior(at: Any, statistic: Additive) -> float:
        found = family.log_prior(statistic, at)
        return 0.0 if found is None else float(found)

    rngs = np.random.default_rng(random_state).spawn(_STARTS)
    starts = (family.start([(x, membership)], rng) for rng in rngs)
    return best_ascent(expect, family.estimate, starts, log_prior=log_prior).parameters


def _expected(answer: tuple[S, float], first: bool) -> tuple[S, float]:
    """What an E step must give: a statistic and a log-likelihood."""
    try:
        statistic, reached = answer
        log_likelihood = float(reached)
    except (TypeError, ValueError):
        raise InputError(
            f"the E step must return two things, a statistic and the log-likelihood as a number; got {answer!r:.60}"
        ) from None
    if first and np.isnan(log_likelihood):
        raise InputError("the log-likelihood of the start is not a number (NaN); check the E step and the start")
    return statistic, -np.inf if np.isnan(log_likelihood) else log_likelihood  # EM leaves such a point behind


def best_ascent(
    e_step: Callable[[P], tuple[S, float]],
    m_step: Callable[[S], P],
    starts: Iterable[P],
    max_iter: int = 500,
    tol: float = 1e-8,
    log_prior: Callable[[P, S], float] | None = None,
) -> Ascent[P, S]:
    """EM from several starts, one after the other: the ascent that came highest, of equals the first.

    >>> away = best_ascent(lambda x: (x, -abs(x)), lambda x: x / 2, [8.0, 1.0, -4.0], max_iter=3)
    >>> away.parameters
    0.25
    """
    best: Ascent[P, S] | None = None
    for start in starts:
        ascent = expectation_maximization(e_step, m_step, start, max_iter, tol, log_prior=log_prior)
        if best is None or ascent.log_posteriors.max() > best.log_posteriors.max():
            best = ascent
    if best is None:
        raise InputError("EM needs at least one start")
    return best
