"""Cost curves: what a classifier costs under every prior and every ratio of costs (Drummond and Holte 2006).

With prior p of the positive class, and C_fp and C_fn what a false alarm and a miss cost more than the right answer,

    probability-cost  x = p C_fn / (p C_fn + (1 - p) C_fp)
    normalized cost   y = (1 - x) FPR + x FNR = expected cost / its worst value

An operating point, a point of the ROC curve, is a straight line from (0, FPR) to (1, FNR). Never saying positive is the
line y = x and always saying it y = 1 - x: a classifier is of use where it lies below both. The lower envelope of all
lines, made of the corners of the ROC curve's convex hull, is the cost of the best threshold for each x.

The interval of the envelope is pointwise: at each x, the interval of the cost of the operating point that is best there
on these rows. The two rates are independent shares, so Wilson's intervals of either are combined as Zou and Donner
(2008) do (MOVER); that the point was chosen on the same rows is not allowed for. The two trivial rules have no
uncertainty.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely.decisions.costs import CostsLike
from likely.errors import InputError
from likely.evaluation.curves.roc import RocCurve
from likely.intervals.proportions import proportion_bounds
from likely.numeric.arrays import Array, Floats, Ints


@dataclass(frozen=True, eq=False)
class CostCurve:
    """A cost curve: the lower envelope of the operating points of a ROC curve.

    >>> curve = CostCurve(RocCurve.of([0, 0, 0, 1, 1], [0.1, 0.2, 0.6, 0.4, 0.7]))
    >>> curve.changes.round(3)
    array([0. , 0.4, 1. ])
    >>> curve.cost([0.0, 0.3, 0.5, 1.0]).round(3)
    array([0.   , 0.15 , 0.167, 0.   ])
    """

    steps: RocCurve  # the ROC curve it is made of

    @cached_property
    def corners(self) -> Ints:
        """The steps of the ROC curve that are best somewhere (c,), in the order of the probability-cost."""
        return self.steps.hull

    @cached_property
    def changes(self) -> Floats:
        """Where one corner takes over from the one before (c - 1,)."""
        across = np.diff(self.steps.false_alarm_rate[self.corners])
        up = np.diff(self.steps.sensitivity[self.corners])
        return np.asarray(across / (across + up))

    def best_step(self, probability_cost: Any) -> Ints:
        """The step of the ROC curve that is best at each probability-cost."""
        return np.asarray(self.corners[np.searchsorted(self.changes, _probabilities(probability_cost))])

    def cost(self, probability_cost: Any) -> Floats:
        """The envelope: the normalized cost of the best operating point."""
        x = _probabilities(probability_cost)
        step = self.best_step(x)
        return np.asarray((1 - x) * self.steps.false_alarm_rate[step] + x * (1 - self.steps.sensitivity[step]))

    def bounds(self, probability_cost: Any) -> tuple[Floats, Floats]:
        """Ends of the interval of the envelope, at the operating point that is best there."""
        x = _probabilities(probability_cost)
        return cost_bounds(self.steps, self.best_step(x), 1 - x, x)

    def probability_cost(self, costs: CostsLike | None = None, prior: float | None = None) -> float:
        """Where costs and a prior lie on the axis; without them, the share of positives in the data."""
        return 1.0 / (1.0 + self.steps.isometric_slope(costs, prior))

    def frame(self, points: int = 101) -> Any:
        """The envelope at evenly spaced probability-costs and where its corners change, as a Polars frame."""
        import polars as pl

        x = np.union1d(np.linspace(0.0, 1.0, points), self.changes)
        step, (low, high) = self.best_step(x), self.bounds(x)
        return pl.DataFrame(
            {
                "probability_cost": x,
                "normalized_cost": self.cost(x),
                "low": low,
                "high": high,
                "threshold": self.steps.thresholds[step],
                "false_alarm_rate": self.steps.false_alarm_rate[step],
                "miss_rate": 1 - self.steps.sensitivity[step],
            }
        )


def cost_bounds(steps: RocCurve, step: Array, alarm: Array, miss: Array) -> tuple[Floats, Floats]:
    """Interval of alarm x FPR + miss x FNR at steps of a curve: Wilson's of either rate, combined (MOVER).

    The first and last step say the same of all rows, so that their rates are certain.
    """
    rates = (steps.false_alarm_rate[step], 1 - steps.sensitivity[step])
    sizes = steps.effective_rows[::-1]
    sure = (np.asarray(step) == 0) | (np.asarray(step) == len(steps.hits) - 1)
    down = up = np.zeros(())
    for rate, n, price in zip(rates, sizes, (alarm, miss), strict=True):
        low, high = proportion_bounds(rate * n, np.full(np.shape(rate), n), steps.confidence)
        down = down + np.where(sure, 0.0, price * (rate - low)) ** 2
        up = up + np.where(sure, 0.0, price * (high - rate)) ** 2
    cost = alarm * rates[0] + miss * rates[1]
    return np.asarray(cost - np.sqrt(down)), np.asarray(cost + np.sqrt(up))


def _probabilities(values: ArrayLike) -> Floats:
    x = np.asarray(values, dtype=np.float64)
    if not ((x >= 0) & (x <= 1)).all():
        raise InputError(f"a probability-cost lies between 0 and 1, got {values!r}")
    return x
