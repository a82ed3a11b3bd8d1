"""Label shift (prior shift): when the classes are not as frequent as they were in training.

    P'(k | x) is proportional to P(k | x) P'(k) / P(k)

holds as long as p(x | k) stays the same. The new prior is known, or is estimated from unlabelled rows by EM (Saerens,
Latinne & Decaestecker 2002, "Adjusting the outputs of a classifier to new a priori probabilities"):

    q_k <- mean over rows of  r_ik q_k / sum_j r_ij q_j,      r_ik = P(k | x_i) / P(k)

which climbs the concave log-likelihood l(q) = sum_i ln sum_k q_k r_ik. Each step is followed by one of Newton's method
where that climbs higher still, since EM alone is slow when the classes overlap.

The interval of class k holds every q_k whose best log-likelihood, over the other classes' shares, is within chi^2 / 2
of the maximum (profile likelihood): it stays inside [0, 1] and needs no normality, also at the edges. "bootstrap" draws
the rows again instead. Both take the posteriors for true, and say so: neither knows how uncertain or miscalibrated they
are. Where posteriors are drawn too, from what is known of the model that gave them, the prior is estimated under each,
and how far these estimates lie from the one that is given is added in squares to either side of the interval.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames
from likely.data.printing.html_table import text_as_html
from likely.errors import InputError, check_choice, check_whole
from likely.intervals.quantiles import check_confidence, normal_quantile
from likely.models.any_classifier.outcome import Rescaling, difference
from likely.models.any_classifier.posteriors import Form, read_class_prior, read_classes, read_log_posterior
from likely.models.traits.prior_shift import shift_log_posterior
from likely.numeric.arrays import Array, Floats, in_brief
from likely.numeric.logspace import log_of
from likely.numeric.random_state import Seed
from likely.numeric.special.roots import bracketed_roots
from likely.optimize.newton import newton_step

Interval: TypeAlias = Literal["likelihood", "bootstrap"]

_LEAST = 1e-140  # of a density: rows that all classes with a share exclude; its square is a number yet
_COARSE = 1e-5  # of a share, to which it is found under a draw
_FINE = 1e-8  # of the way to the edge, to which an interval's end is found
_MOST = 1e300  # stands for the drop to shares that make a row impossible


@dataclass(frozen=True)
class PriorEstimate:
    """Class prior of unlabelled rows after label shift, with an interval for each class."""

    classes: Array  # (k,)
    value: Floats  # (k,)  sums to 1
    low: Floats  # (k,)
    high: Floats  # (k,)
    confidence: float
    method: str
    n: int
    log_likelihoods: Floats  # (iterations,)  of every step of EM, relative to the old prior

    __repr__ = in_brief

    def __str__(self) -> str:
        each = zip(self.classes.tolist(), self.value, self.low, self.high, strict=True)
        shares = "; ".join(f"{name}: {value:.3f} [{low:.3f}, {high:.3f}]" for name, value, low, high in each)
        return f"{shares} ({100 * self.confidence:g} % {self.method}, n={self.n:,})"

    _repr_html_ = text_as_html


def shift_prior(posterior: ArrayLike, old: Any, new: Any, form: Form = "posterior", classes: Any = None) -> Floats:
    """Posteriors (n, k) after label shift, under another prior.

    Probabilities in, probabilities out; logarithms in, logarithms out.

    A class that was absent (old prior 0) cannot come back: nothing is known of it. A row that is impossible under every
    class of the new prior has the new prior as its posterior.

    >>> shift_prior([[0.5, 0.5]], old=[0.5, 0.5], new=[0.9, 0.1])
    array([[0.9, 0.1]])
    """
    log_posterior = _posteriors_only(posterior, form)
    names = read_classes(classes, log_posterior.shape[1])
    before, after = read_class_prior(old, names, "old prior"), read_class_prior(new, names, "new prior")
    shifted = shift_log_posterior(log_posterior, before, after, names)
    return shifted if form == "log_posterior" else np.exp(shifted)


def shift_rescaling(old: Floats, new: Floats) -> Rescaling:
    """What another prior does to a log posterior, as a slope of 1 and an offset per class."""
    return Rescaling(1.0, difference(log_of(new), log_of(old)))


def estimate_prior(
    posterior: ArrayLike,
    old: Any,
    classes: ClassNames = None,
    confidence: float = 0.95,
    interval: Interval = "likelihood",
    n_bootstrap: int = 200,
    form: Form = "posterior",
    tol: float = 1e-10,
    max_iter: int = 100_000,
    random_state: Seed = 0,
    drawn: ArrayLike | None = None,
) -> PriorEstimate:
    """Label shift estimated by EM: class shares of unlabelled rows from their posteriors (n, k) under an old prior.

    The interval is of other such rows. It takes the posteriors for true unless `drawn` has log posteriors (m, draws, k)
    of such rows as the model might have said them too, had it learned from other rows: `Decider.estimate_prior` gives
    them where the model can.

    >>> rows = np.repeat([[0.9, 0.1], [0.1, 0.9]], [80, 20], axis=0)
    >>> print(estimate_prior(rows, old=[0.5, 0.5]))
    0: 0.875 [0.768, 0.963]; 1: 0.125 [0.037, 0.232] (95 % profile likelihood, the posteriors taken for true, n=100)
    """
    check_confidence(confidence)
    check_choice("interval", interval, ("likelihood", "bootstrap"))
    log_posterior = _posteriors_only(posterior, form)
    names = read_classes(classes, log_posterior.shape[1])
    before = read_class_prior(old, names, "old prior")
    if len(log_posterior) == 0:
        raise InputError("there are no rows to estimate a prior from")
    ratio = _ratios(log_posterior, before)
    path: list[float] = []
    value = _climb(ratio, before, tol, max_iter, path=path)
    if interval == "likelihood":
        low, high = _profile(ratio, value, confidence, tol, max_iter)
        method = "profile likelihood"
    else:
        low, high = _bootstrap(ratio, value, confidence, n_bootstrap, tol, max_iter, random_state)
        method = f"bootstrap of {n_bootstrap}"
    if drawn is None:
        method += ", the posteriors taken for true"
    else:
        under = _under_draws(np.asarray(drawn, dtype=np.float64), before, value, tol, max_iter)
        low, high = _widened(value, low, high, under, confidence)
        method += f" and {len(under)} draws of the model"
    return PriorEstimate(names, value, low, high, confidence, method, len(ratio), np.array(path))


def _under_draws(drawn: Floats, old: Floats, start: Floats, tol: float, max_iter: int) -> Floats:
    """The shares (draws, k) that each draw of the posteriors (m, draws, k) leads to, from the same rows."""
    if drawn.ndim != 3 or drawn.shape[2] != len(old) or not drawn.size:
        raise InputError(f"drawn log posteriors are (rows, draws, {len(old)}), got {drawn.shape}")
    begin = 0.99 * start + 0.01 / len(start)
    return np.array(
        [_climb(_ratios(drawn[:, i], old), begin, max(tol, _COARSE), max_iter) for i in range(drawn.shape[1])]
    )


def _widened(value: Floats, low: Floats, high: Floats, under: Floats, confidence: float) -> tuple[Floats, Floats]:
    """Both ends, further out by what the model leaves open: the two are independent, so their squares add."""
    tail = (1 - confidence) / 2
    below, above = np.quantile(under, tail, axis=0), np.quantile(under, 1 - tail, axis=0)
    down = np.hypot(value - low, np.maximum(value - below, 0.0))
    up = np.hypot(high - value, np.maximum(above - value, 0.0))
    return np.maximum(value - down, 0.0), np.minimum(value + up, 1.0)


def _posteriors_only(posterior: ArrayLike, form: Form) -> Floats:
    if form == "log_likelihood":
        raise InputError("a prior is shifted from posteriors; likelihoods hold none: use decide or add the new prior")
    return read_log_posterior(posterior, form)


def _ratios(log_posterior: Floats, old: Floats) -> Floats:
    """r_ik up to a factor per row, so that nothing overflows; 0 for a class that was absent."""
    log_ratio = np.where(old > 0, log_posterior - np.where(old > 0, log_of(old), 0.0), -np.inf)
    return np.asarray(np.exp(log_ratio - log_ratio.max(axis=1, keepdims=True)))


def _climb(
    ratio: Floats,
    start: Floats,
    tol: float,
    max_iter: int,
    fixed: int | None = None,
    weight: Floats | None = None,
    path: list[float] | None = None,
) -> Floats:
    """The shares of the highest l from `start`, with one class's share held where `fixed` names it; l in `path`."""
    amount = np.ones(len(ratio)) if weight is None else weight
    free = np.arange(len(start)) != (-1 if fixed is None else fixed)
    q = start
    for _ in range(max_iter):
        density = np.maximum(ratio @ q, _LEAST)
        step = np.where(free, q * (ratio.T @ (amount / density)), 0.0)
        budget = 1.0 if fixed is None else 1 - q[fixed]
        total = step.sum()
        step = step * (budget / total) if total > 0 else np.where(free, budget / max(free.sum(), 1), 0.0)
        step = np.where(free, step, q)
        moved = float(np.abs(step - q).max())
        if path is not None:
            path.append(float(amount @ np.log(density)))
        if moved < tol:
            return np.asarray(step)
        q = _newton(ratio, step, free, amount)
    return q


