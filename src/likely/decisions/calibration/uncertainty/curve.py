"""The calibration curve of a model and how well it is known: how often what is said of a class comes true.

    log-odds of the truth at t  =  t + a + b (t - mean of t) + h(t),      t the log-odds that were said

a and b are what the map may be off by, h is any smooth departure from its form: an integrated Wiener process over the
ranks of t, free of a constant and a slope, of standard deviation tau. The rows of a track record say how far a, b and h
are from zero. tau is 0.05, 0.2, 0.6, 2 or 6 nats, each as probable as it explains the record: where the map has the
right form, h is small and costs little; where it has not, the measured departure is part of the answer, and what is not
known of it too. a has a standard deviation of 3 nats beforehand and b of 2: classes that the scores separate say how
large the slope is at least, not at most.

Curves are tried from a normal law about the most probable one for each tau (Laplace), and drawn among these by how
probable they are: where all rows came true the likelihood is flat on one side and a cliff on the other, and no normal
law has that shape. Between knots at quantiles of t a curve is a line, beyond the outermost ones the line of the last
two. Bands of a smoothing spline that are made so hold the truth as often as they
say on average over the rows, not at every single t (Nychka 1988).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.special import expit

from likely.numeric.arrays import Floats, Ints
from likely.optimize.newton import newton
from likely.optimize.objectives import Expansion

_KNOTS = 24
_TAUS = (0.05, 0.2, 0.6, 2.0, 6.0)
_SPREAD = np.array([3.0, 2.0])  # of a and b, in nats
_TRIED = 4_000  # curves for each tau
_WIDER = 1.1  # they are than the normal law, so that its tails are not too thin
_JITTER = 1e-6  # variance at each knot, which keeps the prior's matrix regular


@dataclass(frozen=True)
class CurveDraws:
    """Calibration curves drawn from what is known of one."""

    knots: Floats  # (j,)  log-odds that are said, rising
    values: Floats  # (draws, j)  log-odds of the truth there

    @classmethod
    def of(cls, said: Floats, rows: Floats, true: Floats, draws: int, rng: np.random.Generator) -> Self:
        """From groups (m,) of a track record."""
        counted = rows > 0
        said, rows, true = said[counted], rows[counted], true[counted]
        knots = _knots(said)
        place, part = _between(knots, said)
        design = np.zeros((len(said), len(knots)))
        design[np.arange(len(said)), place] = 1 - part
        design[np.arange(len(said)), place + 1] = part
        line = np.column_stack([np.ones(len(knots)), knots - np.average(said, weights=rows)]) * _SPREAD
        departure = _departure(line)
        laws = [
            cholesky(line @ line.T + tau**2 * departure + _JITTER * np.eye(len(knots)), lower=True) for tau in _TAUS
        ]
        tried = [_proposed(design, rows, true, knots, law, max(draws, _TRIED), rng) for law in laws]
        log_weight = np.concatenate([each.log_weight for each in tried])
        weight = np.exp(log_weight - log_weight.max())
        taken = rng.choice(len(weight), size=draws, p=weight / weight.sum())
        return cls(knots, np.concatenate([each.values for each in tried])[taken])

    def at(self, said: Floats) -> Floats:
        """Log-odds of the truth under every draw (n, draws), where (n,) or under each draw (n, draws) was said."""
        place, part = _between(self.knots, said)
        if said.ndim == 1:
            low, high = self.values[:, place].T, self.values[:, place + 1].T
            return np.asarray(low + part[:, None] * (high - low))
        own = np.arange(len(self.values))
        low, high = self.values[own, place], self.values[own, place + 1]
        return np.asarray(low + part * (high - low))


class _Tried(NamedTuple):
    values: Floats  # (tried, j)  curves
    log_weight: Floats  # (tried,)  their posterior over the density that they were drawn with, but for a constant


def _proposed(
    design: Floats, rows: Floats, true: Floats, knots: Floats, law: Floats, count: int, rng: np.random.Generator
) -> _Tried:
    """Curves from a normal law about the most probable one, and how much each counts.

    The prior is normal about what is said, with the covariance law law'. All is in units in which it is standard.
    """
    seen, start, total = design @ law, design @ knots, float(rows.sum())

    def mean_loss(x: Floats) -> Expansion:
        odds = start + seen @ x
        p = expit(odds)
        loss = float(rows @ np.logaddexp(0.0, odds) - true @ odds + x @ x / 2)
        hessian = seen.T @ ((rows * p * (1 - p))[:, None] * seen) + np.eye(len(x))
        return Expansion(loss / total, (seen.T @ (rows * p - true) + x) / total, hessian / total)

    mode = newton(mean_loss, np.zeros(len(knots)), tol=1e-9, keep_points=False).point
    hessian: Any = mean_loss(mode).hessian
    curvature = cholesky(hessian * total, lower=True)
    noise = rng.standard_normal((count, len(knots)))
    x = mode + _WIDER * solve_triangular(curvature, noise.T, lower=True, trans=1).T
    odds = start + x @ seen.T
    log_posterior = odds @ true - np.logaddexp(0.0, odds) @ rows - np.square(x).sum(axis=1) / 2
    log_density = float(np.log(np.diag(curvature)).sum()) - np.square(noise).sum(axis=1) / 2
    return _Tried(knots + x @ law.T, log_posterior - log_density)


def _departure(line: Floats) -> Floats:
    """Covariance of an integrated Wiener process at knots, free of a constant and a slope, of mean variance 1."""
    rank = np.linspace(0.0, 1.0, len(line))
    low, high = np.minimum.outer(rank, rank), np.maximum.outer(rank, rank)
    q, _ = np.linalg.qr(line)
    free = np.eye(len(line)) - q @ q.T
    found = free @ (low**2 * (3 * high - low) / 6) @ free.T
    scale = float(np.diag(found).mean())
    return np.asarray(found / scale) if scale > 1e-12 else np.zeros_like(found)


def _knots(said: Floats) -> Floats:
    """The ends and quantiles in between; fewer of few rows."""
    count = int(min(_KNOTS, max(4, 2 * np.sqrt(len(said)))))
    inner = (np.arange(count - 2) + 0.5) / (count - 2)
    found = np.unique(np.quantile(said, [0.0, *inner, 1.0]))
    apart = np.diff(found, prepend=-np.inf) > 1e-6 * (1 + np.abs(found).max())
    found = found[apart]
    return found if len(found) > 1 else np.array([found[0] - 0.5, found[0] + 0.5])


def _between(knots: Floats, t: Floats) -> tuple[Ints, Floats]:
    """The knot below each t, and how far t is on the way to the next one; below 0 or above 1 beyond the ends."""
    place = np.clip(np.searchsorted(knots, t, side="right") - 1, 0, len(knots) - 2)
    return place, (t - knots[place]) / (knots[place + 1] - knots[place])
