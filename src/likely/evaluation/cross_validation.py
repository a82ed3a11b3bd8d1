"""Cross-validation: every row judged by a model that has not seen it.

A model that learns in one pass has `out_of_fold`, and is never refitted: its folds are summed once and added up. Any
other classifier is cloned and refitted for each fold, in threads. Both give the posteriors of all rows.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likely import engines
from likely.data.inputs import ArrayInput, FrameInput, read_input
from likely.data.target import Target, read_target, split_target
from likely.errors import InputError, TierError
from likely.evaluation.folds import deal, make_folds
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_of

MEASURES: dict[str, Callable[[Floats, Array], Floats]] = {
    "accuracy": lambda log_p, y: _hits(log_p, y),
    "error": lambda log_p, y: (log_p.argmax(axis=1) != y).astype(np.float64),
    "log_loss": lambda log_p, y: -log_p[np.arange(len(y)), y],
    "brier": lambda log_p, y: ((np.exp(log_p) - np.eye(log_p.shape[1])[y]) ** 2).sum(axis=1),
}  # of each row; a fold's score is their mean


@dataclass(frozen=True)
class CrossValidation:
    """Out-of-fold posteriors of every row, and the scores of every fold."""

    classes: Array  # (k,)
    y: Array  # (n,)          codes of the true classes
    folds: Ints  # (repeats, n)
    log_posterior: Floats  # (repeats, n, k)
    refitted: bool

    @property
    def repeats(self) -> int:
        return len(self.folds)

    @property
    def posterior(self) -> Floats:
        """Out-of-fold posteriors (repeats, n, k)."""
        return np.exp(self.log_posterior)

    @property
    def predictions(self) -> Array:
        """The most probable class of each row (repeats, n)."""
        return np.asarray(self.classes[self.log_posterior.argmax(axis=2)])

    def row_scores(self, measure: str = "accuracy") -> Floats:
        """A measure of every row in every repeat (repeats, n)."""
        if measure not in MEASURES:
            raise InputError(f"unknown measure {measure!r}; known are {', '.join(MEASURES)}")
        return np.stack([MEASURES[measure](p, self.y) for p in self.log_posterior])

    def scores(self, measure: str = "accuracy") -> Floats:
        """The mean of a measure over each fold (repeats, folds)."""
        rows = self.row_scores(measure)
        return np.stack([_fold_means(fold, row) for fold, row in zip(self.folds, rows, strict=True)])


def cross_validate(
    model: Any,
    X: Any,
    y: Any,
    folds: int = 10,
    repeats: int = 1,
    stratify: bool = True,
    groups: Any = None,
    leave_one_out: bool = False,
    sample_weight: Any = None,
    random_state: Any = 0,
) -> CrossValidation:
    """Cross-validate a classifier.

    >>> import numpy as np
    >>> from likely import NaiveBayes, cross_validate
    >>> X = np.array([[1.0], [1.2], [0.8], [5.0], [5.5], [4.5]])
    >>> result = cross_validate(NaiveBayes(), X, [0, 0, 0, 1, 1, 1], folds=3)
    >>> result.scores("accuracy").mean(), result.refitted
    (1.0, False)
    """
    data, labels = split_target(read_input(X), y)
    if data.rows is None:
        raise InputError("cross-validation needs the data in memory: read the file first")
    target = read_target(labels, data.rows)
    if target.hidden:
        raise InputError("rows without a label cannot be judged; leave them out of cross-validation")
    if len(target.classes) < 2:
        raise InputError(f"y has only one class, {target.classes[0]!r}: there is nothing to tell apart")
    if repeats < 1:
        raise InputError(f"repeats must be at least 1, got {repeats}")
    assignments = _assignments(target, folds, repeats, stratify, groups, leave_one_out, random_state)
    exact = getattr(model, "out_of_fold", None)
    classes = _as_array(target, labels)
    if exact is not None:
        try:
            shares = exact(data, target, assignments, sample_weight)
            return CrossValidation(classes, target.codes, assignments, shares, False)
        except TierError:
            pass  # learned in many passes: refit like any other
    shares = [_refit(model, X, labels, target, classes, fold, sample_weight) for fold in assignments]
    return CrossValidation(classes, target.codes, assignments, np.stack(shares), True)


def _assignments(
    target: Target, folds: int, repeats: int, stratify: bool, groups: Any, leave_one_out: bool, random_state: Any
) -> Ints:
    rows = len(target.codes)
    if leave_one_out:
        return np.arange(rows)[None]
    if groups is None and 2 <= folds <= rows:
        rngs = np.random.default_rng(random_state).spawn(repeats)
        return np.stack([deal(target.codes, folds, stratify, rng) for rng in rngs])
    seeds = np.random.default_rng(random_state).integers(2**31, size=repeats)
    return np.stack([make_folds(target.codes, folds, stratify, groups, seed) for seed in seeds])


def _refit(model: Any, X: Any, labels: Any, target: Target, classes: Array, folds: Ints, sample_weight: Any) -> Floats:
    data, _ = split_target(read_input(X), labels if isinstance(labels, str) else None)
    y = classes[target.codes]
    out = np.full((len(folds), len(classes)), -np.inf)

    def judge(fold: int) -> None:
        inside = folds == fold
        train, test = np.flatnonzero(~inside), np.flatnonzero(inside)
        fresh = _clone(model)
        weight = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight)[train]}
        fresh.fit(_rows(X, data, train), y[train], **weight)
        table = _rows(X, data, test)
        p = (
            fresh.predict_log_proba(table)
            if hasattr(fresh, "predict_log_proba")
            else log_of(fresh.predict_proba(table))
        )
        out[np.ix_(test, np.searchsorted(classes, fresh.classes_))] = p

    engines.current().each(range(int(folds.max()) + 1), judge)
    return out


def _rows(X: Any, data: Any, index: Ints) -> Any:
    """Some rows of the user's own table, in its own kind."""
    if hasattr(X, "iloc"):
        return X.iloc[index]
    if isinstance(data, FrameInput):
        return data.frame[index]
    assert isinstance(data, ArrayInput)
    return data.x[index]


def _clone(model: Any) -> Any:
    return type(model)(**{k: copy.deepcopy(v) for k, v in model.get_params(deep=False).items()})


def _as_array(target: Target, labels: Any) -> Array:
    known = getattr(labels, "dtype", None)
    return np.array(target.classes, dtype=known if getattr(known, "kind", "") in "iub" else None)


def _fold_means(folds: Ints, rows: Floats) -> Floats:
    return np.asarray(np.bincount(folds, weights=rows) / np.bincount(folds))


def _hits(log_p: Floats, y: Array) -> Floats:
    from likely.numeric.kernels.held_out import largest_is
    out = np.empty(len(y))
    largest_is(log_p, y, out)
    return out