def _newton(ratio: Floats, q: Floats, free: Array, amount: Floats) -> Floats:
    """A Newton step over the shares above zero, kept inside the simplex, where it climbs; else no step.

    The largest share is what the others leave of their sum.
    """
    moving = np.flatnonzero(free & (q > 1e-12))
    if len(moving) < 2:
        return q
    rest = moving[np.argmax(q[moving])]
    moving = moving[moving != rest]
    density = np.maximum(ratio @ q, _LEAST)
    pull = (ratio[:, moving] - ratio[:, [rest]]) / density[:, None]
    step = np.zeros_like(q)
    step[moving] = newton_step(np.einsum("ni,nj->ij", pull, pull * amount[:, None]), amount @ pull)  # no BLAS threads
    step[rest] = -step.sum()
    falling = step < 0
    longest = float((q[falling] / -step[falling]).min(initial=np.inf))
    there = q + min(1.0, 0.95 * longest) * step
    higher = float(amount @ log_of(ratio @ there)) > float(amount @ np.log(density))
    return there if higher and (there >= 0).all() else q


def _profile(ratio: Floats, best: Floats, confidence: float, tol: float, max_iter: int) -> tuple[Floats, Floats]:
    if len(best) == 1:
        return best, best
    top = _log_likelihood(ratio, best)
    reach = normal_quantile(confidence) ** 2 / 2  # chi^2 of one degree of freedom
    ends = []
    for k, share in enumerate(best.tolist()):
        drop = _drop_of(ratio, best, k, top, max(tol, 1e-8), max_iter)
        ends.append((_end(drop, share, 0.0, reach), _end(drop, share, 1.0, reach)))
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def _end(drop: Callable[[float], float], inside: float, outside: float, reach: float) -> float:
    """The share at which the log-likelihood has dropped by `reach`, on the way from the best share to the edge.

    The root of the drop is nearly a straight line, so that few steps find it.
    """
    if drop(outside) <= reach:
        return outside
    way = outside - inside
    part = bracketed_roots(
        lambda t: np.asarray(np.sqrt(reach) - np.sqrt(drop(inside + float(t) * way))),
        np.array(0.0),
        np.array(1.0),
        _FINE,
    )
    return inside + float(part) * way


