"""Classifiers that are a function of class means and products of columns: one pass, so they merge, forget and are
cross-validated exactly (`crossed_sums`).

A subclass says in `_estimate` what it makes of the class moments in the columns of the design, and in `_scores` what it
says of rows.
"""

from collections.abc import Hashable, Iterator
from copy import copy
from itertools import accumulate
from operator import add
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely import engines
from likely.data.accepted import ClassNames, TableLike, TargetLike
from likely.data.columns.differences import how_columns_differ
from likely.data.columns.schema import Schema
from likely.data.design import DesignPlan
from likely.data.inputs import taken
from likely.data.labels.target import Target, read_target
from likely.errors import InputError, TierError
from likely.models.held_out.cv import numbered_folds
from likely.models.learning.batches import Tasks
from likely.models.learning.designed import MatrixClassifier
from likely.models.learning.labelled import weight_of_classes
from likely.models.linear.least_squares.crossed_sums import ClassMoments, CrossedSums, SumCrossed, class_moments
from likely.models.traits.one_class import note_one_class
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.logspace import log_normalize
from likely.statistics import Labelled, Scatter, all_but_one, all_but_two

_FEW_FOLDS = 60  # up to which the sums of all folds are held at a time; of more, each is taken away from the whole


class SummedClassifier(MatrixClassifier):
    """Fit, merge, forget and cross-validate by sums."""

    class_weight: Any = None
    standardize: bool = True

    statistic_: CrossedSums

    def _estimate(self, moments: ClassMoments) -> None:
        """Learn from class means and products; design and classes are known."""
        raise NotImplementedError

    def _check_parameters(self) -> None:
        """Refuse parameters that mean nothing."""

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y, forgetting anything learned before.

        X is an array, a sparse matrix, a frame or `likely.scan(path)`; y one label per row, or the name of a column
        of X. Rows without a label are left out, and a warning says so.
        """
        self._check_parameters()
        with self._anew():
            self._learn(X, y, sample_weight)
            note_one_class(self.classes_, later=True)
        return self

    def _learn(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> None:
        self._settle(*self._summed(X, y, sample_weight))

    def partial_fit(
        self, X: TableLike, y: TargetLike = None, classes: ClassNames = None, sample_weight: PerRow = None
    ) -> Self:
        """Learn more rows. New classes and new levels are welcome at any time, in any order."""
        self._check_parameters()
        with self._onward():
            declared = () if classes is None else read_target(np.asarray(classes)).classes
            if not self.__sklearn_is_fitted__():
                with self._anew():
                    self._refuse_passes("partial_fit")
                    seen, plan = self._summed(X, y, sample_weight)
                    self._settle(seen.with_classes(declared) if declared else seen, plan)
                return self
            self._refuse_passes("partial_fit")
            seen, _ = self._summed(X, y, sample_weight, self.schema_)
            self._settle((self.statistic_ + seen).with_classes(declared), self.design_.plan)
            return self

    def merge(self, other: Self) -> Self:
        """Merge two models into a new one of the data of both, as if trained on the union; neither of them changes."""
        if type(self) is not type(other):
            self._check_fitted()
            raise InputError(f"cannot merge {type(self).__name__} with {type(other).__name__}")
        mine, its = self._as_it_is(), other._as_it_is()
        for one in (mine, its):
            one._check_fitted()
            one._refuse_passes("merge")
        if not mine.design_.plan.alike(its.design_.plan):
            why = how_columns_differ(mine.schema_, its.schema_) or "fit both with the same parameters"
            raise InputError(
                f"these models do not describe the same columns in the same way, so their data cannot be added: {why}"
            )
        united = copy(mine)
        united._settle(mine.statistic_ + its.statistic_, mine.design_.plan)
        return united

    def forget(self, X: TableLike, y: TargetLike, sample_weight: PerRow = None) -> Self:
        """Unlearn rows, changing this model: it becomes what it would be had it never seen them, and is returned.

        Rows that were not learned are refused where that can be seen, and the model stays as it was.
        """
        with self._onward():
            self._check_fitted()
            self._refuse_passes("forget")
            removed, _ = self._summed(X, y, sample_weight, self.schema_)
            for name in removed.classes:
                if name not in self.statistic_.classes:
                    raise InputError(f"these rows cannot be forgotten: class {name!r} was never learned")
            left = self.statistic_.without(removed)
            if not left.classes:
                raise InputError("forgetting these rows would leave nothing; make a new model instead")
            self._settle(left, self.design_.plan)
            return self

    def out_of_fold(self, X: TableLike, y: TargetLike, folds: ArrayLike, sample_weight: PerRow = None) -> Floats:
        """Log posteriors (n, k) of every row under a model of the other folds; the classes are those of y, sorted.

        `folds` names the fold of each row (n,), or of several repeats (r, n) for posteriors (r, n, k). Nothing is
        refitted: the sums of the folds are added up. Of this model only the parameters are used.
        """
        table = _Parts(self, X, y, sample_weight)
        named = np.asarray(folds)
        if named.shape[-1:] != (table.rows,) or named.ndim > 2:
            raise InputError(f"folds has shape {named.shape}, expected ({table.rows},): one fold per row")
        out = np.stack([table.left_out(one) for one in np.atleast_2d(named)])
        return out if named.ndim == 2 else out[0]

    def out_of_two_folds(self, X: TableLike, y: TargetLike, folds: ArrayLike, sample_weight: PerRow = None) -> Floats:
        """Log posteriors (f, n, k): [j, i] is row i under a model that has seen neither its own fold nor fold j."""
        return _Parts(self, X, y, sample_weight).left_out_twice(np.asarray(folds))

    def growing_posteriors(
        self, X: TableLike, y: TargetLike, stages: ArrayLike, sample_weight: PerRow = None
    ) -> Floats:
        """Log posteriors (s, n, k) of withheld and of learned rows as the model grows stage by stage.

        `stages` (n,) is when a row is learned, 0, 1, ...; -1: never. [s, i] is row i under the model of the stages up
        to s; NaN for rows of later stages.
        """
        return _Parts(self, X, y, sample_weight).growing(np.asarray(stages))

    def _summed(
        self, X: TableLike, y: TargetLike, sample_weight: PerRow, known: Schema | None = None
    ) -> tuple[CrossedSums, DesignPlan]:
        """The sums of a table, and how its columns become numbers."""
        tasks, schema = self._tasks(X, y, sample_weight, known)
        plan = self._plan(schema, True)
        return _sums_of(tasks, plan), plan

    def _settle(self, seen: CrossedSums, plan: DesignPlan) -> None:
        """Learn everything from the sums; the model changes only when all of it has succeeded."""
        with self._onward():
            self.statistic_ = seen
            self._begin(plan, seen.sums, seen.classes, seen.weight, seen.weight / seen.weight.sum())
            moments = self._class_moments()
            self.class_prior_ = moments.weight / moments.total
            self._estimate(moments)

    def _class_moments(self) -> ClassMoments:
        """Class means and products in the columns of the design."""
        seen = self.statistic_
        return class_moments(self.design_, seen, weight_of_classes(self.class_weight, seen.classes, seen.weight))

    def _parameters_learned(self) -> dict[str, Any]:
        return {"levels": self.statistic_.levels, "scatter": self.statistic_.scatter}

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        levels, scatter, plan = parameters["levels"], parameters["scatter"], self.design_.plan
        numbers = sum(len(part.columns) for part in plan.parts if part.form == "real")
        named = sum(len(part.columns) for part in plan.parts if part.form == "codes")
        fits = isinstance(scatter, Scatter) and scatter.features == numbers + sum(map(len, levels))
        if not fits or len(levels) != named or any(len(set(names)) != len(names) for names in levels):
            raise InputError("the sums of products are not those of the columns")
        classes = tuple(self.classes_.tolist())
        if not np.array_equal(scatter.weight, self.class_count_) or scatter.weight.sum() <= 0:
            raise InputError("the sums of products are not of the rows that were learned")
        self._settle(CrossedSums(self.sums_, levels, Labelled(classes, scatter)), plan)

    def _refuse_passes(self, verb: str) -> None:
        """Refuse what only a model of sums can do."""


class _Parts:
    """A table that a model learns in parts."""

    def __init__(self, model: SummedClassifier, X: TableLike, y: TargetLike, sample_weight: PerRow) -> None:
        model._check_parameters()
        model._refuse_passes("exact cross-validation")
        self.model = model
        self.tasks, schema = model._tasks(X, y, sample_weight)
        if not isinstance(self.tasks.target, Target) or self.tasks.data.rows is None:
            raise TierError("rows of a file cannot be picked out: read it into a frame first")
        self.target = self.tasks.target
        self.plan = model._plan(schema, True)
        self.rows = self.tasks.data.rows

    def left_out(self, folds: Array) -> Floats:
        """Each row under the model of the other folds (n, k)."""
        codes, count = numbered_folds(folds)
        rows = [np.flatnonzero(codes == f) for f in range(count)] if count < self.rows else None
        out = np.empty((self.rows, len(self.target.classes)))
        if rows is not None and count <= _FEW_FOLDS:
            for places, others in zip(rows, all_but_one([self.sums(r) for r in rows]), strict=True):
                out[places] = self.judged(others, places)
            return out
        closed = getattr(self.model, "_leave_one_out", None)
        each = np.argsort(codes) if rows is None else None
        left = np.arange(count)
        if rows is None and closed is not None:
            whole = self.fitted(self.sums(np.arange(self.rows)))
            found, done = closed(whole, self.tasks)
            out[done] = found[done]
            left = np.flatnonzero(~done[each])
        total = self.sums(np.arange(self.rows)) if len(left) else None
        for f in left:
            places = each[f : f + 1] if each is not None else rows[f]  # type: ignore[index]
            out[places] = self.judged(total.without(self.sums(places)), places)  # type: ignore[union-attr]
        return out

    def left_out_twice(self, folds: Array) -> Floats:
        codes, count = numbered_folds(folds)
        if count < 3:
            raise InputError("leaving out two folds at a time needs at least three folds")
        rows = [np.flatnonzero(codes == f) for f in range(count)]
        own = [self.sums(r) for r in rows]
        out = np.empty((count, self.rows, len(self.target.classes)))
        for j, others in enumerate(all_but_one(own)):
            out[j, rows[j]] = self.judged(others, rows[j])
        for i, j, others in all_but_two(own):
            out[j, rows[i]], out[i, rows[j]] = self.judged(others, rows[i]), self.judged(others, rows[j])
        return out

    def growing(self, stages: Array) -> Floats:
        count = int(stages.max(initial=-1)) + 1
        if stages.shape != (self.rows,) or count < 1 or stages.min() < -1:
            raise InputError(f"stages has shape {stages.shape}, expected ({self.rows},): -1 or a stage 0, 1, ...")
        out = np.full((count, self.rows, len(self.target.classes)), np.nan)
        own: Iterator[Any] = (self.sums(np.flatnonzero(stages == s)) for s in range(count))
        for s, seen in enumerate(accumulate(own, add)):
            places = np.flatnonzero(stages <= s)
            out[s, places] = self.judged(seen, places)
        return out

    def sums(self, rows: Ints) -> CrossedSums:
        return _sums_of(self.some(rows), self.plan)

    def some(self, rows: Ints) -> Tasks:
        weight = None if self.tasks.weight is None else self.tasks.weight[rows]
        return Tasks(taken(self.tasks.data, rows), Target(self.target.codes[rows], self.target.classes), weight)

    def fitted(self, seen: CrossedSums) -> Any:
        kept = tuple(name for name, weight in zip(seen.classes, seen.weight, strict=True) if weight > 0)
        if kept != seen.classes:
            seen = _of_classes(seen, kept)
        model = type(self.model)(**self.model.get_params(deep=False))
        model._settle(seen, self.plan)
        return model

    def judged(self, seen: CrossedSums, rows: Ints) -> Floats:
        """What the model of these sums says of rows (n, k); -inf of classes that it does not know."""
        model = self.fitted(seen)
        parts = [
            model._scores(model.design_.matrix(batch, start)) for start, batch in taken(self.tasks.data, rows).batches()
        ]
        found = log_normalize(np.concatenate(parts))
        known = [self.target.classes.index(name) for name in model.statistic_.classes]
        out = np.full((len(rows), len(self.target.classes)), -np.inf)
        out[:, known] = found
        return out


def _sums_of(tasks: Tasks, plan: DesignPlan) -> CrossedSums:
    if any(part.form == "text" for part in plan.parts):
        raise TierError(
            "columns of texts have too many words for all their products to be summed; leave them out, or use "
            "LogisticRegression"
        )
    seen: CrossedSums | None = engines.current().fold(tasks, SumCrossed(plan))
    if seen is None:
        raise InputError("the file has no rows: there is nothing to learn from")
    return seen


def _of_classes(seen: CrossedSums, kept: tuple[Hashable, ...]) -> CrossedSums:
    from dataclasses import replace

    index = np.array([seen.classes.index(name) for name in kept], dtype=np.int64)
    return replace(seen, given=type(seen.given)(kept, seen.given.given.taken(index)))
