"""Weights of terms that add up to log posteriors: of members of a pool, of columns of naive Bayes, of one model.

    log p(k | x_i) = sum_m w_m s_imk + b_k  minus the log of the sum over k of exp of the same,    w_m >= 0

The terms s are of rows that what they come from had not seen. Weights and offsets maximise the likelihood of the labels
less a ridge, r/2 sum (w_m - c_m)^2 + r/2 sum b_k^2: with few rows they stay near their centres c and 0. Terms are
centred over the classes first, which changes nothing but the digits, and held above -25 below their row's largest, or
what the rows can bear out: a model that is off by hundreds in a few rows would lose its weight in all. The objective is
convex, with a bound at 0; L-BFGS-B finds its minimum.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from likely.engines.local import one_blas_thread
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize
from likely.optimize.newton import newton

SURE = 25.0  # nats below the largest of a row, beyond which nothing differs
RIDGE = 3.0
_MOST_ROWS = 4_000  # plenty for a few weights and offsets
_NEWTON = 60  # parameters up to which the last digits are found by Newton's method
_ZERO = 1e-6  # a weight below it is none
_ROUNDS = 60
_WHOLE = 2.0**53  # above it every number is whole


class Weighing(NamedTuple):
    """Weights of the terms, and offsets of the classes, which sum to 0."""

    weights: Floats  # (m,)
    offset: Floats  # (k,)

    def log_posterior(self, terms: Floats) -> Floats:
        """Of rows with terms (n, m, k), which need not be floored."""
        return log_normalize(np.tensordot(terms, self.weights, axes=([1], [0])) + self.offset)


def as_rows(weight: Floats) -> Floats:
    """Weights as they are where they repeat rows, else scaled to sum to the effective number of rows.

    That is (sum w)^2 / sum w^2: weights that are not whole only say how much rows count beside each other, and their
    unit changes nothing.

    >>> as_rows(np.array([1.0, 2.0])), as_rows(np.array([0.1, 0.1, 0.1])).round(9)
    (array([1., 2.]), array([1., 1., 1.]))
    """
    largest = weight.max()
    if largest <= _WHOLE and (weight == np.floor(weight)).all():
        return weight
    relative = weight / largest  # no square overflows
    kept = np.where(relative > 0, relative, np.finfo(np.float64).tiny)
    return np.asarray(kept * (kept.sum() / (kept @ kept)))


def borne_out(rows: float) -> float:
    """Nats below the largest log posterior that so many rows can bear out: their number squared, 25 at most."""
    return min(SURE, 2.0 * float(np.log1p(rows)))


def floored(log_posterior: Floats, sure: float = SURE) -> Floats:
    """Log posteriors or other terms (..., k) with no class further than so many nats below the largest, centred."""
    held = np.maximum(log_posterior, log_posterior.max(axis=-1, keepdims=True) - sure)
    return np.asarray(held - held.mean(axis=-1, keepdims=True))


def slopes_alone(terms: Floats, codes: Array, weight: Floats | None = None, ridge: float = 1.0) -> Floats:
    """The weight (m,) that each of the terms (n, m, k), floored and centred, would have alone, without offsets.

    The ridge is about 1. The slope of each objective rises with the weight: Newton's method between bounds on its root.

    >>> codes = np.array([0, 1] * 50)
    >>> odds = np.where(codes == 1, 1.0, -1.0) * np.where(np.arange(100) < 80, 1.0, -1.0)  # four times in five right
    >>> terms = np.stack([-odds, odds], axis=1)[:, None, :] * np.array([0.5, 5.0])[:, None]
    >>> slopes_alone(terms, codes, ridge=0.0).round(3)  # each comes to log odds of log(4)
    array([1.386, 0.139])
    """
    some = _some_rows(len(codes), _MOST_ROWS)
    x, y = terms[some], np.asarray(codes)[some]
    amount = np.ones(len(y)) if weight is None else as_rows(weight[some])
    own = amount @ x[np.arange(len(y)), :, y]
    found, low, high = np.ones(x.shape[1]), np.zeros(x.shape[1]), np.full(x.shape[1], np.inf)
    for _ in range(_ROUNDS):
        p = np.exp(log_normalize((found[:, None] * x).reshape(-1, x.shape[2]))).reshape(x.shape)
        mean = (p * x).sum(axis=2)
        slope = amount @ mean - own + ridge * (found - 1.0)
        bend = amount @ ((p * x**2).sum(axis=2) - mean**2) + ridge
        low, high = np.where(slope < 0, found, low), np.where(slope > 0, found, high)
        new = found - slope / np.maximum(bend, np.finfo(np.float64).tiny)
        outside = ~((low < new) & (new < high))
        new = np.where(outside & (slope != 0), np.where(np.isinf(high), 2.0 * found, 0.5 * (low + high)), new)
        new = np.where(slope == 0, found, new)
        done = bool((np.abs(new - found) <= _ZERO * np.maximum(found, _ZERO)).all())
        found = new
        if done:
            break
    return np.where(found < _ZERO, 0.0, found)


def weigh(
    terms: Floats,
    codes: Array,
    weight: Floats | None = None,
    centre: Floats | None = None,
    ridge: float = RIDGE,
    offsets: bool = True,
    most_rows: int = _MOST_ROWS,
    beside: Floats | None = None,
) -> Weighing:
    """The best weights of terms (n, m, k), floored and centred, for rows of classes `codes` (n,).

    `centre` (m,) is where the ridge pulls the weights: to equal shares where none is given. `beside` (n, k) is added to
    the weighted terms as it is.

    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 2, 500)
    >>> good, noise = rng.normal(4.0 * codes - 2.0), rng.normal(size=500)
    >>> odds = np.stack([good, noise], axis=1)
    >>> weigh(floored(np.stack([np.zeros((500, 2)), odds], axis=2)), codes).weights.round(1)
    array([2.8, 0.3])
    """
    from scipy.optimize import minimize

    some = _some_rows(len(codes), most_rows)
    x, y = np.ascontiguousarray(terms[some]), np.asarray(codes)[some]
    amount = np.ones(len(y)) if weight is None else as_rows(weight[some])
    n, m, k = x.shape
    middle = np.full(m, 1.0 / m) if centre is None else np.asarray(centre, dtype=np.float64)
    total = float(amount.sum())
    rows, flat = np.arange(n), x.transpose(1, 0, 2).reshape(m, n * k)
    added = np.zeros((n, k)) if beside is None else beside[some]

    def objective(theta: Floats) -> tuple[float, Floats]:
        w, b = theta[:m], theta[m:]
        log_p = log_normalize((w @ flat).reshape(n, k) + added + b)
        off = np.exp(log_p)
        off[rows, y] -= 1.0
        off *= amount[:, None]
        pull = np.concatenate([w - middle, b])
        value = -float(amount @ log_p[rows, y]) + 0.5 * ridge * float(pull @ pull)
        gradient = np.concatenate([flat @ off.ravel(), off.sum(axis=0) if offsets else np.zeros(k)]) + ridge * pull
        return value / total, gradient / total

    start = np.concatenate([middle, np.zeros(k)])
    bounds = [(0.0, None)] * m + ([(None, None)] if offsets else [(0.0, 0.0)]) * k
    with one_blas_thread():  # products of a few numbers: threads would wait for each other
        found = minimize(
            objective,
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": 500, "ftol": 1e-15, "gtol": 1e-10},
        )
        best = _polished(found.x, objective, flat.reshape(m, n, k), amount, ridge, offsets, added)
    w, b = best[:m], best[m:]
    return Weighing(np.where(w < _ZERO, 0.0, w), b - b.mean())


def _polished(
    theta: Floats,
    objective: Callable[[Floats], tuple[float, Floats]],
    x: Floats,
    amount: Floats,
    ridge: float,
    offsets: bool,
    added: Floats,
) -> Floats:
    """The last digits by Newton's method, on what is not held at 0."""
    m, n, k = x.shape
    free = np.flatnonzero(np.concatenate([theta[:m] > _ZERO, np.full(k, offsets)]))
    if len(free) > _NEWTON:
        return theta
    total = float(amount.sum())

    def near(part: Floats) -> tuple[float, Floats, Floats]:
        at = theta.copy()
        at[free] = part
        value, gradient = objective(at)
        p = np.exp(log_normalize((at[:m] @ x.reshape(m, n * k)).reshape(n, k) + added + at[m:]))
        mean = np.einsum("mnk,nk->mn", x, p)
        wp = p * amount[:, None]
        hessian = ridge * np.eye(m + k)
        hessian[:m, :m] += np.einsum("mnk,lnk,nk->ml", x, x, wp, optimize=True) - (mean * amount) @ mean.T
        cross = np.einsum("mnk,nk->mk", x, wp) - mean @ wp
        hessian[:m, m:] += cross
        hessian[m:, :m] += cross.T
        hessian[m:, m:] += np.diag(wp.sum(axis=0)) - p.T @ wp
        return value, gradient[free], hessian[np.ix_(free, free)] / total

    polished = theta.copy()
    polished[free] = newton(near, theta[free], tol=1e-14, max_iter=3, keep_points=False).point
    return theta if (polished[:m] < 0).any() else polished


def _some_rows(rows: int, most: int) -> Ints | slice:
    """All rows, or of more than so many, as many by chance; always the same."""
    if rows <= most:
        return slice(None)
    return np.sort(np.random.default_rng(0).choice(rows, most, replace=False))
