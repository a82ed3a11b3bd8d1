"""How good posteriors are, row by row: log-loss and Brier score, with intervals, split into their parts.

    log-loss  mean of -ln p(true class): infinite when a true class was given probability 0, and then said so
    Brier     mean of sum over classes of (p - y)^2, y the 0/1 vector of the truth; for two classes half of that, the
              mean squared error (p - y)^2 of the probability of one class, unless told otherwise

Both are proper: no other posterior is better in expectation than the true one. Each splits exactly (Murphy 1973;
Dimitriadis, Gneiting and Jordan 2021) into

    score = miscalibration - discrimination + uncertainty
    uncertainty     score of the classes' shares, told of every row
    discrimination  how much better the recalibrated posteriors are than those shares (also refinement, resolution)
    miscalibration  how much worse the posteriors are than when recalibrated

The recalibrated posteriors are the isotonic fit on the same rows (`pooling`), without bins: for two classes of the
probability of either, for more of each class against the rest (and rows divided by their sum for the log-loss, which
leaves its miscalibration free to fall slightly below 0). Fitting on the same rows flatters discrimination and
miscalibration alike: also a perfectly calibrated model has some miscalibration, of the order n^(-2/3).

Intervals are those of means of rows (`intervals.means`), skewness corrected; with groups, the cluster bootstrap. Their
upper ends allow for mistakes that did not occur (`unseen_mistakes`). In the parts, the isotonic fit and the shares are
taken as given: they minimise the score, so that their own variation is of second order. What is of second order is not
nothing where the first vanishes: lower ends are lower by how much the fit flatters itself (`fitted_by_chance`), that of
discrimination is no nearer than the upper end of the score (a fit that makes no mistake shows no spread), that of
miscalibration is 0 unless right probabilities would seldom show as much, and that of uncertainty allows for shares that
are equal by chance (chi-square).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.printing.html_table import text_as_html
from likely.decisions.calibration.pooling import recalibrated
from likely.errors import InputError
from likely.evaluation.measures.calibration.fitted_by_chance import Flattery, flattery
from likely.evaluation.measures.unseen_mistakes import allow_for_mistakes, doubts
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import MeanMethod, effective_size, mean_interval
from likely.numeric.arrays import Floats, PerRow
from likely.numeric.logspace import log_of

Score: TypeAlias = Literal["log-loss", "Brier"]
Half: TypeAlias = bool | Literal["auto"]


@dataclass(frozen=True)
class Decomposition:
    """A score and its parts: score = miscalibration - discrimination + uncertainty."""

    score: Estimate  # the whole
    miscalibration: Estimate  # lost by probabilities that are no frequencies
    discrimination: Estimate  # gained by telling rows apart
    uncertainty: Estimate  # the score of the class shares alone

    def __str__(self) -> str:
        names = ("score", "miscalibration", "discrimination", "uncertainty")
        return "\n".join(f"{name:<14}  {getattr(self, name)}" for name in names)

    _repr_html_ = text_as_html


def log_loss(
    y: TargetLike,
    posterior: ArrayLike,
    classes: Sequence[Hashable] | None = None,
    sample_weight: PerRow = None,
    groups: PerRow = None,
    confidence: float = 0.95,
    method: MeanMethod | None = None,
) -> Estimate:
    """Log-loss or cross-entropy: the mean of -ln p(true class), in nats.

    >>> print(log_loss([1, 0, 1, 1], [0.9, 0.2, 0.6, 0.7]))
    0.299 [0.053, 0.746] 95 % t (skewness corrected) with unseen mistakes, n=4
    """
    return log_loss_of(Said.of(y, posterior, classes, sample_weight, groups), confidence, method)


def brier_score(
    y: TargetLike,
    posterior: ArrayLike,
    classes: Sequence[Hashable] | None = None,
    sample_weight: PerRow = None,
    groups: PerRow = None,
    confidence: float = 0.95,
    method: MeanMethod | None = None,
    scale_by_half: Half = "auto",
) -> Estimate:
    """Brier score: the mean squared distance of the posterior from the truth; "auto" halves it for two classes.

    Parameters
    ----------
    scale_by_half : True halves the sum over the classes; "auto" does so for two classes

    >>> print(brier_score([1, 0, 1, 1], [0.9, 0.2, 0.6, 0.7]))
    0.075 [0.000, 0.500] 95 % t (skewness corrected), n=4
    """
    return brier_of(Said.of(y, posterior, classes, sample_weight, groups), confidence, method, scale_by_half)


def decompose(
    y: TargetLike,
    posterior: ArrayLike,
    score: Score = "Brier",
    classes: Sequence[Hashable] | None = None,
    sample_weight: PerRow = None,
    groups: PerRow = None,
    confidence: float = 0.95,
) -> Decomposition:
    """A proper score decomposed: miscalibration - discrimination + uncertainty.

    Parameters
    ----------
    score : which score

    >>> parts = decompose([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    >>> [round(float(part), 4) for part in (parts.score, parts.miscalibration, parts.discrimination, parts.uncertainty)]
    [0.1667, 0.0833, 0.1667, 0.25]
    """
    return decompose_of(Said.of(y, posterior, classes, sample_weight, groups), score, confidence)


def log_losses(said: Said) -> Floats:
    """-ln p(true class) of each row (n,)."""
    rows = np.arange(len(said))
    if said.log_posterior is None:
        return -log_of(said.probabilities("log_loss")[rows, said.y])
    return np.asarray(-said.log_posterior[rows, said.y])


def brier_losses(said: Said, scale_by_half: Half = "auto") -> Floats:
    """The squared distance of each row's posterior from the truth (n,); "auto" halves it for two classes."""
    off = np.array(said.probabilities("brier"))
    off[np.arange(len(off)), said.y] -= 1.0
    return np.asarray((off * off).sum(axis=1) * (0.5 if _halved(said, scale_by_half) else 1.0))


def log_loss_of(said: Said, confidence: float = 0.95, method: MeanMethod | None = None) -> Estimate:
    """The log-loss of rows that are already checked."""
    losses = log_losses(said)
    impossible = np.isinf(losses) & (True if said.weight is None else said.weight > 0)
    if not impossible.any():
        finite = np.maximum(np.where(np.isinf(losses), 0.0, losses), 0.0)  # rows of weight 0 do not count
        best, log_doubt, others = doubts(said, "log_loss")
        log_p = said.log_probabilities("log_loss")
        alone = log_p[np.arange(len(best)), best]
        with np.errstate(invalid="ignore"):
            extra = alone - np.where(others > 0, others * log_p, 0.0).sum(axis=1)
        extra = np.where(np.isinf(log_p).any(axis=1), inf, extra)
        found = _mean(said, finite, (0.0, inf), confidence, method)
        return allow_for_mistakes(found, said, finite, extra, best != said.y, log_doubt)
    row = int(np.flatnonzero(impossible)[0])
    return infinite_loss(int(impossible.sum()), len(losses), row, confidence, effective_size(said.weight, len(losses)))


def infinite_loss(impossible: int, rows: int, first: int, confidence: float, n: float | None = None) -> Estimate:
    """The log-loss where true classes were given probability 0, in so many rows."""
    note = f"{impossible} of {rows} rows gave their true class probability 0, the first is row {first}"
    return Estimate(inf, inf, inf, confidence, "certain", float(rows) if n is None else n, note=note)


def brier_of(
    said: Said, confidence: float = 0.95, method: MeanMethod | None = None, scale_by_half: Half = "auto"
) -> Estimate:
    """The Brier score of rows that are already checked."""
    half = 0.5 if _halved(said, scale_by_half) else 1.0
    losses, most = brier_losses(said, scale_by_half), 2 * half
    p, (best, log_doubt, others) = said.probabilities("brier"), doubts(said, "brier")
    extra = 2 * half * (p[np.arange(len(best)), best] - (others * p).sum(axis=1))
    found = _mean(said, losses, (0.0, most), confidence, method)
    return allow_for_mistakes(found, said, losses, extra, best != said.y, log_doubt, most)


def decompose_of(said: Said, score: Score = "Brier", confidence: float = 0.95) -> Decomposition:
    """The parts of a score of rows that are already checked."""
    if score not in ("log-loss", "Brier"):
        raise InputError(f"unknown score {score!r}; use 'log-loss' or 'Brier'")
    losses, whole = (log_losses, log_loss_of) if score == "log-loss" else (brier_losses, brier_of)
    counted = np.bincount(said.y, weights=said.weight, minlength=len(said.classes))
    shares = np.broadcast_to(counted / counted.sum(), (len(said), len(said.classes)))
    told = losses(said)
    fit = partial(_recalibrated, score=score)
    fitted, base = (losses(replace(said, posterior=p, log_posterior=None)) for p in (fit(said), shares))
    found = whole(said, confidence)
    if np.isinf(found.value):
        worse = replace(found, note="infinite with the score")
    else:
        worse = _mean(said, _difference(told, fitted), (-inf, inf), confidence)
        worse = _as_chance_would(worse, found, flattery(said, said.probabilities(score), losses, fit, confidence))
    better = _mean(said, _difference(base, fitted), (-inf, inf), confidence)
    flattered = flattery(said, fit(said), losses, fit, confidence).mean
    above = 0.0 if np.isinf(found.value) else found.high - found.value
    low = min(better.low, better.value - above) - flattered  # a fit without mistakes shows no spread of its own
    better = replace(better, low=max(low, min(better.value, 0.0)), note="")
    return Decomposition(found, worse, better, _uncertainty(said, base, score, confidence))


def _as_chance_would(worse: Estimate, score: Estimate, chance: Flattery) -> Estimate:
    """A miscalibration with ends that allow for what the fit makes of probabilities that are right."""
    shown = worse.value > chance.most
    low = max(worse.low - chance.mean, 0.0) if shown else 0.0
    high = max(worse.high, worse.value + score.high - score.value) if "unseen" in score.method else worse.high
    return replace(worse, low=min(low, worse.value), high=high, note="")


def _uncertainty(said: Said, base: Floats, score: Score, confidence: float) -> Estimate:
    from scipy.special import chdtri

    found = _mean(said, base, (0.0, inf), confidence)
    classes, units = len(said.classes), found.n if said.groups is None else len(np.unique(said.groups))
    if classes < 2:
        return found
    spread = float(chdtri(classes - 1, 1 - confidence)) / max(units, 1.0)
    halved = _halved(said, "auto")
    less = spread / 2 if score == "log-loss" else spread / classes * (0.5 if halved else 1.0)
    even = float(np.log(classes)) if score == "log-loss" else (1 - 1 / classes) * (0.5 if halved else 1.0)
    return replace(found, low=max(found.low - less, 0.0), high=min(found.high, max(even, found.value)), note="")


def _recalibrated(said: Said, score: Score) -> Floats:
    """The isotonic fit (n, k) of each class; for two classes that of one."""
    p, k = said.probabilities(score), len(said.classes)
    if k == 2:
        second = recalibrated(said.y == 1, p[:, 1], said.weight)
        return np.column_stack([1 - second, second])
    fits = np.column_stack([recalibrated(said.y == c, p[:, c], said.weight) for c in range(k)])
    return fits / fits.sum(axis=1, keepdims=True) if score == "log-loss" else fits


def _mean(
    said: Said, values: Floats, bounds: tuple[float, float], confidence: float, method: MeanMethod | None = None
) -> Estimate:
    return mean_interval(values, confidence, method, sample_weight=said.weight, groups=said.groups, bounds=bounds)


def _difference(a: Floats, b: Floats) -> Floats:
    """Of losses; rows of weight 0 may have infinite ones, which do not count."""
    with np.errstate(invalid="ignore"):
        d = a - b
    return np.asarray(np.where(np.isfinite(d), d, 0.0))


def _halved(said: Said, scale_by_half: Half) -> bool:
    return len(said.classes) == 2 if scale_by_half == "auto" else bool(scale_by_half)
