"""Isotonic calibration: a rising staircase, each step the share of positives in a segment of the ROC convex hull.

    pool adjacent violators -> segments (m positives of n) -> p = m / n

The staircase is the non-decreasing map with the least squared error and the highest likelihood on its own data, and its
probabilities sum to the number of positives. A first segment without positives would promise probability 0, a last one
without negatives probability 1, and the log-loss of the first exception would be infinite. `smoothing`:

    "ends"  only those two segments say (m + 1) / (n + 2), though never past their neighbour
    "all"   every segment says (m + 1) / (n + 2), pooled again with weight n + 2 where that breaks the order
    None    m / n everywhere

m and n count rows; with weights see `scores`.

Between two segments the step is halfway. More than two classes: one staircase per class against the rest, on the
log-odds of the class, and the k probabilities are divided by their sum.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self, TypeAlias

import numpy as np

from likely.decisions.calibration.pooling import Cells, pool, pool_shares
from likely.decisions.calibration.scores import Scored, read_scores
from likely.decisions.thresholds import halfway
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_normalize, log_odds, log_of

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

    def __call__(self, score: Floats) -> Floats:
        return np.asarray(self.share[np.searchsorted(self.cut, score, side="left")])


@dataclass(frozen=True)
class IsotonicMap:
    """Isotonic calibration: one staircase for two classes, or one per class for more.

    >>> steps = IsotonicMap.fit([1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 0, 0, 1, 0, 1, 1], smoothing=None)
    >>> steps.probability([1, 3, 5, 9]).round(3)
    array([0.   , 0.333, 0.5  , 1.   ])
    """

    steps: tuple[Staircase, ...]
    stored_as: ClassVar[str] = "IsotonicMap"

    @classmethod
    def fit(cls, score: Any, y: Any, sample_weight: Any = None, smoothing: Smoothing | None = "ends") -> Self:
        """From scores (n,) of two classes, or log posteriors (n, k), and labels whose sorted names are the columns."""
        if smoothing not in ("ends", "all", None):
            raise InputError(f"unknown smoothing={smoothing!r}; choose 'ends', 'all' or None")
        data = Scored.of(score, y, sample_weight)
        if data.classes == 2:
            return cls((Staircase.of(data.score, data.code == 1, data.weight, smoothing),))
        return cls(
            tuple(
                Staircase.of(_odds_of(data.score, k), data.code == k, data.weight, smoothing)
                for k in range(data.classes)
            )
        )

    @property
    def classes(self) -> int:
        return max(len(self.steps), 2)

    def probability(self, score: Any) -> Floats:
        """Of the second of two classes (n,), or of every class (n, k)."""
        x = self._read(score)
        if x.ndim == 1:
            return self.steps[0](x)
        return np.exp(self.log_posterior(x))

    def log_posterior(self, score: Any) -> Floats:
        """Calibrated log posteriors (n, k)."""
        x = self._read(score)
        if x.ndim == 1:
            p = self.steps[0](x)
            return log_of(np.column_stack([1 - p, p]))
        shares = np.column_stack([step(_odds_of(x, k)) for k, step in enumerate(self.steps)])
        return log_normalize(log_of(shares))

    def _read(self, score: Any) -> Floats:
        x = read_scores(score)
        if (2 if x.ndim == 1 else x.shape[1]) != self.classes:
            raise InputError(f"the map was learned for {self.classes} classes, got scores of shape {x.shape}")
        return x


def _odds_of(log_posterior: Floats, k: int) -> Floats:
    """Log-odds of class k against all others, minus infinity where it is impossible."""
    member: Ints = np.full(len(log_posterior), k)
    return log_odds(log_posterior, member)


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
