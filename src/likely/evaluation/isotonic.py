"""Recalibration by the ROC convex hull: the isotonic fit of outcomes to probabilities.

Pooling adjacent violators groups the rows into runs in which the share of positives rises with the probability; the
runs are the segments of the convex hull of the ROC curve, and each is given its share of positives. On the rows it is
fitted to, no increasing function of the probabilities has a lower Brier score or log-loss.
"""

import numpy as np

from likely.evaluation.inputs import Ranking
from likely.evaluation.roc import RocCurve
from likely.numeric.arrays import Array, Floats


def recalibrated(positive: Array, probability: Array, weight: Array | None = None) -> Floats:
    """The share of positives (n,) in the run that each row belongs to.

    >>> recalibrated(np.array([False, True, False, True, True]), np.array([0.1, 0.2, 0.4, 0.4, 0.9]))
    array([0. , 0.66666667, 0.66666667, 0.66666667, 1. ])
    """
    weighed = np.ones(len(positive)) if weight is None else weight
    share = float(weighed[positive].sum()) / float(weighed.sum())
    if share in (0.0, 1.0):
        return np.full(len(positive), share)
    score = np.ascontiguousarray(probability, dtype=np.float64)
    curve = RocCurve.of_ranking(Ranking(positive, score, weight, True, False))
    corner = curve.hull
    hits, alarms = np.diff(curve.hits[corner]), np.diff(curve.alarms[corner])
    shares = hits / (hits + alarms)
    lowest = curve.thresholds[corner[1:]]  # of each run, from high to low
    run = len(lowest) - 1 - (np.searchsorted(lowest[::-1], score, side="right") - 1)
    return np.asarray(shares[np.minimum(run, len(lowest) - 1)])