def _drop_of(ratio: Floats, best: Floats, k: int, top: float, tol: float, max_iter: int) -> Callable[[float], float]:
    """How far below `top` the best log-likelihood is when class k has a given share."""
    others = np.delete(best, k)
    shape = others / others.sum() if others.any() else np.full(len(others), 1 / len(others))

    def drop(share: float) -> float:
        nonlocal shape
        started = 0.999 * shape + 0.001 / len(shape)  # a class at 0 would stay there
        q = np.insert((1 - share) * started, k, share)
        if len(q) > 2 and share < 1:
            q = _climb(ratio, q, tol, max_iter, fixed=k)
            shape = np.delete(q, k) / (1 - share)
        return min(max(top - _log_likelihood(ratio, q), 0.0), _MOST)

    return drop


def _log_likelihood(ratio: Floats, q: Floats) -> float:
    density = ratio @ q
    return float(log_of(density).sum())


def _bootstrap(
    ratio: Floats, best: Floats, confidence: float, draws: int, tol: float, max_iter: int, random_state: Seed
) -> tuple[Floats, Floats]:
    check_whole("n_bootstrap", draws, 2)
    from likely.numeric.random_state import as_generator

    rng = as_generator(random_state)
    start = 0.99 * best + 0.01 / len(best)
    n = len(ratio)
    times = (np.bincount(rng.integers(n, size=n), minlength=n).astype(np.float64) for _ in range(draws))
    found = np.array([_climb(ratio, start, max(tol, 1e-8), max_iter, weight=drawn) for drawn in times])
    tail = (1 - confidence) / 2
    return np.quantile(found, tail, axis=0), np.quantile(found, 1 - tail, axis=0)
