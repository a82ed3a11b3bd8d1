"""How far probabilities are from what happens: the expected calibration error, its bins and its bias.

Rows are put into bins by their probability. In bin b, with a share w_b of the rows, o_b the share of events and p_b
the mean probability,

    l1  ECE = sum w_b |o_b - p_b|            l2  sqrt(sum w_b (o_b - p_b)^2)

"quantile" bins hold about equally many rows (rows with equal probabilities stay together), "uniform" bins are equally
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

from likely.decisions.calibration.reliability import Bins, Strategy, bin_edges
from likely.errors import InputError
from likely.evaluation.judged_input import choose_positive
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Array, Floats

Event: TypeAlias = Literal["auto", "top", "positive", "classwise"]
Norm: TypeAlias = Literal["l1", "l2"]

TOP = "the class said"  # the event that it came true


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
    n_bins: int = 15,
    strategy: Strategy = "quantile",
    norm: Norm = "l1",
    sample_weight: Any = None,
    confidence: float = 0.95,
) -> CalibrationError:
    """Expected calibration error (ECE): how far the probabilities are from the shares of events, in bins.

    `event="auto"` is "positive" for two classes and "top" for more.

    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(1000)
    >>> print(calibration_error(rng.random(1000) < p, p, n_bins=10))
    0.017 [0.000, 0.043] 95 % bins, n=1000, debiased (plain 0.033); 10 quantile bins, l1, of the positive class
    """
    return calibration_error_of(
        Said.of(y, posterior, classes, sample_weight), pos_label, event, n_bins, strategy, norm, confidence
    )


def calibration_error_of(
    said: Said,
    pos_label: Hashable = None,
    event: Event = "auto",
    n_bins: int = 15,
    strategy: Strategy = "quantile",
    norm: Norm = "l1",
    confidence: float = 0.95,
) -> CalibrationError:
    """The same of rows that are already checked."""
    if norm not in ("l1", "l2"):
        raise InputError(f"unknown norm={norm!r}; use 'l1' or 'l2'")
    event = event_of(said, event, pos_label)
    grouped = [
        Bins.of(p, came_true, said.weight, bin_edges(p, said.weight, n_bins, strategy))
        for _, p, came_true in events_of(said, event, pos_label)
    ]
    plain = float(np.mean([_plain(b, norm) for b in grouped]))
    n = effective_size(said.weight, len(said))
    method = "bins" if said.groups is None else "bins (groups ignored)"
    estimate = _debiased(grouped, norm, n, confidence, method)
    of = {"top": TOP, "positive": "the positive class", "classwise": "each class"}[event]
    return CalibrationError(plain, estimate, tuple(grouped), f"{n_bins} {strategy} bins, {norm}, of {of}")


def event_of(said: Said, event: Event, pos_label: Hashable) -> Event:
    """What the probabilities are of: by default the positive one of two classes, of more the class said."""
    if event != "auto":
        return event
    return "positive" if len(said.classes) == 2 or pos_label is not None else "top"


def events_of(said: Said, event: Event, pos_label: Hashable) -> list[tuple[str, Floats, Array]]:
    """Of each event its name, the probabilities (n,) and whether it came true (n,)."""
    p, codes = said.probabilities("a calibration error"), said.y
    event = event_of(said, event, pos_label)
    if event == "top":
        best = p.argmax(axis=1)
        return [(TOP, p[np.arange(len(p)), best], best == codes)]
    if event == "positive":
        place = said.classes.index(choose_positive(said.classes, pos_label)[0])
        return [(str(said.classes[place]), p[:, place], codes == place)]
    if event == "classwise":
        return [(str(c), p[:, i], codes == i) for i, c in enumerate(said.classes)]
    raise InputError(f"unknown event {event!r}; use 'auto', 'top', 'positive' or 'classwise'")


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
