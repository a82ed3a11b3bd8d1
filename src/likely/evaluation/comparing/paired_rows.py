"""Two models judged on the same rows: what the rows alone leave open of their difference.

Folds in which two models score alike, or differ by the same amount each time, show no spread; other rows may still tell
the models apart. The interval of a difference is therefore no narrower than one from the rows, with pseudo-rows:

    class said    accuracy, cost: one pseudo-row that only the first calls right and one that only the second does, as
                  Bonett and Price (2012) add to a table of agreement: after no disagreement +- z sqrt(2) / (n + 2)
    confusion     the delta method: every row moves both measures at once, by its slope of each; the same pseudo-rows
    ROC area      paired DeLong; fewer than ten rows that both place differently count as ten and more would, with
                  pseudo-rows of each class that one score places in the middle
    loss          a mean of differences, skewness corrected, and the same with z^2 / 2 pseudo-rows that are of another
                  class than they are: mistakes not seen, where the first doubts, and where the second does, the wider
                  of both ends; of a loss that has an upper end (the Brier score) also one that only the first calls
                  right and one that only the second does; ten seen
                  mistakes of both tell enough by themselves. Where far rows rule the log-loss of either model
                  (`has_heavy_tail`), rows not seen make up most of the difference too: then it is no surer than the
                  two losses by themselves, as if they were independent (MOVER, Zou and Donner 2008); without this
                  80 % hold the truth. A loss that has no upper end by itself has none in the difference: upwards
                  that of the first model, downwards that of the second, and a note says so

With groups, rows of one group vary together; with weights rows count as their effective number.
"""

from dataclasses import dataclass, replace
from math import hypot, inf, isinf, sqrt
from typing import Any, TypeAlias

import numpy as np

from likely.errors import InputError
from likely.evaluation.curves.multiclass_area import area_parts, share_of_area
from likely.evaluation.measures.criteria import Criterion, row_values
from likely.evaluation.measures.unseen_mistakes import doubts, has_heavy_tail, relative
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import effective_size, mean_interval
from likely.intervals.quantiles import normal_quantile, t_quantile
from likely.numeric.arrays import Array, Floats
from likely.numeric.logspace import all_log_odds

RankedRows: TypeAlias = tuple[float, Floats]  # an area, and how much each row moves it

_ENOUGH = 10  # rows that tell two scores apart, or mistakes, from which their spread is known well enough


def paired_interval(chosen: Criterion, first: Said, second: Said, confidence: float = 0.95) -> Estimate | None:
    """The difference of a measure, first less second, of the same rows; None for a figure that rows do not move.

    >>> from likely.evaluation.measures.criteria import criterion
    >>> same = Said.of([0, 1] * 20, [0.1, 0.8] * 20)
    >>> print(paired_interval(criterion("accuracy"), same, same))
    0.000 [-0.066, 0.066] 95 % paired rows, n=40
    """
    a, b = first.counted(), second.counted()
    if chosen.slopes is not None:
        return _by_slopes(chosen, a, b, confidence)
    if chosen.name == "roc_area":
        return _areas(a, b, confidence)
    if chosen.rows is None:
        return None
    try:
        apart = row_values(chosen, a) - row_values(chosen, b)
    except InputError:
        return None  # a user's function that gives no value for each row
    if not np.isfinite(apart).all():
        return None
    if chosen.of_answers:
        size = _mistake(chosen, a, b)
        return _Rows.of(a).interval(apart, np.array([size, -size]), np.ones(2), confidence)
    return _losses(chosen, a, b, apart, confidence)


def _by_slopes(chosen: Criterion, a: Said, b: Said, confidence: float) -> Estimate:
    """Each row moves the measure of both, by the slope of its cell, at matrices with two pseudo-rows."""
    assert chosen.slopes is not None
    slope, its = chosen.slopes(a), chosen.slopes(b)
    rows = _Rows.of(a)
    total = rows.weight.sum()
    moved = total * (slope[a.y, a.labels] - its[b.y, b.labels])
    k = len(a.classes)
    right, wrong = np.eye(k, dtype=bool), ~np.eye(k, dtype=bool)
    pseudo = []
    for one, other in ((right, wrong), (wrong, right)):
        at = [float(np.nanmean(s[:, :k][mask])) if mask.any() else 0.0 for s, mask in ((slope, one), (its, other))]
        pseudo.append(total * (at[0] - at[1]))
    found = rows.interval(moved, np.array(pseudo), np.ones(2), confidence)
    value = chosen.figure(a) - chosen.figure(b)
    shift = value - found.value
    span = chosen.bounds[1] - chosen.bounds[0]
    low, high = max(found.low + shift, -span), min(found.high + shift, span)
    return replace(found, value=value, low=low, high=high)


def _areas(a: Said, b: Said, confidence: float) -> Estimate:
    parts = [area_parts(s.y, all_log_odds(s.log_probabilities("roc_area")), s.weight) for s in (a, b)]
    return paired_areas(a, parts[0], parts[1], confidence)


def paired_areas(a: Said, first: RankedRows, second: RankedRows, confidence: float) -> Estimate:
    """The difference of two areas of the same rows, each with how much every row moves it."""
    value, moved = first[0] - second[0], first[1] - second[1]
    rows = _Rows.of(a)
    variance, fewest = 0.0, np.inf
    for c in np.unique(a.y):
        own = a.y == c
        m = rows.units(own)
        fewest = min(fewest, m)
        variance += rows.within(moved, own) * (m / (m - 1) if m > 1 else 1.0)
        if np.count_nonzero(np.abs(moved[own]) > 1e-12) < _ENOUGH:
            variance += 2 * 0.25 / (m + 2) ** 2 * share_of_area(len(np.unique(a.y)))
    error = sqrt(variance)
    half = t_quantile(confidence, max(fewest - 1, 1.0)) * error
    low, high = max(value - half, -1.0), min(value + half, 1.0)
    return Estimate(value, low, high, confidence, "paired DeLong of rows", rows.n, error)


