"""Linear models beside scikit-learn, liblinear and, where it is installed, glum: to the same optimum.

Both sides go on until the largest component of the gradient is 1e-6 or below (relative tolerances are set so), and the
posteriors of rows held out must agree. How good logistic regression is on real tables is in `bench.linear_quality`.
"""

from importlib.util import find_spec
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.model_selection import cross_val_predict

import likely
from bench import synthetic
from bench.peers import SuitedThreads
from bench.quality import Quality
from bench.registry import Case, Step, workload

LINEAR = "Linear models"
_DENSE = "glum" if find_spec("glum") else "LogisticRegression(solver='newton-cholesky')"


@workload(
    "logistic-dense",
    LINEAR,
    "500,000 x 50 numbers, 2 classes: LogisticRegression(standardize=False)",
    _DENSE,
    tolerance=1e-6,
    remark="glum is the peer where it is installed; it is itself several times faster than scikit-learn's best.",
)
def logistic_dense(quick: bool) -> Case:
    rows, held_out = _sizes(quick, 500_000)
    x, y = synthetic.gaussians(rows + held_out, 50, 2, seed=21)
    theirs: Any = _Glum() if find_spec("glum") else LogisticRegression(solver="newton-cholesky", tol=1e-8)
    ours = likely.LogisticRegression(standardize=False, kinds="numeric")
    return _case(ours, theirs, x, y, held_out, 1.3 if find_spec("glum") else None)


@workload(
    "logistic-sparse",
    LINEAR,
    "100,000 x 50,000 sparse, 100 cells a row, 2 classes: LogisticRegression(standardize=False)",
    "LogisticRegression(solver='liblinear', dual=True)",
    tolerance=1e-3,
    remark="liblinear penalises the intercept, and so does `likely` here.",
)
def logistic_sparse(quick: bool) -> Case:
    from scipy.sparse import random

    rows, held_out, width = (2_000, 500, 400) if quick else (100_000, 10_000, 50_000)
    rng = np.random.default_rng(22)
    x = random(rows + held_out, width, min(100 / width, 0.1), format="csr", random_state=np.random.default_rng(22))
    y = (x @ rng.normal(size=width) + rng.logistic(size=rows + held_out) > 0).astype(int)
    theirs = LogisticRegression(solver="liblinear", dual=True, tol=1e-8, max_iter=20_000)
    ours = likely.LogisticRegression(standardize=False, penalize_intercept=True, kinds="numeric")
    return _case(ours, theirs, x, y, held_out, 1.0)


@workload(
    "softmax",
    LINEAR,
    "100,000 x 50 numbers, 10 classes: LogisticRegression(standardize=False)",
    "LogisticRegression(solver='newton-cg')",
    tolerance=1e-4,
)
def softmax(quick: bool) -> Case:
    rows, held_out = _sizes(quick, 100_000)
    x, y = synthetic.gaussians(rows + held_out, 50, 10, seed=23)
    solver = "newton-cholesky" if quick else "newton-cg"  # which is too slow for a smoke test
    theirs = LogisticRegression(solver=solver, tol=1e-8, max_iter=1000)
    return _case(likely.LogisticRegression(standardize=False, kinds="numeric"), theirs, x, y, held_out, 2.0)


@workload(
    "cv-least-squares",
    "Cross-validation",
    "10 folds of 200,000 x 30, 5 classes: LeastSquaresClassifier().out_of_fold",
    "cross_val_predict(RidgeClassifier())",
    tolerance=1e-9,
    remark="The difference is that of the answers, 0 or 1, for the peer gives no probabilities.",
)
def least_squares_cv(quick: bool) -> Case:
    rows, _ = _sizes(quick, 200_000)
    x, y = synthetic.gaussians(rows, 30, 5, seed=24)
    folds = np.arange(rows) % 10
    splits = [(np.flatnonzero(folds != f), np.flatnonzero(folds == f)) for f in range(10)]
    found: dict[str, Any] = {}

    def ours() -> None:
        found["likely"] = likely.LeastSquaresClassifier(kinds="numeric").out_of_fold(x, y, folds).argmax(axis=1)

    def theirs() -> None:
        found["peer"] = cross_val_predict(RidgeClassifier(alpha=1e-9), x, y, cv=splits)

    def quality() -> Quality:
        names = np.unique(y)
        sides = (np.eye(5)[found["likely"]], np.eye(5)[np.searchsorted(names, found["peer"])])
        return Quality.of(y, *sides, names, f"{rows:,} rows left out")

    return Case((Step("out of fold", ours, SuitedThreads(theirs), None),), x.sum, quality)


class _Glum:
    """glum's logistic regression with the face of a classifier."""

    def fit(self, x: Any, y: Any) -> "_Glum":
        from glum import GeneralizedLinearRegressor

        self.classes_ = np.unique(y)
        model = GeneralizedLinearRegressor(family="binomial", alpha=1 / len(y), gradient_tol=1e-6 / len(y))
        self.model = model.fit(x, (y == self.classes_[1]).astype(float))
        return self

    def predict_proba(self, x: Any) -> Any:
        second = self.model.predict(x)
        return np.column_stack([1 - second, second])


def _case(ours: Any, theirs: Any, x: Any, y: Any, held_out: int, target: float | None) -> Case:
    train, labels, query = x[held_out:], y[held_out:], x[:held_out]

    def quality() -> Quality:
        posteriors = ours.predict_proba(query), theirs.predict_proba(query)
        return Quality.of(y[:held_out], *posteriors, ours.classes_, f"{held_out:,} rows held out")

    peer = SuitedThreads(lambda: theirs.fit(train, labels))
    return Case((Step("fit", lambda: ours.fit(train, labels), peer, target),), x.sum, quality)


def _sizes(quick: bool, rows: int) -> tuple[int, int]:
    return (3_000, 1_000) if quick else (rows, 20_000)
