"""The ROC curve: hits against false alarms as the threshold on a score falls.

At threshold t a row is called positive when its score is at least t. A point of the curve is

    (false alarm rate, sensitivity) = (FP / (FP + TN), TP / (TP + FN))

from (0, 0), where nothing is called positive, to (1, 1). Equal scores make one sloping step. The area under the curve
is the probability that a positive outscores a negative, ties counting half; its interval is DeLong's (`roc_area.py`).

The steps of the curve are counts, sorted once: the scores of either class are sorted by themselves and merged.
"""

from bisect import bisect_right
from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from operator import neg
from typing import Any, Literal, Self, cast

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import TargetLike
from likely.data.printing.html_table import text_as_html
from likely.decisions.costs import CostsLike
from likely.decisions.thresholds import ThresholdCurve
from likely.errors import InputError
from likely.evaluation.curves.operating_points import OperatingPoint, Prices, best_step
from likely.evaluation.curves.roc_area import AreaScale, delong_interval
from likely.evaluation.judged_input import Ranking, read_ranking
from likely.evaluation.measures.counts.confusion import Confusion
from likely.intervals.estimate import Estimate
from likely.numeric.arrays import Array, Floats, Ints, PerRow, frozen, in_brief
from likely.numeric.kernels import ranking as kernels

_LARGEST_POWER = 100  # of two: products of four such weights, as variances have them, are numbers still
_EQUAL = 1e-12  # heights of two curves that differ by less are equal: their shares are rounded


