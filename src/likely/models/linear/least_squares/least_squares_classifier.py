"""Classes by least squares: linear outputs fitted to targets, +-1 for two classes or 1-of-k.

    W minimises  sum_i w_i |W x_i + b - t_i|^2 + alpha |W|^2        class: the largest output, of two the sign

Outputs estimate posteriors as well as linear functions can, but they are no probabilities: some are below 0 or above 1,
and rows far on the right side count as errors too. Posteriors are made of them in one of two ways:

    clipped      outputs not below 1 / (n + 2), made to sum to 1: the class is that of the largest output
    calibrated   outputs as Gaussians of one covariance in every class, which makes log odds linear; the class is the
                 most probable one, which is Fisher's discriminant

The solution is a function of class means and products of columns (one pass: it merges, forgets and is cross-validated
exactly). The delta rule and tables with too many columns or with texts take many passes instead.
"""

import warnings
from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from likely import engines
from likely.data.accepted import ClassWeight, PriorLike, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.distributions.capabilities.operators import Graph
from likely.errors import InputError, TierError, check_choice, check_number
from likely.models.any_classifier.outcome import Outcome, Rescaling, sides
from likely.models.learning.batches import Tasks
from likely.models.learning.designed import DesignedRows
from likely.models.learning.holding import held
from likely.models.learning.operators import linear_scores, log_of_share
from likely.models.linear.least_squares.crossed_sums import ClassMoments
from likely.models.linear.least_squares.left_out_squares import best_penalty, left_out_outputs
from likely.models.linear.least_squares.normal_equations import least_squares, shared_gaussian
from likely.models.linear.least_squares.squared_errors import descend, learn_online, solve_in_passes
from likely.models.linear.least_squares.summed import SummedClassifier
from likely.models.linear.linear_scores import LinearScores, check_weights
from likely.models.linear.log_odds.objective import Constant
from likely.models.linear.words import words_of_linear
from likely.models.traits.evidence import Evidence, told_in_kind
from likely.models.traits.precision import in_the_type_of
from likely.models.traits.state import of_one_state
from likely.models.traits.words import TextEvidence
from likely.numeric.arrays import Array, Floats, Matrix, PerRow, frozen
from likely.numeric.logspace import log_normalize
from likely.statistics import Membership, Scatter

SOLVERS = ("exact", "gradient", "online")


class SquaresHistory(NamedTuple):
    """How passes went: half the squared errors at each, the start included; online, as rows were met."""

    objective: Floats


