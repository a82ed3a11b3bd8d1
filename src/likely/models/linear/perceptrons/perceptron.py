"""The perceptron: hyperplanes found by correcting one mistake after another.

    score(x) = w x + b        on a mistake  w <- w + rate d x,  b <- b + rate d,   d = +-1

On classes that a hyperplane parts it ends, after at most (R / margin)^2 corrections (Novikoff). On others it never
does: then the average of all weights on the way, or those with fewest mistakes (the pocket), answer.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from likely.data.accepted import ClassNames, ClassWeight, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.distributions.capabilities.operators import Graph
from likely.engines.progress import progress
from likely.errors import InputError, TierError
from likely.models.learning.designed import DesignedRows, Encoded
from likely.models.learning.in_parts import LearnedInParts
from likely.models.learning.operators import linear_scores
from likely.models.learning.order_dependent import OrderDependent
from likely.models.learning.training_curves import check_curves
from likely.models.learning.whole_rows import whole_rows
from likely.models.linear.perceptrons.multiclass import (
    binary_problems,
    pairwise_scores,
    summed_pairs,
    undisputed,
    within,
)
from likely.models.linear.perceptrons.options import check_options, obstacle
from likely.models.linear.perceptrons.passes import (
    History,
    Learned,
    Passes,
    continued,
    joined,
    no_history,
)
from likely.models.linear.perceptrons.posterior import (
    curvature_of,
    fitted_slope,
    left_out_scores,
    typical_size,
)
from likely.models.linear.perceptrons.problems import bounds_of, learn_problems
from likely.models.linear.perceptrons.running import Running, followed, length, running_from_file, running_of
from likely.models.traits.evidence import Evidence, weigh_evidence
from likely.models.traits.one_class import note_one_class, refuse_one_class
from likely.models.traits.state import of_one_state
from likely.models.traits.weighed_columns import WeighedColumns
from likely.numeric.arrays import Floats, Ints, Matrix, PerRow
from likely.numeric.random_state import Seed, as_generator

_VOTES = "(votes)"  # what pairwise votes say beyond the sum of their scores


class Perceptron(OrderDependent, WeighedColumns, LearnedInParts):
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
    fit_intercept : bool
        Whether there is a constant.
    standardize : bool
        Whether numbers are taken in standard deviations from their mean.
    posterior_folds : int or None
        Folds whose left-out scores give the slope of the posterior: scores themselves are no log odds. None: scores are
        1 apart on average, which says nothing of how sure to be.
    epsilon : of the fractional rule: its step where the score is 0
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
        to the boundary, the longest row, and Novikoff's bound (radius / margin)^2 of updates from zero weights
    slope_ : what scores are multiplied by to be log posteriors
    running_ : weights on the way, from which `partial_fit` goes on
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
    running_: Running
    obstacle = staticmethod(obstacle)

    def __init__(
        self,
        rule: str = "margin",
        multiclass: str = "winner_take_all",
        learning_rate: float = 1.0,
        start: ArrayLike | str | None = None,
        keep: str = "auto",
        max_iter: int = 1000,
        n_iter_no_change: int | None = 20,
        shuffle: bool = True,
        fit_intercept: bool = True,
        standardize: bool = True,
        posterior_folds: int | None = 3,
        epsilon: float = 1e-3,
        history: int = 1000,
        class_weight: ClassWeight = None,
        random_state: Seed = None,
        kinds: Kinds = "auto",
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

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with classes y, in their order or shuffled; X and y as in every classifier."""
        self._check_parameters()
        with self._anew():
            rows = whole_rows(self._look(X, y, sample_weight, self.class_weight))
            width = self.design_.width
            if note_one_class(self.classes_):
                none = np.zeros((1, width + 1))
                self._keep(
                    none, no_history(width), True, np.full((3, 1), np.inf), 1.0, running_from_file(None, none, 1)
                )
                return self
            with progress(self.max_iter, "passes") as done:
                self._go_through(rows, self._passes(), as_generator(self.random_state), done)
        return self

    def partial_fit(
        self, X: TableLike, y: TargetLike = None, classes: ClassNames = None, sample_weight: PerRow = None
    ) -> Self:
        """Show more rows, once and in their order, from the weights so far.

        The first rows say what columns there are and how numbers are scaled, for good; `classes` names those that they
        do not show. The average goes on over all rows; `keep="auto"` is "averaged", and "pocket", which asks all rows
        again and again, is refused. The slope of the posterior follows the rows, judged before they are learned.
        `margin_`, `radius_` and `mistake_bound_` are of the rows of the last call, and so is `converged_`.
        """
        self._check_parameters()
        if self.keep == "pocket":
            raise InputError("keep='pocket' compares weights on all rows, which partial_fit has not: use 'averaged'")
        return self._learn_in_parts(X, y, classes, sample_weight)

    def _learn_part(self, rows: Encoded, first: bool) -> None:
        whole = whole_rows(rows)
        refuse_one_class(self.classes_)
        once = replace(self._passes(), most=1, shuffle=False)
        rng = as_generator(self.random_state)
        self._go_through(whole, once, rng, lambda *_: None, None if first else self.running_, in_parts=True)

    def _go_through(
        self,
        rows: DesignedRows,
        passes: Passes,
        rng: np.random.Generator,
        done: Callable[..., None],
        before: Running | None = None,
        in_parts: bool = False,
    ) -> None:
        """Learn the rows, from the start or from where learning was left."""
        found = self._learn(rows, passes, rng, done, before)
        weights = self._chosen(found, in_parts)
        if not np.isfinite(weights).all():
            raise InputError("weights have grown beyond all numbers: use standardize=True, or scale the columns")
        history, seen = joined([one.history for one in found]), len(rows.codes)
        if before is None:
            slope, curvature = self._slope(rows, passes, weights, rng, in_parts)
        else:
            history = continued(self.history_, history, before.rows, int(self.history))
            slope, curvature = self._followed(rows, before, weights)
            seen += before.rows
        running = running_of(found, seen, slope, curvature, self._unit(weights))
        converged = all(one.converged for one in found)
        facts = bounds_of(rows, self._pairs, weights, passes.constant)
        self._keep(weights, history, converged, facts, slope, running)

    @of_one_state
    def undisputed(self, X: TableLike) -> Ints:
        """The place among `classes_` of the class that is claimed alone (n,), scores aside; -1: none or several."""
        self._check_fitted()
        k = len(self.classes_)
        if k < 3:
            return np.asarray(self._each_row(X, self._activations)[:, 0] > 0).astype(np.int64) * (k == 2)
        return undisputed(self._each_row(X, self._activations), k, self.multiclass)

    @property
    def _pairs(self) -> list[tuple[int, int]] | None:
        """The problems of two classes; None: all units are trained together."""
        k = len(self.classes_)
        if k <= 2:
            return [(1, 0)]
        return None if self.multiclass == "winner_take_all" else binary_problems(k, self.multiclass)

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

    def _learn(
        self,
        rows: DesignedRows,
        passes: Passes,
        rng: np.random.Generator,
        done: Callable[..., None],
        before: Running | None = None,
    ) -> list[Learned]:
        return learn_problems(rows, self._pairs, len(self.classes_), self.start, passes, rng, done, before)

    def _chosen(self, found: list[Learned], in_parts: bool = False) -> Floats:
        def one(learned: Learned) -> Floats:
            if self.keep == "pocket" and learned.pocket is not None:
                return learned.pocket
            final = self.keep == "final" or (self.keep == "auto" and learned.converged and not in_parts)
            return learned.final if final else learned.averaged

        return np.vstack([one(learned) for learned in found])

    def _slope(
        self, rows: DesignedRows, passes: Passes, weights: Floats, rng: np.random.Generator, in_parts: bool
    ) -> tuple[float, float]:
        """By which scores become log posteriors, and how the loss of the rows left out curves there."""

        def learn_fold(part: DesignedRows) -> Any:
            learned = self._chosen(self._learn(part, passes, rng, lambda *_: None), in_parts)
            return lambda held: self._raw(held.x, learned)

        held = left_out_scores(rows, len(self.classes_), self.posterior_folds, learn_fold, rng)
        if held is None:
            return 1 / typical_size(self._raw(rows.x, weights)), 0.0
        slope = fitted_slope(held, rows.codes, rows.weight)
        return slope, curvature_of(slope, held, rows.codes, rows.weight)

    def _followed(self, rows: DesignedRows, before: Running, weights: Floats) -> tuple[float, float]:
        """The same from rows that the weights so far have not learned yet, for these weights, which have."""
        if self.posterior_folds is None:
            return 1 / typical_size(self._raw(rows.x, weights)), 0.0
        shown = self._raw(rows.x, self.weights_) / self._unit(self.weights_)
        slope, curvature = followed(before, shown, rows.codes, rows.weight, self.class_count_)
        return slope / self._unit(weights), curvature

    def _unit(self, weights: Floats) -> float:
        """What scores grow with: the length of the weights, but for votes."""
        return 1.0 if len(self.classes_) > 2 and self.multiclass == "one_vs_one" else length(weights)

    def _keep(
        self, weights: Floats, history: History, converged: bool, facts: Floats, slope: float, running: Running
    ) -> None:
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
                "running_": running,
            }
        )

    def _activations(self, x: Matrix) -> Floats:
        return within(x @ self.weights_[:, :-1].T + self.weights_[:, -1])

    def _raw(self, x: Matrix, weights: Floats) -> Floats:
        """Scores (n, k) of rows of the design matrix, as the perceptrons give them."""
        a = within(x @ weights[:, :-1].T + weights[:, -1])
        k = len(self.classes_)
        if k <= 2:
            return np.column_stack([np.zeros(len(a)), a[:, 0]])[:, :k]
        return pairwise_scores(a, k) if self.multiclass == "one_vs_one" else a

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph (see `likely.store.to_onnx`)."""
        k = len(self.classes_)
        if k > 2 and self.multiclass == "one_vs_one":
            raise TierError("votes of pairs have no form in an ONNX graph; fit with another multiclass")
        weights = self.weights_ if k > 2 else np.vstack([np.zeros_like(self.weights_[:1]), self.weights_])[:k]
        return linear_scores(self.design_, self.slope_ * weights, graph)

    def _scores(self, x: Matrix) -> Floats:
        return np.ascontiguousarray(self.slope_ * self._raw(x, self.weights_))

    def _weighed(self, X: TableLike, shift: Floats, **sides: Any) -> Evidence:
        """They are scores times the slope that was learned from rows left out. With pairwise votes, what these say
        beyond the sum of their scores stands beside the columns, as "(votes)".
        """
        k = len(self.classes_)
        voting = k > 2 and self.multiclass == "one_vs_one"
        weights = self.weights_ if k > 2 else np.vstack([np.zeros_like(self.weights_), self.weights_])[:k]
        weights = self.slope_ * (summed_pairs(weights, k) if voting else weights)
        names = (*self.schema_.names, *([_VOTES] if voting else []))

        def terms() -> Any:
            for start, x in self._matrices(X):
                found = np.stack([self.design_.by_source(x * w[:-1]) for w in weights], axis=2)
                if voting:
                    beyond = self._scores(x) - found.sum(axis=1) - weights[:, -1]
                    found = np.concatenate([found, beyond[:, None, :]], axis=1)
                yield start, found

        return weigh_evidence(self.classes_, names, terms(), weights[:, -1] + shift, **sides)

    def _parameters_learned(self) -> dict[str, Any]:
        return {
            "weights": self.weights_,
            "history": tuple(self.history_),
            "converged": self.converged_,
            "facts": np.stack([self.margin_, self.radius_, self.mistake_bound_]),
            "slope": self.slope_,
            "running": tuple(self.running_),
        }

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        weights, history, slope = parameters["weights"], parameters["history"], parameters["slope"]
        k = len(self.classes_)
        count = k if self._pairs is None else len(self._pairs)
        if weights.shape != (count, self.design_.width + 1) or not np.isfinite(weights).all():
            raise InputError("its weights are not one finite number for each column")
        if not (isinstance(slope, float) and 0 < slope < np.inf) or not isinstance(parameters["converged"], bool):
            raise InputError("the slope of its posterior is not a positive number")
        check_curves(history[:-1], len(History._fields) - 1)  # the last are the weights
        if len({len(part) for part in history[1:]}) != 1 or history[-1].ndim != 3:
            raise InputError("the history of its updates does not fit together")
        problems = 1 if self._pairs is None else count
        if parameters["facts"].shape != (3, problems):
            raise InputError("its margins are not one for each problem")
        running = running_from_file(parameters.get("running"), weights, problems)
        self._keep(weights, History(*history), parameters["converged"], parameters["facts"], slope, running)

    def _check_parameters(self) -> None:
        check_options(self)
