"""How far probabilities are from what happens: the expected calibration error, its bins and its bias.

Rows are put into bins by their probability. In bin b, with a share w_b of the rows, o_b the share of events and p_b
the mean probability,

    l1  ECE = sum w_b |o_b - p_b|            l2  sqrt(sum w_b (o_b - p_b)^2)

"quantile" bins hold about equally many rows (rows with equal probabilities stay together), "width" bins are equally
wide. The event is the class said (of "top", the most probable class), the positive class of two, or every class in
turn ("classwise": the mean over the classes).

Chance alone makes a perfectly calibrated model look bad: o_b varies by s_b^2 = o_b (1 - o_b) / (n_b - 1), and gaps
are never negative. The debiased forms take that out. For l2, s_b^2 is subtracted from each square, which leaves no
bias (Kumar, Liang and Ma 2019). For l1, each gap is replaced by the g for which |N(g, s_b^2)| is as large as the gap
on average; a gap below that of g = 0, s_b sqrt(2 / pi), counts as its (negative) excess over it, so that bins without
a gap cancel out. The sum is cut at 0. The error of a given binning is itself a lower bound of the true one.

Intervals treat the bins as independent, with standard errors s_b: on the sum of squares for l2, on the sum for l1,
around the debiased value. They are about the binned error. Coverage of 95 % intervals by simulation (10 bins, 300 and
2,000 rows, calibrated and not): l1 86 to 96 %, l2 93 to 100 %.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal, TypeAlias

import numpy as np

from likely.errors import InputError
from likely.evaluation.given import choose_positive
from likely.evaluation.measures.posteriors import Judged
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Array, Floats

BinRule: TypeAlias = Literal["quantile", "width"]
Event: TypeAlias = Literal["auto", "top", "positive", "classwise"]
Norm: TypeAlias = Literal["l1", "l2"]


@dataclass(frozen=True)
class Bins:
    """Rows grouped by their probability; empty bins are left out."""

    low: Floats  # (b,)  smallest probability in the bin
    high: Floats  # (b,)
    weight: Floats  # (b,)  sum of the rows' weights
    rows: Floats  # (b,)  effective number of rows
    probability: Floats  # (b,)  mean
    share: Floats  # (b,)  of events

    @classmethod
    def of(cls, probability: Floats, event: Array, weight: Floats | None, bins: int, rule: BinRule) -> "Bins":
        """Group rows; `event` is True where what the probability was for came true."""
        if bins < 1:
            raise InputError(f"there must be at least one bin, got {bins}")
        w = np.ones(len(event)) if weight is None else weight
        used = w > 0
        p, e, w = probability[used], event[used], w[used]
        place = _place(p, w, bins, rule)
        total = np.bincount(place, weights=w)
        full = np.flatnonzero(total > 0)
        sums = [np.bincount(place, weights=v)[full].astype(np.float64) for v in (w, w**2, w * p, w * e)]
        low, high = np.full(len(total), np.inf), np.full(len(total), -np.inf)
        np.minimum.at(low, place, p)
        np.maximum.at(high, place, p)
        return cls(low[full], high[full], sums[0], sums[0] ** 2 / sums[1], sums[2] / sums[0], sums[3] / sums[0])

    @property
    def variance(self) -> Floats:
        """Of the share of events in each bin; 1/4, the largest possible, for a bin of one row."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.where(self.rows > 1, self.share * (1 - self.share) / (self.rows - 1), 0.25))


@dataclass(frozen=True)
class CalibrationError:
    """The expected calibration error, without and with its bias taken out."""

    plain: float
    debiased: Estimate
    bins: tuple[Bins, ...]  # one, or one per class
    rule: str

    def __str__(self) -> str:
        return f"{self.debiased}, debiased (plain {self.plain:.3f}); {self.rule}"

    def frame(self) -> Any:
        """The bins as a Polars frame."""
        import polars as pl

        names = ("low", "high", "weight", "rows", "probability", "share")
        parts = [pl.DataFrame({"set": i, **{n: getattr(b, n) for n in names}}) for i, b in enumerate(self.bins)]
        return pl.concat(parts)


