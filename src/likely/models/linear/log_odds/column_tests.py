"""Likelihood-ratio tests of columns: how much worse the rows are told without one.

2 (log likelihood with - log likelihood without)  ~  chi-square, a degree of freedom for each weight that is lost
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from likely.data.accepted import TableLike, TargetLike
from likely.data.printing.html_table import text_as_html
from likely.errors import InputError
from likely.models.learning.holding import held
from likely.models.linear.log_odds.objective import Constant, SumLoss
from likely.models.linear.log_odds.portions import portioned
from likely.models.linear.log_odds.solving import solve
from likely.numeric.arrays import PerRow

if TYPE_CHECKING:
    from likely.models.linear.log_odds.logistic_regression import LogisticRegression


class ColumnTest(NamedTuple):
    """Of one column of the table."""

    column: str
    statistic: float  # twice the difference of the log likelihoods
    degrees: int
    p: float  # of a statistic as large if the column says nothing


@dataclass(frozen=True)
class ColumnTests:
    """The tests of all columns, in the order of the table."""

    tests: tuple[ColumnTest, ...]
    log_likelihood: float  # with all columns

    def of(self, column: str) -> ColumnTest:
        """The test of one column."""
        for test in self.tests:
            if test.column == column:
                return test
        raise InputError(f"there is no column {column!r}; there are {', '.join(t.column for t in self.tests[:20])}")

    def frame(self) -> Any:
        """As a Polars frame."""
        import polars as pl

        return pl.DataFrame([test._asdict() for test in self.tests])

    def __str__(self) -> str:
        width = max(len(test.column) for test in self.tests)
        rows = [f"{t.column:<{width}}  {t.statistic:10.3f}  {t.degrees:7d}  {t.p:.3g}" for t in self.tests]
        return "\n".join([f"{'column':<{width}}  chi-square  degrees  p", *rows])

    _repr_html_ = text_as_html


def column_tests(model: "LogisticRegression", X: TableLike, y: TargetLike, sample_weight: PerRow) -> ColumnTests:
    """The tests of a model without a penalty, of all columns of X."""
    from scipy.special import chdtrc

    model._check_parameters()
    rows = model._look(X, y, sample_weight, model.class_weight)
    k = len(model.classes_)
    if k < 2:
        raise InputError("there is nothing to tell apart: y has one class")
    vectors, design = 1 if k == 2 else k, model.design_
    kept = portioned(held(Constant(rows), rows.cells), vectors * (design.width + 1))
    loss = SumLoss(kept, vectors)

    def fitted(left_out: Any, start: Any) -> Any:
        penalty = model._penalty(1e12, vectors)
        penalty.squares[:-1][left_out] = 1e12 * float(model.class_count_.sum())  # held at 0
        start = start.reshape(vectors, -1).copy()
        start[:, :-1][:, left_out] = 0.0
        found, _ = solve(kept, vectors, penalty, start.ravel(), "newton", model.tol, model.max_iter)
        return found.point, -loss.at(found.point, False).value

    nothing = np.zeros(design.width, dtype=np.bool_)
    full, best = fitted(nothing, np.zeros(vectors * (design.width + 1)))
    tests = []
    for j, name in enumerate(model.schema_.names):
        own = design.source == j
        _, without = fitted(own, full)
        degrees = int(own.sum()) * (k - 1)
        statistic = max(2 * (best - without), 0.0)
        p = float(chdtrc(degrees, statistic)) if degrees else float("nan")
        tests.append(ColumnTest(name, statistic, degrees, p))
    return ColumnTests(tuple(tests), best)
