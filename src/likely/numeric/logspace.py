"""Probabilities as logarithms.

    log sum_k exp(a_k) = m + log sum_k exp(a_k - m),   m = max_k a_k

The largest term becomes exp(0), so nothing overflows. A row whose entries are all minus infinity has no
largest term; every function here gives such a row a defined answer.

One rule for a row that is impossible under every class, whose posterior would be 0/0 (catalogue Q-15): the data say
nothing between the classes, so what is left is the prior. `log_joint` holds to it, wherever a density meets a prior;
scores that come without a prior (`normalize`, `log_normalize`) are then uniform.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.jit import kernel


def log_sum_exp(a: Array, axis: int = -1) -> Floats:
    """Log-sum-exp along an axis: the logarithm of a sum of numbers that are given by their logarithms.

    Parameters
    ----------
    a : logarithms, of any shape

    >>> float(log_sum_exp(np.array([-2000.0, -1000.0, -1001.0])))
    -999.68673...
    """
    a = np.asarray(a, dtype=np.float64)
    largest = np.max(a, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(largest), largest, 0.0)
    with np.errstate(divide="ignore"):
        total = np.log(np.sum(np.exp(a - shift), axis=axis))
    return np.asarray(total + np.squeeze(shift, axis=axis))


def weighted_logs(weight: Array, logs: Array) -> float:
    """Sum of weight times logarithm, 0 where the weight is 0 or the logarithm no number (a feature that is silent).

    >>> weighted_logs(np.array([0.0, 2.0]), np.array([-np.inf, np.log(0.5)]))
    -1.386...
    """
    weight, logs = np.broadcast_arrays(np.asarray(weight, dtype=np.float64), logs)
    counted = (weight != 0) & ~np.isnan(logs)
    return float((weight[counted] * logs[counted]).sum())


def log_joint(log_density: Array, log_prior: Array) -> Floats:
    """Log densities (..., k) with the log prior added; where every class is then impossible, the prior alone.

    >>> log_joint(np.array([[-1.0, -2.0], [-np.inf, -np.inf]]), np.log([0.25, 0.75])).round(4)
    array([[-2.3863, -2.2877],
           [-1.3863, -0.2877]])
    """
    joint = np.asarray(log_density + log_prior)
    impossible = np.isneginf(joint).all(axis=-1)
    if impossible.any():
        joint[impossible] = np.broadcast_to(log_prior, joint.shape)[impossible]
    return joint


def log_normalize(log_joint: Array) -> Floats:
    """Rows of log joints (n, k) to log posteriors; a row of minus infinities alone is uniform.

    >>> log_normalize(np.log([[0.1, 0.3]])).round(4)
    array([[-1.3863, -0.2877]])
    """
    out = np.array(log_joint, dtype=np.float64, order="C")
    _log_normalize_rows(out)
    return out


def normalize(log_joint: Array) -> Floats:
    """The softmax of each row: log joints (n, k), known up to a constant, to posteriors that sum to one.

    Parameters
    ----------
    log_joint : (n, k), known up to a constant in each row

    >>> normalize(np.array([[-2000.0, -1000.0, -1001.0]])).round(4)
    array([[0.    , 0.7311, 0.2689]])
    """
    out = np.array(log_joint, dtype=np.float64, order="C")
    softmax_rows(out)
    return out


def log_odds(log_posterior: Array, member: Array) -> Floats:
    """Log p / (1 - p) of one member per row, exact also where p rounds to one."""
    rest = np.array(log_posterior, dtype=np.float64)
    rows = np.arange(len(rest))
    own = rest[rows, member]
    rest[rows, member] = -np.inf
    return np.asarray(own - log_sum_exp(rest, axis=1))


def all_log_odds(log_posterior: Array) -> Floats:
    """Log p / (1 - p) of every member (n, k): ranks rows also where probabilities round to 0 or 1.

    What is left of the sum without a member has the largest one in it, and so all its digits, but for the largest
    itself, whose others are added up.

    >>> all_log_odds(np.log([[0.5, 0.25, 0.25]])).round(4)
    array([[ 0.    , -1.0986, -1.0986]])
    """
    a = np.asarray(log_posterior, dtype=np.float64)
    rows, best = np.arange(len(a)), a.argmax(axis=1)
    shift = np.where(np.isfinite(a[rows, best]), a[rows, best], 0.0)[:, None]
    parts = np.exp(a - shift)
    others = parts.copy()
    others[rows, best] = 0.0
    rest = others.sum(axis=1, keepdims=True) + (parts[rows, best][:, None] - parts)
    with np.errstate(divide="ignore"):
        out: Floats = a - (np.log(rest) + shift)
    out[rows, best] = log_odds(a, best)
    return out


def log_of(p: Array) -> Floats:
    """Logarithm with log 0 = -inf and no warning."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.asarray(p, dtype=np.float64)))


