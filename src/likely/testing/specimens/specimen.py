"""A classifier as the laws see it: how to make one, data that it can learn, and what is true of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from likely.data.accepted import TargetLike
from likely.testing.specimens.leaves import leaves
from likely.testing.specimens.tables import Table
from likely.testing.verdict import must

CLASSES = ("ash", "birch", "cedar")


@dataclass(frozen=True)
class Specimen:
    """How to make an estimator, and data that it can learn."""

    name: str
    make: Callable[..., Any]  # parameters to a fresh estimator
    table: Callable[[np.random.Generator, Any], Table]  # of classes: codes (n,) to rows
    exact: bool = False  # its sums are whole numbers
    naive: bool = False  # features are independent, and a missing one is left out
    gaps: bool = True  # takes missing cells
    silent: bool = True  # a missing cell says nothing
    linear: bool = False  # has an equivalent softmax model
    scale_free: bool = False  # the units of numeric columns are no matter
    real: bool = False  # all columns are numeric, of any size
    wide: bool = False  # takes 10,000 columns
    ordered: bool = False  # its classes have an order, that of their names
    drawn: bool = True  # rows can be drawn from it
    tier: Literal["one pass", "many passes", "order"] | None = None  # how it learns; None: as its verbs say

    def data(self, rng: np.random.Generator, count: int = 60) -> tuple[Table, Any]:
        """Rows of three classes, the second twice as frequent as the others."""
        codes = rng.permutation(np.arange(count) % 4 % 3)
        return self.table(rng, codes), np.array(CLASSES)[codes]

    def fitted(self, X: Table, y: TargetLike, **parameters: Any) -> Any:
        return self.make(**parameters).fit(X, y)

    def begun(self, X: Table, y: TargetLike) -> Any:
        """Fitted on a part of the rows, which may know only one class."""
        return self.make().partial_fit(X, y)


def same_model(a: Any, b: Any, X: Table, tolerance: float = 1e-9) -> None:
    """The same classes, posteriors and, where there are any, likelihoods, up to rounding."""
    must(a.classes_.tolist() == b.classes_.tolist(), f"the classes are {a.classes_} and {b.classes_}")
    apart = np.max(np.abs(a.predict_proba(X) - b.predict_proba(X)))
    must(apart <= tolerance, f"posteriors differ by {apart}")
    if hasattr(a, "class_count_"):
        same = np.allclose(a.class_count_, b.class_count_, rtol=1e-12, atol=0)
        must(same, f"the classes weigh {a.class_count_} and {b.class_count_}")
    if hasattr(a, "log_likelihood"):
        mine, its = a.log_likelihood(X), b.log_likelihood(X)
        finite = np.isfinite(its)
        must(np.array_equal(np.isfinite(mine), finite), "what is impossible to one is possible to the other")
        off = np.abs(mine[finite] - its[finite]) / (1 + np.abs(its[finite]))
        must(np.all(off <= tolerance), f"log likelihoods differ by {np.max(off, initial=0.0)} of their size")


def same_bits(a: Any, b: Any, X: Table) -> None:
    """The same answers and the same sums, to the last bit."""
    must(a.classes_.tolist() == b.classes_.tolist(), f"the classes are {a.classes_} and {b.classes_}")
    must(np.array_equal(a.predict_proba(X), b.predict_proba(X)), "posteriors differ in their last bits")
    if hasattr(a, "log_likelihood"):
        must(np.array_equal(a.log_likelihood(X), b.log_likelihood(X)), "log likelihoods differ in their last bits")
    if hasattr(a, "statistic_"):
        for (path, _, x), (_, _, y) in zip(leaves(a.statistic_), leaves(b.statistic_), strict=True):
            must(np.array_equal(x, y), f"the sums {path} differ")


def check_probabilities(model: Any, X: Table) -> None:
    """Posteriors are finite, not negative, sum to 1, agree with their logarithms and with what is predicted."""
    p, log_p = model.predict_proba(X), model.predict_log_proba(X)
    must(np.isfinite(p).all() and (p >= 0).all(), "a posterior is no probability")
    must(np.all(np.abs(p.sum(axis=1) - 1) <= 1e-12), "the posteriors of a row do not sum to 1")
    must(not np.isnan(log_p).any(), "a log posterior is NaN")
    must(np.all(log_p <= 1e-15), "a log posterior is above 0")
    must(np.allclose(np.exp(log_p), p, rtol=0, atol=1e-12), "posteriors and their logarithms disagree")
    said = model.classes_[log_p.argmax(axis=1)]
    must(np.array_equal(model.predict(X), said), "what is predicted is not the most probable class")
