"""Ordered classes: the proportional-odds model (McCullagh, J. R. Statist. Soc. B 42, 1980).

    log odds of "above class c" = w x - t_c,       t_1 < t_2 < ... < t_(k-1)

One vector of weights for all thresholds: a column moves rows up or down the whole order. The negative log likelihood
with a Gaussian prior of the weights is convex in (w, t); each pass sums its value and slope over the batches (many
passes: no merging), and thresholds are kept in order by steps between them that are exponentials.
"""

import warnings
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from likely import engines
from likely.data.labels.target import class_array
from likely.errors import InputError
from likely.models.learning.designed import DesignedRows, MatrixClassifier
from likely.models.learning.holding import held
from likely.models.linear.linear_scores import check_weights
from likely.models.linear.margins import logistic
from likely.models.traits.one_class import note_one_class
from likely.numeric.arrays import Floats, PerRow
from likely.optimize.lbfgs import lbfgs
from likely.optimize.objectives import Expansion

_LEAST = -1e300  # a log probability that is finite


class ProportionalOdds(MatrixClassifier):
    """Logistic regression of ordered classes, from tables of any kinds with gaps.

    Parameters
    ----------
    order : sequence of classes, optional
        From low to high; else the classes as they sort.
    C : float
        Variance of the Gaussian prior of the weights, per standard deviation of their columns; thresholds have none.
    max_iter, tol : int, float
        Of the descent (L-BFGS).
    kinds : "auto", a kind, or a mapping from column to kind

    Attributes
    ----------
    order_ : the classes from low to high
    coef_ : (m,) per unit of each column of `design_.names`; positive ones raise
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

    def __init__(
        self, order: Any = None, C: float = 1.0, max_iter: int = 500, tol: float = 1e-8, kinds: Any = "auto"
    ) -> None:
        self.order = order
        self.C = C
        self.max_iter = max_iter
        self.tol = tol
        self.kinds = kinds

    def fit(self, X: Any, y: Any = None, sample_weight: PerRow = None) -> Self:
        """Learn from rows X with ordered classes y."""
        if not (isinstance(self.C, int | float | np.number) and 0 < self.C < np.inf):
            raise InputError(f"C must be a positive number, got {self.C!r}")
        with self._anew():
            rows = self._look(X, y, sample_weight)
            order = self._ordered(tuple(self.classes_.tolist()))
            if note_one_class(order):
                self._keep(np.zeros(self.design_.width), np.empty(0), order, 0, True)
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
            self._keep(found.point[:width], _cuts(found.point[width:]), order, found.iterations, found.converged)
        return self

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

    def _keep(self, weights: Floats, cuts: Floats, order: tuple[Any, ...], steps: int, converged: bool) -> None:
        centre, scale, _ = self.design_.affine
        coef = weights / scale
        raw = {"coef_": coef, "thresholds_": cuts + coef @ centre, "n_iter_": steps, "converged_": converged}
        self._become({"weights_": weights, "cuts_": cuts, "order_": order, **raw})

    def _scores(self, x: Any) -> Floats:
        """Log probabilities (n, k) in the order of `classes_`."""
        cuts = np.concatenate([[-np.inf], self.cuts_, [np.inf]])
        z = np.asarray(x @ self.weights_)[:, None]
        places = [self.order_.index(name) for name in self.classes_.tolist()]
        return _log_between(z - cuts[:-1], z - cuts[1:], np.diff(cuts))[:, places]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # of classes that have no order
        return tags

    def _parameters_learned(self) -> dict[str, Any]:
        learned = {"weights": self.weights_, "cuts": self.cuts_, "order": self.order_}
        return {**learned, "steps": self.n_iter_, "converged": self.converged_}

    def _learned_again(self, parameters: dict[str, Any]) -> None:
        weights, cuts, order = (parameters[name] for name in ("weights", "cuts", "order"))
        check_weights(weights[None], 1, self.design_.width)
        check_weights(cuts[None], 1, len(self.classes_) - 1)
        if sorted(map(str, order)) != sorted(map(str, self.classes_.tolist())) or np.any(np.diff(cuts) <= 0):
            raise InputError("its thresholds are not those of its classes")
        self._keep(weights, cuts, order, int(parameters["steps"]), bool(parameters["converged"]))


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
