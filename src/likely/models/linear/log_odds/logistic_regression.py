"""Logistic and softmax regression: log odds that are linear in the columns.

    p(c | x) = exp(w_c x + b_c) / sum over classes        two classes: 1 / (1 + exp(-(w x + b)))

The weights make the log posterior of the training rows large, less a penalty: with "l2" the logarithm of a Gaussian
prior of variance C. Each pass sums value, gradient and Hessian over the batches of a table (many passes: no merging),
so it runs on files and on every engine.
"""

import warnings
from typing import Any, NamedTuple, Self

import numpy as np

from likely.data.accepted import ClassNames, ClassWeight, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.columns.schema import Schema
from likely.data.design import DesignPlan
from likely.data.sources import Source
from likely.errors import InputError, TierError
from likely.models.learning.designed import DesignedRows, Encoded
from likely.models.learning.holding import held
from likely.models.learning.in_parts import LearnedInParts
from likely.models.learning.training_curves import check_curves
from likely.models.linear.linear_scores import check_weights
from likely.models.linear.log_odds.choosing_penalty import MOST_LEFT_OUT, TOL, PenaltyChoice, choose_penalty
from likely.models.linear.log_odds.coefficients import MOST_KEPT, UnsureWeights
from likely.models.linear.log_odds.column_tests import ColumnTests, column_tests
from likely.models.linear.log_odds.generative_start import generative_start
from likely.models.linear.log_odds.going_on import obstacle
from likely.models.linear.log_odds.objective import Constant
from likely.models.linear.log_odds.options import check_options
from likely.models.linear.log_odds.penalties import Penalty
from likely.models.linear.log_odds.portions import portioned
from likely.models.linear.log_odds.solving import (
    MOST_CURVED,
    Solved,
    convergence_warning,
    fitting_solver,
    hessian_at,
    solve,
    solver_for_choice,
)
from likely.models.linear.online import OnlineRun, online_passes
from likely.models.traits.one_class import note_one_class, refuse_one_class
from likely.numeric.arrays import Floats, PerRow
from likely.numeric.random_state import Seed
from likely.optimize.minimum import Minimum

_NO_PENALTY = 1e12  # variance of the prior that keeps weights finite where nothing else does
_SEPARATED = 25.0  # a weight per standard deviation that no data of classes that overlap call for


class History(NamedTuple):
    """How the descent went, the start included; row by row, the losses of each pass as the rows were met."""

    objective: Floats  # (t + 1,)
    gradient_norm: Floats  # (t + 1,)  largest component; row by row, none
    step: Floats  # (t,)


