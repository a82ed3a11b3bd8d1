"""What calibrated probabilities add up to: the number of positives, and nothing left that a feature explains.

    sum property            sum_i p_i = number of positives
    feature-wise property   sum_i (y_i - p_i) x_ij = 0 for every feature j

Logistic regression with an offset has both on its training rows, isotonic calibration the first; a model that has
neither on new rows is not calibrated, however well it ranks them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.errors import InputError
from likely.evaluation.judged_input import read_ranking
from likely.numeric.arrays import Floats


@dataclass(frozen=True)
class CalibrationSums:
    """Expected and observed positives, and what is left of each feature."""

    expected: float  # sum of the probabilities
    observed: float  # number of positives
    residuals: Floats  # (d,)  sum of (y - p) x


def calibration_sums(
    y: Any, probability: Any, X: Any = None, pos_label: Any = None, sample_weight: Any = None
) -> CalibrationSums:
    """Calibration-in-the-large: positives expected and observed, and the residuals that features (n, d) still explain.

    `probability` (n,) is that of `pos_label`, the second of two classes unless told otherwise.

    >>> calibration_sums([0, 0, 1, 1], [0.1, 0.3, 0.7, 0.9], [[1.0], [2.0], [3.0], [4.0]])
    CalibrationSums(expected=2.0, observed=2.0, residuals=array([0.6]))
    """
    read = read_ranking(y, probability, pos_label, sample_weight)
    p, truth = np.asarray(read.score, dtype=np.float64), np.asarray(read.positive, dtype=np.float64)
    if ((p < 0) | (p > 1)).any():
        raise InputError("probabilities lie between 0 and 1")
    weight = np.ones(len(p)) if read.weight is None else read.weight
    rows = np.empty((len(p), 0)) if X is None else np.asarray(X, dtype=np.float64)
    rows = rows[:, None] if rows.ndim == 1 else rows
    if len(rows) != len(p):
        raise InputError(f"X has {len(rows)} rows, the probabilities {len(p)}")
    return CalibrationSums(float(weight @ p), float(weight @ truth), np.asarray((weight * (truth - p)) @ rows))
