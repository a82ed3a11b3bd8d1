"""Learning curves: how good a model becomes with more rows to learn from.

A part of the rows (a third) is withheld; the model learns from 20, 50, 100, ... of the others and is judged on the
withheld ones each time, and on the rows that it has learned: the distance of the two is its optimism, which more rows
close. All of that is repeated with other splits.

With J repeats of deviation S the band is the corrected resampled t, mean +- t_{J-1} S sqrt(1 / J + n2 / n1), n2 rows
withheld of n1 + n2: test sets of different repeats have n2 / (n1 + n2) of their rows in common. Where the measure is a
mean over rows, the band is no narrower than the interval of that mean over all rows that were ever withheld, each with
the mean of its values (Wilson's for shares; over whole groups where there are groups): splits may agree by chance. One
repeat has no S; its band is that of the withheld rows alone, and knows nothing of the luck of the training rows.

A model that learns in one pass is never refitted: rows are summed by the stage at which they are learned, and the model
of each size is a prefix sum (`models.held_out`).
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.printing.html_table import text_as_html
from likely.data.printing.text_table import aligned
from likely.errors import InputError, check_whole
from likely.evaluation.measures.criteria import Bounds, Criterion, MeasureLike, row_values
from likely.evaluation.measures.own_costs import criterion_for
from likely.evaluation.resampling.cross_validation import read_training
from likely.evaluation.said import Said
from likely.intervals.estimate import Estimate
from likely.intervals.means import no_narrower, read_groups, row_interval
from likely.intervals.quantiles import check_confidence
from likely.intervals.resampled import corrected_t_interval
from likely.models.any_classifier.asking import Training
from likely.models.held_out.cv import Split
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.held_out.folds import holdout, in_random_order
from likely.models.held_out.refitting import Verdict, check_classifier
from likely.models.traits.protocols import Learner
from likely.numeric.arrays import Floats, Ints, PerRow, in_brief
from likely.numeric.random_state import Seed, as_generator

_SIZES = 8  # points of a curve where none are asked for


@dataclass(frozen=True)
class LearningCurve:
    """A learning curve: a measure against the number of training rows, on withheld rows and on the training rows."""

    criterion: Criterion
    sizes: tuple[int, ...]
    scores: Floats  # (repeats, sizes)  on withheld rows
    training_scores: Floats  # (repeats, sizes)  on the rows that were learned
    withheld: int  # rows
    rows: int  # in all
    confidence: float = 0.95
    bounds: Bounds | None = None  # of the measure, for these classes; None: the criterion's
    over_rows: tuple[Estimate | None, ...] = ()  # of each size, over the rows that were withheld; None: no such mean

    __repr__ = in_brief

    @cached_property
    def estimates(self) -> tuple[Estimate, ...]:
        """The measure on withheld rows at each size, with its band."""
        found = self._bands(self.scores, self.bounds or self.criterion.bounds)
        rows = self.over_rows or (None,) * len(found)
        if len(self.scores) == 1:
            return tuple(band if row is None else row for band, row in zip(found, rows, strict=True))
        return tuple(band if row is None else no_narrower(band, row) for band, row in zip(found, rows, strict=True))

    @cached_property
    def optimism(self) -> tuple[Estimate, ...]:
        """The measure on training rows less that on withheld rows, at each size."""
        return self._bands(self.training_scores - self.scores, (-np.inf, np.inf))

    @cached_property
    def changes(self) -> tuple[Estimate, ...]:
        """How much the measure on withheld rows rises from each size to the next, on the same splits."""
        return self._bands(np.diff(self.scores, axis=1), (-np.inf, np.inf))

    def frame(self) -> Any:
        """One size a row, as a Polars frame."""
        import polars as pl

        return pl.DataFrame(
            [
                {
                    "size": size,
                    "value": held.value,
                    "low": held.low,
                    "high": held.high,
                    "training": float(self.training_scores[:, i].mean()),
                    "optimism": gap.value,
                    "optimism_low": gap.low,
                    "optimism_high": gap.high,
                }
                for i, (size, held, gap) in enumerate(zip(self.sizes, self.estimates, self.optimism, strict=True))
            ]
        )

    def __str__(self) -> str:
        head = ["rows", self.criterion.name, f"{100 * self.confidence:g} %", "training", "optimism"]
        table = [
            [
                str(size),
                f"{held.value:.3f}",
                f"[{held.low:.3f}, {held.high:.3f}]",
                f"{self.training_scores[:, i].mean():.3f}",
                f"{gap.value:+.3f}",
            ]
            for i, (size, held, gap) in enumerate(zip(self.sizes, self.estimates, self.optimism, strict=True))
        ]
        times = "once" if len(self.scores) == 1 else f"{len(self.scores)} times"
        return "\n".join([f"{self.withheld} of {self.rows} rows withheld, {times}", aligned([head, *table], left=())])

    _repr_html_ = text_as_html

    def _bands(self, scores: Floats, bounds: tuple[float, float]) -> tuple[Estimate, ...]:
        ratio = self.withheld / (self.rows - self.withheld)
        return tuple(
            corrected_t_interval(column, ratio, self.confidence, bounds, self.rows, "splits") for column in scores.T
        )


def learning_curve(
    model: Learner,
    X: TableLike,
    y: TargetLike,
    sizes: Sequence[float] | None = None,
    withheld: float = 1 / 3,
    repeats: int = 10,
    scoring: MeasureLike = "accuracy",
    stratify: bool = True,
    groups: PerRow = None,
    sample_weight: PerRow = None,
    confidence: float = 0.95,
    random_state: Seed = 0,
    pos_label: Hashable = None,
) -> LearningCurve:
    """The learning curve of a classifier: judged on withheld rows after learning from more and more of the others.

    `sizes` are numbers of training rows, or shares up to 1 of those that are not withheld; without them there are
    eight, in equal ratios. `pos_label` is the class that a measure of one class, such as "f1", is about. With
    `stratify`, every size has the class shares of the whole. With `groups` no group is on both sides, and bands are
    about other groups.

    Parameters
    ----------
    withheld : the share of rows that judge and are never learned

    >>> from sklearn.datasets import load_iris
    >>> from likely import NaiveBayes
    >>> from likely.evaluation import learning_curve
    >>> print(learning_curve(NaiveBayes(), *load_iris(return_X_y=True), sizes=[10, 30, 90], repeats=20))
    50 of 150 rows withheld, 20 times
    rows  accuracy            95 %  training  optimism
      10     0.881  [0.707, 1.000]     0.985    +0.104
      30     0.957  [0.909, 1.000]     0.970    +0.013
      90     0.956  [0.905, 0.993]     0.956    +0.000
    """
    check_classifier(model)
    check_confidence(confidence)
    check_whole("repeats", repeats)
    data = read_training(X, y, sample_weight)
    chosen = criterion_for([model], scoring, data.classes, pos_label)
    members = None if groups is None else read_groups(groups, len(data.codes))
    rngs = as_generator(random_state).spawn(repeats)
    splits = [_split(data, withheld, stratify, members, rng) for rng in rngs]
    least = min(len(split.train) for split in splits)
    steps = _read_sizes(sizes, least, len(data.classes))
    grown = HeldOut(model, data).growing(splits, steps)
    tests = [[_said(data, split.test, test) for test, _ in row] for split, row in zip(splits, grown, strict=True)]
    trains = [
        [_said(data, split.train[:size], train) for size, (_, train) in zip(steps, row, strict=True)]
        for split, row in zip(splits, grown, strict=True)
    ]
    scores = np.array([[chosen.figure(said) for said in row] for row in tests])
    training = np.array([[chosen.figure(said) for said in row] for row in trains])
    bounds = chosen.limits(len(data.classes))
    over_rows = tuple(
        _over_rows(chosen, [row[i] for row in tests], splits, data, members, confidence, bounds)
        for i in range(len(steps))
    )
    held = round(float(np.mean([len(split.test) for split in splits])))
    return LearningCurve(chosen, steps, scores, training, held, len(data.codes), confidence, bounds, over_rows)


def _split(data: Training, withheld: float, stratify: bool, groups: Ints | None, rng: np.random.Generator) -> Split:
    """The withheld rows, and the others in the order in which they are learned."""
    aside = holdout(data.codes, withheld, stratify, groups, rng)
    others = np.flatnonzero(~aside)
    return Split(others[in_random_order(data.codes[others], stratify, rng)], np.flatnonzero(aside))


def _read_sizes(sizes: Sequence[float] | None, available: int, classes: int) -> tuple[int, ...]:
    if sizes is None:
        first = min(max(2 * classes, 10), available)
        return tuple(dict.fromkeys(np.geomspace(first, available, _SIZES).round().astype(int).tolist()))
    wanted = [float(size) for size in sizes]
    if not wanted or min(wanted) <= 0:
        raise InputError(f"sizes are numbers of rows, or shares of them, above 0; got {list(sizes)}")
    if max(wanted) <= 1:
        wanted = [max(1.0, round(size * available)) for size in wanted]
    if any(size != int(size) for size in wanted):
        raise InputError(f"sizes are whole numbers of rows, or shares between 0 and 1; got {list(sizes)}")
    if max(wanted) > available:
        raise InputError(f"a size of {max(wanted):.0f} rows is more than the {available} that are not withheld")
    return tuple(sorted({int(size) for size in wanted}))


def _said(data: Training, rows: Ints, verdict: Verdict) -> Said:
    weight = None if data.weight is None else data.weight[rows]
    return Said(data.classes, data.codes[rows], *verdict, weight)


def _over_rows(
    chosen: Criterion,
    withheld: list[Said],
    splits: list[Split],
    data: Training,
    groups: Ints | None,
    confidence: float,
    bounds: Bounds,
) -> Estimate | None:
    """The mean over all rows that were withheld, each with the mean of its values; None unless these are finite.

    A measure of all rows together, or one that is the same for all, is that of every row when first withheld.
    """
    total, times = np.zeros(len(data.codes)), np.zeros(len(data.codes))
    for said, split in zip(withheld, splits, strict=True):
        try:
            total[split.test] += row_values(chosen, said)
        except InputError:  # of all rows together, or a user's function that gives no value for each
            return chosen.estimate(_each_once(withheld, splits, groups), confidence)
        times[split.test] += 1
    rows = np.flatnonzero((times > 0) if data.weight is None else (times > 0) & (data.weight > 0))
    values = total[rows] / times[rows]
    if not np.isfinite(values).all():
        return None
    weight, members = (None if a is None else a[rows] for a in (data.weight, groups))
    found = row_interval(values, confidence, weight, members, bounds)
    return found if found.width > 0 else chosen.estimate(_each_once(withheld, splits, groups), confidence)


def _each_once(withheld: list[Said], splits: list[Split], groups: Ints | None) -> Said:
    """What was said of every row that was withheld, the first time."""
    seen: set[int] = set()
    parts = []
    for said, split in zip(withheld, splits, strict=True):
        new = np.array([i for i, row in enumerate(split.test) if int(row) not in seen], dtype=np.intp)
        seen.update(split.test[new].tolist())
        part = said.take(new)
        parts.append(part if groups is None else replace(part, groups=groups[split.test[new]]))
    names = [name for name, value in vars(parts[0]).items() if name != "classes" and value is not None]
    together: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in parts]) for name in names}
    return replace(parts[0], **together)
