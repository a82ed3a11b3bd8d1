"""Logistic and softmax regression: log odds that are linear in the columns.

    p(c | x) = exp(w_c x + b_c) / sum over classes        two classes: 1 / (1 + exp(-(w x + b)))

The weights make the log posterior of the training rows large, less a penalty: with "l2" the logarithm of a Gaussian
prior of variance C. Each pass sums value, gradient and Hessian over the batches of a table (many passes: no merging),
so it runs on files and on every engine.
"""

import warnings
from typing import Any, NamedTuple, Self

import numpy as np

from likely import engines
from likely.data.design import DesignPlan
from likely.data.schema import Schema
from likely.data.sources import Source
from likely.errors import InputError
from likely.models.any_classifier.outcome import Outcome
from likely.models.designed import DesignedRows, MatrixClassifier
from likely.models.evidence import Evidence, weigh_evidence
from likely.models.linear.objective import Constant
from likely.models.linear.penalties import Penalty
from likely.models.linear.solving import SOLVERS, fitting_solver, gathered, solve
from likely.models.state import of_one_state
from likely.numeric.arrays import Floats, PerRow
from likely.optimize.minimum import Minimum

PENALTIES = ("l2", "l1", "elasticnet", None)
_NO_PENALTY = 1e8  # variance of the prior that keeps weights finite where nothing else does
_SEPARATED = 25.0  # a weight per standard deviation that no data of classes that overlap call for


class History(NamedTuple):
    """How the descent went, the start included."""

    objective: Floats  # (t + 1,)
    gradient_norm: Floats  # (t + 1,)  largest component
    step: Floats  # (t,)