class LogisticRegression(UnsureWeights, LearnedInParts):
    """Logistic regression of two classes, softmax regression of more, from tables of any kinds with gaps.

    Parameters
    ----------
    C : float or "auto"
        Variance of the Gaussian prior of the weights (scikit-learn's inverse strength): small values keep them small.
        "auto" takes the one that predicts rows best which are left out one at a time, approximately and without a
        refit, and half a row more that comes out otherwise (`choosing_penalty`); `choice_` has all that were tried.
    prior_variance : float, optional
        Another name for C, the variance sigma^2 of the prior; it goes before C.
    penalty : "l2", "l1", "elasticnet" or None
        What large weights cost: their squares, absolute values (which makes some of them 0), or both. None is maximum
        likelihood; where classes are separated perfectly it has no finite answer, and a very wide prior gives one, with
        a warning.
    l1_ratio : float
        Share of the absolute values with "elasticnet".
    solver : "auto", "newton", "newton_cg", "lbfgs", "conjugate_gradient", "gradient", "momentum" or "sgd"
        "auto" is Newton's method where its Hessian fits and is made in good time; beyond, "newton_cg" (its steps by
        conjugate gradients, without a Hessian) for two classes of sparse rows, L-BFGS for others. "sgd" goes from row
        to row, `max_iter` times over all of them.
    start : None, "generative" or array
        From which weights the descent starts: 0, those of Gaussian classes of one covariance in closed form, or given
        ones like `weights_`.
    fit_intercept : bool
        Whether there is a constant.
    penalize_intercept : bool
        Whether the penalty counts the constant too.
    standardize : bool
        Whether the penalty is of weights per standard deviation, so that units do not matter; False as in scikit-learn.
    class_weight : None, "balanced" or a mapping from class to weight
    max_iter : int
        Steps at most; of "sgd", passes over the rows.
    tol : float
        Of the largest component of the gradient, relative to the size of the sums.
    learning_rate : float or None
        Of the solvers "gradient" (None: every step is searched for), "momentum" (which needs one) and "sgd" (None:
        0.1).
    momentum : float
        How much of the last step is kept, between 0 and 1; of the solver "momentum" alone.
    decay : float
        The learning rate of "sgd" and of `partial_fit` at row t is learning_rate / (1 + (t - 1) / 1000) ** decay. It
        arrives where 1/2 < decay <= 1 (rates sum to infinity, their squares do not); 0 keeps the rate, and weights go
        on wandering.
    random_state : None, int or numpy Generator
        With "sgd", shuffles the rows in every pass; None takes them in their order.
    warm_start : bool
        Whether `fit` starts from the weights of the fit before, where columns and classes are the same.
    kinds : "auto", a kind, or a mapping from column to kind
        What columns are taken for (`likely.data.columns.kinds`); "auto" guesses.

    Attributes
    ----------
    coef_, intercept_ : weights per unit of each column of `design_.names`, (1, m) of two classes, (k, m) of more
    history_ : objective, largest component of the gradient, and step of every iteration
    n_iter_ : int
    converged_ : bool
    C_ : the variance of the prior
    choice_ : with C="auto", the penalties tried and their losses of rows left out

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
    C_: float
    choice_: PenaltyChoice
    steps_: int  # rows met one by one

    def __init__(
        self,
        C: float | str = 1.0,
        penalty: str | None = "l2",
        l1_ratio: float = 0.5,
        solver: str = "auto",
        fit_intercept: bool = True,
        penalize_intercept: bool = False,
        standardize: bool = True,
        class_weight: ClassWeight = None,
        max_iter: int = 500,
        tol: float = 1e-8,
        learning_rate: float | None = None,
        momentum: float = 0.9,
        warm_start: bool = False,
        kinds: Kinds = "auto",
        prior_variance: float | None = None,
        start: Any = None,
        decay: float = 1.0,
        random_state: Seed = None,
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
        self.prior_variance = prior_variance
        self.start = start
        self.decay = decay
        self.random_state = random_state

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y.

        X is an array, a sparse matrix, a frame or `likely.scan(path)`; y one label per row, or the name of a column
        of X. Rows without a label are left out, and a warning says so.
        """
        self._check_parameters()
        before = (tuple(self.classes_.tolist()), self.design_.names, self.weights_) if self._warm else None
        with self._anew():
            rows = self._look(X, y, sample_weight, self.class_weight)
            k, width = len(self.classes_), self.design_.width
            if note_one_class(self.classes_):
                self._keep(np.zeros((1, width + 1)), History(np.empty(0), np.empty(0), np.empty(0)), True, 1.0, None)
                return self
            vectors = 1 if k == 2 else k
            kept = portioned(held(Constant(rows), rows.cells), vectors * (width + 1))
            start = self._first(kept, vectors, width + 1)
            if before is not None and before[:2] == (tuple(self.classes_.tolist()), self.design_.names):
                start = before[2].copy()
            self._descend(kept, start)
        return self

    def _descend(self, rows: Source[DesignedRows], start: Floats) -> None:
        """From a start (vectors, m + 1) to the weights, with the penalty asked for or the best one."""
        vectors, C = len(start), self._variance()
        if C is None:
            curved = start.size <= MOST_LEFT_OUT

            def fit(some: Source[DesignedRows], value: float, at: Floats, hessian: bool) -> Solved:
                solver = solver_for_choice(some, at.size, MOST_KEPT) if hessian else "lbfgs"
                return self._solve(some, vectors, value, at, solver, max(self.tol, 1e-5 if hessian else TOL), hessian)

            self.choice_ = choose_penalty(rows, vectors, start.ravel(), fit, curved)
            C = self.choice_.C
        if self.solver == "sgd":
            self._learn_online(rows, start, C, int(self.max_iter), 0)
            return
        found, hessian = self._solve(rows, vectors, C, start.ravel(), self.solver, self.tol, True)
        weights = found.point.reshape(vectors, -1)
        weights[:, -1] *= bool(self.fit_intercept)
        trace = found.trace
        self._keep(weights, History(trace.values, trace.gradient_norms, trace.steps), found.converged, C, hessian)
        self._say_how_it_ended(found)

    obstacle = staticmethod(obstacle)

    def partial_fit(
        self, X: TableLike, y: TargetLike = None, classes: ClassNames = None, sample_weight: PerRow = None
    ) -> Self:
        """Learn more rows by the online rule: one correction of the weights for each row, in their order.

            w <- w - rate_t ((p - y) x + w / (C n))        p the probability that the weights give before

        Columns are encoded as the first rows call for: give enough of them, or `standardize=False` and `kinds`. All
        classes must be named at the first call (`classes`) or occur in it. What it has learned depends on the order.
        """
        self._check_parameters()
        self._given()
        return self._learn_in_parts(X, y, classes, sample_weight)

    def _learn_part(self, rows: Encoded, first: bool) -> None:
        kept = held(Constant(rows), rows.cells)
        if not first:
            steps = getattr(self, "steps_", int(self.class_count_.sum()))
            self._learn_online(kept, self.weights_, self._given(), 1, steps)
            return
        refuse_one_class(self.classes_)
        vectors = 1 if len(self.classes_) == 2 else len(self.classes_)
        self._learn_online(kept, self._first(kept, vectors, self.design_.width + 1), self._given(), 1, 0)

    def test_columns(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> ColumnTests:
        """Likelihood-ratio tests: how much worse the rows are told without each column, by maximum likelihood.

        Twice the difference of the log likelihoods has a chi-square law with as many degrees of freedom as the column
        has weights, if it says nothing. The tests are of fits without a penalty, whatever this model's is.
        """
        plain = type(self)(**{**self.get_params(deep=False), "penalty": None, "solver": "newton", "C": 1.0})
        plain.prior_variance, plain.start, plain.warm_start = None, None, False
        return column_tests(plain, X, y, sample_weight)

    def _solve(
        self, rows: Source[DesignedRows], vectors: int, C: float, start: Floats, solver: str, tol: float, curved: bool
    ) -> Solved:
        penalty = self._penalty(C, vectors)
        if solver == "auto":
            solver = fitting_solver(rows, len(start), penalty.rough)
        how = (solver, tol, self.max_iter, self.learning_rate, self.momentum)
        found, hessian = solve(rows, vectors, penalty, start, *how)
        few = len(start) <= (MOST_CURVED if solver == "newton" else MOST_KEPT)
        if hessian is None and curved and few and not penalty.rough:
            hessian = hessian_at(rows, vectors, penalty, found.point)
        return Solved(found, hessian)

    def _penalty(self, C: float, vectors: int) -> Penalty:
        ratio = {"l2": 0.0, "l1": 1.0, "elasticnet": float(self.l1_ratio), None: 0.0}[self.penalty]
        total = float(self.class_count_.sum())
        penalty = Penalty.of(self.design_.width, vectors, C, ratio, self.penalize_intercept, total / vectors**2)
        if not self.fit_intercept:
            penalty.squares[-1] = 1e12 * total  # held at 0
        return penalty

    def _learn_online(self, rows: Source[DesignedRows], start: Floats, C: float, passes: int, steps: int) -> None:
        vectors = len(start)
        penalty = self._penalty(C, vectors)
        if penalty.rough:
            raise InputError("solver='sgd' and partial_fit need slopes everywhere: with an L1 penalty use 'newton'")
        shrink = penalty.squares / max(float(self.class_count_.sum()), 1.0)
        if not self.fit_intercept:
            shrink[-1] = 0.0
        targets = np.array([[0.0], [1.0]]) if vectors == 1 else np.eye(vectors)
        rate = 0.1 if self.learning_rate is None else float(self.learning_rate)
        kind = 1 if vectors == 1 else 2
        run: OnlineRun = online_passes(
            rows, targets, start, shrink, rate, float(self.decay), steps, passes,
            kind, self.random_state,
        )  # fmt: skip
        weights = run.weights
        if not self.fit_intercept:
            weights[:, -1] = 0.0
        history = History(run.losses, np.empty(0), np.empty(0))
        self._keep(weights, history, True, C, None)
        self._become({"steps_": run.steps, "n_iter_": len(run.losses)})

    @property
    def _warm(self) -> bool:
        return self.warm_start and self.__sklearn_is_fitted__()

    def _keep(self, weights: Floats, history: History, converged: bool, C: float, hessian: Floats | None) -> None:
        small = hessian is not None and len(hessian) <= MOST_KEPT
        learned = {"weights_": weights, "history_": history, "n_iter_": len(history.step), "converged_": converged}
        self._become({**learned, "C_": C, "hessian_": hessian if small else None})
        self._keep_linear(np.vstack([np.zeros_like(weights), weights]) if len(self.classes_) == 2 else weights)

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
                convergence_warning(),
                stacklevel=3,
            )

    def _how_known(self) -> str:
        return "Wald" if self.penalty is None else "Laplace posterior"

    def _variance(self) -> float | None:
        """Of the prior; None: the best one is to be found."""
        if self.penalty is None:
            return _NO_PENALTY
        if self.prior_variance is not None:
            return float(self.prior_variance)
        return None if self.C == "auto" else float(self.C)

    def _given(self) -> float:
        found = self._variance()
        if found is None:
            raise TierError("partial_fit cannot choose the penalty: give a number for C")
        return found

    def _first(self, rows: Source[DesignedRows], vectors: int, width: int) -> Floats:
        """The weights that a descent starts from (vectors, m + 1)."""
        if self.start is None:
            return np.zeros((vectors, width))
        if isinstance(self.start, str):
            return generative_start(rows, len(self.classes_))
        start = np.array(self.start, dtype=np.float64)
        if start.shape != (vectors, width) or not np.isfinite(start).all():
            raise InputError(
                f"start must be weights of shape {(vectors, width)}, the intercept last; got {start.shape}"
            )
        return start

    def _plan(self, schema: Schema, centred: bool) -> DesignPlan:
        return DesignPlan.of(
            schema, centred=centred, standardize=bool(self.standardize), reference=self.penalty is None
        )

    def _parameters_learned(self) -> dict[str, Any]:
        learned = {"weights": self.weights_, "history": tuple(self.history_), "converged": self.converged_}
        learned |= {"C": self.C_, "steps": getattr(self, "steps_", 0), "iterations": self.n_iter_}
        return learned if self.hessian_ is None else {**learned, "hessian": self.hessian_}

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        weights, history, converged = (parameters[name] for name in ("weights", "history", "converged"))
        k, C, hessian = len(self.classes_), parameters.get("C", 1.0), parameters.get("hessian")
        check_weights(weights, 1 if k <= 2 else k, self.design_.width + 1)
        check_curves(history, len(History._fields))
        if len(history[1]) not in (0, len(history[0])) or not isinstance(converged, bool):
            raise InputError("the history of its descent does not fit together")
        if hessian is not None:
            check_weights(hessian, weights.size, weights.size)
        if not (isinstance(C, float) and C > 0):
            raise InputError("the variance of its prior is no positive number")
        self._keep(weights, History(*history), converged, C, hessian)
        if parameters.get("steps"):
            self._become({"steps_": int(parameters["steps"]), "n_iter_": int(parameters["iterations"])})

    def _check_parameters(self) -> None:
        check_options(self)
