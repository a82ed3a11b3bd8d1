"""The perceptron: hyperplanes found by correcting one mistake after another.

    score(x) = w x + b        on a mistake  w <- w + rate d x,  b <- b + rate d,   d = +-1

On classes that a hyperplane parts it ends, after at most (R / margin)^2 corrections (Novikoff). On others it never
does: then the average of all weights on the way, or those with fewest mistakes (the pocket), answer.
"""

import warnings
from typing import Any, Self

import numpy as np

from likely import engines
from likely.data.columns.schema import Schema
from likely.data.design import DesignPlan
from likely.engines.progress import progress
from likely.errors import InputError
from likely.models.any_classifier.outcome import Outcome
from likely.models.learning.designed import DesignedRows, MatrixClassifier
from likely.models.learning.order_dependent import OrderDependent
from likely.models.learning.whole_rows import whole_rows
from likely.models.linear.perceptrons.multiclass import (
    SCHEMES,
    binary_problems,
    pairwise_scores,
    signs,
    summed_pairs,
    undisputed,
)
from likely.models.linear.perceptrons.passes import RULES, History, Learned, Passes, joined, learn, no_history
from likely.models.linear.perceptrons.posterior import check_folds, fitted_slope, left_out_scores, typical_size
from likely.models.linear.perceptrons.separation import bound_of_two, bound_together
from likely.models.linear.perceptrons.starts import start_weights
from likely.models.traits.evidence import Evidence, weigh_evidence
from likely.models.traits.state import of_one_state
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.random_state import Seed, as_generator

KEEP = ("auto", "final", "averaged", "pocket")
_VOTES = "(votes)"  # what pairwise votes say beyond the sum of their scores


