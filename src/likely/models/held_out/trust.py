"""How far answers may leave the classes' shares: as far as rows left out have borne them out.

    log p'(k | x) = t log p(k | x) + (1 - t) log share_k, normalised,    0 <= t <= 1

A few rows say so little that even calibrated answers are worse than always saying the shares of the classes. The gain
over these, log p(y | x) - log share_y, is taken of rows from which neither the answers nor their weights had learned. A
mean gain of one standard error is trusted (t = 1), none at all is not (t = 0), and t rises evenly between. The log-loss
is convex in t, so what lies between is never worse than the same mixture of both losses. The shares are of all rows,
which flatters them a little: the doubt is on their side. (Asking for two standard errors costs more than it saves: on
samples of 14 to 60 rows of 29 tables, answers that were right but could not show it.)

Where weights gain ten nats for each of their number on their own rows, this is no luck, and nothing is left out: by
luck a number gains half a nat.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.models.held_out.folds import stratified_folds
from likely.models.held_out.weighing import as_rows
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_normalize, log_of

Answers = Callable[[Any], Floats]  # numbers of rows -> log posteriors (rows, k)
_FOLDS = 5
_NO_LUCK = 10.0  # nats for each number that was learned


def trust(learn: Callable[[Any], Answers], codes: Array, weight: Floats | None, classes: int, numbers: int) -> float:
    """The t of answers that `learn(rows)` makes, of so many `numbers`, for rows of classes `codes` (n,).

    >>> codes = np.repeat([0, 1], 50)
    >>> said = np.log(np.where(codes[:, None] == [0, 1], 0.8, 0.2))
    >>> trust(lambda rows: lambda asked: said[asked], codes, None, 2, 1)
    1.0
    >>> trust(lambda rows: lambda asked: said[::-1][asked], codes, None, 2, 1)
    0.0
    """
    everyone = np.arange(len(codes))
    amount = np.ones(len(codes)) if weight is None else as_rows(weight)
    if float(amount @ _gain(learn(everyone)(everyone), codes, amount, classes)) > _NO_LUCK * numbers:
        return 1.0
    said = np.empty((len(codes), classes))
    dealt = stratified_folds(codes, min(_FOLDS, len(codes)))
    for fold in range(int(dealt.max()) + 1):
        own = np.flatnonzero(dealt == fold)
        said[own] = learn(np.flatnonzero(dealt != fold))(own)
    return trust_in(said, codes, weight)


def trust_in(log_posterior: Floats, codes: Array, weight: Floats | None = None) -> float:
    """The t of answers (n, k) about rows that they had not learned from."""
    amount = np.ones(len(codes)) if weight is None else weight
    return trust_in_gain(_gain(log_posterior, codes, amount, log_posterior.shape[1]), weight)


def trust_in_gain(gain: Floats, weight: Floats | None = None) -> float:
    """The t of answers whose log probability of what came true is so much above that of the shares (n,).

    >>> trust_in_gain(np.array([0.5, -0.9, 0.3])), trust_in_gain(np.array([0.5, 0.4, 0.5]))
    (0.0, 1.0)
    """
    amount = np.ones(len(gain)) if weight is None else as_rows(weight)
    total = float(amount.sum())
    mean = float(amount @ gain) / total
    if not np.isfinite(mean):
        return 0.0
    error = float(np.sqrt(amount @ (gain - mean) ** 2 / total / max(total - 1.0, 1.0)))
    if error == 0.0:
        return float(mean > 0)
    return float(np.clip(mean / error, 0.0, 1.0))


def shrunk(log_posterior: Floats, trusted: float, log_share: Floats) -> Floats:
    """Log posteriors (n, k) that go so far from the shares of the classes."""
    if trusted == 1.0:
        return log_posterior
    if trusted == 0.0:
        return np.tile(log_share, (len(log_posterior), 1))
    return log_normalize(trusted * log_posterior + (1.0 - trusted) * log_share)


def log_shares(codes: Array, weight: Floats | None, classes: int) -> Floats:
    """Log shares of the classes (k,)."""
    count = np.bincount(codes, weights=weight, minlength=classes).astype(np.float64)
    return log_of(count / count.sum())


def _gain(log_posterior: Floats, codes: Array, amount: Floats, classes: int) -> Floats:
    return np.asarray(log_posterior[np.arange(len(codes)), codes] - log_shares(codes, amount, classes)[codes])