class LogisticRegression(MatrixClassifier):
    """Logistic regression of two classes, softmax regression of more, from tables of any kinds with gaps.

    Parameters
    ----------
    C : float
        Variance of the Gaussian prior of the weights (scikit-learn's inverse strength): small values keep them small.
    penalty : "l2", "l1", "elasticnet" or None
        What large weights cost: their squares, absolute values (which makes some of them 0), or both. None is maximum
        likelihood; where classes are separated perfectly it has no finite answer, and a very wide prior gives one, with
        a warning.
    l1_ratio : float
        Share of the absolute values with "elasticnet".
    solver : "auto", "newton", "lbfgs", "conjugate_gradient", "gradient" or "momentum"
        "auto" is Newton's method where its Hessian fits and is made in good time, L-BFGS beyond.
    fit_intercept, penalize_intercept : bool
        Whether there is a constant, and whether the penalty counts it.
    standardize : bool
        Whether the penalty is of weights per standard deviation, so that units do not matter; False as in scikit-learn.
    class_weight : None, "balanced" or a mapping from class to weight
    max_iter : int
    tol : float
        Of the largest component of the gradient, relative to the size of the sums.
    learning_rate, momentum : float
        Of the solvers "gradient" (None: every step is searched for) and "momentum".
    warm_start : bool
        Whether `fit` starts from the weights of the fit before, where columns and classes are the same.
    kinds : "auto", a kind, or a mapping from column to kind
        What columns are taken for (`likely.data.kinds`); "auto" guesses.

    Attributes
    ----------
    coef_, intercept_ : weights per unit of each column of `design_.names`, (1, m) of two classes, (k, m) of more
    history_ : objective, largest component of the gradient, and step of every iteration
    n_iter_ : int
    converged_ : bool

    Examples
    --------
    >>> import polars as pl
    >>> from likely import LogisticRegression
    >>> towns = ["Rome", "Oslo", "Rome", None, "Oslo", "Rome"]
    >>> table = pl.DataFrame({"age": [22, 35, None, 61, 48, 30], "town": towns})
    >>> model = LogisticRegression().fit(table, ["no", "no", "no", "yes", "yes", "no"])
    >>> model.predict(pl.DataFrame({"age": [57.0], "town": ["Bonn"]}))
    array(['yes'], dtype='<U3')
    >>> dict(zip(model.design_.names, model.coef_[0].round(2).tolist()))["age"]
    0.07
    """

    weights_: Floats  # (vectors, m + 1)  of the columns of the design matrix, the intercept last
    coef_: Floats  # (vectors, m)
    intercept_: Floats  # (vectors,)
    history_: History
    n_iter_: int
    converged_: bool

    def __init__(
        self,
        C: float = 1.0,
        penalty: str | None = "l2",
        l1_ratio: float = 0.5,
        solver: str = "auto",
        fit_intercept: bool = True,
        penalize_intercept: bool = False,
        standardize: bool = True,
        class_weight: Any = None,
        max_iter: int = 500,
        tol: float = 1e-8,
        learning_rate: float | None = None,
        momentum: float = 0.9,
        warm_start: bool = False,
        kinds: Any = "auto",
    ) -> None:
        self.C = C
        self.penalty = penalty
        self.l1_ratio = l1_ratio
        self.solver = solver
        self.fit_intercept = fit_intercept
        self.penalize_intercept = penalize_intercept
        self.standardize = standardize
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.tol = tol
        self.learning_rate = learning_rate
        self.momentum = momentum
        self.warm_start = warm_start
        self.kinds = kinds

    def fit(self, X: Any, y: Any = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y.

        X is an array, a sparse matrix, a frame or `likely.scan(path)`; y one label per row, or the name of a column
        of X. Rows without a label are left out, and a warning says so.
        """
        self._check_parameters()
        before = (tuple(self.classes_.tolist()), self.design_.names, self.weights_) if self._warm else None
        with self._anew():
            rows = self._look(X, y, sample_weight, self.class_weight)
            k, width = len(self.classes_), self.design_.width
            if k == 1:
                warnings.warn(
                    f"y has only one class, {self.classes_[0]!r}: it is the answer for every row", stacklevel=2
                )
                self._keep(np.zeros((1, width + 1)), History(np.empty(0), np.empty(0), np.empty(0)), True)
                return self
            kept = gathered(engines.current().keep(Constant(rows)))
            vectors = 1 if k == 2 else k
            start = np.zeros(vectors * (width + 1))
            if before is not None and before[:2] == (tuple(self.classes_.tolist()), self.design_.names):
                start = before[2].ravel().copy()
            total = float(self.class_count_.sum())
            found = self._solve(kept, vectors, start, total)
            weights = found.point.reshape(vectors, -1)
            weights[:, -1] *= bool(self.fit_intercept)
            trace = found.trace
            self._keep(weights, History(trace.values, trace.gradient_norms, trace.steps), found.converged)
            self._say_how_it_ended(found)
        return self

    def _solve(self, rows: Source[DesignedRows], vectors: int, start: Floats, total: float) -> Minimum:
        ratio = {"l2": 0.0, "l1": 1.0, "elasticnet": float(self.l1_ratio), None: 0.0}[self.penalty]
        C = _NO_PENALTY if self.penalty is None else float(self.C)
        penalty = Penalty.of(self.design_.width, vectors, C, ratio, self.penalize_intercept, total / vectors**2)
        solver = self.solver
        if solver == "auto":
            solver = fitting_solver(rows, len(start), penalty.rough)
        if not self.fit_intercept:
            penalty.squares[-1] = 1e12 * total  # held at 0
        return solve(rows, vectors, penalty, start, solver, self.tol, self.max_iter, self.learning_rate, self.momentum)

    @property
    def _warm(self) -> bool:
        return self.warm_start and self.__sklearn_is_fitted__()

    def _keep(self, weights: Floats, history: History, converged: bool) -> None:
        centre, scale, _ = self.design_.affine
        coef = weights[:, :-1] / scale
        self._become(
            {
                "weights_": weights,
                "coef_": coef,
                "intercept_": weights[:, -1] - coef @ centre,
                "history_": history,
                "n_iter_": len(history.step),
                "converged_": converged,
            }
        )

    def _say_how_it_ended(self, found: Minimum) -> None:
        largest = np.abs(self.weights_[:, :-1]).max(initial=0.0)
        if self.penalty is None and largest > _SEPARATED:
            column = self.design_.names[int(np.abs(self.weights_[:, :-1]).max(axis=0).argmax())]
            warnings.warn(
                f"some classes are separated perfectly (or nearly so), by {column!r} for one: without a penalty "
                f"weights grow without bound. They were held back by a prior of variance {_NO_PENALTY:g}: probabilities"
                " near 0 and 1 mean no more than that. Use penalty='l2'",
                stacklevel=3,
            )
        elif not found.converged:
            warnings.warn(
                f"not converged after {found.iterations} iterations: {found.reason}. Raise max_iter or C's penalty, or "
                "standardise the columns",
                _convergence_warning(),
                stacklevel=3,
            )

    @of_one_state
    def evidence(self, X: Any, against: Any = None, for_class: Any = None, prior: Any = None) -> Evidence:
        """Weight of evidence: bits each column gives to the predicted class against the rest, or a named one.

        A column gives nothing where it is at its mean (numbers), or says no level (levels never seen); the rest is the
        intercept, which stands under "prior".
        """
        return self._weighed(X, self._shift(prior), for_class=for_class, against=against)

    @of_one_state
    def evidence_after(self, X: Any, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        return self._weighed(X, self._shift(None), outcome=outcome)

    def _weighed(self, X: Any, shift: Floats, **sides: Any) -> Evidence:
        data = self._query(X)
        weights = self._all_weights()

        def terms() -> Any:
            for start, batch in data.batches():
                x = self.design_.matrix(batch, start)
                x = x.toarray() if hasattr(x, "indptr") else x
                by_class = [self.design_.by_source(x * w[:-1]) for w in weights]
                yield start, np.stack(by_class, axis=2)

        return weigh_evidence(self.classes_, self.schema_.names, terms(), weights[:, -1] + shift, **sides)

    def _all_weights(self) -> Floats:
        """Weights of every class (k, m + 1): of two, those of the first are 0."""
        if len(self.classes_) == 2:
            return np.vstack([np.zeros_like(self.weights_), self.weights_])
        return self.weights_

    def _plan(self, schema: Schema, centred: bool) -> DesignPlan:
        return DesignPlan.of(
            schema, centred=centred, standardize=bool(self.standardize), reference=self.penalty is None
        )

    def _parameters_learned(self) -> dict[str, Any]:
        return {"weights": self.weights_, "history": tuple(self.history_), "converged": self.converged_}

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        weights, history, converged = (parameters[name] for name in ("weights", "history", "converged"))
        k = len(self.classes_)
        if weights.shape != (1 if k <= 2 else k, self.design_.width + 1) or not np.isfinite(weights).all():
            raise InputError("its weights are not one finite number for each column")
        if len(history) != 3 or len(history[0]) != len(history[1]) or not isinstance(converged, bool):
            raise InputError("the history of its descent does not fit together")
        self._keep(weights, History(*history), converged)

    def _scores(self, x: Any) -> Floats:
        weights = self._all_weights()
        return np.ascontiguousarray(x @ weights[:, :-1].T + weights[:, -1])

    def _check_parameters(self) -> None:
        if self.penalty not in PENALTIES:
            raise InputError(f"unknown penalty={self.penalty!r}; choose from l2, l1, elasticnet, None")
        if self.solver not in ("auto", *SOLVERS):
            raise InputError(f"unknown solver={self.solver!r}; choose from auto, {', '.join(SOLVERS)}")
        if not (isinstance(self.C, int | float | np.number) and 0 < self.C < np.inf):
            raise InputError(f"C must be a positive number, got {self.C!r}; for no penalty use penalty=None")
        if not 0 <= self.l1_ratio <= 1:
            raise InputError(f"l1_ratio must be between 0 and 1, got {self.l1_ratio!r}")
        if self.solver == "momentum" and self.learning_rate is None:
            raise InputError("solver='momentum' needs a learning_rate")


def _convergence_warning() -> type[Warning]:
    """scikit-learn's own, for those who filter by it, where it is loaded."""
    import sys

    loaded = sys.modules.get("sklearn.exceptions")
    return getattr(loaded, "ConvergenceWarning", UserWarning)
