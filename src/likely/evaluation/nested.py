"""Nested cross-validation: how far cross-validation may be from the error of the model at hand.

Rows serve for training and for testing by turns, so the losses of different folds depend on each other, and intervals
from them as if they did not are too short. Nested cross-validation measures the distance instead (Bates, Hastie and
Tibshirani 2023): fold j is kept aside, the other K - 1 folds are cross-validated among themselves, and the result e_j
is held against the loss f_j on fold j of the model of all the others.

    mean squared error    M = mean over j of (e_j - f_j)^2 - variance of f_j, times (K - 1) / K
    bias                  models without two folds learn from (K - 2) / K of the rows. If the loss after m rows is
                          a + c / m, then E_nested - E_all = 2 (K - 1) / K (E_nested - E_cv), which is taken off
    interval              (E_nested - bias) +- z sqrt(M), sqrt(M) held between s / sqrt(n) and sqrt(K) times that

s is the deviation of the rows' losses; with groups the variances are those of means over groups. M is an average over
few folds: repeat ten times or more for a width that does not depend on luck. A model that learns in one pass gives all
models without two folds from one pass over the rows (`out_of_two_folds`); others are refitted K (K - 1) / 2 times.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.data.target import Target
from likely.decisions.classifiers import Training
from likely.errors import InputError, TierError
from likely.evaluation.criteria import Criterion, Said, row_values
from likely.evaluation.estimate import Estimate
from likely.evaluation.quantiles import normal_quantile
from likely.evaluation.refitting import Split, judge_by_refitting
from likely.numeric.arrays import Floats, Ints

if TYPE_CHECKING:
    from likely.evaluation.cross_validation import CrossValidation

_MOST_FOLDS = 50  # all pairs of more are too many models


def nested_estimate(result: "CrossValidation", chosen: Criterion, confidence: float = 0.95) -> Estimate:
    """The interval of a cross-validated measure that is a mean over rows."""
    tables = nested_tables(result, chosen)
    return nested_interval(
        tables, result.folds, confidence, chosen.bounds, sample_weight=result.weight, groups=result.groups
    )


def nested_tables(result: "CrossValidation", chosen: Criterion) -> list[Floats]:
    """For each repeat the values (K, n) of row i under the model without its own fold and fold j."""
    if result.data is None:
        raise InputError("this result does not know its model and data any more; cross-validate again")
    count = result.n_folds
    if not 3 <= count <= _MOST_FOLDS:
        raise InputError(
            f"nested cross-validation leaves out every pair of folds, which takes 3 to {_MOST_FOLDS} of them, not "
            f"{count}; 5 or 10 are usual"
        )
    row_values(chosen, result.said())  # refuses what has no value for each row, before anything long begins
    said = _twice_held_out(result.model, result.data, result.folds)
    return [np.stack([row_values(chosen, one) for one in by_fold]) for by_fold in said]


def nested_interval(
    tables: list[Floats],
    folds: Ints,
    confidence: float = 0.95,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    sample_weight: Any = None,
    groups: Any = None,
) -> Estimate:
    """The interval from values (K, n) of every repeat: [j, i] of row i when neither its fold nor fold j was learned.

    `folds` (r, n) are the folds of the rows in every repeat. For differences of two models, give differences of values.
    """
    units = _Units.of(folds.shape[1], sample_weight, groups)
    count = len(tables[0])
    if not all(np.isfinite(table[:, units.weight > 0]).all() for table in tables):
        worst = float(
            np.mean([table[fold, np.arange(folds.shape[1])].mean() for table, fold in zip(tables, folds, strict=True)])
        )
        note = "some rows have infinite values; no interval reaches them"
        return Estimate(worst, worst, worst, confidence, "certain", folds.shape[1], note=note)
    gaps, inner, plain, spread = [], [], [], []
    for table, fold in zip(tables, folds, strict=True):
        held_out = table[fold, np.arange(len(fold))]
        plain.append(units.mean(held_out))
        spread.append(units.variance(held_out))
        for j in range(count):
            aside = fold == j
            within, without = units.mean(table[j], ~aside), units.mean(held_out, aside)
            inner.append(within)
            gaps.append((within - without) ** 2 - units.variance(held_out, aside))
    nested, naive = float(np.mean(inner)), float(np.mean(spread))
    value = nested - 2 * (count - 1) / count * (nested - float(np.mean(plain)))
    squared = min(max((count - 1) / count * float(np.mean(gaps)), naive), count * naive)
    half = normal_quantile(confidence) * sqrt(squared)
    value = min(max(value, bounds[0]), bounds[1])
    low, high = max(value - half, bounds[0]), min(value + half, bounds[1])
    times = f", {len(tables)} times" if len(tables) > 1 else ""
    note = "" if squared > 0 else "all rows have the same value; the interval shows no more than that"
    return Estimate(
        value,
        low,
        high,
        confidence,
        f"nested {count}-fold cross-validation{times}",
        folds.shape[1],
        sqrt(squared),
        note,
    )


@dataclass(frozen=True)
class _Units:
    """Means over rows, and their variances when whole groups vary together."""

    weight: Floats  # (n,)
    group: Ints  # (n,)

    @classmethod
    def of(cls, rows: int, weight: Any, groups: Any) -> "_Units":
        w = np.ones(rows) if weight is None else np.asarray(weight, dtype=np.float64)
        return cls(w, np.arange(rows) if groups is None else np.asarray(groups))

    def mean(self, values: Floats, among: Any = slice(None)) -> float:
        weight = self.weight[among]
        return float(weight @ np.where(weight > 0, values[among], 0.0) / weight.sum())

    def variance(self, values: Floats, among: Any = slice(None)) -> float:
        """Of the mean; infinite for a single unit, which has no spread."""
        weight, group = self.weight[among], self.group[among]
        moved = weight * np.where(weight > 0, values[among] - self.mean(values, among), 0.0) / weight.sum()
        by_group = np.bincount(np.unique(group, return_inverse=True)[1], weights=moved)
        units = len(by_group)
        return float(units / (units - 1) * (by_group @ by_group)) if units > 1 else np.inf


def _twice_held_out(model: Any, data: Training, folds: Ints) -> Iterator[Iterator[Said]]:
    """For each repeat and fold j, what is said of all rows by models without fold j and without their own."""
    exact = getattr(model, "out_of_two_folds", None)
    for number, fold in enumerate(folds):
        if exact is not None:
            try:
                tables = exact(data.X, Target(data.codes, data.classes), fold, data.weight)
                yield (Said(data.classes, data.codes, table) for table in tables)
                continue
            except TierError:
                exact = None
        yield _refitted(model, data, fold, f"nested folds of repeat {number + 1} of {len(folds)}")


def _refitted(model: Any, data: Training, fold: Ints, what: str) -> Iterator[Said]:
    count, n = int(fold.max()) + 1, len(fold)
    pairs = [(i, j) for i in range(count) for j in range(i, count)]
    splits = [
        Split(np.flatnonzero((fold != i) & (fold != j)), np.flatnonzero((fold == i) | (fold == j))) for i, j in pairs
    ]
    verdicts = judge_by_refitting(model, data, splits, what)
    answers = np.empty((count, n), dtype=np.int32)
    log_p = None if verdicts[0].log_posterior is None else np.empty((count, n, len(data.classes)))
    for (i, j), split, verdict in zip(pairs, splits, verdicts, strict=True):
        for one, other in ((i, j), (j, i)):
            rows = np.flatnonzero(fold[split.test] == one)
            answers[other, split.test[rows]] = verdict.answers[rows]
            if log_p is not None and verdict.log_posterior is not None:
                log_p[other, split.test[rows]] = verdict.log_posterior[rows]
    for j in range(count):
        yield Said(data.classes, data.codes, None if log_p is None else log_p[j], answers[j])
