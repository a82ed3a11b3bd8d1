"""Ordered classes: the proportional-odds model (McCullagh, J. R. Statist. Soc. B 42, 1980).

    log odds of "above class c" = w x - t_c,       t_1 < t_2 < ... < t_(k-1)

One vector of weights for all thresholds: a column moves rows up or down the whole order. The negative log likelihood
with a Gaussian prior of the weights is convex in (w, t); each pass sums its value and slope over the batches (many
passes: no merging), and thresholds are kept in order by steps between them that are exponentials.
"""

import warnings
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely import engines
from likely.data.accepted import PriorLike, TableLike, TargetLike
from likely.data.columns.kinds import Kinds
from likely.data.labels.target import class_array
from likely.distributions.capabilities.operators import Graph
from likely.errors import InputError, check_number
from likely.intervals.quantiles import check_confidence
from likely.models.any_classifier.drawn import Ends
from likely.models.learning.designed import DesignedRows, MatrixClassifier
from likely.models.learning.holding import held
from likely.models.learning.operators import design_matrix, log_of_share
from likely.models.linear.linear_scores import check_weights
from likely.models.linear.log_odds.coefficients import (
    MOST_KEPT,
    Coefficients,
    inverse_curvature,
    normal_draws,
    normal_estimates,
)
from likely.models.linear.log_odds.drawn_weights import DrawnWeights
from likely.models.linear.margins import logistic
from likely.models.traits.evidence import Evidence, weigh_evidence
from likely.models.traits.one_class import note_one_class
from likely.models.traits.state import of_one_state
from likely.models.traits.weighed_columns import WeighedColumns
from likely.numeric.arrays import Floats, Matrix, PerRow
from likely.numeric.random_state import Seed
from likely.optimize.lbfgs import lbfgs
from likely.optimize.objectives import Expansion

_LEAST = -1e300  # a log probability that is finite
_AT_A_TIME = 256  # rows whose probabilities are drawn together


