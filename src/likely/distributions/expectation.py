"""Expectation-maximisation, for whatever is hidden: labels of rows, components of mixtures.

Repeat: sum the statistic with each row shared out by the current parameters (E), estimate the parameters from the
sum (M). The log-likelihood of the data never falls.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from likely.numeric.arrays import Floats

P = TypeVar("P")  # parameters
S = TypeVar("S")  # statistic


@dataclass(frozen=True)
class Ascent(Generic[P, S]):
    """Where EM came to rest: parameters, their statistic, and the log-likelihood at every pass."""

    parameters: P
    statistic: S
    log_likelihoods: Floats
    converged: bool


def expectation_maximization(
    expect: Callable[[P], tuple[S, float]],
    maximize: Callable[[S], P],
    start: P,
    max_iter: int = 500,
    tol: float = 1e-8,
) -> Ascent[P, S]:
    """Iterate until the log-likelihood gains less than `tol` of its size.

    `expect` takes parameters and gives the statistic under them with the log-likelihood they have; `maximize` takes
    a statistic and gives parameters. Counts of which only a sum is known, in cells of probability 1/2 and q/4:

    >>> share = lambda q: (125 * (q / 4) / (1 / 2 + q / 4), 125 * np.log(1 / 2 + q / 4) + 34 * np.log(q)
    ...                    + 38 * np.log(1 - q))
    >>> rest = expectation_maximization(share, lambda s: (s + 34) / (s + 34 + 38), 0.5, tol=1e-12)
    >>> round(rest.parameters, 4), bool(np.all(np.diff(rest.log_likelihoods) > -1e-9))
    (0.6268, True)
    """
    parameters = start
    history: list[float] = []
    for _ in range(max_iter):
        statistic, log_likelihood = expect(parameters)
        history.append(log_likelihood)
        if len(history) > 1 and history[-1] - history[-2] <= tol * (1 + abs(history[-1])):
            return Ascent(parameters, statistic, np.array(history), True)
        parameters = maximize(statistic)
    return Ascent(parameters, statistic, np.array(history), False)
