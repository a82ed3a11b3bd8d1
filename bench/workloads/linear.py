"""Linear models beside scikit-learn, liblinear and, where it is installed, glum: to the same optimum.

Both sides go on until the largest component of the gradient of the mean loss is 1e-6 or below: tolerances are set so,
and what was reached is printed. Posteriors of rows held out must agree. How good logistic regression is on real tables
is in `bench.linear_quality`.
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
from bench.registry import Case, Fact, Step, workload

LINEAR = "Linear models"
SMALL = 1e-6  # of the gradient of the mean loss
DUAL_TOLERANCE = 1e-3  # of liblinear's dual, by which the gradient comes below SMALL
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
    theirs: Any = _Glum() if find_spec("glum") else LogisticRegression(solver="newton-cholesky", tol=SMALL)
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
    theirs = LogisticRegression(solver="liblinear", dual=True, tol=DUAL_TOLERANCE, max_iter=20_000)
    ours = likely.LogisticRegression(standardize=False, penalize_intercept=True, kinds="numeric", tol=1e-4)
    return _case(ours, theirs, x, y, held_out, 1.0, all_of_it=True)


@workload(
    "softmax",
    LINEAR,
    "100,000 x 50 standardised numbers, 10 classes: LogisticRegression(standardize=False)",
    "LogisticRegression(solver='newton-cg')",
    tolerance=1e-4,
    remark="Ours also makes the Hessian at the end, for intervals of the weights.",
)
def softmax(quick: bool) -> Case:
    solver = "newton-cholesky" if quick else "newton-cg"  # which is too slow for a smoke test
    return _softmax(quick, LogisticRegression(solver=solver, tol=SMALL, max_iter=1000))


if find_spec("torch") is not None:

    @workload(
        "softmax-torch",
        LINEAR,
        "The same 100,000 x 50 standardised numbers, 10 classes",
        "a torch script with L-BFGS and its line search, in float64, on the threads that suit it",
        tolerance=1e-3,
    )
    def softmax_torch(quick: bool) -> Case:
        return _softmax(quick, TorchSoftmax())


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
        model = GeneralizedLinearRegressor(family="binomial", alpha=1 / len(y), gradient_tol=SMALL)
        self.model = model.fit(x, (y == self.classes_[1]).astype(float))
        self.coef_, self.intercept_ = self.model.coef_[None, :], np.array([self.model.intercept_])
        return self

    def predict_proba(self, x: Any) -> Any:
        second = self.model.predict(x)
        return np.column_stack([1 - second, second])


class TorchSoftmax:
    """Softmax regression as one writes it with torch and its L-BFGS."""

    def __init__(self) -> None:
        self.threads = 0

    def fit(self, x: Any, y: Any) -> "TorchSoftmax":
        import time

        import torch

        self.classes_ = np.unique(y)
        rows, labels = torch.from_numpy(x), torch.from_numpy(y)
        if not self.threads:
            tried = {}
            for threads in (1, 2):
                torch.set_num_threads(threads)
                begin = time.perf_counter()
                self._descend(torch, rows, labels, 5)
                tried[threads] = time.perf_counter() - begin
            self.threads = min(tried, key=lambda threads: tried[threads])
        torch.set_num_threads(self.threads)
        layer = self._descend(torch, rows, labels, 1000)
        self.coef_, self.intercept_ = layer.weight.detach().numpy(), layer.bias.detach().numpy()
        return self

    def _descend(self, torch: Any, rows: Any, labels: Any, steps: int) -> Any:
        layer = torch.nn.Linear(rows.shape[1], len(self.classes_), dtype=torch.float64)
        torch.nn.init.zeros_(layer.weight)
        torch.nn.init.zeros_(layer.bias)
        descent = torch.optim.LBFGS(
            layer.parameters(), max_iter=steps, tolerance_grad=SMALL, tolerance_change=0, line_search_fn="strong_wolfe"
        )
        entropy = torch.nn.CrossEntropyLoss()

        def closure() -> Any:
            descent.zero_grad()
            loss = entropy(layer(rows), labels) + 0.5 / len(labels) * layer.weight.square().sum()
            loss.backward()
            return loss

        descent.step(closure)
        return layer

    def predict_proba(self, x: Any) -> Any:
        score = x @ self.coef_.T + self.intercept_
        score -= score.max(axis=1, keepdims=True)
        return np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)


def _softmax(quick: bool, theirs: Any) -> Case:
    rows, held_out = _sizes(quick, 100_000)
    x, y = synthetic.gaussians(rows + held_out, 50, 10, seed=23)
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    ours = likely.LogisticRegression(standardize=False, kinds="numeric", tol=1e-4)
    return _case(ours, theirs, x, y, held_out, 2.0)


def _case(ours: Any, theirs: Any, x: Any, y: Any, held_out: int, target: float | None, all_of_it: bool = False) -> Case:
    train, labels, query = x[held_out:], y[held_out:], x[:held_out]

    def quality() -> Quality:
        posteriors = ours.predict_proba(query), theirs.predict_proba(query)
        return Quality.of(y[:held_out], *posteriors, ours.classes_, f"{held_out:,} rows held out")

    def facts() -> list[Fact]:
        left = [_steepest(model, train, labels, all_of_it) for model in (ours, theirs)]
        words = f"largest component of the gradient of the mean loss {left[0]:.1e}, the peer's {left[1]:.1e}"
        return [Fact(words, max(left) <= SMALL)]

    peer = SuitedThreads(lambda: theirs.fit(train, labels))
    return Case((Step("fit", lambda: ours.fit(train, labels), peer, target),), x.sum, quality, facts)


def _steepest(model: Any, x: Any, y: Any, all_of_it: bool) -> float:
    """The largest component of the gradient of the penalised loss over the rows, divided by their number."""
    score = np.asarray(x @ model.coef_.T) + model.intercept_
    score = np.column_stack([np.zeros(len(score)), score]) if score.shape[1] == 1 else score
    score -= score.max(axis=1, keepdims=True)
    residual = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    residual[np.arange(len(y)), y] -= 1
    residual = residual[:, 1:] if len(model.coef_) == 1 else residual
    slopes = np.asarray(x.T @ residual).T + model.coef_
    constants = residual.sum(axis=0) + (model.intercept_ if all_of_it else 0.0)
    return float(max(np.abs(slopes).max(), np.abs(constants).max()) / len(y))


def _sizes(quick: bool, rows: int) -> tuple[int, int]:
    return (3_000, 1_000) if quick else (rows, 20_000)