@dataclass(frozen=True)
class RocCurve:
    """A ROC curve in steps: how many rows of either class score at least each threshold.

    >>> curve = RocCurve.of([1, 1, 0, 1, 0, 1, 0, 1, 0, 0], [0.95, 0.9, 0.8, 0.7, 0.7, 0.6, 0.4, 0.3, 0.2, 0.1])
    >>> curve.points[:5].tolist()
    [[0.0, 0.0], [0.0, 0.2], [0.0, 0.4], [0.2, 0.4], [0.4, 0.6]]
    >>> print(curve.area)
    0.740 [0.333, 0.942] 95 % DeLong (logit scale), n=10
    """

    thresholds: Floats  # (m,)  from infinity down
    hits: Array  # (m,)  positives with a score of at least the threshold; sums of weights where rows have weights,
    # which are divided by a power of two where their squares would overflow or vanish
    alarms: Array  # (m,)  negatives likewise
    hit_squares: Array | None = None  # (m,)  sums of squared weights; None without weights
    alarm_squares: Array | None = None  # (m,)  likewise of the negatives
    positive: Hashable = 1  # the class that scores are high for
    negative: Hashable | None = 0  # None: the rest of several classes
    confidence: float = 0.95

    __repr__ = in_brief

    @classmethod
    def of(
        cls,
        y: TargetLike,
        score: ArrayLike,
        pos_label: Hashable = None,
        sample_weight: PerRow = None,
        confidence: float = 0.95,
    ) -> Self:
        """The curve of scores that should be high for the positive class (the second of two, unless told otherwise)."""
        return cls.of_ranking(read_ranking(y, score, pos_label, sample_weight), confidence)

    @classmethod
    def of_ranking(cls, ranking: Ranking, confidence: float = 0.95) -> Self:
        """The curve of rows that are already checked."""
        if ranking.weight is None:
            count = int(np.count_nonzero(ranking.positive))
            yes, no = kernels.split_scores(frozen(ranking.score), frozen(ranking.positive), count)
            _require_both(len(yes), len(no), ranking)
            yes.sort()
            no.sort()
            threshold, hits, alarms = kernels.merge_steps(yes, no)
            return cls(threshold, hits, alarms, None, None, ranking.name, ranking.rest, confidence)
        return cls(*_weighted_steps(ranking, ranking.weight), ranking.name, ranking.rest, confidence)

    @property
    def positives(self) -> float:
        """Rows of the positive class, by weight."""
        return cast(float, self.hits[-1].item())

    @property
    def negatives(self) -> float:
        """Rows of the other class, by weight."""
        return cast(float, self.alarms[-1].item())

    @property
    def squares(self) -> tuple[Array, Array]:
        """Cumulated squared weights of positives and of negatives (m,) each: the counts, where rows have none."""
        if self.hit_squares is None or self.alarm_squares is None:
            return self.hits, self.alarms
        return self.hit_squares, self.alarm_squares

    @property
    def effective_rows(self) -> tuple[float, float]:
        """Positives and negatives of equal weight that would tell as much: (sum w)^2 / sum w^2."""
        hits, alarms = self.squares
        return float(self.hits[-1]) ** 2 / float(hits[-1]), float(self.alarms[-1]) ** 2 / float(alarms[-1])

    @cached_property
    def sensitivity(self) -> Floats:
        """Share of the positives called so at each threshold (m,)."""
        return np.asarray(self.hits / self.hits[-1])

    @cached_property
    def false_alarm_rate(self) -> Floats:
        """Share of the negatives called positive at each threshold (m,)."""
        return np.asarray(self.alarms / self.alarms[-1])

    @property
    def points(self) -> Floats:
        """The curve (m, 2): false alarm rate and sensitivity."""
        return np.column_stack([self.false_alarm_rate, self.sensitivity])

    @cached_property
    def area(self) -> Estimate:
        """The area under the curve."""
        return self.area_interval()

    def area_interval(self, confidence: float | None = None, scale: AreaScale = "logit") -> Estimate:
        """The area with an interval; `scale="linear"` is DeLong's plain one."""
        return delong_interval(self.hits, self.alarms, self.squares, confidence or self.confidence, scale)

    @cached_property
    def hull(self) -> Ints:
        """Which points are corners of the convex hull: the points that are best for some costs and prior."""
        return np.asarray(kernels.upper_hull(self.alarms.astype(np.float64), self.hits.astype(np.float64)))

    @property
    def hull_area(self) -> float:
        """The area under the convex hull: what mixing neighbouring thresholds at random attains."""
        return float(np.trapezoid(self.sensitivity[self.hull], self.false_alarm_rate[self.hull]))

    def sensitivity_at(self, false_alarm_rate: ArrayLike, end: Literal["high", "low"] = "high") -> Floats:
        """Height of the curve at false alarm rates; on a vertical step its high or its low end."""
        at, x, y = np.asarray(false_alarm_rate, dtype=np.float64), self.false_alarm_rate, self.sensitivity
        if end == "high":  # of several points above each other, np.interp takes the last
            return np.asarray(np.interp(at, x, y))
        return np.asarray(np.interp(-at, -x[::-1], y[::-1]))

    def dominates(self, other: "RocCurve") -> bool:
        """Whether this curve lies nowhere below another and somewhere above; its area is then larger.

        >>> y = [1, 1, 1, 1, 0, 0, 0, 0]
        >>> h, g = RocCurve.of(y, [9, 8, 7, 4, 6, 3, 2, 1]), RocCurve.of(y, [9, 8, 5, 3, 7, 6, 2, 1])
        >>> h.dominates(g), g.dominates(h)
        (True, False)
        """
        at = np.union1d(self.false_alarm_rate, other.false_alarm_rate)
        low = self.sensitivity_at(at, "low") - other.sensitivity_at(at, "low")
        high = self.sensitivity_at(at, "high") - other.sensitivity_at(at, "high")
        return bool(min(low.min(), high.min()) >= -_EQUAL and max(low.max(), high.max()) > _EQUAL)

    def accuracies(self, prior: float | None = None) -> Floats:
        """Accuracy at each threshold (m,), for P(positive) = prior or the shares in the data."""
        p = self._prior(prior)
        return np.asarray(p * self.sensitivity + (1 - p) * (1 - self.false_alarm_rate))

    def isometric_slope(self, costs: CostsLike | None = None, prior: float | None = None) -> float:
        """Slope of the lines in ROC space along which accuracy, or the expected cost, is the same.

        Without costs and prior it is negatives / positives.
        """
        return self.prices(costs, prior).slope

    def prices(self, costs: CostsLike | None = None, prior: float | None = None) -> Prices:
        """What right answers, all false alarms and all misses cost per row, for a prior P(positive)."""
        return Prices.of(self._prior(prior), costs, self._names)

    def posterior_threshold(self, costs: CostsLike | None = None, prior: float | None = None) -> float:
        """From which posterior on theory says positive, for costs and a prior other than the data's.

        >>> curve = RocCurve.of([0, 0, 0, 1], [0.1, 0.2, 0.6, 0.7])
        >>> curve.posterior_threshold(), curve.posterior_threshold([[0, 1], [4, 0]])
        (0.5, 0.2)
        >>> curve.posterior_threshold(prior=0.5)
        0.25
        """
        odds = self.isometric_slope(costs, prior) * self.positives / self.negatives
        return odds / (1 + odds) if np.isfinite(odds) else 1.0

    def threshold_curve(self, costs: CostsLike | None = None, prior: float | None = None) -> ThresholdCurve:
        """The expected cost of every threshold, of a row that is called positive where its score lies above it."""
        right, alarm, miss = self.prices(costs, prior)
        if alarm < 0 or miss < 0:
            raise InputError("a wrong answer costs less than the right one, so no threshold decides")
        cost = right + alarm * self.false_alarm_rate + miss * (1 - self.sensitivity)
        return ThresholdCurve.between(self.thresholds[:0:-1], cost[::-1])

    def best_point(self, costs: CostsLike | None = None, prior: float | None = None) -> OperatingPoint:
        """The point on the highest isometric: most accurate, or cheapest in expectation, for a prior P(positive).

        `costs[truth][said]` is a mapping by class names, or an array in the order (negative, positive). Of equally good
        points the one with the highest threshold is taken.

        >>> curve = RocCurve.of([1, 1, 1, 1, 0, 1, 1, 1, 1, 0], [0.95, 0.9, 0.8, 0.7, 0.65, 0.6, 0.4, 0.3, 0.2, 0.1])
        >>> best = curve.best_point()
        >>> best.false_alarm_rate, best.sensitivity, best.threshold, round(best.accuracy, 4)
        (0.5, 1.0, 0.2, 0.9)
        """
        return self.point(
            best_step(self.false_alarm_rate, self.sensitivity, self._prior(prior), costs, self._names), costs, prior
        )

    def at(self, threshold: float, costs: CostsLike | None = None, prior: float | None = None) -> OperatingPoint:
        """What happens when rows with a score of at least the threshold are called positive."""
        return self.point(self._step(threshold), costs, prior)

    def point(self, step: int, costs: CostsLike | None = None, prior: float | None = None) -> OperatingPoint:
        """The operating point of a step of the curve."""
        return OperatingPoint.of(
            float(self.thresholds[step]),
            float(self.false_alarm_rate[step]),
            float(self.sensitivity[step]),
            self._prior(prior),
            costs,
            self._names,
        )

    def confusion(self, threshold: float) -> Confusion:
        """The confusion matrix of calling rows positive from a threshold on: classes (negative, positive)."""
        step = self._step(threshold)

        def table(hits: Array, alarms: Array) -> Array:
            return np.array([[alarms[-1] - alarms[step], alarms[step]], [hits[-1] - hits[step], hits[step]]])

        squares = None if self.hit_squares is None else table(*self.squares)
        return Confusion(self._names, table(self.hits, self.alarms), squares, confidence=self.confidence)

    def frame(self) -> Any:
        """Thresholds and points as a Polars frame."""
        import polars as pl

        names = ("threshold", "false_alarm_rate", "sensitivity", "alarms", "hits")
        columns = (self.thresholds, self.false_alarm_rate, self.sensitivity, self.alarms, self.hits)
        return pl.DataFrame(dict(zip(names, columns, strict=True)))

    def __str__(self) -> str:
        return f"ROC curve of {self.positive!r}: area {self.area}"

    _repr_html_ = text_as_html

    @property
    def _names(self) -> tuple[Hashable, Hashable]:
        return ("rest" if self.negative is None else self.negative, self.positive)

    def _step(self, threshold: float) -> int:
        """The last step whose threshold is not below this one."""
        return max(bisect_right(cast(Any, self.thresholds), -threshold, key=neg) - 1, 0)

    def _prior(self, prior: float | None) -> float:
        if prior is None:
            return float(self.hits[-1] / (self.hits[-1] + self.alarms[-1]))
        if not 0 <= prior <= 1:
            raise InputError(f"the prior is the probability of {self.positive!r}, between 0 and 1; got {prior}")
        return float(prior)


