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

Intervals are those of means of rows (`means.py`), skewness corrected; with groups, the cluster bootstrap. In the
parts, the isotonic fit and the shares are taken as given: they minimise the score, so that their own variation is of
second order.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Literal, TypeAlias

import numpy as np

from likely.data.weights import read_weight
from likely.decisions.calibration.pooling import recalibrated
from likely.errors import InputError
from likely.evaluation.given import align_labels, read_posterior, read_truth
from likely.intervals.estimate import Estimate
from likely.intervals.means import MeanMethod, effective_size, mean_interval
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import log_of

Score: TypeAlias = Literal["log-loss", "Brier"]


@dataclass(frozen=True)
class Judged:
    """True classes and posteriors of rows, checked and aligned."""

    codes: Array  # (n,)
    posterior: Floats  # (n, k)
    classes: tuple[Hashable, ...]
    weight: Floats | None = None  # (n,)
    groups: Any = None  # (n,)  rows of one group depend on each other
    confidence: float = 0.95
    method: MeanMethod | None = None  # None: skewness-corrected t, or the cluster bootstrap with groups
    log_posterior: Floats | None = None  # (n, k)  exact where the posterior rounds to 0; None: its logarithm

    @classmethod
    def of(
        cls,
        y: Any,
        posterior: Any,
        classes: Sequence[Hashable] | None = None,
        sample_weight: Any = None,
        groups: Any = None,
        confidence: float = 0.95,
        method: MeanMethod | None = None,
    ) -> "Judged":
        """Check what a user gives; columns of the posterior are in the order of `classes`, or of the sorted labels."""
        codes, names = align_labels(read_truth(y), classes)
        p = read_posterior(posterior, len(codes), len(names))
        return cls(codes, p, names, read_weight(sample_weight, len(codes)), groups, confidence, method)

    def losses(self, posterior: Floats, score: Score, half: bool = False) -> Floats:
        """The score of each row (n,) for posteriors (n, k) or (k,) told of every row."""
        if score == "log-loss":
            rows = np.arange(len(self.codes))
            if posterior is self.posterior and self.log_posterior is not None:
                return np.asarray(-self.log_posterior[rows, self.codes])
            told = np.broadcast_to(posterior, (len(self.codes), posterior.shape[-1]))
            return -log_of(told[rows, self.codes])
        truth = np.zeros((len(self.codes), len(self.classes)))
        truth[np.arange(len(self.codes)), self.codes] = 1.0
        return np.asarray(((posterior - truth) ** 2).sum(axis=1) * (0.5 if half else 1.0))

    def mean(self, values: Floats, bounds: tuple[float, float]) -> Estimate:
        """The mean over the rows with its interval."""
        return mean_interval(
            values, self.confidence, self.method, sample_weight=self.weight, groups=self.groups, bounds=bounds
        )

    def shares(self) -> Floats:
        """The classes' shares of the rows (k,)."""
        rows = np.bincount(self.codes, weights=self.weight, minlength=len(self.classes))
        return np.asarray(rows / rows.sum())

    def recalibrated(self, score: Score) -> Floats:
        """The isotonic fit (n, k) of each class; for two classes that of one."""
        k = len(self.classes)
        if k == 2:
            second = recalibrated(self.codes == 1, self.posterior[:, 1], self.weight)
            return np.column_stack([1 - second, second])
        fits = np.column_stack([recalibrated(self.codes == c, self.posterior[:, c], self.weight) for c in range(k)])
        return fits / fits.sum(axis=1, keepdims=True) if score == "log-loss" else fits


@dataclass(frozen=True)
class Decomposition:
    """A score and its parts: score = miscalibration - discrimination + uncertainty."""

    score: Estimate
    miscalibration: Estimate
    discrimination: Estimate
    uncertainty: Estimate

    def __str__(self) -> str:
        names = ("score", "miscalibration", "discrimination", "uncertainty")
        return "\n".join(f"{name:<14}  {getattr(self, name)}" for name in names)


