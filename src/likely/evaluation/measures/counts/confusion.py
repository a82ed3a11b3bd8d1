"""The confusion matrix: how often each class is called what, and every measure that can be read from it.

Rows are the true classes, columns what was said; a last column, where there is one, counts the rows that were rejected
(not answered). A rejected row is a miss of its own class and a true negative of all others, so accuracy counts it as
not right.

    Confusion.of(truth, said)          from labels
    Confusion(classes, matrix)         from counts
    a + b                              the rows of both (folds, batches)

`kappa` and `correlation` are of the whole table, however many classes (`table_agreement`).

Every measure is an Estimate. Shares of rows (accuracy, recall, precision, ...) and F1, which is a function of one, have
Wilson intervals; all others the delta method of `delta.py`. Rows with weights count in intervals as their effective
number. With groups, all intervals are by the cluster bootstrap.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from likely.data.inputs import suggest
from likely.data.printing.html_table import text_as_html
from likely.data.printing.text_table import aligned
from likely.data.printing.wording import amount
from likely.errors import InputError
from likely.evaluation.measures.counts.counting import count_answers
from likely.evaluation.measures.counts.formulas import MEASURES, Measure, Vocabulary, measure
from likely.evaluation.measures.counts.imbalance import imbalance_notes
from likely.evaluation.measures.counts.of_counts import CountedCells
from likely.evaluation.measures.counts.table_agreement import agreement
from likely.evaluation.measures.delta import Cells
from likely.evaluation.measures.vocabulary import Average
from likely.intervals.estimate import Estimate
from likely.numeric.arrays import Array, PerRow, in_brief

_AVERAGES: tuple[Average, ...] = ("micro", "macro", "weighted")


@dataclass(frozen=True)
class Confusion:
    """A confusion matrix: counts of truth against answer, and what they say.

    >>> mail = Confusion.of(["ham", "ham", "spam", "spam", "ham"], ["ham", "spam", "spam", "spam", "ham"])
    >>> mail.matrix
    array([[2, 1],
           [0, 2]])
    >>> print(mail.accuracy)
    0.800 [0.376, 0.964] 95 % Wilson, n=5
    >>> print(mail.measure("precision", of="spam"))
    0.667 [0.208, 0.939] 95 % Wilson, n=3
    """

    classes: tuple[Hashable, ...]
    matrix: Array  # (k, k) or (k, k + 1)  counts, or sums of weights
    squares: Array | None = None  # as the matrix: sums of squared weights; None: every row weighs 1
    by_group: Array | None = None  # (g, k, c)  the matrix of each group of rows that depend on each other
    confidence: float = 0.95

    __repr__ = in_brief

    def __post_init__(self) -> None:
        matrix, k = np.asarray(self.matrix), len(self.classes)
        if matrix.shape not in ((k, k), (k, k + 1)) or k == 0:
            raise InputError(
                f"a confusion matrix of {k} classes has the shape ({k}, {k}), or ({k}, {k + 1}) with a column of "
                f"rejected rows; got {matrix.shape}"
            )
        if matrix.dtype.kind not in "iuf" or not (np.isfinite(matrix).all() and (matrix >= 0).all()):
            raise InputError("the entries of a confusion matrix are counts: finite numbers, not negative")
        if not matrix.any():
            raise InputError("the confusion matrix is empty: no row was judged")
        object.__setattr__(self, "classes", tuple(self.classes))
        object.__setattr__(self, "matrix", matrix)

    @classmethod
    def of(
        cls,
        truth: Any,
        said: Any,
        classes: Sequence[Hashable] | None = None,
        sample_weight: PerRow = None,
        groups: PerRow = None,
        reject_label: Hashable = None,
        confidence: float = 0.95,
    ) -> Self:
        """Count labels; missing answers (None, NaN, or `reject_label`) are rejected rows.

        The classes are all that occur on either side, sorted, unless they are given.
        """
        counted = count_answers(truth, said, classes, sample_weight, groups, reject_label)
        return cls(*counted, confidence)

    @classmethod
    def of_counts(cls, TP: float, FP: float, FN: float, TN: float) -> Self:
        """From the four counts of a class, called "positive", against the rest.

        >>> print(Confusion.of_counts(TP=55, FP=5, FN=10, TN=30).measure("sensitivity"))
        0.846 [0.739, 0.914] 95 % Wilson, n=65
        """
        return cls(("rest", "positive"), np.array([[TN, FP], [FN, TP]]))

    def __add__(self, other: Self) -> Self:
        if self.classes != other.classes:
            raise InputError(f"cannot add confusions of the classes {self.classes} and {other.classes}")
        if (self.by_group is None) != (other.by_group is None):
            raise InputError("cannot add a confusion with groups to one without")
        columns = max(self.matrix.shape[1], other.matrix.shape[1])
        mine, its = self._widened(columns), other._widened(columns)
        weighted = self.squares is not None or other.squares is not None
        return replace(
            mine,
            matrix=mine.matrix + its.matrix,
            squares=mine._cells.spread + its._cells.spread if weighted else None,
            by_group=None if mine.by_group is None else np.concatenate([mine.by_group, np.asarray(its.by_group)]),
        )

    @property
    def n(self) -> float:
        """Rows; with weights their effective number."""
        return self._cells.n

    @property
    def correct(self) -> float:
        """Sum of the diagonal."""
        return float(np.trace(self.matrix))

    @property
    def total(self) -> float:
        """Sum of all entries."""
        return float(self.matrix.sum())

    @property
    def support(self) -> Array:
        """Rows of each true class (k,)."""
        return np.asarray(self.matrix.sum(axis=1))

    @property
    def rejected(self) -> Array:
        """Rows of each true class that were not answered (k,)."""
        return np.asarray(self.matrix[:, len(self.classes) :].sum(axis=1))

    @property
    def counts(self) -> dict[Hashable, dict[str, float]]:
        """TP, FP, FN and TN of each class against the rest."""
        four = dict(zip(("TP", "FP", "FN", "TN"), Cells(self.matrix).counts, strict=True))
        return {c: {name: count[i].item() for name, count in four.items()} for i, c in enumerate(self.classes)}

    @property
    def accuracy(self) -> Estimate:
        """Share of the rows that were called right: trace / total."""
        return self.measure("accuracy", average="micro")

    @property
    def error(self) -> Estimate:
        """Share of the rows that were not called right, rejected ones included."""
        return self.measure("error rate", average="micro")

    @property
    def kappa(self) -> Estimate:
        """Cohen's kappa of the whole table: agreement beyond chance."""
        return agreement(self._cells, "kappa", self.confidence)

    @property
    def correlation(self) -> Estimate:
        """The correlation of truth and answers over the whole table: Matthews' for two classes, R_K for more."""
        return agreement(self._cells, "correlation", self.confidence)

    @property
    def coverage(self) -> Estimate:
        """Share of the rows that were answered, not rejected."""
        return self._cells.share(self._answered, np.ones(self.matrix.shape, dtype=bool), self.confidence)

    @property
    def selective_accuracy(self) -> Estimate:
        """Share called right among the rows that were answered."""
        return self._cells.share(np.eye(*self.matrix.shape, dtype=np.bool_), self._answered, self.confidence)

    @property
    def imbalance(self) -> tuple[str, ...]:
        """What accuracy hides: rare classes that are never or hardly ever found, in plain sentences."""
        return imbalance_notes(self.classes, self.matrix)

    def measure(
        self,
        name: str | Measure,
        of: Hashable = None,
        average: Average | None = None,
        confidence: float | None = None,
    ) -> Estimate:
        """A measure of one class, or its average over the classes, with an interval.

        "micro" pools the counts of all classes first (accuracy and error count every row once), "macro" is the mean
        over the classes, "weighted" the mean by their numbers of rows. Classes for which the measure is 0/0 are left
        out of a mean, and the note says so. Of two classes the second is meant unless told otherwise. Of more, kappa
        and correlation are those of the whole table, and balanced accuracy is the mean recall, as in scikit-learn.
        """
        chosen, sure = measure(name), confidence or self.confidence
        if of is None and average is None and len(self.classes) != 2:
            if chosen.name == "kappa":
                return agreement(self._cells, "kappa", sure)
            if chosen.name == "correlation":
                return agreement(self._cells, "correlation", sure)
            if chosen.name == "balanced accuracy":
                chosen, average = measure("recall"), "macro"
        return self._cells.measure(chosen, self._place(of, average), sure)

    def frame(self, vocabulary: Vocabulary = "learning") -> Any:
        """Every measure of every class and average, with its interval and formula, as a Polars frame."""
        import polars as pl

        other: Vocabulary = "learning" if vocabulary == "medical" else "medical"
        rows = []
        for place, of in [*enumerate(map(str, self.classes)), *((a, a) for a in _AVERAGES)]:
            for m in MEASURES if isinstance(place, int) else (m for m in MEASURES if m.averaged):
                e = self._cells.measure(m, place, self.confidence)
                formula = m.formula_of(place if isinstance(place, str) else None)
                names = {"of": of, "measure": m.named(vocabulary), "also": m.named(other), "formula": formula}
                rows.append({**names, **e.fields()})
        return pl.DataFrame(rows)

    def __str__(self) -> str:
        return "\n".join([self.matrix_text(), "", f"accuracy  {self.accuracy}", *self.imbalance])

    _repr_html_ = text_as_html

    def report(self, of: Hashable = None, average: Average | None = None, vocabulary: Vocabulary = "learning") -> str:
        """The measures of a class or average, one a line, each with its formula.

        >>> print(Confusion.of_counts(TP=55, FP=5, FN=10, TN=30).report(vocabulary="medical"))
        diagnostic efficiency     0.850 [0.767, 0.907] 95 % Wilson, n=100   (TP + TN) / (TP + FP + FN + TN)
        ...
        sensitivity               0.846 [0.739, 0.914] 95 % Wilson, n=65    TP / (TP + FN)
        ...
        """
        place = self._place(of, average)
        rows = [
            [m.named(vocabulary), str(self._cells.measure(m, place, self.confidence)), m.formula_of(average)]
            for m in MEASURES
            if isinstance(place, int) or m.averaged
        ]
        return aligned(rows, left=(0, 1, 2))

    @cached_property
    def _cells(self) -> CountedCells:
        return CountedCells(self.classes, self.matrix, self.squares, self.by_group)

    @property
    def _answered(self) -> Array:
        answered = np.ones(self.matrix.shape, dtype=bool)
        answered[:, len(self.classes) :] = False
        return answered

    def _place(self, of: Hashable, average: Average | None) -> int | Average:
        if of is not None and average is not None:
            raise InputError("a measure is of one class or an average, not both")
        if average is not None:
            if average not in _AVERAGES:
                raise InputError(f"unknown average {average!r}; use one of {', '.join(map(repr, _AVERAGES))}")
            return average
        if of is None:
            if len(self.classes) == 2:
                return 1
            raise InputError("say of which class, of=..., or which average, average='macro'")
        if of not in self.classes:
            known = ", ".join(map(repr, self.classes))
            raise InputError(f"there is no class {of!r}{suggest(of, list(self.classes))}; the classes are {known}")
        return self.classes.index(of)

    def _widened(self, columns: int) -> Self:
        """With a column of rejected rows, empty if there was none."""
        if self.matrix.shape[1] == columns:
            return self

        def wide(table: Array) -> Array:
            return np.concatenate([table, np.zeros((*table.shape[:-1], 1), dtype=table.dtype)], axis=-1)

        squares = None if self.squares is None else wide(self.squares)
        by_group = None if self.by_group is None else wide(self.by_group)
        return replace(self, matrix=wide(self.matrix), squares=squares, by_group=by_group)

    def matrix_text(self) -> str:
        """The matrix as lines of text."""
        return aligned(self.matrix_rows())

    def matrix_rows(self) -> list[list[str]]:
        """The matrix as cells of text, with heads, and sums at the ends."""
        names = [str(c) for c in self.classes]
        said = [*names, *(["rejected"] if self.matrix.shape[1] > len(names) else [])]
        rows = [["truth \\ said", *said, "rows"]]
        for name, row in zip(names, self.matrix, strict=True):
            rows.append([name, *map(amount, row), amount(row.sum())])
        return [*rows, ["said", *map(amount, self.matrix.sum(axis=0)), amount(self.total)]]
