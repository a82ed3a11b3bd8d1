"""Expectation-maximisation, for whatever is hidden: labels of rows, components of mixtures.

Repeat: sum the statistic with each row shared out by the current parameters (E), estimate the parameters from the
sum (M). Where the M step is maximum likelihood, the log-likelihood of the data never falls. Estimates with a prior
(pseudo-counts, pseudo-rows) climb another hill, and the log-likelihood may fall on the way: it is still what is
monitored, and of all passes the parameters with the highest are returned.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from likely.numeric.arrays import Floats

PATIENCE = 10  # passes without a new highest log-likelihood, after which no more is expected

P = TypeVar("P")  # parameters
S = TypeVar("S")  # statistic


@dataclass(frozen=True)
class Ascent(Generic[P, S]):
    """Where EM came to rest: the most likely parameters, their statistic, and the log-likelihood at every pass."""

    parameters: P
    statistic: S  # rows shared out by these parameters
    log_likelihoods: Floats
    converged: bool  # the last pass changed the log-likelihood by less than the tolerance

    @property
    def log_likelihood(self) -> float:
        """Of the parameters: the highest of all passes."""
        return float(self.log_likelihoods.max())


def expectation_maximization(
    expect: Callable[[P], tuple[S, float]],
    maximize: Callable[[S], P],
    start: P,
    max_iter: int = 500,
    tol: float = 1e-8,
) -> Ascent[P, S]:
    """Iterate until the log-likelihood changes by less than `tol` of its size, or no longer rises.

    A fall is no convergence: EM goes on, and gives up only after a few passes that bring nothing better.
    `expect` takes parameters and gives the statistic under them with the log-likelihood they have; `maximize` takes
    a statistic and gives parameters. Counts of which only a sum is known, in cells of probability 1/2 and q/4:

    >>> share = lambda q: (125 * (q / 4) / (1 / 2 + q / 4), 125 * np.log(1 / 2 + q / 4) + 34 * np.log(q)
    ...                    + 38 * np.log(1 - q))
    >>> rest = expectation_maximization(share, lambda s: (s + 34) / (s + 34 + 38), 0.5, tol=1e-12)
    >>> round(rest.parameters, 4), bool(np.all(np.diff(rest.log_likelihoods) > -1e-9))
    (0.6268, True)
    """
    parameters, best, stalled, converged = start, start, 0, False
    highest = -np.inf
    history: list[float] = []
    for _ in range(max_iter):
        statistic, reached = expect(parameters)
        log_likelihood = -np.inf if np.isnan(reached) else float(reached)
        gain = log_likelihood - history[-1] if history else np.inf
        history.append(log_likelihood)
        stalled += 1
        if len(history) == 1 or log_likelihood > highest:
            best, best_statistic, highest, stalled = parameters, statistic, log_likelihood, 0
        converged = bool(np.isfinite(log_likelihood) and abs(gain) <= tol * (1 + abs(log_likelihood)))
        if converged or stalled >= PATIENCE:
            break
        parameters = maximize(statistic)
    return Ascent(best, best_statistic, np.array(history), converged)
