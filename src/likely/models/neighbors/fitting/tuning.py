"""Parameters chosen by leave-one-out: rows are searched once for each distance, for all numbers of neighbours."""

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.data.inputs import suggest
from likely.errors import InputError, check_choice
from likely.models.neighbors.searching.left_out import NeighborTable, each_left_out, folds_to_judge_by
from likely.models.neighbors.searching.search import Neighborhoods, nearest_of
from likely.models.neighbors.searching.votes import class_votes, weigh, weighted_means
from likely.numeric.arrays import Floats, Ints

if TYPE_CHECKING:
    from likely.models.neighbors.neighbor_model import NeighborModel

_DISTANCE = ("metric", "p", "scale", "feature_weights")  # what a search has to be made anew for
_VOTE = ("n_neighbors", "weights", "bandwidth", "alpha")
_OF_CLASSES, _OF_AMOUNTS = ("error", "log_loss"), ("squared_error", "absolute_error")
_FLOOR = 1e-3  # probabilities below are held to it, so that one row does not decide


@dataclass(frozen=True)
class Trial:
    """One setting and its figure out of sample."""

    parameters: dict[str, Any]
    figure: float


@dataclass(frozen=True)
class Tuning:
    """All settings that were tried, in their order."""

    scoring: str
    trials: tuple[Trial, ...]

    @property
    def best(self) -> float:
        """The smallest figure."""
        return min(trial.figure for trial in self.trials)

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of the best; of equal ones the first."""
        return next(trial.parameters for trial in self.trials if trial.figure == self.best)

    def frame(self) -> Any:
        """A trial a row, as a Polars frame."""
        import polars as pl

        shown = {name: [str(t.parameters[name]) for t in self.trials] for name in self.trials[0].parameters}
        return pl.DataFrame({**shown, self.scoring: [trial.figure for trial in self.trials]})


def tuned(model: "NeighborModel", table: NeighborTable, choices: dict[str, Any]) -> Tuning:
    """The figures of all choices, by leave-one-out; by 200 folds where a distance has to be learned anew for each."""
    scorings = _OF_CLASSES if table.classes else _OF_AMOUNTS
    scoring = choices.pop("scoring", scorings[0])
    check_choice("scoring", scoring, scorings)
    known = [name for name in (*_VOTE, *_DISTANCE) if hasattr(model, name)]
    for name in choices:
        if name not in known:
            raise InputError(f"{name!r} cannot be tuned; choose from {', '.join(known)}{suggest(name, known)}")
    most = max(len(table) - 1, 1)
    choices.setdefault("n_neighbors", [k for k in range(1, 32, 2) if k <= most])
    grid = {name: list(values) for name, values in choices.items()}
    trials: list[Trial] = []
    far = [name for name in grid if name in _DISTANCE]
    near = [name for name in grid if name in _VOTE]
    outers = [dict(zip(far, chosen, strict=True)) for chosen in product(*(grid[name] for name in far))]
    likes = [type(model)(**{**model.get_params(deep=False), **outer}) for outer in outers]
    folds = folds_to_judge_by(likes, table.known)
    for outer, like in zip(outers, likes, strict=True):
        inner = [dict(zip(near, values, strict=True)) for values in product(*(grid[name] for name in near))]
        figures = _figures(like, table, folds, inner, scoring)
        trials += [Trial({**outer, **one}, float(f)) for one, f in zip(inner, figures, strict=True)]
    return Tuning(scoring, tuple(trials))


def _figures(like: Any, table: NeighborTable, folds: Ints, inner: list[dict[str, Any]], scoring: str) -> Floats:
    """Of every setting of votes under one distance."""
    settings = [type(like)(**{**like.get_params(deep=False), **one}) for one in inner]
    for one in settings:
        one._check_parameters()
    known, classes = table.known, len(table.classes)
    ks = [one._k for one in settings]
    widest = None if None in ks else max(k for k in ks if k is not None)

    def losses(rows: Ints, near: Neighborhoods) -> Floats:
        out = np.empty((len(rows), len(settings)))
        for place, one in enumerate(settings):
            some = _nearest(near, one._k, known.weight)
            size = weigh(some, one.weights, float(one.bandwidth))
            if not classes:
                off = weighted_means(some, size, known.y) - known.y[rows]
                out[:, place] = off**2 if scoring == "squared_error" else np.abs(off)
                continue
            votes = class_votes(some, size, known.y, classes)
            if scoring == "error":
                out[:, place] = votes.argmax(axis=1) != known.y[rows]
            else:
                share = one._smoothed(votes, some)[np.arange(len(rows)), known.y[rows]]
                out[:, place] = -np.log(np.maximum(share, _FLOOR))
        return out

    found = each_left_out(like, known, folds, losses, widest)
    return np.asarray(known.weight @ found / known.weight.sum())


def _nearest(near: Neighborhoods, k: float | None, weight: Floats) -> Neighborhoods:
    """The k nearest of neighbourhoods of more."""
    if k is None:
        return near
    return nearest_of(near.start, near.row.copy(), near.distance.copy(), weight, k)
