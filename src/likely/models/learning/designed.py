"""Learning from a matrix of numbers, whatever the table: what linear models, networks and their like share.

The first pass over a table sums what its design matrix needs (`likely.data.design`) and counts the classes. Every later
pass takes the batches as matrices, their labels as numbers of classes: `Encoded`, a source for `engines.fold` and
`engines.keep`. A model gives scores (n, k) for rows of the matrix; posteriors are their softmax.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import numpy as np

from likely import engines
from likely.data.accepted import ClassWeight, PriorLike, TableLike, TargetLike
from likely.data.columns.schema import Schema
from likely.data.design import Design, DesignPlan
from likely.data.inputs import Batch, batch_rows, whole_table
from likely.data.labels.target import Target, class_array
from likely.data.sources import Source
from likely.errors import InputError
from likely.models.estimator import Classifier
from likely.models.learning.batches import Task, Tasks
from likely.models.learning.holding import cells_of_file
from likely.models.learning.labelled import check_known, labelled_tasks, weight_of_classes
from likely.models.traits.answers import ByJoint
from likely.models.traits.precision import in_the_type_of
from likely.models.traits.prior_shift import PriorShift
from likely.models.traits.ready import Ready, encoded
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Matrix, PerRow
from likely.statistics import Labelled, Membership, SideBySide


class DesignedRows(NamedTuple):
    """A batch as a model of numbers learns it."""

    x: Any  # (n, m)  an array or a CSR matrix
    codes: Array  # (n,) int32  the class of each row
    weight: Floats | None  # (n,)


@dataclass(frozen=True)
class Encoded(Source[DesignedRows]):
    """The batches of a table as matrices, labels as numbers of these classes, weights with those of the classes."""

    tasks: Tasks
    design: Design
    classes: tuple[Hashable, ...]
    class_weight: Floats | None = None  # (k,)
    count: float = np.inf  # of rows of a file, where a pass over it has counted them

    @property
    def cells(self) -> float | None:
        """Of a file, the numbers of its matrices."""
        return cells_of_file(self.tasks.data, self.count, self.design)

    @property
    def n_batches(self) -> int | None:
        return self.tasks.n_batches

    def batch(self, number: int) -> DesignedRows:
        return self._rows(self.tasks.batch(number))

    def batches(self) -> Iterator[DesignedRows]:
        return map(self._rows, self.tasks.batches())

    def _rows(self, task: Task) -> DesignedRows:
        start, batch, labels, weight = task
        codes = labels.codes
        if labels.classes != self.classes:
            place = {name: i for i, name in enumerate(self.classes)}
            check_known(labels.classes, self.classes)
            codes = np.array([place[name] for name in labels.classes], dtype=np.int32)[codes]
        if self.class_weight is not None:
            weight = self.class_weight[codes] if weight is None else weight * self.class_weight[codes]
        return DesignedRows(self.design.matrix(batch, start), codes, weight)


@dataclass(frozen=True)
class Seen:
    """What a first pass finds: the weight of each class, and the sums behind the design."""

    counts: Labelled
    sums: SideBySide

    def __add__(self, other: Self) -> Self:
        return replace(self, counts=self.counts + other.counts, sums=self.sums + other.sums)


@dataclass(frozen=True)
class _Look:
    plan: DesignPlan

    def __call__(self, task: Task) -> Seen:
        start, batch, labels, weight = task
        members = Membership.of_labels(labels.codes, len(labels.classes), weight)
        return Seen(
            Labelled(labels.classes, SideBySide(members.totals(), ())), self.plan.summarize(batch, start, weight)
        )


class MatrixClassifier(ByJoint, PriorShift, Classifier):
    """A classifier whose scores are a function of a row of the design matrix."""

    _reads_levels = True

    kinds: Any

    sums_: SideBySide  # what the design was learned from
    design_: Design
    class_count_: Array  # (k,)  sum of weights
    class_prior_: Floats  # (k,)  the classes' shares of the weights that were learned with

    def _scores(self, x: Matrix) -> Floats:
        """Log posteriors (n, k) of rows of the design matrix, up to a term common to the classes."""
        raise NotImplementedError

    def _plan(self, schema: Schema, centred: bool) -> DesignPlan:
        """How the columns become numbers: standardized, unless a parameter `standardize` says otherwise."""
        return DesignPlan.of(schema, centred=centred, standardize=bool(getattr(self, "standardize", True)))

    def _parameters_learned(self) -> dict[str, Any]:
        """What was learned beside the design and the classes, as arrays, numbers and tuples: for a file."""
        raise NotImplementedError

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        """Take back what `_parameters_learned` gave, design and classes being known; refuse what does not fit."""
        raise NotImplementedError

    @of_one_state
    def decision_function(self, X: TableLike) -> Floats:
        """Of two classes the log odds of the second (n,); of more the scores (n, k) whose softmax is the posterior."""
        self._check_fitted()
        scores = self._each_row(X, self._scores)
        found = np.asarray(scores[:, 1] - scores[:, 0]) if scores.shape[1] == 2 else scores
        return in_the_type_of(X, self.schema_.columns, found)

    def _look(self, X: TableLike, y: TargetLike, sample_weight: PerRow, class_weight: ClassWeight = None) -> Encoded:
        """Read a table and pass over it once: classes, columns and the design are known; its batches as matrices."""
        tasks, schema = self._tasks(X, y, sample_weight)
        plan = self._plan(schema, not getattr(tasks.data, "sparse", False))
        seen: Seen | None = engines.current().fold(tasks, _Look(plan))
        if seen is None:
            raise InputError("the file has no rows: there is nothing to learn from")
        classes, count = seen.counts.classes, seen.counts.weight
        scale = weight_of_classes(class_weight, classes, count)
        share = np.asarray(count if scale is None else count * scale, dtype=np.float64)
        self._begin(plan, seen.sums, classes, count, share / share.sum())
        return Encoded(tasks, self.design_, classes, scale, float(count.sum()))

    def _tasks(
        self, X: TableLike, y: TargetLike, sample_weight: PerRow, known: Schema | None = None
    ) -> tuple[Tasks, Schema]:
        return labelled_tasks(self, X, y, sample_weight, known)

    def _encoded(self, tasks: Tasks, classes: tuple[Hashable, ...]) -> Encoded:
        """Rows as matrices of the design that was learned, labels among these classes, weighed as in learning."""
        weight = weight_of_classes(getattr(self, "class_weight", None), classes, self.class_count_)
        if isinstance(tasks.target, Target):
            check_known(tasks.target.classes, classes)
        return Encoded(tasks, self.design_, classes, weight)

    def _begin(
        self, plan: DesignPlan, sums: SideBySide, classes: tuple[Hashable, ...], count: Array, prior: Floats
    ) -> None:
        """What a first pass has found: columns, design and classes."""
        self._become(
            {
                "sums_": sums,
                "design_": plan.design(sums),
                "classes_": class_array(classes),
                "class_count_": count,
                "class_prior_": prior,
            }
        )
        self._remember(plan.schema)

    def _joint(self, X: TableLike, prior: PriorLike | None) -> Floats:
        return self._shifted(self._each_row(X, self._scores), prior)

    def _ready(self, X: TableLike) -> Ready:
        """The rows as matrices; they stand for X."""
        return Ready.of(self._query(X), self.design_.matrix)

    def _matrices(self, X: TableLike) -> Iterator[tuple[int, Array]]:
        """The rows as dense matrices, batch by batch, each with the number of its first row."""
        for start, x in encoded(self._query(X), self.design_.matrix):
            yield start, x.toarray() if hasattr(x, "indptr") else x

    def _each_row(self, X: TableLike, work: Callable[[Any], Floats]) -> Floats:
        """What `work` gives for rows of the design matrix, of every row of a table."""
        data = self._query(X)

        def of_batch(batch: Batch) -> Floats:
            start, rows = batch
            return work(rows if isinstance(data, Ready) else self.design_.matrix(rows, start))

        if isinstance(data, Ready) or data.rows is None or not hasattr(whole_table(data), "shape"):
            return np.concatenate(engines.current().map(data.batches(), of_batch))
        table, size = whole_table(data), max(256, batch_rows(self.design_.width))
        first = of_batch((0, table[:size]))
        if data.rows <= size:
            return first
        out = np.empty((data.rows, *first.shape[1:]))
        out[:size] = first
        engines.fill(out[size:], size, lambda at: of_batch((at.start + size, table[at.start + size : at.stop + size])))
        return out