def calibration_error(
    y: Any,
    posterior: Any,
    classes: Sequence[Hashable] | None = None,
    pos_label: Hashable = None,
    event: Event = "auto",
    bins: int = 15,
    rule: BinRule = "quantile",
    norm: Norm = "l1",
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> CalibrationError:
    """How far the probabilities are from the shares of events, in bins.

    `event="auto"` is "positive" for two classes and "top" for more.

    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(1000)
    >>> print(calibration_error(rng.random(1000) < p, p, bins=10))
    0.017 [0.000, 0.043] 95 % bins, n=1000, debiased (plain 0.033); 10 quantile bins, l1, of the positive class
    """
    judged = Judged.of(y, posterior, classes, sample_weight, None, confidence)
    return calibration_error_of(judged, pos_label, event, bins, rule, norm)


def calibration_error_of(
    judged: Judged,
    pos_label: Hashable = None,
    event: Event = "auto",
    bins: int = 15,
    rule: BinRule = "quantile",
    norm: Norm = "l1",
) -> CalibrationError:
    """The same of rows that are already checked."""
    if rule not in ("quantile", "width") or norm not in ("l1", "l2"):
        raise InputError(f"unknown rule={rule!r} or norm={norm!r}; use 'quantile' or 'width', and 'l1' or 'l2'")
    if event == "auto":
        event = "positive" if len(judged.classes) == 2 or pos_label is not None else "top"
    grouped = [Bins.of(p, e, judged.weight, bins, rule) for p, e in _events(judged, event, pos_label)]
    plain = float(np.mean([_plain(b, norm) for b in grouped]))
    n = effective_size(judged.weight, len(judged.codes))
    method = "bins" if judged.groups is None else "bins (groups ignored)"
    estimate = _debiased(grouped, norm, n, judged.confidence, method)
    of = {"top": "the class said", "positive": "the positive class", "classwise": "each class"}[event]
    return CalibrationError(plain, estimate, tuple(grouped), f"{bins} {rule} bins, {norm}, of {of}")


def _events(judged: Judged, event: Event, pos_label: Hashable) -> list[tuple[Floats, Array]]:
    codes, p = judged.codes, judged.posterior
    if event == "top":
        said = p.argmax(axis=1)
        return [(p[np.arange(len(p)), said], said == codes)]
    if event == "positive":
        place = judged.classes.index(choose_positive(judged.classes, pos_label)[0])
        return [(p[:, place], codes == place)]
    if event == "classwise":
        return [(p[:, c], codes == c) for c in range(len(judged.classes))]
    raise InputError(f"unknown event {event!r}; use 'auto', 'top', 'positive' or 'classwise'")


def _place(p: Floats, weight: Floats, bins: int, rule: BinRule) -> Array:
    if rule == "width":
        return np.clip((p * bins).astype(np.int64), 0, bins - 1)
    order = np.argsort(p, kind="stable")
    rank = np.cumsum(weight[order])
    # Where each bin begins: at the value that the given share of the rows lies below.
    edges = p[order][np.searchsorted(rank, rank[-1] * np.arange(1, bins) / bins, side="right")]
    return np.searchsorted(np.unique(edges), p, side="right")


def _plain(bins: Bins, norm: Norm) -> float:
    share, gap = bins.weight / bins.weight.sum(), bins.share - bins.probability
    return float(share @ np.abs(gap)) if norm == "l1" else sqrt(float(share @ gap**2))


def _debiased(grouped: list[Bins], norm: Norm, n: float, confidence: float, method: str) -> Estimate:
    z = normal_quantile(confidence)
    total, variance = 0.0, 0.0
    for bins in grouped:
        share = bins.weight / bins.weight.sum() / len(grouped)
        gap, spread = np.abs(bins.share - bins.probability), bins.variance
        if norm == "l1":
            total += float(share @ _true_gap(gap, np.sqrt(spread)))
            variance += float(share**2 @ spread)
        else:
            total += float(share @ (gap**2 - spread))
            variance += float(share**2 @ (4 * gap**2 * spread + 2 * spread**2))
    half = z * sqrt(variance)
    value, low, high = (max(total + side * half, 0.0) for side in (0, -1, 1))
    if norm == "l2":
        value, low, high = sqrt(value), sqrt(low), sqrt(high)
    return Estimate(value, low, high, confidence, method, n, sqrt(variance) if norm == "l1" else np.nan)


def _true_gap(gap: Floats, deviation: Floats) -> Floats:
    """The mean of a normal variable whose size is on average the gap; below the least possible, the gap less that."""
    least = _folded_mean(np.zeros(len(gap)), deviation)
    low, high = np.zeros(len(gap)), gap.copy()
    for _ in range(60):  # bisection: the mean size rises with the mean, and is never below it
        middle = (low + high) / 2
        short = _folded_mean(middle, deviation) < gap
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.asarray(np.where(gap < least, gap - least, low))


def _folded_mean(mean: Floats, deviation: Floats) -> Floats:
    """The mean of |N(mean, deviation^2)|."""
    from scipy.special import ndtr

    safe = np.where(deviation > 0, deviation, 1.0)
    ratio = mean / safe
    folded = safe * np.sqrt(2 / np.pi) * np.exp(-(ratio**2) / 2) + mean * (1 - 2 * ndtr(-ratio))
    return np.asarray(np.where(deviation > 0, folded, np.abs(mean)))
