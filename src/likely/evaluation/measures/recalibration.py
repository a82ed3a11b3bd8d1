"""Recalibration by the ROC convex hull: the isotonic fit of outcomes to probabilities.

Pooling adjacent violators groups the rows into runs in which the share of positives rises with the probability; the
runs are the segments of the convex hull of the ROC curve, and each is given its share of positives. On the rows it is
fitted to, no increasing function of the probabilities has a lower Brier score or log-loss.
"""

import numpy as np

from likely.decisions.calibration.pooling import pool
from likely.numeric.arrays import Array, Floats


def recalibrated(positive: Array, probability: Array, weight: Array | None = None) -> Floats:
    """The share of positives (n,) in the run that each row belongs to; rows of weight 0 belong to the run below them.

    >>> recalibrated(np.array([False, True, False, True, True]), np.array([0.1, 0.2, 0.4, 0.4, 0.9]))
    array([0. , 0.66666667, 0.66666667, 0.66666667, 1. ])
    """
    score = np.ascontiguousarray(probability, dtype=np.float64)
    used = slice(None) if weight is None else np.flatnonzero(weight)
    cells = pool(score[used], np.asarray(positive)[used], None if weight is None else weight[used])
    run = np.searchsorted(cells.first, score, side="right") - 1
    return cells.share[np.maximum(run, 0)]
