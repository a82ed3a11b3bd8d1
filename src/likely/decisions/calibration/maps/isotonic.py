"""Isotonic calibration: a rising staircase, each step the share of positives in a segment of the ROC convex hull.

    pool adjacent violators -> segments (m positives of n) -> p = m / n

The staircase is the non-decreasing map with the least squared error and the highest likelihood on its own data, and its
probabilities sum to the number of positives. A first segment without positives would promise probability 0, a last one
without negatives probability 1, and the log-loss of the first exception would be infinite. `smoothing`, which gives the
exact sum up (with "ends" it is off by less than one row, since each end adds or takes n / (n + 2)):

    "ends"  only those two segments say (m + 1) / (n + 2), though never past their neighbour
    "all"   every segment says (m + 1) / (n + 2), pooled again with weight n + 2 where that breaks the order
    None    m / n everywhere

m and n count rows; with weights see `scores`.

Between two segments the step is halfway. More than two classes: one staircase per class against the rest, on the
log-odds of the class, and the k probabilities are divided by their sum.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from likely.decisions.calibration.maps.logistic import LogisticMap
from likely.decisions.calibration.pooling import Cells, pool, pool_shares
from likely.decisions.calibration.scores import Scored, read_scores
from likely.decisions.thresholds import halfway
from likely.errors import InputError
from likely.models.any_classifier.outcome import Rescaling
from likely.numeric.arrays import Array, Floats, PerRow
from likely.numeric.logspace import all_log_odds, log_normalize, log_of

Smoothing: TypeAlias = Literal["ends", "all"]


@dataclass(frozen=True)
class Staircase:
    """Probability of being positive as a rising step function of a score."""

    cut: Floats  # (m - 1,)  a score above it belongs to the next step
    share: Floats  # (m,)
    cells: Cells  # what the steps were learned from
    stored_as: ClassVar[str] = "Staircase"

    @classmethod
    def of(cls, score: Floats, positive: Array, weight: Floats | None, smoothing: Smoothing | None) -> Self:
        cells = pool(score, positive, weight)
        return cls(halfway(cells.last[:-1], cells.first[1:]), _smoothed(cells, smoothing), cells)

    def line(self) -> LogisticMap:
        """The logistic map of the rows behind the steps, each taken for the middle of its step."""
        first, last, positive = self.cells.first, self.cells.last, self.cells.positive
        finite = np.where(np.isfinite(first), first, last), np.where(np.isfinite(last), last, first)
        middle = np.where(np.isfinite(finite[0]), finite[0] / 2 + finite[1] / 2, first)
        weight = np.concatenate([self.cells.weight - positive, positive])
        return LogisticMap.fit(np.tile(middle, 2), np.repeat([0, 1], len(middle)), np.maximum(weight, 0.0))

    def __call__(self, score: Floats) -> Floats:
        return np.asarray(self.share[np.searchsorted(self.cut, score, side="left")])


@dataclass(frozen=True)
class IsotonicMap:
    """Isotonic calibration: one staircase for two classes, or one per class for more.

    >>> steps = IsotonicMap.fit([1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 0, 0, 1, 0, 1, 1], smoothing=None)
    >>> steps.probability([1, 3, 5, 9]).round(3)
    array([0.   , 0.333, 0.5  , 1.   ])
    """

    steps: tuple[Staircase, ...]  # one for two classes, else one for each class
    stored_as: ClassVar[str] = "IsotonicMap"

    @classmethod
    def fit(cls, score: ArrayLike, y: Any, sample_weight: PerRow = None, smoothing: Smoothing | None = "ends") -> Self:
        """From scores (n,) of two classes, or log posteriors (n, k), and labels whose sorted names are the columns.

        The labels come second, as in scikit-learn's fit(X, y).
        """
        if smoothing not in ("ends", "all", None):
            raise InputError(f"unknown smoothing={smoothing!r}; choose 'ends', 'all' or None")
        data = Scored.of(score, y, sample_weight)
        if data.classes == 2:
            return cls((Staircase.of(data.score, data.code == 1, data.weight, smoothing),))
        return cls(
            tuple(
                Staircase.of(odds, data.code == k, data.weight, smoothing)
                for k, odds in enumerate(_odds_of_each(data.score))
            )
        )

    @property
    def classes(self) -> int:
        """How many classes the map is of."""
        return max(len(self.steps), 2)

    @cached_property
    def rescaling(self) -> Rescaling:
        """The slope and the offset per class that come nearest to the steps: logistic calibration on their rows."""
        lines = [step.line() for step in self.steps]
        slope = float(np.mean([line.slope.mean() for line in lines]))
        rise = np.array([line.offset[1] - line.offset[0] for line in lines])
        return Rescaling(slope, rise if len(rise) > 1 else np.array([0.0, rise[0]]))

    def probability(self, score: ArrayLike) -> Floats:
        """Of the second of two classes (n,), or of every class (n, k)."""
        x = read_scores(score, self.classes)
        if x.ndim == 1:
            return self.steps[0](x)
        return np.exp(self.log_posterior(x))

    def log_posterior(self, score: ArrayLike) -> Floats:
        """Calibrated log posteriors (n, k)."""
        x = read_scores(score, self.classes)
        if x.ndim == 1:
            p = self.steps[0](x)
            return log_of(np.column_stack([1 - p, p]))
        shares = np.column_stack([step(odds) for step, odds in zip(self.steps, _odds_of_each(x), strict=True)])
        return log_normalize(log_of(shares))


def _odds_of_each(log_posterior: Floats) -> Floats:
    """Log-odds of every class against all others (k, n), minus infinity where it is impossible."""
    return np.ascontiguousarray(all_log_odds(log_posterior).T)


def _smoothed(cells: Cells, smoothing: Smoothing | None) -> Floats:
    share = cells.share
    if smoothing is None:
        return share
    corrected = (cells.positive + 1) / (cells.weight + 2)
    if smoothing == "all":
        return pool_shares(corrected, cells.weight + 2)
    if share[0] == 0:
        share[0] = min(corrected[0], share[1])
    if share[-1] == 1:
        share[-1] = max(corrected[-1], share[-2])
    return share