def _weighted_steps(ranking: Ranking, weight: Floats) -> tuple[Array, Array, Array, Array, Array]:
    """Thresholds and cumulated weights and squares of either class."""
    order = np.argsort(-ranking.score, kind="stable")
    order = order[weight[order] > 0]
    score, w = ranking.score[order], weight[order]
    power = int(np.frexp(w.max(initial=0.0))[1])
    if abs(power) > _LARGEST_POWER:
        w = np.ldexp(w, -power)
    yes = ranking.positive[order]
    _require_both(int(yes.sum()), int((~yes).sum()), ranking)
    last = np.flatnonzero(np.diff(score, append=np.nan) != 0)

    def cumulated(values: Array) -> Floats:
        return np.concatenate([[0.0], np.cumsum(values)[last]])

    hits, alarms, hit_squares, alarm_squares = (
        cumulated(np.where(side, w**power, 0.0)) for power in (1, 2) for side in (yes, ~yes)
    )
    return np.concatenate([[np.inf], score[last]]), hits, alarms, hit_squares, alarm_squares


def _require_both(positives: int, negatives: int, ranking: Ranking) -> None:
    if positives and negatives:
        return
    rest = "any other class" if ranking.rest is None else repr(ranking.rest)
    missing = repr(ranking.name) if not positives else rest
    raise InputError(f"no row of {missing} (with a positive weight): a curve needs rows of two classes")
