"""How much better than the true probabilities an isotonic fit looks on the rows it is fitted to, by chance alone.

The fit of the parts of a score (`proper_scores`) is judged on its own rows, so that miscalibration and discrimination
are too large, also where there is none. By how much is drawn: labels from probabilities that are taken for true, the
fit to them, and how much lower its score is than that of those probabilities, again and again. Of many rows a sample
of 5,000 is drawn, and the amount falls as n^(-2/3), as it does for smooth laws (for steps it falls faster).
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from likely.evaluation.said import Said
from likely.numeric.arrays import Floats

_DRAWS = 100
_MOST = 5_000  # rows


class Flattery(NamedTuple):
    """Of the fit: on average, and what it seldom exceeds."""

    mean: float
    most: float


def flattery(
    said: Said,
    posterior: Floats,
    losses: Callable[[Said], Floats],
    fit: Callable[[Said], Floats],
    confidence: float,
) -> Flattery:
    """How much lower the score of a fit (n, k) is than that of the posterior (n, k) that labels are drawn from.

    `most` is exceeded with probability (1 - confidence) / 2.
    """
    rng = np.random.default_rng(0)
    used = np.arange(len(said)) if said.weight is None else np.flatnonzero(said.weight > 0)
    rows = used if len(used) <= _MOST else rng.choice(used, _MOST, replace=False)
    part = replace(said.take(rows), posterior=posterior[rows], log_posterior=None, groups=None)
    total = posterior[rows].cumsum(axis=1)
    drawn = np.empty(_DRAWS)
    for i in range(_DRAWS):
        y = (rng.random(len(rows))[:, None] * total[:, -1:] > total[:, :-1]).sum(axis=1)
        told = replace(part, y=y)
        gain = losses(told) - losses(replace(told, posterior=fit(told)))
        drawn[i] = np.average(np.where(np.isfinite(gain), gain, 0.0), weights=part.weight)
    fewer = (len(rows) / len(used)) ** (2 / 3)
    return Flattery(fewer * float(drawn.mean()), fewer * float(np.quantile(drawn, 0.5 + confidence / 2)))
