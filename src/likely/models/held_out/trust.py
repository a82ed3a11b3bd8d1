"""How far answers may leave the classes' shares: as far as rows left out have borne them out.

    log p'(k | x) = t log p(k | x) + (1 - t) log share_k, normalised,    0 <= t <= 1

A few rows say so little that even calibrated answers are worse than always saying the shares of the classes. How far to
go is learned from rows that the answers had not learned from: t is the most probable one of the normal prior

    t ~ N(n / (n + 20), 1/10),   n rows:   t minimises  - sum_i log p_t(y_i | x_i) + 5 (t - n / (n + 20))^2

so thirty rows are trusted by more than half, unless the rows left out say otherwise; the log-loss is convex in t, which
makes it one root. Fewer than twenty rows say nothing (t = 0) where those left out lose by all that is said. Answers
whose gain over the shares, log p(y | x) - log share_y, is three standard errors above nothing have shown what they are
worth: t = 1. The shares are of all rows, which flatters them a little: the doubt is on their side. (The prior and the
three were chosen on samples of 14 to 120 rows of 29 tables. A t that rises from 0 to 1 with the first standard error,
as it did before, is nearly a coin that few rows toss: the mean loss of pools of 14, 30 and 60 rows was .696, .654 and
.599, and is .672, .639 and .593.)

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
from likely.numeric.special.roots import bracketed_roots

Answers = Callable[[Any], Floats]  # numbers of rows -> log posteriors (rows, k)
_FOLDS = 5
_NO_LUCK = 10.0  # nats for each number that was learned
SHOWN = 3.0  # standard errors
_HALF = 20.0  # rows that are trusted by half before they are asked
_PRECISION = 10.0  # of the prior of t
_FAR = 700.0  # nats below the shares, beyond which nothing differs


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
    """The t of answers (n, k) about rows of classes `codes` (n,) that they had not learned from.

    >>> codes = np.repeat([0, 1], 20)
    >>> right = np.log(np.where(codes[:, None] == [0, 1], 0.6, 0.4))
    >>> half_right = right[np.r_[0:14, 20:26, 20:34, 0:6]]
    >>> trust_in(right, codes), round(trust_in(half_right, codes), 2), trust_in(right[::-1], codes)
    (1.0, 0.85, 0.0)
    """
    k = log_posterior.shape[1]
    amount = np.ones(len(codes)) if weight is None else as_rows(weight)
    gain = _gain(log_posterior, codes, amount, k)
    if is_shown(gain, amount):
        return 1.0
    if amount.sum() < _HALF and not amount @ gain > 0:
        return 0.0
    return _most_probable(log_posterior, codes, amount, log_shares(codes, amount, k))


def is_shown(gain: Floats, amount: Floats, errors: float = SHOWN) -> bool:
    """Whether the mean of gains of rows (n,), each so many rows, is above nothing by more than so many errors."""
    total = float(amount.sum())
    mean = float(amount @ gain) / total
    if not np.isfinite(mean):
        return False
    error = float(np.sqrt(amount @ (gain - mean) ** 2 / total / max(total - 1.0, 1.0)))
    return mean > errors * error


def _most_probable(log_posterior: Floats, codes: Array, amount: Floats, log_share: Floats) -> float:
    """The t where sum_i ( a_i,y - E_t[a_i] ) - 10 (t - centre) falls to 0, with a = log p - log share."""
    if not np.isfinite(log_posterior[np.arange(len(codes)), codes][amount > 0]).all():
        return 0.0  # what came true was called impossible
    n = float(amount.sum())
    centre = n / (n + _HALF)
    ahead = np.maximum(log_posterior - log_share, -_FAR)
    own = float(amount @ ahead[np.arange(len(codes)), codes])

    def rise(t: Floats) -> Floats:
        expected = (np.exp(log_normalize(t * ahead + log_share)) * ahead).sum(axis=1)
        return np.asarray(own - amount @ expected - _PRECISION * (t - centre))

    return float(bracketed_roots(rise, np.zeros(1), np.ones(1), 1e-9)[0])


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
