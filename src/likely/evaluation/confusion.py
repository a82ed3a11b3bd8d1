"""The confusion matrix: how often each class is called what, and every measure that can be read from it.

Rows are the true classes, columns what was said; a last column, where there is one, counts the rows that were rejected (not
answered). A rejected row is a miss of its own class and a true negative of all others, so accuracy counts it as not right.

    Confusion.of(truth, said)          from labels
    Confusion(classes, matrix)         from counts
    a + b                              the rows of both (folds, batches)

Every measure is an Estimate. Shares of rows (accuracy, recall, precision, ...) and F1, which is a function of one, have
Wilson intervals; all others the delta method of `delta.py`. Rows with weights count in intervals as their effective
number. With groups, all intervals are by the cluster bootstrap.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from typing import Any, Self

import numpy as np

from likely.data.inputs import suggest
from likely.errors import InputError
from likely.evaluation.counting import count_answers
from likely.evaluation.delta import Average, Cells
from likely.evaluation.estimate import Estimate
from likely.evaluation.imbalance import imbalance_notes
from likely.evaluation.measure_intervals import interval_of
from likely.evaluation.measures import MEASURES, Measure, Vocabulary, measure
from likely.evaluation.text_table import aligned
from likely.numeric.arrays import Array, Floats


@dataclass(frozen=True)
class Confusion:
    """Counts of truth against answer, and what they say.

    >>> both = Confusion.of(["ham", "ham", "spam", "spam", "ham"], ["ham", "spam", "spam", "spam", "ham"])
    >>> both.matrix
    array([[2, 1],
           [0, 2]])
    >>> print(both.accuracy)
    0.800 [0.376, 0.964] 95 % Wilson, n=5
    >>> print(both.measure("precision", of="spam"))
    0.667 [0.208, 0.939] 95 % Wilson, n=3
    """

    classes: tuple[Hashable, ...]
    matrix: Array  # (k, k) or (k, k + 1)  counts, or sums of weights
    squares: Array | None = None  # as the matrix: sums of squared weights; None: every row weighs 1
    by_group: Array | None = None  # (g, k, c)  the matrix of each group of rows that depend on each other
    confidence: float = 0.95

    def __post_init__(self) -> None:
        matrix = np.asarray(self.matrix)
        k = len(self.classes)
        if matrix.shape not in ((k, k), (k, k + 1)) or k == 0:
            raise InputError(
                f"a confusion matrix of {k} classes has the shape ({k}, {k}), or ({k}, {k + 1}) with a column of rejected "
                f"rows; got {matrix.shape}"
            )
        if not (np.isfinite(matrix).all() and (matrix >= 0).all()):
            raise InputError("the entries of a confusion matrix are counts: finite and not negative")
        if not matrix.any():
            raise InputError("the confusion matrix is empty: no row was judged")
        object.__setattr__(self, "matrix", matrix)

    @classmethod
    def of(
        cls,
        truth: Any,
        said: Any,
        classes: Sequence[Hashable] | None = None,
        sample_weight: Any = None,
        groups: Any = None,
        reject_label: Hashable = None,
        confidence: float = 0.95,
    ) -> Self:
        """Count labels. Missing answers (None, NaN, or `reject_label`) are rejected rows.

        The classes are all that occur on either side, sorted, unless they are given.
        """
        counted = count_answers(truth, said, classes, sample_weight, groups, reject_label)
        return cls(*counted, confidence=confidence)

    @classmethod
    def of_counts(cls, TP: float, FP: float, FN: float, TN: float, positive: Hashable = "positive") -> Self:
        """From the four counts of one class against the rest.

        >>> Confusion.of_counts(TP=55, FP=5, FN=10, TN=30).measure("sensitivity").value.__round__(4)
        0.8462
        """
        return cls(("rest" if positive != "rest" else "other", positive), np.array([[TN, FP], [FN, TP]]))

    def __add__(self, other: Self) -> Self:
        if self.classes != other.classes or self.matrix.shape != other.matrix.shape:
            raise InputError(f"cannot add confusions of the classes {self.classes} and {other.classes}")
        if (self.by_group is None) != (other.by_group is None):
            raise InputError("cannot add a confusion with groups to one without")
        weighted = self.squares is not None or other.squares is not None
        return replace(
            self,
            matrix=self.matrix + other.matrix,
            squares=self._squares + other._squares if weighted else None,
            by_group=None if self.by_group is None else np.concatenate([self.by_group, other.by_group]),
        )

    @property
    def n(self) -> float:
        """Rows; with weights their effective number."""
        return float(self.matrix.sum()) ** 2 / float(self._squares.sum())

    @property
    def total(self) -> float:
        """Sum of all entries."""
        return float(self.matrix.sum())

    @property
    def correct(self) -> float:
        """Sum of the diagonal."""
        return float(np.trace(self.matrix))

    @property
    def support(self) -> Array:
        """Rows of each true class (k,)."""
        return np.asarray(self.matrix.sum(axis=1))

    @property
    def rejected(self) -> Array:
        """Rows of each true class that were not answered (k,)."""
        k = len(self.classes)
        return np.asarray(self.matrix[:, k:].sum(axis=1))

    @cached_property
    def counts(self) -> dict[Hashable, dict[str, float]]:
        """TP, FP, FN and TN of each class against the rest."""
        four = Cells(self.matrix).counts()
        names = ("TP", "FP", "FN", "TN")
        return {c: {n: v[i].item() for n, v in zip(names, four, strict=True)} for i, c in enumerate(self.classes)}

    @property
    def accuracy(self) -> Estimate:
        """Share of the rows that were called right: trace / total."""
        return self.measure("accuracy", average="micro")

    @property
    def error(self) -> Estimate:
        """Share of the rows that were not called right (rejected ones included)."""
        return self.measure("error rate", average="micro")

    @property
    def coverage(self) -> Estimate:
        """Share of the rows that were answered, not rejected."""
        return interval_of(self, ~_column(self, -1), np.ones(self.matrix.shape, dtype=bool))

    @property
    def selective_accuracy(self) -> Estimate:
        """Share called right among the rows that were answered."""
        return interval_of(self, np.eye(*self.matrix.shape, dtype=bool), ~_column(self, -1))

    def measure(
        self,
        name: str | Measure,
        of: Hashable = None,
        average: Average | None = None,
        confidence: float | None = None,
    ) -> Estimate:
        """A measure of one class, or its average over the classes, with an interval.

        micro pools the counts of all classes first (accuracy counts every row once); macro is the mean over the classes;
        weighted the mean by their numbers of rows. Classes for which the measure is 0/0 are left out of the mean, and the
        note says so. Of two classes, the second is meant unless told otherwise.
        """
        chosen = measure(name)
        place = self._chosen(of, average)
        return interval_of_measure(self, chosen, place, confidence or self.confidence)

    def frame(self, vocabulary: Vocabulary = "learning") -> Any:
        """Every measure of every class and average, one a row, as a Polars frame."""
        import polars as pl

        rows = []
        for of, average in [*((c, None) for c in self.classes), *((None, a) for a in ("micro", "macro", "weighted"))]:
            for m in MEASURES:
                if average is not None and not m.averaged:
                    continue
                figure = self.measure(m, of=of, average=average) if average else self.measure(m, of=of)
                rows.append(
                    {
                        "of": average or str(of),
                        "measure": m.named(vocabulary),
                        "value": figure.value,
                        "low": figure.low,
                        "high": figure.high,
                        "confidence": figure.confidence,
                        "method": figure.method,
                        "n": float(figure.n),
                        "formula": m.formula,
                        "also": m.named("learning" if vocabulary == "medical" else "medical"),
                        "note": figure.note,
                    }
                )
        return pl.DataFrame(rows)
