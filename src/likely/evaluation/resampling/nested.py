"""Nested cross-validation: how far cross-validation may be from the error of the model at hand.

Rows serve for training and for testing by turns, so the losses of different folds depend on each other, and intervals
from them as if they did not are too short. Nested cross-validation measures the distance instead (Bates, Hastie and
Tibshirani 2023): fold j is kept aside, the other K - 1 folds are cross-validated among themselves, and the result e_j
is held against the loss f_j on fold j of the model of all the others.

    mean squared error    M = mean over j of (e_j - f_j)^2 - variance of f_j, times (K - 1) / K
    bias                  models without two folds learn from (K - 2) / K of the rows. If the loss after m rows is
                          a + c / m, then E_nested - E_all = 2 (K - 1) / K (E_nested - E_cv), which is taken off. A
                          loss that cannot be negative falls by a factor instead, ln loss = a + c / m, so that
                          E_all = E_cv (E_cv / E_nested)^((K - 2) / K), the same for small differences; a share that
                          cannot exceed 1 rises towards it in the same way
    interval              (E_nested - bias) +- z sqrt(M), sqrt(M) held between s / sqrt(n) and sqrt(K) times that

The factor matters where a few rows less make a loss much larger: the log-loss of a full covariance of 6 and 8 features
from 30 rows is 1.62 and 3.99; 1.70 and 3.62 are found by the factor, 1.42 and -0.63 by the difference.

s is the deviation of the rows' losses; with groups the variances are those of means over groups. A fold of a single row
or group does not show how f_j varies and is left out of M; if all are such, sqrt(M) is the upper of its two limits. A
loss that is infinite only for models without two folds has no e_j to compare: the value is then that of the
cross-validation itself, and the interval has no end on that side. M is an average over
few folds: repeat ten times or more for a width that does not depend on luck. A model that learns in one pass gives all
models without two folds from one pass over the rows (`out_of_two_folds`); others are refitted K (K - 1) / 2 times.
"""

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import InputError
from likely.evaluation.measures.criteria import Criterion, row_values
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.quantiles import normal_quantile
from likely.numeric.arrays import Floats, Ints, PerRow

if TYPE_CHECKING:
    from likely.evaluation.resampling.cross_validation import CrossValidation

_MOST_FOLDS = 50  # all pairs of more are too many models


def nested_estimate(result: "CrossValidation", chosen: Criterion, confidence: float = 0.95) -> Estimate:
    """The interval of a cross-validated measure that is a mean over rows."""
    tables = nested_tables(result, chosen)
    return nested_interval(
        tables,
        result.folds,
        confidence,
        chosen.limits(len(result.classes)),
        sample_weight=result.weight,
        groups=result.groups,
    )


def nested_tables(result: "CrossValidation", chosen: Criterion) -> list[Floats]:
    """For each repeat the values (K, n) of row i under the model without its own fold and fold j."""
    if result.held_out is None:
        raise InputError("this result does not know its model and data any more; cross-validate again")
    count = result.n_folds
    if not 3 <= count <= _MOST_FOLDS:
        raise InputError(
            f"nested cross-validation leaves out every pair of folds, which takes 3 to {_MOST_FOLDS} of them, not "
            f"{count}; 5 or 10 are usual"
        )
    row_values(chosen, result.said())  # refuses what has no value for each row, before anything long begins
    tables = []
    for number, fold in enumerate(result.folds):
        verdict = result.held_out.twice(fold, f"nested folds of repeat {number + 1} of {result.repeats}")
        said = [
            Said(result.said().classes, result.y, *(None if part is None else part[j] for part in verdict))
            for j in range(count)
        ]
        tables.append(np.stack([row_values(chosen, one) for one in said]))
    return tables


