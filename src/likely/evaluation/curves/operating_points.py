"""Points of the ROC curve as decisions: what they cost, and which is best.

With prior p of the positive class and costs C[truth][said], a point (f, s) of false alarm rate and sensitivity costs

    (1 - p) [C_nn + f (C_np - C_nn)] + p [C_pn - s (C_pn - C_pp)]

on average. All points on a line of slope (1 - p) (C_np - C_nn) / (p (C_pn - C_pp)) cost the same; the line furthest up
and left that touches the curve touches it at the best point. With costs of 1 for every mistake these are the lines of
equal accuracy, and with the prior of the data their slope is negatives / positives.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from math import inf
from typing import NamedTuple, Self

import numpy as np

from likely.decisions.costs import CostMatrix, CostsLike
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats

_ROUNDING = 16 * float(np.finfo(np.float64).eps)  # of the absolute terms of a cost: what may part equal costs


@dataclass(frozen=True)
class OperatingPoint:
    """An operating point of a ROC curve: what a threshold does."""

    threshold: float  # the score from which a row is called positive
    false_alarm_rate: float
    sensitivity: float
    accuracy: float
    expected_cost: float  # per row; without costs the error rate

    @classmethod
    def of(
        cls,
        threshold: float,
        false_alarm_rate: float,
        sensitivity: float,
        prior: float,
        costs: CostsLike | None,
        names: tuple[Hashable, Hashable],
    ) -> Self:
        """The point with its accuracy and cost for a prior of the positive class."""
        accuracy = prior * sensitivity + (1 - prior) * (1 - false_alarm_rate)
        cost = _expected_costs(np.array([false_alarm_rate]), np.array([sensitivity]), prior, _read_costs(costs, names))
        return cls(threshold, false_alarm_rate, sensitivity, accuracy, float(cost[0]))


def best_step(
    false_alarm_rate: Array, sensitivity: Array, prior: float, costs: CostsLike | None, names: tuple[Hashable, Hashable]
) -> int:
    """The step of least expected cost; of equally good ones (to rounding) the first, with the highest threshold.

    Rounding is that of each step's own terms: a mistake of enormous cost blurs only the steps that make it.
    """
    matrix = _read_costs(costs, names)
    cost = _expected_costs(false_alarm_rate, sensitivity, prior, matrix)
    size = np.abs(matrix)
    # A share f below 1 is rounded, and 1 - f by as much, also where 1 - f is small.
    blur = _expected_costs(false_alarm_rate, sensitivity, prior, size)
    blur += (1 - prior) * size[0, 0] * np.where(false_alarm_rate < 1, false_alarm_rate, 0.0)
    blur += prior * size[1, 0] * np.where(sensitivity < 1, sensitivity, 0.0)
    slack, least = _ROUNDING * blur, int(cost.argmin())
    return int(np.flatnonzero(cost - slack <= cost[least] + slack[least])[0])


class Prices(NamedTuple):
    """The expected cost of a row that is answered right, and what all false alarms and all misses add to it."""

    right: float
    alarm: float
    miss: float

    @classmethod
    def of(cls, prior: float, costs: CostsLike | None, names: tuple[Hashable, Hashable]) -> Self:
        matrix = _read_costs(costs, names)
        right = (1 - prior) * matrix[0, 0] + prior * matrix[1, 1]
        alarm, miss = (1 - prior) * (matrix[0, 1] - matrix[0, 0]), prior * (matrix[1, 0] - matrix[1, 1])
        return cls(float(right), float(alarm), float(miss))

    @property
    def slope(self) -> float:
        """Of the lines of equal expected cost; infinite when hits gain nothing."""
        if self.alarm == self.miss == 0:
            raise InputError("every point of the curve costs the same here: no isometric has a slope")
        return self.alarm / self.miss if self.miss else inf


def _read_costs(costs: CostsLike | None, names: tuple[Hashable, Hashable]) -> Floats:
    """Costs[truth][said] of two classes in the order (negative, positive); without any, every mistake costs 1."""
    if costs is None:
        return 1.0 - np.eye(2)
    matrix = CostMatrix.of(costs, names).values
    if matrix.shape != (2, 2):
        raise InputError("an operating point needs one matrix of costs for all rows, not one per row")
    return np.asarray(matrix)


def _expected_costs(false_alarm_rate: Array, sensitivity: Array, prior: float, costs: Floats) -> Floats:
    negative = (1 - false_alarm_rate) * costs[0, 0] + false_alarm_rate * costs[0, 1]
    positive = (1 - sensitivity) * costs[1, 0] + sensitivity * costs[1, 1]
    return np.asarray((1 - prior) * negative + prior * positive)
