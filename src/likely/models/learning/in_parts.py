"""Learning a table in parts, one after the other: `partial_fit` of models whose rows are those of a design matrix.

The first part says what columns there are and how they become numbers, for good; classes that it does not show are
announced with it. Every part adds to the weights of the classes.
"""

from dataclasses import replace
from typing import Self

import numpy as np

from likely.data.accepted import ClassNames, ClassWeight, TableLike, TargetLike
from likely.data.labels.target import Target, class_array, read_target
from likely.errors import InputError
from likely.models.learning.designed import Encoded, MatrixClassifier
from likely.models.learning.labelled import weight_of_classes
from likely.numeric.arrays import Array, PerRow
from likely.statistics.counting.categories import union_of


class LearnedInParts(MatrixClassifier):
    """A classifier that learns more rows from where it is."""

    class_weight: ClassWeight

    def _learn_part(self, rows: Encoded, first: bool) -> None:
        """Learn rows of the design matrix, the first ones or more of them."""
        raise NotImplementedError

    def _learn_in_parts(self, X: TableLike, y: TargetLike, classes: ClassNames, sample_weight: PerRow) -> Self:
        """Learn the first rows or more of them; the model changes only when all of it has succeeded."""
        with self._onward():
            if not self.__sklearn_is_fitted__():
                with self._anew():
                    self._learn_part(self._first_part(X, y, classes, sample_weight), True)
                return self
            self._learn_part(self._next_part(X, y, sample_weight), False)
        return self

    def _first_part(self, X: TableLike, y: TargetLike, classes: ClassNames, sample_weight: PerRow) -> Encoded:
        """The first rows, their classes among all that were announced."""
        if classes is None:
            return self._look(X, y, sample_weight, self.class_weight)
        rows = self._look(X, y, sample_weight)  # weights of classes may name some that have not come yet
        seen, announced = self.classes_.tolist(), read_target(np.asarray(classes)).classes
        unknown = [name for name in seen if name not in announced]
        if unknown:
            raise InputError(f"y has the class {unknown[0]!r}, which `classes` does not name")
        known = dict(zip(seen, self.class_count_.tolist(), strict=True))
        names = union_of(known, announced)
        count = np.array([known.get(name, 0) for name in names], dtype=self.class_count_.dtype)
        self._become({"classes_": class_array(names)})
        self._count(count)
        return replace(
            rows, classes=tuple(names), class_weight=weight_of_classes(self.class_weight, tuple(names), count)
        )

    def _next_part(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> Encoded:
        """Later rows as the design has them, and their classes counted."""
        tasks, _ = self._tasks(X, y, sample_weight, self.schema_)
        known = tuple(self.classes_.tolist())
        rows = self._encoded(tasks, known)
        added: Array
        if isinstance(tasks.target, Target):
            place = np.array([known.index(name) for name in tasks.target.classes], dtype=np.int64)
            added = np.bincount(place[tasks.target.codes], weights=tasks.weight, minlength=len(known))
        else:
            plain = replace(rows, class_weight=None)
            parts = [np.bincount(b.codes, weights=b.weight, minlength=len(known)) for b in plain.batches()]
            added = np.sum(parts, axis=0)
        self._count(self.class_count_ + added)
        return self._encoded(tasks, known)

    def _count(self, count: Array) -> None:
        """Take over the weights of the classes, and their shares in learning."""
        scale = weight_of_classes(self.class_weight, tuple(self.classes_.tolist()), count)
        share = np.asarray(count if scale is None else count * scale, dtype=np.float64)
        self._become({"class_count_": count, "class_prior_": share / share.sum()})
