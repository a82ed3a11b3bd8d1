"""Scores of resampled models, and how far from the truth their mean may be.

Folds share most of their training rows, so their scores are not independent and the plain standard error of their mean
is too small. With J scores of deviation S, each on n2 test rows after training on n1 (Nadeau and Bengio 2003):

    corrected resampled t    mean +- t_{J-1} S sqrt(1 / J + n2 / n1)

n2 / n1 stands for the correlation n2 / (n1 + n2) that rows in common make. In K-fold cross-validation it is
1 / (K - 1), however often it is repeated: repeats take out the luck of the splits, not that of the data.

The deviation S itself says how much folds differ. It is no interval: a fold is much smaller than the data, and the mean
over folds varies less than one of them does.
"""

from dataclasses import dataclass
from math import inf, nan, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.errors import InputError
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import check_confidence, t_quantile
from likely.numeric.arrays import Floats


@dataclass(frozen=True)
class FoldSpread:
    """Mean and deviation of the scores of folds; of the folds, not of their mean."""

    mean: float
    deviation: float  # divisor J - 1
    folds: int  # how many

    def __str__(self) -> str:
        return f"{self.mean:.3f}, deviation {self.deviation:.3f} over {self.folds} folds"


def fold_spread(scores: Any) -> FoldSpread:
    """How much the scores of folds differ.

    >>> print(fold_spread([0.82, 0.78, 0.85, 0.80, 0.75]))
    0.800, deviation 0.038 over 5 folds
    """
    values = read_fold_scores(scores)
    finite = bool(np.isfinite(values).all())
    deviation = float(values.std(ddof=1)) if len(values) > 1 and finite else nan
    return FoldSpread(float(values.mean()), deviation, len(values))


def corrected_t_interval(
    scores: Any,
    test_ratio: float,
    confidence: float = 0.95,
    bounds: tuple[float, float] = (-inf, inf),
    n: float | None = None,
    what: str = "folds",
) -> Estimate:
    """The mean of resampled scores with its corrected t interval; `test_ratio` is test rows to training rows, n2 / n1.

    `bounds` are what the figure can be at all; `n` is the number of rows behind all scores together, for the record.

    Parameters
    ----------
    what : what the scores are of, for the words of the result

    >>> print(corrected_t_interval([0.82, 0.78, 0.85, 0.80, 0.75], test_ratio=1 / 4, bounds=(0, 1), n=200))
    0.800 [0.729, 0.871] 95 % corrected resampled t over 5 folds, n=200
    """
    values = read_fold_scores(scores)
    check_confidence(confidence)
    if not test_ratio > 0:
        raise InputError(f"test_ratio is the test rows over the training rows of a fold, above 0; got {test_ratio}")
    count = len(values)
    rows = float(count if n is None else n)
    mean, method = float(values.mean()), f"corrected resampled t over {count} {what}"
    if not np.isfinite(values).all():
        note = f"{(~np.isfinite(values)).sum()} of {count} {what} have the score {mean}"
        return Estimate(mean, mean, mean, confidence, "certain", rows, note=note)
    if count < 2:
        return Estimate(mean, *bounds, confidence, method, rows, note="one score has no spread")
    error = corrected_error(values, test_ratio)
    half = t_quantile(confidence, count - 1) * error
    note = "" if error > 0 else f"all {what} have the same score; the interval shows no more than that"
    return Estimate(
        mean, max(mean - half, bounds[0]), min(mean + half, bounds[1]), confidence, method, rows, error, note
    )


def corrected_error(values: Floats, test_ratio: float) -> float:
    """Standard error of the mean of correlated scores: S sqrt(1 / J + n2 / n1)."""
    return float(values.std(ddof=1)) * sqrt(1 / len(values) + test_ratio)


def read_fold_scores(scores: ArrayLike) -> Floats:
    """Scores as one vector; (repeats, folds) is taken row by row."""
    values = np.asarray(scores, dtype=np.float64).ravel()
    if not len(values):
        raise InputError("there are no scores")
    if np.isnan(values).any():
        place = int(np.flatnonzero(np.isnan(values))[0])
        raise InputError(
            f"the score of fold {place} is not defined (0/0 for its rows); use fewer folds, or another measure"
        )
    return values