def _losses(chosen: Criterion, a: Said, b: Said, apart: Floats, confidence: float) -> Estimate:
    found = mean_interval(apart, confidence, sample_weight=a.weight, groups=a.groups)
    if not a.has_probabilities:
        return found
    few, heavy = min(np.count_nonzero(s.labels != s.y) for s in (a, b)) < _ENOUGH, False
    for doubting in (a, b):  # the mistakes where either doubts: which comes first makes no difference
        best, log_doubt, others = doubts(doubting, chosen.name)
        y = np.where(best == a.y, others.argmax(axis=1), best)
        flipped = [row_values(chosen, replace(s, y=y)) for s in (a, b)]
        known = np.isfinite(flipped).all(axis=0)
        moved = [np.abs(new - row_values(chosen, s))[known] for new, s in zip(flipped, (a, b), strict=True)]
        heavy = heavy or any(map(has_heavy_tail, moved))
        if few and known.any():
            doubt = relative(log_doubt[known])
            mass = doubt / doubt.sum() * normal_quantile(confidence) ** 2 / 2
            pseudo = (flipped[0] - flipped[1])[known]
            if chosen.bounds[1] < inf:  # two models that are sure of the same pay alike for a mistake that both make
                size = float(doubt @ (moved[0] + moved[1]) / doubt.sum()) / 2
                pseudo, mass = np.append(pseudo, [size, -size]), np.append(mass, [1.0, 1.0])
            unseen = _Rows.of(a).interval(apart, pseudo, mass, confidence)
            found = _no_surer(found, unseen.low, unseen.high, unseen.standard_error)
    if chosen.bounds[1] == inf and heavy:
        one, other = chosen.estimate(a, confidence), chosen.estimate(b, confidence)
        below = hypot(one.value - one.low, other.high - other.value)
        above = hypot(one.high - one.value, other.value - other.low)
        ends = {below, above} if found.value == 0 else {above if found.value < 0 else below}
        towards = max(ends)  # no difference, which tests ask about
        far = towards if isinf(max(below, above)) else (below + above) / 2
        error = far / normal_quantile(confidence)
        note = _no_end(isinf(below), isinf(above))
        found = _no_surer(found, found.value - below, found.value + above, error, note)
    return found


def _no_end(below: bool, above: bool) -> str:
    """What a reader must know of a difference without an end on a side."""
    if not (below or above):
        return ""
    whose = "both models are" if below and above else f"the {'first' if above else 'second'} model is"
    end = "no end" if below and above else f"no {'upper' if above else 'lower'} end"
    return f"rows far out, of which {whose} very sure, rule this difference: it has {end}; calibrating helps"


def _no_surer(found: Estimate, low: float, high: float, error: float, note: str = "") -> Estimate:
    """The estimate, no surer than these ends."""
    return replace(
        found,
        low=min(found.low, low),
        high=max(found.high, high),
        standard_error=max(found.standard_error, error),
        method="paired rows with unseen mistakes",
        note=note or (found.note if low >= found.low and high <= found.high else ""),
    )


def _mistake(chosen: Criterion, a: Said, b: Said) -> float:
    """What a mistake costs on average: a row of the next class, called as it was."""
    y = np.asarray((a.y + 1) % len(a.classes))
    return float(np.mean([np.abs(row_values(chosen, replace(s, y=y)) - row_values(chosen, s)) for s in (a, b)]))


@dataclass(frozen=True)
class _Rows:
    """Rows of typical weight 1, which vary alone or with their groups."""

    weight: Floats  # (n,)
    groups: Array | None  # (n,)

    @classmethod
    def of(cls, said: Said) -> "_Rows":
        if said.weight is None:
            return cls(np.ones(len(said)), said.groups)
        near = said.weight / said.weight.max()
        return cls(near * (float(near.sum()) / float(near @ near)), said.groups)

    @property
    def n(self) -> float:
        return effective_size(self.weight, len(self.weight))

    def units(self, own: Any = slice(None)) -> float:
        """How many of the rows vary by themselves: all of them, their effective number, or their groups."""
        if self.groups is None:
            return effective_size(self.weight[own], len(self.weight[own]))
        return float(len(np.unique(self.groups[own])))

    def within(self, moved: Floats, own: Any = slice(None)) -> float:
        """The sum of squares of what rows move, those of a group together."""
        if self.groups is None:
            return float((moved[own] ** 2).sum())
        return float((np.bincount(self.groups[own], weights=moved[own]) ** 2).sum())

    def interval(self, values: Floats, pseudo: Floats, mass: Floats, confidence: float) -> Estimate:
        """The mean of values, with pseudo-rows of some mass: as Wilson's interval, about their common mean.

        A pseudo-row weighs as much as a unit: with groups, as many rows as a group has.
        """
        size = float(self.weight.sum()) / self.units()
        total = float(self.weight.sum() + size * mass.sum())
        value = float(self.weight @ values / self.weight.sum())
        mean = float(self.weight @ values + size * mass @ pseudo) / total
        square = self.within(self.weight * (values - mean)) + size**2 * float(mass @ (pseudo - mean) ** 2)
        error = sqrt(square) / total
        half = normal_quantile(confidence) * error
        low, high = min(mean - half, value), max(mean + half, value)
        return Estimate(value, low, high, confidence, "paired rows", self.n, error)
