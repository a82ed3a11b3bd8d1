"""The delta method for measures of a confusion matrix: how much each cell moves a measure.

    variance = sum over cells of S (dM / dcell)^2,   S the sum of squared weights in the cell; without weights its count

Measures do not change when all cells are multiplied, so the slopes need no centring. The slopes are exact derivatives
by the complex step, f'(x) = Im f(x + ih) / h. The interval is found on a scale where the measure is free (logit for 0
to 1, Fisher's z for -1 to 1, logarithm above 0), at a matrix to which one pseudo-row is added, half of it right and
half wrong: at the edge (a correlation of 1) the variance of the plain method is 0 and its interval a lie. A class of
one or two rows, all wrong, needs two pseudo-rows to allow for a good recall; a good classifier is flattered by one. The
interval reaches from the lower of the two low ends to the higher of the two high ends. Pseudo-rows draw a figure to the
middle: on the other side the interval reaches as far as without any, where that has an end.

Coverage of 95 % intervals by simulation, n = 30, 100 and 1,000, two and three classes, macro precision, recall and F1,
correlation, kappa, informedness: 91 to 97 %; for classifiers that are right in 96 to 98 % of the rows and n = 30, 97 %.
With 3 % of the rows in the smaller class and two thirds of them found: informedness and balanced accuracy 98 % at
n = 30, 93 to 94 % at 100, 93 to 95 % at 1,000; kappa and correlation 99 %, 94 to 96 % and 94 to 95 %.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from likely.evaluation.measures.counts.formulas import Bounds, Measure
from likely.evaluation.measures.vocabulary import Average
from likely.numeric.arrays import Array, Floats

_ROUNDING = 1e-9  # of a figure at its bound, where its own error means nothing
_STEP = 1e-30  # of the complex step: nothing is subtracted, so it can be this small


@dataclass(frozen=True)
class Cells:
    """A confusion matrix as counts per class, and the way back from slopes per count to slopes per cell."""

    matrix: Array  # (..., k, c)  c = k, or k + 1 with a column of rejected rows

    @property
    def k(self) -> int:
        return int(self.matrix.shape[-2])

    @cached_property
    def counts(self) -> tuple[Array, Array, Array, Array]:
        """TP, FP, FN, TN of every class (..., k)."""
        m, k = self.matrix, self.k
        hits = np.einsum("...ii->...i", m[..., :k])
        alarms = m[..., :k].sum(axis=-2) - hits
        misses = m.sum(axis=-1) - hits
        rest = m.sum(axis=(-2, -1))[..., None] - hits - alarms - misses
        return hits, alarms, misses, rest

    def value(self, measure: Measure, of: int | Average, among: Array | None = None) -> Floats:
        """The measure of one class, or its average over the classes: those in `among` (k,), or those that define it."""
        counts = self.counts
        if isinstance(of, int):
            return np.asarray(measure.function(*(c[..., of] for c in counts)))
        if of == "micro":
            return np.asarray(measure.function(*self._pooled(measure, counts)))
        each = measure.function(*counts)
        used = ~np.isnan(each) if among is None else np.broadcast_to(among, each.shape)
        weight = np.where(used, counts[0] + counts[2] if of == "weighted" else 1.0, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(weight > 0, weight * each, 0.0).sum(axis=-1) / weight.sum(axis=-1))

    def variance(self, measure: Measure, of: int | Average, among: Array, spread: "Cells") -> float:
        """Of the measure, at these cells, when `spread` holds the squared weights."""
        if isinstance(of, int):  # all cells of a kind have one slope
            slopes = _derivatives(measure, tuple(c[of] for c in self.counts))
            return float(sum(s[of] * d**2 for s, d in zip(spread.counts, slopes, strict=True)))
        return float((spread.matrix * self.slopes(measure, of, among) ** 2).sum())

    def slopes(self, measure: Measure, of: int | Average, among: Array) -> Floats:
        """How fast the measure changes with each cell (k, c)."""
        counts = self.counts
        if of == "micro":
            return self._micro_slopes(measure, counts)
        rows = np.where(among, counts[0] + counts[2], 0.0)
        weight = np.zeros(self.k)
        if isinstance(of, int):
            weight[of] = 1.0
        else:
            weight = among / among.sum() if of == "macro" else rows / rows.sum()
        with np.errstate(invalid="ignore"):  # slopes of what is infinite
            tp, fp, fn, tn = (np.where(weight > 0, weight * d, 0.0) for d in _derivatives(measure, counts))
            out = np.full(self.matrix.shape, tn.sum())
            out += (fn - tn)[:, None]
            out[:, : self.k] += fp - tn
            np.fill_diagonal(out, tn.sum() + tp - tn)
        if of == "weighted":  # the weights move too
            each = np.where(among, measure.function(*counts), 0.0)
            out += np.where(among, each - weight @ each, 0.0)[:, None] / rows.sum()
        return out

    def _micro_slopes(self, measure: Measure, counts: tuple[Array, ...]) -> Floats:
        tp, fp, fn, tn = (float(d) for d in _derivatives(measure, self._pooled(measure, counts)))
        k = self.k
        if measure.overall:
            right, wrong, rejected = tp, fn, fn
        else:  # a wrong row is a miss of one class, a false alarm of another, and a true negative of the rest
            right, wrong, rejected = tp + (k - 1) * tn, fn + fp + (k - 2) * tn, fn + (k - 1) * tn
        out = np.full(self.matrix.shape, wrong)
        out[:, k:] = rejected
        np.fill_diagonal(out, right)
        return out

    def pseudo_row(self) -> Floats:
        """What one pseudo-row adds to the matrix: half of it right, half wrong, the same for every class."""
        k = self.k
        out = np.zeros(self.matrix.shape[-2:])
        if k > 1:
            out[:, :k] = 0.5 / (k * (k - 1))
        np.fill_diagonal(out, 0.5 / k)
        return out

    def _pooled(self, measure: Measure, counts: tuple[Array, ...]) -> tuple[Array, ...]:
        if measure.overall:
            hits = counts[0].sum(axis=-1)
            zero = np.zeros_like(hits)
            return hits, zero, self.matrix.sum(axis=(-2, -1)) - hits, zero
        return tuple(c.sum(axis=-1) for c in counts)


def widest_interval(
    value: float, smoothed: Sequence[tuple[float, float]], z: float, bounds: Bounds, error: float = 0.0
) -> Bounds:
    """The lowest and the highest end over several smoothed values with their standard errors.

    `error` is that of the value itself, for the end away from which smoothing has drawn it; 0: there is none.
    """
    ends = [delta_interval(value, smooth, own, z, bounds) for smooth, own in smoothed]
    low, high = min(low for low, _ in ends), max(high for _, high in ends)
    edge = min(value - bounds[0], bounds[1] - value)
    if 0 < error < np.inf and edge > _ROUNDING and bounds[1] < np.inf:
        below, above = delta_interval(value, value, error, z, bounds)
        low, high = (low, max(high, above)) if value >= smoothed[0][0] else (min(low, below), high)
    return low, high


def delta_interval(value: float, smooth: float, error: float, z: float, bounds: Bounds) -> Bounds:
    """Ends of the interval from a smoothed value and its standard error, on the free scale of the bounds."""
    low, high = bounds
    if not (np.isfinite(smooth) and np.isfinite(error)) or not low < smooth < high:
        return bounds
    if np.isinf(high):
        half = z * error / smooth
        below, above = smooth * np.exp(-half), smooth * np.exp(half)
    else:
        share = (smooth - low) / (high - low)  # Fisher's z of r is half the logit of (1 + r) / 2
        half = z * error / (high - low) / (share * (1 - share))
        logit = np.log(share) - np.log1p(-share)
        below, above = (low + (high - low) * _sigmoid(logit + side * half) for side in (-1, 1))
    return float(min(below, value)), float(max(above, value))


def _sigmoid(x: float) -> float:
    return float(0.5 * (1 + np.tanh(0.5 * x)))  # no overflow


def _derivatives(measure: Measure, counts: tuple[Array, ...]) -> list[Floats]:
    base = [np.asarray(c, dtype=np.complex128) for c in counts]
    out = []
    with np.errstate(invalid="ignore", divide="ignore"):
        for i in range(4):
            moved = [c + 1j * _STEP if i == j else c for j, c in enumerate(base)]
            out.append(np.asarray(measure.function(*moved).imag / _STEP))
    return out
