"""Additive smoothing of probabilities: shares with pseudo-counts, so that what was not seen yet is not impossible.

    m-estimate   (d + m p) / (n + m)         m imaginary rows, shared out by p
    add alpha    (d + a) / (n + k a)         the m-estimate with m = k a and p = 1 / k
    Laplace      (d + 1) / (n + k)           alpha = 1
    class prior  (N_j + b) / (N + K b)       add beta to the rows of each of K classes

d is how often the outcome was seen in n rows and k how many outcomes there are. Each is the mean of a posterior: of
Beta or Dirichlet with the pseudo-counts for its parameters (`Beta`, `Dirichlet`), and what the families of
`likely.distributions` estimate by default. Without rows and without pseudo-counts an m-estimate is p, the others 1 / k.

Counts, totals and shares are numbers or arrays and broadcast. Several counts with one total are those of the outcomes
of one thing, along the last axis. Shares p in an array are those of all outcomes, along
its last axis: they must sum to 1, and the counts along that axis to the total.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.numeric.arrays import Floats, as_floats
from likely.numeric.shares import smoothed_shares
from likely.probability.given import number, plain

_SLACK = 1e-9  # of a sum: what rounding of weighted counts or of given shares may leave


def m_estimate(count: ArrayLike, total: ArrayLike, m: float, p: ArrayLike) -> Any:
    """The m-estimate of a probability, or of the probabilities of all outcomes.

    Parameters
    ----------
    count : rows with the outcome; one number, or one for each outcome
    total : all rows
    m : how many pseudo-rows the prior counts for
    p : prior probability of the outcome, or of each

    >>> m_estimate(1, 4, m=4, p=0.25)
    0.25
    >>> m_estimate([2, 4, 3], 9, m=3, p=[0.5, 0.25, 0.25])
    array([0.29166667, 0.39583333, 0.3125    ])
    """
    d, n = _counts(count, total)
    shares = as_floats(p, "the shares p")
    if not ((shares >= 0) & (shares <= 1)).all():  # NaN too
        raise InputError(f"the shares p must lie between 0 and 1, got {p!r}")
    if shares.ndim:
        _check_outcomes(d, n, shares)
    return plain(smoothed_shares(d, _amount(m, "m") * shares, n + m, shares))


def add_alpha(count: ArrayLike, total: ArrayLike, alpha: float, k: int | None = None) -> Any:
    """Additive (Lidstone) smoothing: of an outcome seen `count` times in `total` rows, each of k given alpha more.

    Several counts with one total are those of the outcomes of one thing: k is how many they are, unless there are more
    outcomes than those (then say k, and the others may have been seen too). Otherwise each count is of its own total,
    and k is 2: seen or not seen.

    Parameters
    ----------
    count : rows with the outcome; one number, or one for each outcome
    total : all rows
    k : how many outcomes there are; None: as said above

    >>> add_alpha(0, 4, alpha=0.5)
    0.1
    >>> add_alpha([3, 1, 0], 4, alpha=1)
    array([0.57142857, 0.28571429, 0.14285714])
    >>> add_alpha(0, [0, 8], alpha=1)
    array([0.5, 0.1])
    """
    d, n = _counts(count, total)
    alpha = _amount(alpha, "alpha")
    return _smoothed(d, n, alpha, _outcomes(d, n, k))


def laplace(count: ArrayLike, total: ArrayLike, k: int | None = None) -> Any:
    """Laplace smoothing (add one): one imaginary row for each of k outcomes.

    k is how many counts there are, if several have one total, and 2 otherwise; see `add_alpha`.

    Parameters
    ----------
    count : rows with the outcome; one number, or one for each outcome
    total : all rows
    k : how many outcomes there are; None: as said above

    >>> laplace(0, 4), laplace(0, 4, k=3)
    (0.16666666666666666, 0.14285714285714285)
    >>> laplace([3, 4, 3], 10)
    array([0.30769231, 0.38461538, 0.30769231])
    """
    return add_alpha(count, total, 1.0, k)


def class_prior(counts: Any, beta: float = 0.0) -> Any:
    """Prior probabilities of the classes from their rows (..., K), each class given beta more.

    A mapping from classes to rows gives a mapping.

    Parameters
    ----------
    beta : pseudo-rows of each class
    counts : rows of each class: a mapping, or numbers (..., K)

    >>> class_prior([0, 3, 7], beta=0.5).round(4)
    array([0.0435, 0.3043, 0.6522])
    >>> class_prior([0, 0], beta=0.5)
    array([0.5, 0.5])
    >>> class_prior({"ham": 3, "spam": 1})
    {'ham': 0.75, 'spam': 0.25}
    """
    if isinstance(counts, Mapping):
        return dict(zip(counts, class_prior(list(counts.values()), beta).tolist(), strict=True))
    rows = as_floats(counts, "the rows of the classes")
    if not rows.ndim or not rows.shape[-1]:
        raise InputError(f"class_prior takes the rows of every class, got {counts!r}")
    d, n = _counts(rows, rows.sum(axis=-1, keepdims=True))
    return np.asarray(_smoothed(d, n, _amount(beta, "beta"), rows.shape[-1]))


def _smoothed(d: Floats, n: Floats, alpha: float, k: int) -> Any:
    return plain(smoothed_shares(d, alpha, n + k * alpha, 1.0 / k))


def _outcomes(d: Floats, n: Floats, k: int | None) -> int:
    """How many outcomes there are, checked against the counts where those are of outcomes of one thing."""
    if k is not None and (isinstance(k, bool) or not isinstance(k, int | np.integer) or k < 2):
        raise InputError(f"k must be the whole number of outcomes, at least 2; got {k!r}")
    listed = d.shape[-1] if d.ndim and (not n.ndim or n.shape[-1] == 1) else 1
    if listed < 2:
        return 2 if k is None else int(k)
    if k is not None and k < listed:
        raise InputError(f"there are {listed} counts of one total, so at least as many outcomes, got k={k}")
    sums, whole = np.broadcast_arrays(d.sum(axis=-1, keepdims=True), n)
    wrong = np.abs(sums - whole) > _SLACK * whole if k in (None, listed) else sums > whole * (1 + _SLACK)
    if wrong.any():
        raise InputError(
            f"the counts of all outcomes sum to {sums[wrong][0]:g}, their total is {whole[wrong][0]:g}; name k if some "
            "outcomes are not listed, or give every count a total of its own if it is of something else"
        )
    return listed if k is None else int(k)


def _counts(count: ArrayLike, total: ArrayLike) -> tuple[Floats, Floats]:
    """Counts and totals as arrays that broadcast, checked."""
    d, n = as_floats(count, "counts"), as_floats(total, "totals")
    for name, part in (("count", d), ("total", n)):
        if not ((part >= 0) & (part < np.inf)).all():
            wrong = part[~((part >= 0) & (part < np.inf))].flat[0]
            raise InputError(f"{name} holds {wrong:g}; counts are finite and not negative")
    try:
        both = np.broadcast_arrays(d, n)
    except ValueError:
        raise InputError(
            f"counts of shape {d.shape} do not go with totals of shape {n.shape}; give every count its total"
        ) from None
    more = both[0] > both[1] * (1 + _SLACK)
    if more.any():
        raise InputError(f"an outcome counted {both[0][more][0]:g} times in {both[1][more][0]:g} rows; check the total")
    return d, n


def _check_outcomes(d: Floats, n: Floats, shares: Floats) -> None:
    """Shares of all outcomes sum to 1, and the counts of all outcomes to the total."""
    sums = np.atleast_1d(shares.sum(axis=-1))
    wrong = np.abs(sums - 1) > _SLACK
    if wrong.any():
        raise InputError(f"the shares p must sum to 1, they sum to {sums[wrong][0]:.6g}")
    if not d.ndim or d.shape[-1] != shares.shape[-1]:
        raise InputError(f"{shares.shape[-1]} shares p for counts of shape {d.shape}; give the count of every outcome")
    whole = np.broadcast_to(d.sum(axis=-1, keepdims=True), np.broadcast_shapes(d.shape, n.shape))
    wrong = np.abs(whole - n) > _SLACK * whole
    if wrong.any():
        given = np.broadcast_to(n, whole.shape)[wrong][0]
        raise InputError(
            f"the counts of all outcomes sum to {whole[wrong][0]:g}, their total is {given:g}; they differ"
        )


def _amount(value: float, name: str) -> float:
    if not 0 <= number(value, name) < np.inf:
        raise InputError(f"{name} must be finite and not negative, got {value}")
    return float(value)