class Perceptron(OrderDependent, MatrixClassifier):
    """The perceptron of two or several classes, from tables of any kinds with gaps.

    Parameters
    ----------
    rule : "margin", "rosenblatt" or "fractional"
        What counts as a mistake, and how it is corrected: a score of 0 is one ("margin"), or counts as the first class
        ("rosenblatt", whose step is twice the learning rate); a step in proportion to how wrong the score is
        ("fractional", whose learning rate is between 0 and 1 and not 1/2, which would end on the boundary).
    multiclass : "winner_take_all", "one_vs_rest" or "one_vs_one"
        How perceptrons of two make several classes. Units that compete have the rule "margin", or its fractional form.
    learning_rate : float
        From zero weights it is no matter but for "fractional": it scales the weights.
    start : None, "basic_linear" or an array
        Zero; halfway between the means of the classes; or weights per column of `design_.names`, the constant's last.
    keep : "auto", "final", "averaged" or "pocket"
        Which weights answer: those in the end; the average after every row; those with fewest mistakes on all rows.
        "auto" is "final" where a pass made no mistake, else "averaged".
    max_iter : int
        Passes over the rows at most.
    n_iter_no_change : int or None
        Passes without fewer mistakes than before, after which classes are taken for not separable; None: never.
    shuffle : bool
        Show the rows in another order in every pass; False: as they come.
    fit_intercept, standardize : bool
        Whether there is a constant, and whether numbers are taken in standard deviations from their mean.
    posterior_folds : int or None
        Folds whose left-out scores give the slope of the posterior: scores themselves are no log odds. None: no rows
        are left out, and the slope is such that scores are 1 apart on average, which says nothing of how sure to be.
    epsilon : float
        Of the fractional rule: the size of the step where the score is 0.
    history : int
        Updates that are written down one by one, the first ones.
    class_weight : None, "balanced" or a mapping from class to weight
        A weight, like a sample weight, multiplies the step.
    random_state : of the order of the rows and of the folds
    kinds : "auto", a kind, or a mapping from column to kind

    Attributes
    ----------
    coef_, intercept_ : weights per unit of each column of `design_.names`, a row for each perceptron
    weights_ : those of the columns of the design matrix, the constant's last
    history_ : mistakes of every pass, and the first updates: row, activation before, weights after
    converged_ : whether a pass made no mistake; then the classes are separable by these weights
    margin_, radius_, mistake_bound_ : of each problem of two classes, or of all units that compete: the least distance
        to the boundary, the length of the longest row, and Novikoff's bound (radius / margin)^2 of updates from zero
        weights; infinite where the weights part the classes not
    slope_ : what scores are multiplied by to be log posteriors
    n_iter_ : int

    Examples
    --------
    >>> from likely import Perceptron
    >>> model = Perceptron(random_state=0).fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "no", "no", "yes"])
    >>> model.predict([[1, 1], [0, 1]]), model.converged_
    (array(['yes', 'no'], dtype='<U3'), True)
    """

    weights_: Floats  # (v, m + 1)
    coef_: Floats  # (v, m)
    intercept_: Floats  # (v,)
    history_: History
    n_iter_: int
    converged_: bool
    margin_: Floats  # (problems,)
    radius_: Floats  # (problems,)
    mistake_bound_: Floats  # (problems,)
    slope_: float

    def __init__(
        self,
        rule: str = "margin",
        multiclass: str = "winner_take_all",
        learning_rate: float = 1.0,
        start: Any = None,
        keep: str = "auto",
        max_iter: int = 1000,
        n_iter_no_change: int | None = 20,
        shuffle: bool = True,
        fit_intercept: bool = True,
        standardize: bool = True,
        posterior_folds: int | None = 3,
        epsilon: float = 1e-3,
        history: int = 1000,
        class_weight: Any = None,
        random_state: Seed = None,
        kinds: Any = "auto",
    ) -> None:
        self.rule = rule
        self.multiclass = multiclass
        self.learning_rate = learning_rate
        self.start = start
        self.keep = keep
        self.max_iter = max_iter
        self.n_iter_no_change = n_iter_no_change
        self.shuffle = shuffle
        self.fit_intercept = fit_intercept
        self.standardize = standardize
        self.posterior_folds = posterior_folds
        self.epsilon = epsilon
        self.history = history
        self.class_weight = class_weight
        self.random_state = random_state
        self.kinds = kinds

    def fit(self, X: Any, y: Any = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y, in their order or shuffled; X and y as in every classifier."""
        self._check_parameters()
        with self._anew():
            rows = whole_rows(self._look(X, y, sample_weight, self.class_weight))
            k, width = len(self.classes_), self.design_.width
            if k == 1:
                warnings.warn(
                    f"y has only one class, {self.classes_[0]!r}: it is the answer for every row", stacklevel=2
                )
                nothing = no_history(width)
                self._keep(np.zeros((1, width + 1)), nothing, True, np.full((3, 1), np.inf), 1.0)
                return self
            rng = as_generator(self.random_state)
            passes = self._passes()
            with progress(self.max_iter, "passes") as done:
                found = self._learn(rows, passes, rng, done)
            weights = self._chosen(found)
            if not np.isfinite(weights).all():
                raise InputError("weights have grown beyond all numbers: use standardize=True, or scale the columns")
            slope = self._slope(rows, passes, weights, rng)
            converged = all(one.converged for one in found)
            history = joined([one.history for one in found])
            self._keep(weights, history, converged, self._bounds(rows, weights), slope)
        return self

    @of_one_state
    def undisputed(self, X: Any) -> Ints:
        """The place among `classes_` of the class that is claimed alone (n,), scores aside; -1: none or several."""
        self._check_fitted()
        k = len(self.classes_)
        if k < 3:
            return np.asarray(self._each_row(X, self._activations)[:, 0] > 0).astype(np.int64) * (k == 2)
        return undisputed(self._each_row(X, self._activations), k, self.multiclass)

    @of_one_state
    def evidence(self, X: Any, against: Any = None, for_class: Any = None, prior: Any = None) -> Evidence:
        """Weight of evidence: bits each column gives to the predicted class against the rest, or a named one.

        They are scores times the slope that was learned from rows left out. With pairwise votes, what these say beyond
        the sum of their scores stands beside the columns, as "(votes)".
        """
        return self._weighed(X, self._shift(prior), for_class=for_class, against=against)

    @of_one_state
    def evidence_after(self, X: Any, outcome: Outcome) -> Evidence:
        """The evidence for what a wrapper said of the rows in the end, its sum the odds of the wrapper's posterior."""
        return self._weighed(X, self._shift(None), outcome=outcome)

    @property
    def _together(self) -> bool:
        """Whether all perceptrons are trained as one."""
        return len(self.classes_) <= 2 or self.multiclass == "winner_take_all"

    @property
    def _problems(self) -> list[tuple[int, int]]:
        k = len(self.classes_)
        return [(1, 0)] if k <= 2 else binary_problems(k, self.multiclass)

    def _passes(self) -> Passes:
        return Passes(
            self.rule,
            float(self.learning_rate),
            float(self.epsilon),
            float(bool(self.fit_intercept)),
            int(self.max_iter),
            self.n_iter_no_change,
            bool(self.shuffle),
            self.keep == "pocket",
            int(self.history),
        )

    def _learn(self, rows: DesignedRows, passes: Passes, rng: np.random.Generator, done: Any) -> list[Learned]:
        """Train each problem of two, or all units together."""
        k = len(self.classes_)
        competing = k > 2 and self._together
        if competing:
            targets = [(rows.codes == c).astype(np.int64) for c in range(k)]
        else:
            targets = [signs(rows.codes, *pair) for pair in self._problems]
        start = start_weights(self.start, rows, targets, competing)
        if competing:
            return [learn(rows.x, rows.codes.astype(np.int64), rows.weight, start, passes, rng, 0, done)]
        seed = int(rng.integers(2**63))  # one for all, so that it is no matter which class comes first

        def one(task: tuple[int, Array]) -> Learned:
            number, target = task
            own = np.random.default_rng(seed)
            return learn(rows.x, target, rows.weight, start[[number]], passes, own, number, done)

        return engines.current().map(enumerate(targets), one)

    def _chosen(self, found: list[Learned]) -> Floats:
        def one(learned: Learned) -> Floats:
            if self.keep == "pocket" and learned.pocket is not None:
                return learned.pocket
            final = self.keep == "final" or (self.keep == "auto" and learned.converged)
            return learned.final if final else learned.averaged

        return np.vstack([one(learned) for learned in found])

    def _slope(self, rows: DesignedRows, passes: Passes, weights: Floats, rng: np.random.Generator) -> float:
        def learn_fold(part: DesignedRows) -> Any:
            learned = self._chosen(self._learn(part, passes, rng, lambda *_: None))
            return lambda held: self._raw(held.x, learned)

        held = left_out_scores(rows, len(self.classes_), self.posterior_folds, learn_fold, rng)
        if held is None:
            return 1 / typical_size(self._raw(rows.x, weights))
        return fitted_slope(held, rows.codes, rows.weight)

    def _bounds(self, rows: DesignedRows, weights: Floats) -> Floats:
        """Margin, radius and bound (3, problems) of the problems of two, or of all units together."""
        constant = float(bool(self.fit_intercept))
        if len(self.classes_) > 2 and self._together:
            return np.array([bound_together(rows.x, rows.codes, weights, constant)]).T
        targets = [signs(rows.codes, *pair) for pair in self._problems]
        return np.array([bound_of_two(rows.x, t, w, constant) for t, w in zip(targets, weights, strict=True)]).T

    def _keep(self, weights: Floats, history: History, converged: bool, facts: Floats, slope: float) -> None:
        centre, scale, _ = self.design_.affine
        coef = weights[:, :-1] / scale
        self._become(
            {
                "weights_": weights,
                "coef_": coef,
                "intercept_": weights[:, -1] - coef @ centre,
                "history_": history,
                "n_iter_": max(len(history.mistakes), 1),
                "converged_": converged,
                "margin_": facts[0],
                "radius_": facts[1],
                "mistake_bound_": facts[2],
                "slope_": slope,
            }
        )

    def _activations(self, x: Any) -> Floats:
        return _within(x @ self.weights_[:, :-1].T + self.weights_[:, -1])

    def _raw(self, x: Any, weights: Floats) -> Floats:
        """Scores (n, k) of rows of the design matrix, as the perceptrons give them."""
        a = _within(x @ weights[:, :-1].T + weights[:, -1])
        k = len(self.classes_)
        if k <= 2:
            return np.column_stack([np.zeros(len(a)), a[:, 0]])[:, :k]
        return pairwise_scores(a, k) if self.multiclass == "one_vs_one" else a

    def _scores(self, x: Any) -> Floats:
        return np.ascontiguousarray(self.slope_ * self._raw(x, self.weights_))

    def _weighed(self, X: Any, shift: Floats, **sides: Any) -> Evidence:
        data, k = self._query(X), len(self.classes_)
        voting = k > 2 and self.multiclass == "one_vs_one"
        weights = self.weights_ if k > 2 else np.vstack([np.zeros_like(self.weights_), self.weights_])[:k]
        weights = self.slope_ * (summed_pairs(weights, k) if voting else weights)
        names = (*self.schema_.names, *([_VOTES] if voting else []))

        def terms() -> Any:
            for start, batch in data.batches():
                x = self.design_.matrix(batch, start)
                scores = self._scores(x)
                x = x.toarray() if hasattr(x, "indptr") else x
                found = np.stack([self.design_.by_source(x * w[:-1]) for w in weights], axis=2)
                if voting:
                    beyond = scores - found.sum(axis=1) - weights[:, -1]
                    found = np.concatenate([found, beyond[:, None, :]], axis=1)
                yield start, found

        return weigh_evidence(self.classes_, names, terms(), weights[:, -1] + shift, **sides)

    def _plan(self, schema: Schema, centred: bool) -> DesignPlan:
        return DesignPlan.of(schema, centred=centred, standardize=bool(self.standardize))

    def _parameters_learned(self) -> dict[str, Any]:
        return {
            "weights": self.weights_,
            "history": tuple(self.history_),
            "converged": self.converged_,
            "facts": np.stack([self.margin_, self.radius_, self.mistake_bound_]),
            "slope": self.slope_,
        }

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        weights, history, slope = parameters["weights"], parameters["history"], parameters["slope"]
        k = len(self.classes_)
        count = 1 if k <= 2 else k if self.multiclass == "winner_take_all" else len(self._problems)
        if weights.shape != (count, self.design_.width + 1) or not np.isfinite(weights).all():
            raise InputError("its weights are not one finite number for each column")
        if not (isinstance(slope, float) and 0 < slope < np.inf) or not isinstance(parameters["converged"], bool):
            raise InputError("the slope of its posterior is not a positive number")
        if len(history) != len(History._fields) or len({len(part) for part in history[1:]}) != 1:
            raise InputError("the history of its updates does not fit together")
        if parameters["facts"].shape != (3, 1 if self._together else count):
            raise InputError("its margins are not one for each problem")
        self._keep(weights, History(*history), parameters["converged"], parameters["facts"], slope)

    def _check_parameters(self) -> None:
        for name, known in (("rule", tuple(RULES)), ("multiclass", SCHEMES), ("keep", KEEP)):
            if getattr(self, name) not in known:
                raise InputError(f"unknown {name}={getattr(self, name)!r}; choose from {', '.join(known)}")
        if not (isinstance(self.learning_rate, int | float | np.number) and 0 < self.learning_rate < np.inf):
            raise InputError(f"learning_rate must be a positive number, got {self.learning_rate!r}")
        if self.rule == "fractional" and (self.learning_rate >= 1 or self.learning_rate == 0.5):
            raise InputError(
                f"the fractional rule needs a learning_rate between 0 and 1, and not 1/2, which ends on the boundary; "
                f"got {self.learning_rate!r}"
            )
        if not self.epsilon > 0:
            raise InputError(f"epsilon must be a positive number, got {self.epsilon!r}")
        for name, least in (("max_iter", 1), ("history", 0)):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < least:
                raise InputError(f"{name} must be a whole number from {least} up, got {value!r}")
        check_folds(self.posterior_folds)


def _within(scores: Any) -> Floats:
    """Scores as numbers whose differences and multiples are numbers too."""
    return np.asarray(np.clip(scores, -1e290, 1e290))