class LeastSquaresClassifier(LinearScores, SummedClassifier):
    """Least-squares classifier of two or more classes, from tables of any kinds with gaps.

    Parameters
    ----------
    alpha : float or "auto"
        Penalty of the squares of weights (ridge). "auto" takes the one with the smallest squared error of rows left out
        one at a time, which is exact for the columns as they are standardised by all rows; a model with it does not
        merge or forget.
    targets : "auto" or "indicators"
        "auto" is +-1 for two classes, 1-of-k for more; "indicators" is 1-of-k also for two.
    posterior : "clipped" or "calibrated"
        How outputs become posteriors: see above.
    solver : "exact", "gradient" or "online"
        The solution, or the delta rule: of all rows at a time, or row after row in their order.
    learning_rate : float, optional
        Of the delta rule; for "gradient" None searches for every step.
    max_iter : int
        Passes over the rows, at most.
    tol : float
        Of the gradient, where passes end.
    start : array (outputs, columns + 1), optional
        Weights of the columns of the design, the intercept last, from which the delta rule starts; else 0.
    fit_intercept : bool
        Whether there is a constant.
    standardize : bool
        Whether columns are measured in standard deviations (which changes nothing without a penalty, but the delta
        rule's steps).
    class_weight : None, "balanced" or a mapping from class to weight
    kinds : "auto", a kind, or a mapping from column to kind

    Attributes
    ----------
    coef_, intercept_ : of the outputs per unit of each column: (1, m) of +-1, else (k, m)
    outputs_ : (k, m + 1) of the 1-of-k outputs, in the columns of the design matrix, the constant last
    alpha_ : the penalty
    n_iter_ : int
    history_ : of the delta rule, half the squared errors of every pass

    Examples
    --------
    >>> from likely import LeastSquaresClassifier
    >>> model = LeastSquaresClassifier().fit([[0], [1], [2], [3], [4], [100]], [-1, -1, -1, 1, 1, 1])
    >>> model.coef_.round(4), model.intercept_.round(4)
    (array([[0.013]]), array([-0.2379]))
    >>> model.predict([[3], [50]])
    array([-1,  1])
    """

    outputs_: Floats
    alpha_: float
    floor_: float
    n_iter_: int
    history_: SquaresHistory

    def __init__(
        self,
        alpha: float | str = 0.0,
        targets: str = "auto",
        posterior: str = "clipped",
        solver: str = "exact",
        learning_rate: float | None = None,
        max_iter: int = 1000,
        tol: float = 1e-8,
        start: ArrayLike | str | None = None,
        fit_intercept: bool = True,
        standardize: bool = True,
        class_weight: ClassWeight = None,
        kinds: Kinds = "auto",
    ) -> None:
        self.alpha = alpha
        self.targets = targets
        self.posterior = posterior
        self.solver = solver
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.tol = tol
        self.start = start
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.class_weight = class_weight
        self.kinds = kinds

    @property
    def leaves_one_out(self) -> bool:
        """Whether rows can be left out one at a time in closed form."""
        plain = self.alpha == 0 or (not isinstance(self.alpha, str) and not self.standardize)
        return plain and self.solver == "exact" and self.posterior == "clipped" and self.class_weight != "balanced"

    @of_one_state
    def decision_function(self, X: TableLike) -> Floats:
        """The outputs: of two classes that of +-1 (n,), above 0 for the second; of more those of 1-of-k (n, k)."""
        self._check_fitted()
        if self.posterior == "calibrated":
            return super().decision_function(X)
        found = self._each_row(X, self._outputs)
        found = np.asarray(found[:, 1] - found[:, 0]) if found.shape[1] == 2 else found
        return in_the_type_of(X, self.schema_.columns, found)

    @of_one_state
    @told_in_kind
    def evidence(
        self, X: TableLike, against: Hashable = None, for_class: Hashable = None, prior: PriorLike | None = None
    ) -> Evidence:
        """Weight of evidence: bits each column gives to the predicted class against the rest, or a named one.

        The bits are those of the calibrated posterior; what clipping makes of it stands beside them.
        """
        if self.posterior == "calibrated":
            return super().evidence(X, against, for_class, prior)
        X = self._ready(X)
        return self._weighed(X, self._shift(prior), outcome=self._outcome(X, against, for_class, prior))

    @of_one_state
    @told_in_kind
    def text_evidence(
        self, X: Any, column: str | None = None, against: Any = None, for_class: Any = None, prior: Any = None
    ) -> TextEvidence:
        """Bits that each word of a text column gives, as those of `evidence`."""
        if self.posterior == "calibrated":
            return super().text_evidence(X, column, against, for_class, prior)
        X = self._ready(X)
        said = self._outcome(X, against, for_class, prior)
        return words_of_linear(self, X, column, self._shift(prior), outcome=said)

    def _outcome(self, X: Any, against: Any, for_class: Any, prior: Any) -> Outcome:
        """What is said of the rows, by outputs that are clipped."""
        self._check_fitted()
        chosen, other = sides(self.classes_, for_class, against)
        log_posterior = log_normalize(self._joint(X, prior))
        ranked = log_posterior.copy()
        if other is not None:
            ranked[:, other] = -np.inf
        member = ranked.argmax(axis=1) if chosen is None else np.full(len(ranked), chosen)
        return Outcome(log_posterior, member, other, Rescaling(1.0, np.zeros(len(self.classes_))))

    def _outputs(self, x: Matrix) -> Floats:
        return np.ascontiguousarray(x @ self.outputs_[:, :-1].T + self.outputs_[:, -1])

    def _scores(self, x: Matrix) -> Floats:
        if self.posterior == "calibrated":
            return super()._scores(x)
        return np.asarray(np.log(np.maximum(self._outputs(x), self.floor_)))

    def _learn(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> None:
        X = self._read(X)
        if self.solver != "exact":
            self._learn_in_passes(X, y, sample_weight)
            return
        try:
            seen, plan = self._summed(X, y, sample_weight)
        except TierError:
            self._learn_in_passes(X, y, sample_weight)
            return
        self._settle(seen, plan)
        if self.alpha == "auto":
            tasks, _ = self._tasks(X, y, sample_weight)
            rows, moments = self._encoded(tasks, self.statistic_.classes), self._class_moments()
            self._settle_with(best_penalty(rows, moments), moments)

    def _estimate(self, moments: ClassMoments) -> None:
        self._settle_with(0.0 if isinstance(self.alpha, str) else float(self.alpha), moments)

    def _settle_with(self, alpha: float, moments: ClassMoments) -> None:
        """The solution for a penalty."""
        share = moments.weight / moments.total
        overall, gram = moments.overall, moments.within + moments.between
        if self.fit_intercept:
            right = (moments.weight[:, None] * (moments.mean - overall)).T
            weights = least_squares(gram, right, alpha).T
            outputs = np.column_stack([weights, share - weights @ overall])
        else:
            gram = gram + moments.total * np.outer(overall, overall)
            weights = least_squares(gram, (moments.weight[:, None] * moments.mean).T, alpha).T
            outputs = np.column_stack([weights, np.zeros(len(weights))])
        if self._signed(len(outputs)):
            outputs = _of_signs(outputs[[1]] - outputs[[0]])
        weights = outputs[:, :-1]
        mean = moments.mean @ weights.T + outputs[:, -1]
        self._keep(outputs, alpha, mean, weights @ moments.within @ weights.T, moments.weight)

    def _learn_in_passes(self, X: TableLike, y: TargetLike, sample_weight: PerRow) -> None:
        if self.alpha == "auto":
            raise TierError("alpha='auto' needs all products of the columns: give a number for alpha")
        rows = self._look(X, y, sample_weight, self.class_weight)
        k, width = len(self.classes_), self.design_.width
        targets = np.array([[-1.0], [1.0]]) if self._signed(k) else np.eye(k)
        kept = held(Constant(rows, float(bool(self.fit_intercept))), rows.cells)
        start = self._start((targets.shape[1], width + 1))
        alpha, objective, steps = float(self.alpha), np.empty(0), int(self.max_iter)
        if self.solver == "exact":
            found, steps, fine = solve_in_passes(kept, targets, alpha, self.tol, self.max_iter)
            _say(fine, f"not converged after {steps} passes: raise max_iter or alpha")
        elif self.solver == "online":
            found, objective = learn_online(kept, targets, alpha, start, float(self.learning_rate or 0), self.max_iter)
        else:
            ended = descend(kept, targets, alpha, start, self.learning_rate, self.tol, self.max_iter)
            found, objective, steps = ended.point.reshape(start.shape), ended.trace.values, ended.iterations
            _say(ended.converged or self.max_iter < 100, f"not converged: {ended.reason}")
        outputs = _of_signs(found) if self._signed(k) else found
        met: Scatter = engines.current().fold(kept, _OutputsMet(outputs, k))
        weight = np.asarray(met.weight, dtype=np.float64)
        self._keep(outputs, alpha, met.mean, met.deviations.sum(axis=0), weight)
        self._become({"history_": SquaresHistory(objective), "n_iter_": steps})

    def _keep(self, outputs: Floats, alpha: float, mean: Floats, within: Floats, weight: Floats) -> None:
        """What follows from outputs, their class means (k, k) and products within classes (k, k)."""
        coef, constant = shared_gaussian(mean, within, weight)
        linear = coef @ outputs
        linear[:, -1] += constant
        self._keep_outputs(outputs, linear, alpha, 1.0 / (float(weight.sum()) + 2.0), 1)

    def _keep_outputs(self, outputs: Floats, linear: Floats, alpha: float, floor: float, steps: int) -> None:
        self._keep_linear(linear)
        centre, scale, _ = self.design_.affine
        own = outputs[[1]] - outputs[[0]] if self._signed(len(outputs)) else outputs
        raw = own[:, :-1] / scale
        learned = {"outputs_": outputs, "alpha_": alpha, "floor_": floor, "n_iter_": steps}
        self._become({**learned, "coef_": raw, "intercept_": own[:, -1] - raw @ centre})

    def _signed(self, k: int) -> bool:
        return k == 2 and self.targets == "auto"

    def _start(self, shape: tuple[int, int]) -> Floats:
        if self.start is None:
            return np.zeros(shape)
        start = np.array(self.start, dtype=np.float64)
        if start.shape != shape or not np.isfinite(start).all():
            raise InputError(f"start must be weights of shape {shape}, the intercept last; got shape {start.shape}")
        return start

    def _parameters_learned(self) -> dict[str, Any]:
        passes = {name: getattr(self, f"{name}_") for name in ("outputs", "linear", "alpha", "floor", "n_iter")}
        if hasattr(self, "statistic_"):
            return {**super()._parameters_learned(), "alpha": self.alpha_}
        return {**passes, "objective": self.history_.objective}

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        alpha = parameters["alpha"]
        if not (isinstance(alpha, float) and 0 <= alpha < np.inf):
            raise InputError("its penalty is no number")
        if "scatter" in parameters:
            super()._learned_again(parameters)
            self._settle_with(alpha, self._class_moments())
            return
        outputs, linear = parameters["outputs"], parameters["linear"]
        for weights in (outputs, linear):
            check_weights(weights, len(self.classes_), self.design_.width + 1)
        floor, steps, objective = (parameters[name] for name in ("floor", "n_iter", "objective"))
        if not (isinstance(floor, float) and 0 < floor < 1 and isinstance(steps, int)):
            raise InputError("what it says of its outputs is not what it should be")
        self._keep_outputs(outputs, linear, alpha, floor, steps)
        self.history_ = SquaresHistory(objective)

    def _leave_one_out(self, whole: Any, tasks: Tasks) -> tuple[Floats, Array]:
        """Log posteriors of rows under the models of all others, and of which rows they are known."""
        found, known = left_out_outputs(
            whole._encoded(tasks, whole.statistic_.classes), whole._class_moments(), float(whole.alpha_)
        )
        gaps = any(name.endswith(" is missing") for name in whole.design_.names)  # which are taken for a mean
        return found, known & bool(self.leaves_one_out and self.fit_intercept and not gaps)

    @staticmethod
    def obstacle(given: Mapping[str, Any], summed: bool) -> str:
        if given["solver"] != "exact":
            return f"solver={given['solver']!r} goes on from pass to pass"
        if given["alpha"] == "auto":
            return "alpha='auto' is chosen by single rows"
        return "" if summed else "this table has texts or too many columns for all their products"

    def _refuse_passes(self, verb: str) -> None:
        summed = hasattr(self, "statistic_") or not self.__sklearn_is_fitted__()
        if why := self.obstacle(self.get_params(deep=False), summed):
            raise TierError(
                f"{verb} is exact only for models learned in one pass, and {why}. Fit again on all the data"
            )

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph: logarithms of outputs that are taken for probabilities."""
        if self.posterior == "calibrated":
            return super().onnx_scores(graph)
        return log_of_share(graph, linear_scores(self.design_, self.outputs_, graph), self.floor_)

    def _check_parameters(self) -> None:
        check_choice("solver", self.solver, SOLVERS)
        check_choice("posterior", self.posterior, ("clipped", "calibrated"))
        check_choice("targets", self.targets, ("auto", "indicators"))
        check_number("alpha", self.alpha, also=("auto",))
        if self.alpha == "auto" and not self.fit_intercept:
            raise InputError("alpha='auto' needs fit_intercept=True; give a number for alpha")
        if self.solver == "online" and not (self.learning_rate is not None and self.learning_rate > 0):
            raise InputError("solver='online' needs a positive learning_rate")


class _OutputsMet:
    """What an engine folds: class means and products of the outputs of a batch whose rows end in a constant."""

    def __init__(self, outputs: Floats, classes: int) -> None:
        self.outputs, self.classes = outputs, classes

    def __call__(self, rows: DesignedRows) -> Scatter:
        found = np.asarray(rows.x @ self.outputs.T)
        return Scatter.of(frozen(found), Membership.of_labels(rows.codes, self.classes, rows.weight))


def _of_signs(signed: Floats) -> Floats:
    """Outputs of 1-of-2 (2, m + 1) that belong to an output of +-1 (1, m + 1)."""
    half = np.vstack([-signed, signed]) / 2
    half[:, -1] += 0.5
    return half


def _say(fine: bool, words: str) -> None:
    if not fine:
        warnings.warn(words, stacklevel=5)