def nested_interval(
    tables: list[Floats],
    folds: Ints,
    confidence: float = 0.95,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    sample_weight: PerRow = None,
    groups: PerRow = None,
) -> Estimate:
    """The interval from values (K, n) of every repeat: [j, i] of row i when neither its fold nor fold j was learned.

    `folds` (r, n) are the folds of the rows in every repeat. For differences of two models, give differences of values.
    """
    units = _Units.of(folds.shape[1], sample_weight, groups)
    count = len(tables[0])
    held_out = [table[fold, np.arange(len(fold))] for table, fold in zip(tables, folds, strict=True)]
    plain = float(np.mean([units.mean(values) for values in held_out]))
    rows, counted = folds.shape[1], units.weight > 0
    method = f"nested {count}-fold cross-validation{f', {len(tables)} times' if len(tables) > 1 else ''}"
    if not np.isfinite(plain):
        note = "some rows have infinite values; no interval reaches them"
        low, high = (plain, plain) if np.isinf(plain) else bounds
        return Estimate(plain, low, high, confidence, "certain" if np.isinf(plain) else method, rows, note=note)
    naive = float(np.mean([units.variance(values) for values in held_out]))
    z = normal_quantile(confidence)
    seen = np.concatenate([table[:, counted].ravel() for table in tables])
    if not np.isfinite(seen).all():
        half = z * sqrt(count * naive)
        low = bounds[0] if (np.isneginf(seen) | np.isnan(seen)).any() else max(plain - half, bounds[0])
        high = bounds[1] if (np.isposinf(seen) | np.isnan(seen)).any() else min(plain + half, bounds[1])
        note = "some rows have infinite values when two folds are left out, and no end of the interval reaches them"
        return Estimate(plain, low, high, confidence, method, rows, note=note)
    gaps, inner = [], []
    for table, fold, values in zip(tables, folds, held_out, strict=True):
        for j in range(count):
            aside = fold == j
            inner.append(units.mean(table[j], ~aside))
            varies = units.variance(values, aside)
            if np.isfinite(varies):
                gaps.append((inner[-1] - units.mean(values, aside)) ** 2 - varies)
    nested = float(np.mean(inner))
    value = _of_all_rows(plain, nested, count, bounds)
    most = count * naive
    squared = min(max((count - 1) / count * float(np.mean(gaps)), naive), most) if gaps else most
    low, high = max(value - z * sqrt(squared), bounds[0]), min(value + z * sqrt(squared), bounds[1])
    note = "" if gaps else "no fold has two rows or groups: the widest interval that nested cross-validation allows"
    if not squared > 0:
        note = "all rows have the same value; the interval shows no more than that"
    return Estimate(value, low, high, confidence, method, rows, sqrt(squared), note)


def _of_all_rows(plain: float, nested: float, folds: int, bounds: tuple[float, float]) -> float:
    """The measure after all rows, from those after all but one fold and all but two."""
    further = (folds - 2) / folds
    edge = bounds[0] if nested > plain else bounds[1]
    if not np.isfinite(edge):
        return plain - further * (nested - plain)
    rest, its = abs(plain - edge), abs(nested - edge)  # what could be gained; more of it after fewer rows
    left = rest * (rest / its) ** further if rest < its else rest
    return float(edge + left if nested > plain else edge - left)


@dataclass(frozen=True)
class _Units:
    """Means over rows, and their variances when whole groups vary together."""

    weight: Floats  # (n,)
    group: Ints  # (n,)

    @classmethod
    def of(cls, rows: int, weight: Any, groups: PerRow) -> "_Units":
        w = np.ones(rows) if weight is None else np.asarray(weight, dtype=np.float64)
        return cls(w, np.arange(rows) if groups is None else np.asarray(groups))

    def mean(self, values: Floats, among: Any = slice(None)) -> float:
        weight = self.weight[among]
        with np.errstate(invalid="ignore"):  # infinite both ways
            return float(weight @ np.where(weight > 0, values[among], 0.0) / weight.sum())

    def variance(self, values: Floats, among: Any = slice(None)) -> float:
        """Of the mean; infinite for a single unit, which has no spread. Units without weight are none."""
        counted = self.weight[among] > 0
        weight, group = self.weight[among][counted], self.group[among][counted]
        number = np.unique(group, return_inverse=True)[1]
        units = int(number.max(initial=-1)) + 1
        if units < 2:
            return np.inf
        moved = weight * (values[among][counted] - self.mean(values, among)) / weight.sum()
        by_group = np.bincount(number, weights=moved)
        return float(units / (units - 1) * (by_group @ by_group))