class ProportionalOdds(WeighedColumns, MatrixClassifier, DrawnWeights):
    """Logistic regression of ordered classes, from tables of any kinds with gaps.

    Parameters
    ----------
    order : sequence of classes, optional
        From low to high; else the classes as they sort.
    C : float
        Variance of the Gaussian prior of the weights, per standard deviation of their columns; thresholds have none.
    max_iter : int
        Steps of the descent (L-BFGS) at most.
    tol : float
        The slope at which the descent is at rest.
    kinds : "auto", a kind, or a mapping from column to kind

    Attributes
    ----------
    order_ : the classes from low to high
    coef_ : (m,) per unit of each column of `design_.names`; positive ones raise
    hessian_ : of the penalised loss by weights and thresholds, which `coefficients` and `predict_interval` follow from
    thresholds_ : (k - 1,) between neighbours in the order, where all columns are 0

    Examples
    --------
    >>> from likely import ProportionalOdds
    >>> sizes = ["small", "small", "medium", "small", "medium", "large", "medium", "large"]
    >>> X = [[1.0], [2], [3], [3], [4], [5], [5], [6]]
    >>> model = ProportionalOdds(order=["small", "medium", "large"]).fit(X, sizes)
    >>> model.predict([[1.0], [3.6], [7]]).tolist()
    ['small', 'medium', 'large']
    """

    order_: tuple[Any, ...]
    weights_: Floats  # (m,)  of the columns of the design
    cuts_: Floats  # (k - 1,)  in the design
    coef_: Floats
    thresholds_: Floats
    n_iter_: int
    converged_: bool
    hessian_: Floats | None  # (m + k - 1, m + k - 1)  of weights, then thresholds; None: one class, or too many weights

    def __init__(
        self,
        order: Sequence[Hashable] | None = None,
        C: float = 1.0,
        max_iter: int = 500,
        tol: float = 1e-8,
        kinds: Kinds = "auto",
    ) -> None:
        self.order = order
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.kinds = kinds

    def fit(self, X: TableLike, y: TargetLike = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with ordered classes y."""
        check_number("C", self.C, above=True)
        with self._anew():
            rows = self._look(X, y, sample_weight)
            order = self._ordered(tuple(self.classes_.tolist()))
            if note_one_class(order):
                self._keep(np.zeros(self.design_.width), np.empty(0), order, 0, True, None)
                return self
            place = np.array([order.index(name) for name in self.classes_.tolist()])
            kept = held(rows, rows.cells)
            share = np.cumsum(self.class_prior_[np.argsort(place)])[:-1]
            first = np.log(share / (1 - share))
            start = np.concatenate([np.zeros(self.design_.width), first[:1], np.log(np.maximum(np.diff(first), 1e-3))])
            found = lbfgs(
                lambda point: self._objective(kept, place, point), start, tol=self.tol, max_iter=self.max_iter
            )
            if not found.converged:
                warnings.warn(f"not converged: {found.reason}; raise max_iter or lower C", stacklevel=2)
            width = self.design_.width
            weights, cuts = found.point[:width], _cuts(found.point[width:])
            hessian = self._curvature(kept, place, weights, cuts) if width + len(cuts) <= MOST_KEPT else None
            self._keep(weights, cuts, order, found.iterations, found.converged, hessian)
        return self

    @of_one_state
    def coefficients(self, confidence: float = 0.95) -> Coefficients:
        """Coefficients per unit of each column, then thresholds, with standard errors and intervals.

        They are intervals of Laplace's posterior; with a large C those of maximum likelihood (Wald).

        >>> X, y = [[1.0], [2], [3], [3], [4], [5], [5], [6]], [0, 0, 1, 0, 1, 2, 1, 2]
        >>> print(ProportionalOdds().fit(X, y).coefficients().of("x0"))
        0.952 [0.095, 1.808] 95 % Laplace posterior, n=8
        """
        check_confidence(confidence)
        covariance = self._covariance()
        centre, scale, _ = self.design_.affine
        m = len(centre)
        unit = np.eye(len(covariance))  # weights of the design to units of the table
        unit[np.arange(m), np.arange(m)] = 1 / scale
        unit[m:, :m] = centre / scale
        error = np.sqrt(np.maximum(np.diagonal(unit @ covariance @ unit.T), 0.0))
        value = np.concatenate([self.coef_, self.thresholds_])
        between = tuple(f"{low} | {high}" for low, high in zip(self.order_[:-1], self.order_[1:], strict=True))
        columns = tuple(self.schema_.names[j] for j in self.design_.source.tolist())
        found = normal_estimates(value, error, confidence, "Laplace posterior", float(self.class_count_.sum()))
        return Coefficients(("higher",), (*self.design_.names, *between), (*columns, *between), (found,))

    @of_one_state
    def predict_interval(
        self,
        X: TableLike,
        confidence: float = 0.95,
        random_state: Seed = 0,
        n_draws: int = 1000,
        prior: PriorLike | None = None,
    ) -> Floats:
        """Not how often such rows come true: an interval (n, k, 2) of what the parameters leave open, if all is true.

        Weights and thresholds are drawn from Laplace's posterior, at least 20 / (1 - confidence) times; draws whose
        thresholds are not in order are put in order.
        """
        return self._drawn_intervals(X, confidence, random_state, n_draws, prior)

    @of_one_state
    def over_draws(self, X: TableLike, ends: Ends, n_draws: int, random_state: Seed = 0) -> Floats:
        """Intervals (n, k, 2) that `ends` makes of log joints under drawn weights and thresholds, and its own."""
        m = self.design_.width
        noise = normal_draws(self._covariance(), n_draws, random_state)
        drawn = np.concatenate([self.weights_, self.cuts_]) + noise
        weights, cuts = drawn[:, :m], np.sort(drawn[:, m:], axis=1)

        def of_rows(x: Matrix) -> Floats:
            parts = []
            for start in range(0, x.shape[0], _AT_A_TIME):
                part = x[start : start + _AT_A_TIME]
                parts.append(ends(self._log_chances(np.asarray(part @ weights.T), cuts), self._scores(part)))
            return np.concatenate(parts)

        return self._each_row(X, of_rows)

    def _weighed(self, X: TableLike, shift: Floats, **sides: Any) -> Evidence:
        """A column moves a row up or down the order, and what that does to the odds of a class depends on where the row
        was: columns are taken in their order, from a row with all of them at their mean.
        """

        def terms() -> Any:
            for start, x in self._matrices(X):
                moved = self.design_.by_source(x * self.weights_)
                way = np.cumsum(np.column_stack([np.zeros(len(moved)), moved]), axis=1)
                yield start, np.diff(self._log_chances(way, self.cuts_), axis=1)

        first = self._log_chances(np.zeros(1), self.cuts_)[0]
        return weigh_evidence(self.classes_, self.schema_.names, terms(), first + shift, **sides)

    def _covariance(self) -> Floats:
        """Of weights and thresholds as one vector."""
        self._check_fitted()
        if self.hessian_ is None:
            raise InputError(
                f"how well the weights are known is not known: it takes two classes and at most {MOST_KEPT:,} weights"
            )
        return inverse_curvature(self.hessian_)

    def _curvature(self, rows: Any, place: Any, weights: Floats, cuts: Floats) -> Floats:
        found: Floats = engines.current().fold(rows, _OrderedCurvature(weights, cuts, place))
        prior = np.concatenate([np.full(len(weights), 1 / float(self.C)), np.zeros(len(cuts))])
        return found + np.diag(prior)

    def _objective(self, rows: Any, place: Any, point: Floats) -> Expansion:
        found: Expansion = engines.current().fold(rows, _OrderedLoss(point, self.design_.width, place))
        weights = point.copy()
        weights[self.design_.width :] = 0.0
        return found + Expansion(0.5 * float(weights @ weights) / float(self.C), weights / float(self.C))

    def _ordered(self, classes: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.order is None:
            return classes
        given = tuple(class_array(tuple(self.order)).tolist())
        strange = [name for name in classes if name not in given]
        if strange or len(set(given)) != len(given):
            raise InputError(f"order={list(given)!r} does not name each class once: {strange or given}")
        return tuple(name for name in given if name in classes)

    def _keep(
        self, weights: Floats, cuts: Floats, order: tuple[Any, ...], steps: int, converged: bool, hessian: Floats | None
    ) -> None:
        centre, scale, _ = self.design_.affine
        coef = weights / scale
        raw = {"coef_": coef, "thresholds_": cuts + coef @ centre, "n_iter_": steps, "converged_": converged}
        self._become({"weights_": weights, "cuts_": cuts, "order_": order, "hessian_": hessian, **raw})

    def onnx_scores(self, graph: Graph) -> str:
        """The scores in plain operators of a graph: log chances of being above one threshold and not above the next."""
        order = [self.order_.index(name) for name in self.classes_.tolist()]
        cuts = np.concatenate([[-1e300], self.cuts_, [1e300]])
        x = graph.affine(design_matrix(self.design_, graph), self.weights_[None], np.zeros(1))
        low = graph.add("Sigmoid", graph.add("Sub", x, graph.constant(cuts[:-1][order])))
        high = graph.add("Sigmoid", graph.add("Sub", x, graph.constant(cuts[1:][order])))
        return log_of_share(graph, graph.add("Sub", low, high))

    def _scores(self, x: Matrix) -> Floats:
        """Log probabilities (n, k) in the order of `classes_`."""
        return self._log_chances(np.asarray(x @ self.weights_), self.cuts_)

    def _log_chances(self, z: Floats, cuts: Floats) -> Floats:
        """Log probabilities (..., k) at w x = z, with thresholds (k - 1,), or (d, k - 1) for the last axis of z."""
        ends = np.pad(cuts, [(0, 0)] * (cuts.ndim - 1) + [(1, 1)], constant_values=np.inf)
        ends[..., 0] = -np.inf
        places = [self.order_.index(name) for name in self.classes_.tolist()]
        return _log_between(z[..., None] - ends[..., :-1], z[..., None] - ends[..., 1:], np.diff(ends))[..., places]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # of classes that have no order
        return tags

    def _parameters_learned(self) -> dict[str, Any]:
        learned = {"weights": self.weights_, "cuts": self.cuts_, "order": self.order_}
        learned |= {"steps": self.n_iter_, "converged": self.converged_}
        return learned if self.hessian_ is None else {**learned, "hessian": self.hessian_}

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        weights, cuts, order = (parameters[name] for name in ("weights", "cuts", "order"))
        check_weights(weights[None], 1, self.design_.width)
        check_weights(cuts[None], 1, len(self.classes_) - 1)
        if sorted(map(str, order)) != sorted(map(str, self.classes_.tolist())) or np.any(np.diff(cuts) <= 0):
            raise InputError("its thresholds are not those of its classes")
        hessian = parameters.get("hessian")
        if hessian is not None:
            check_weights(hessian, len(weights) + len(cuts), len(weights) + len(cuts))
        self._keep(weights, cuts, order, int(parameters["steps"]), bool(parameters["converged"]), hessian)


@dataclass(frozen=True)
class _OrderedLoss:
    """Value and slope of the negative log likelihood of a batch, at weights, first threshold and log steps."""

    point: Floats
    width: int
    place: Any  # (k,)  where each class stands in the order

    def __call__(self, rows: DesignedRows) -> Expansion:
        w, free = self.point[: self.width], self.point[self.width :]
        cuts = np.concatenate([[-np.inf], _cuts(free), [np.inf]])
        at = self.place[rows.codes]
        z = np.asarray(rows.x @ w)
        weight = np.ones(len(z)) if rows.weight is None else rows.weight
        low, high = z - cuts[at], z - cuts[at + 1]  # log odds of being above the class below, and above its own
        gap = np.diff(cuts)
        with np.errstate(over="ignore"):
            narrow = (1 / np.maximum(np.expm1(gap), 1e-300))[at]  # what near thresholds add to both slopes
        bend_low, bend_high = weight * (logistic(-low) + narrow), weight * (logistic(high) + narrow)
        by_cut = np.bincount(at, bend_low, len(cuts) - 1)[1:] - np.bincount(at + 1, bend_high, len(cuts))[1:-1]
        steps = np.exp(free[1:])
        by_free = np.concatenate([[by_cut.sum()], np.cumsum(by_cut[::-1])[::-1][1:] * steps])
        slope = np.asarray(rows.x.T @ (bend_high - bend_low))
        return Expansion(float(-(weight @ _log_between(low, high, gap[at]))), np.concatenate([slope, by_free]))


@dataclass(frozen=True)
class _OrderedCurvature:
    """The Hessian of the negative log likelihood of a batch, by weights and thresholds.

    f = -log s(l) - log s(-h) - log(1 - exp(h - l)),      l = w x - (threshold below),  h = w x - (threshold above)
    """

    weights: Floats
    cuts: Floats
    place: Any  # (k,)  where each class stands in the order

    def __call__(self, rows: DesignedRows) -> Floats:
        x, at, m, k = rows.x, self.place[rows.codes], len(self.weights), len(self.cuts) + 1
        z = np.asarray(x @ self.weights)
        weight = np.ones(len(z)) if rows.weight is None else rows.weight
        ends = np.concatenate([[-np.inf], self.cuts, [np.inf]])
        low, high = z - ends[at], z - ends[at + 1]
        bend_low, bend_high = weight * logistic(low) * logistic(-low), weight * logistic(high) * logistic(-high)
        by_end = np.zeros((len(z), k + 1))
        by_end[np.arange(len(z)), at] = bend_low
        by_end[np.arange(len(z)), at + 1] += bend_high
        narrow = np.bincount(at, weight, k) / np.maximum(4 * np.sinh(np.minimum(np.diff(ends), 600) / 2) ** 2, 1e-300)
        ordered = np.diag(by_end.sum(axis=0)) + np.diag(np.append(narrow, 0.0)) + np.diag(np.append(0.0, narrow))
        ordered -= np.diag(narrow, 1) + np.diag(narrow, -1)
        bend = (bend_low + bend_high)[:, None]
        curved = x.T @ (x.multiply(bend) if hasattr(x, "indptr") else x * bend)
        out = np.empty((m + k - 1, m + k - 1))
        out[:m, :m] = curved.toarray() if hasattr(curved, "indptr") else curved
        out[:m, m:] = -np.asarray(x.T @ by_end[:, 1:-1])
        out[m:, :m] = out[:m, m:].T
        out[m:, m:] = ordered[1:-1, 1:-1]
        return out


def _log_between(low: Floats, high: Floats, gap: Floats) -> Floats:
    """log(s(low) - s(high)) of the logistic function s, high = low - gap, also where both round to 0 or to 1.

    s(a) - s(b) = s(a) s(-b) (1 - exp(b - a))
    """
    with np.errstate(divide="ignore"):
        found = np.log1p(-np.exp(-gap)) - np.logaddexp(0.0, -low) - np.logaddexp(0.0, high)
    return np.asarray(np.maximum(found, _LEAST))


def _cuts(free: Floats) -> Floats:
    """Thresholds from the first and the logarithms of the steps between them."""
    return np.asarray(free[0] + np.concatenate([[0.0], np.cumsum(np.exp(free[1:]))]))