def log_loss(
    y: Any,
    posterior: Any,
    classes: Sequence[Hashable] | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    confidence: float = 0.95,
    method: MeanMethod | None = None,
) -> Estimate:
    """Mean of -ln p(true class), in nats.

    >>> print(log_loss([1, 0, 1, 1], [0.9, 0.2, 0.6, 0.7]))
    0.299 [0.053, 0.628] 95 % t (skewness corrected), n=4
    """
    return log_loss_of(Judged.of(y, posterior, classes, sample_weight, groups, confidence, method))


def brier_score(
    y: Any,
    posterior: Any,
    classes: Sequence[Hashable] | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    confidence: float = 0.95,
    method: MeanMethod | None = None,
    scale_by_half: bool | Literal["auto"] = "auto",
) -> Estimate:
    """Mean squared distance of the posterior from the truth; "auto" halves it for two classes.

    >>> print(brier_score([1, 0, 1, 1], [0.9, 0.2, 0.6, 0.7]))
    0.075 [0.000, 0.500] 95 % t (skewness corrected), n=4
    """
    return brier_of(Judged.of(y, posterior, classes, sample_weight, groups, confidence, method), scale_by_half)


def decompose(
    y: Any,
    posterior: Any,
    score: Score = "Brier",
    classes: Sequence[Hashable] | None = None,
    sample_weight: Any = None,
    groups: Any = None,
    confidence: float = 0.95,
) -> Decomposition:
    """A score as miscalibration - discrimination + uncertainty.

    >>> parts = decompose([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    >>> [round(float(part), 4) for part in (parts.score, parts.miscalibration, parts.discrimination, parts.uncertainty)]
    [0.1667, 0.0833, 0.1667, 0.25]
    """
    return decompose_of(Judged.of(y, posterior, classes, sample_weight, groups, confidence), score)


def log_loss_of(judged: Judged) -> Estimate:
    """The log-loss of rows that are already checked."""
    losses = judged.losses(judged.posterior, "log-loss")
    impossible = np.isinf(losses) & (True if judged.weight is None else judged.weight > 0)
    if not impossible.any():
        finite = np.where(np.isinf(losses), 0.0, losses)  # rows of weight 0 do not count
        return judged.mean(np.maximum(finite, 0.0), (0.0, inf))
    row = int(np.flatnonzero(impossible)[0])
    note = f"{impossible.sum()} of {len(losses)} rows gave their true class probability 0, the first is row {row}"
    n = effective_size(judged.weight, len(losses))
    return Estimate(inf, inf, inf, judged.confidence, "certain", n, note=note)


def brier_of(judged: Judged, scale_by_half: bool | Literal["auto"] = "auto") -> Estimate:
    """The Brier score of rows that are already checked."""
    half = _half(judged, scale_by_half)
    return judged.mean(judged.losses(judged.posterior, "Brier", half), (0.0, 1.0 if half else 2.0))


def decompose_of(judged: Judged, score: Score = "Brier") -> Decomposition:
    """The parts of a score of rows that are already checked."""
    if score not in ("log-loss", "Brier"):
        raise InputError(f"unknown score {score!r}; use 'log-loss' or 'Brier'")
    half = score == "Brier" and _half(judged, "auto")
    told, fitted, base = (
        judged.losses(p, score, half) for p in (judged.posterior, judged.recalibrated(score), judged.shares())
    )
    whole = log_loss_of(judged) if score == "log-loss" else brier_of(judged)
    if np.isinf(whole.value):
        worse = replace(whole, note="infinite with the score")
    else:
        worse = judged.mean(_difference(told, fitted), (-inf, inf))
    better = judged.mean(_difference(base, fitted), (-inf, inf))
    return Decomposition(whole, worse, better, judged.mean(base, (0.0, inf)))


def _difference(a: Floats, b: Floats) -> Floats:
    """Of losses; rows of weight 0 may have infinite ones, which do not count."""
    with np.errstate(invalid="ignore"):
        d = a - b
    return np.asarray(np.where(np.isfinite(d), d, 0.0))


def _half(judged: Judged, scale_by_half: bool | Literal["auto"]) -> bool:
    return len(judged.classes) == 2 if scale_by_half == "auto" else bool(scale_by_half)
