"""Figures of curves that all rows have together: the area under the ROC curve, and the average precision."""

from collections.abc import Hashable
from math import nan

import numpy as np

from likely.errors import InputError
from likely.evaluation.curves.clustered import ClusteredCurves
from likely.evaluation.curves.multiclass_area import area_of_codes
from likely.evaluation.curves.precision_recall import PrecisionRecallCurve
from likely.evaluation.curves.roc import RocCurve
from likely.evaluation.judged_input import Ranking, choose_positive
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.numeric.logspace import all_log_odds


def roc_area(said: Said) -> float:
    """The area, of more than two classes the mean over each against the rest; NaN of one class."""
    odds = all_log_odds(said.log_probabilities("roc_area"))
    if len(np.unique(said.y)) < 2:
        return nan  # no pairs to order: a fold without rows of a class
    return area_of_codes(said.y, odds, said.classes, "macro", said.weight, 0.95).value


def roc_area_interval(said: Said, confidence: float) -> Estimate:
    """The same with its interval; with groups, of other groups."""
    if said.groups is None:
        odds = all_log_odds(said.log_probabilities("roc_area"))
        return area_of_codes(said.y, odds, said.classes, "macro", said.weight, confidence)
    names, present = said.classes, np.unique(said.y)
    of = present[-1:] if len(names) == 2 else present
    rankings = [_ranking(said, "roc_area", names[c]) for c in of]
    return ClusteredCurves(tuple(rankings), said.groups).area(confidence)


def average_precision(said: Said, positive: Hashable = None) -> float:
    """The average precision of a class, of two the second unless told otherwise; NaN where there are no rows of it."""
    ranking = _ranking(said, "average_precision", positive)
    if not 0 < np.count_nonzero(ranking.positive) < len(ranking):
        return nan
    return PrecisionRecallCurve(RocCurve.of_ranking(ranking, 0.95)).average_precision.value


def average_precision_interval(said: Said, confidence: float, positive: Hashable = None) -> Estimate:
    """The same with its interval; with groups, of other groups."""
    ranking = _ranking(said, "average_precision", positive)
    if said.groups is not None:
        return ClusteredCurves((ranking,), said.groups).average_precision(confidence)
    return PrecisionRecallCurve(RocCurve.of_ranking(ranking, confidence)).average_precision


def _ranking(said: Said, what: str, positive: Hashable) -> Ranking:
    if positive is None and len(said.classes) > 2:
        raise InputError(f"{what} is of one class, and there are {len(said.classes)}: say which, pos_label=...")
    name, rest = choose_positive(said.classes, positive)
    place = said.classes.index(name)
    odds = np.ascontiguousarray(all_log_odds(said.log_probabilities(what))[:, place])
    return Ranking(said.y == place, odds, said.weight, name, rest)