def softmax_rows(joint: Array) -> None:
    """Turn log joints (n, k) into posteriors in place; an impossible row becomes uniform."""
    _softmax_rows(joint)


def add_prior_and_softmax(log_density: Array, log_prior: Array) -> None:
    """Posterior of each row in place: softmax(log density + log prior)."""
    _posterior_rows(log_density, frozen(log_prior))


def share_out(log_density: Array, log_prior: Array) -> Floats:
    """The posterior of each row in place, as `add_prior_and_softmax`; gives its log evidence, log sum_k p(x, k) (n,).

    >>> density = np.log([[0.2, 0.4], [0.0, 0.0]], where=[[True, True], [False, False]], out=np.full((2, 2), -np.inf))
    >>> share_out(density, np.log([0.5, 0.5])).round(4), density.round(4).tolist()
    (array([-1.204,    -inf]), [[0.3333, 0.6667], [0.5, 0.5]])
    """
    evidence = np.empty(len(log_density))
    _share_out_rows(log_density, frozen(log_prior), evidence)
    return evidence


@kernel
def _share_out_rows(joint, log_prior, evidence):  # type: ignore[no-untyped-def]
    n, k = joint.shape
    for i in range(n):
        largest = -np.inf
        for c in range(k):
            joint[i, c] += log_prior[c]
            largest = joint[i, c] if joint[i, c] > largest else largest
        if largest == -np.inf:
            evidence[i] = largest
            for c in range(k):
                joint[i, c] = np.exp(log_prior[c])
            continue
        total = 0.0
        for c in range(k):
            e = np.exp(joint[i, c] - largest)
            joint[i, c] = e
            total += e
        evidence[i] = largest + np.log(total)
        for c in range(k):
            joint[i, c] /= total


@kernel
def _softmax_rows(joint):  # type: ignore[no-untyped-def]
    n, k = joint.shape
    for i in range(n):
        largest = joint[i, 0]
        for c in range(1, k):
            if joint[i, c] > largest:
                largest = joint[i, c]
        if largest == -np.inf:
            for c in range(k):
                joint[i, c] = 1.0 / k
            continue
        total = 0.0
        for c in range(k):
            e = np.exp(joint[i, c] - largest)
            joint[i, c] = e
            total += e
        scale = 1.0 / total
        for c in range(k):
            joint[i, c] *= scale


@kernel
def _log_normalize_rows(joint):  # type: ignore[no-untyped-def]
    n, k = joint.shape
    for i in range(n):
        largest = joint[i, 0]
        for c in range(1, k):
            largest = joint[i, c] if joint[i, c] > largest else largest
        if largest == -np.inf:
            for c in range(k):
                joint[i, c] = -np.log(k)
            continue
        total = 0.0
        for c in range(k):
            total += np.exp(joint[i, c] - largest)
        rest = np.log(total)
        for c in range(k):
            joint[i, c] = (joint[i, c] - largest) - rest  # in this order: next to a huge `largest`, `rest` is lost


@kernel
def _posterior_rows(joint, log_prior):  # type: ignore[no-untyped-def]
    n, k = joint.shape
    for i in range(n):
        largest = -np.inf
        for c in range(k):
            joint[i, c] += log_prior[c]
            if joint[i, c] > largest:
                largest = joint[i, c]
        if largest == -np.inf:  # impossible under every class: what is left is the prior
            total = 0.0
            for c in range(k):
                joint[i, c] = np.exp(log_prior[c])
                total += joint[i, c]
            for c in range(k):
                joint[i, c] /= total
            continue
        total = 0.0
        for c in range(k):
            e = np.exp(joint[i, c] - largest)
            joint[i, c] = e
            total += e
        scale = 1.0 / total
        for c in range(k):
            joint[i, c] *= scale
