"""Intervals of probabilities from draws: how many draws they need, and their ends.

A classifier may have `over_draws(X, ends, n_draws, random_state)`: log joints (rows, draws, k) of rows under drawn
parameters, block by block, and those under its own (rows, k), from which `ends` makes intervals (rows, k, 2); and
`knows_parameters`, whether it can. `keeps_structure` says that other rows would also have made another model of it, as
they make other tests of a tree, which the draws do not show.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from likely.errors import InputError, check_whole
from likely.intervals.quantiles import check_confidence
from likely.numeric.arrays import Floats
from likely.numeric.logspace import log_normalize

Ends: TypeAlias = Callable[[Floats, Floats], Floats]

_OUTSIDE = 20  # draws that lie beyond the ends
_MOST = 200_000  # draws


def draws_needed(n_draws: int, confidence: float) -> int:
    """As many as are asked for, or as tell the ends of such an interval from the outermost draws.

    >>> draws_needed(1000, 0.95), draws_needed(1000, 0.999)
    (1000, 20000)
    """
    check_confidence(confidence)
    check_whole("n_draws", n_draws, 2)
    needed = _OUTSIDE / (1 - confidence)
    if needed > _MOST * (1 + 1e-9):  # 1 - 0.9999 is not quite 0.0001
        raise InputError(
            f"confidence {confidence!r} would take {needed:,.0f} draws of the parameters, more than {_MOST:,}; "
            f"choose at most {1 - _OUTSIDE / _MOST:g}"
        )
    return max(int(n_draws), round(needed))


def ends_of(drawn: Floats, confidence: float) -> Floats:
    """The interval (n, k, 2) of what was drawn (n, draws, k)."""
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    return np.moveaxis(np.quantile(drawn, tails, axis=1, method="weibull"), 0, -1)


def log_posteriors_of(joint: Floats, _: Floats) -> Floats:
    """Log posteriors (n, draws, k) of log joints: what stands for ends where the draws themselves are wanted."""
    return log_normalize(joint.reshape(-1, joint.shape[2])).reshape(joint.shape)


def taking_in(ends: Floats, said: Floats) -> Floats:
    """Intervals (n, k, 2), widened where they must be to hold what is said (n, k)."""
    return np.stack([np.minimum(ends[..., 0], said), np.maximum(ends[..., 1], said)], axis=-1)
