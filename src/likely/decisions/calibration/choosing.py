"""The map that suits, chosen by what it does on rows that it has not learned from.

    scores out of fold -> five folds of them -> each map learned on four, judged on the fifth -> the lowest log-loss

No map at all stands first in line, and gives way to one that is better by half a standard error; then one slope
(temperature), then a slope and offsets (logistic): evidence goes through these exactly (`any_classifier.outcome`). The
staircase (isotonic), through which it goes only nearly, has to be better by more than a standard error, and needs rows
for its steps. Too few rows to choose by are given one slope, which its prior holds near 1. Where rows left out do not
show that what the map says is better than the shares of the classes, it goes towards these (`models.held_out.trust`).
Maps of log posteriors have a prior about no change (`posterior_scaling`); a decision function has no unit of its own,
and is mapped by maximum likelihood. Neither is turned around: a classifier says where its scores point, and on rows
left out those of noise point the other way.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from likely.decisions.calibration.maps.isotonic import IsotonicMap
from likely.decisions.calibration.maps.logistic import LogisticMap
from likely.decisions.calibration.maps.temperature import TemperatureMap, UnchangedMap
from likely.models.held_out.folds import make_folds, stratified_folds
from likely.models.held_out.trust import SHOWN, is_shown, log_shares, trust_in
from likely.models.held_out.weighing import as_rows
from likely.numeric.arrays import Array, Floats, Ints

PRIOR = 1.0  # precision of slopes about 1 and offsets about 0: a slope of .5 costs an eighth of a nat
MAPS: dict[str, Any] = {
    "none": UnchangedMap,
    "temperature": TemperatureMap,
    "logistic": LogisticMap,
    "isotonic": IsotonicMap,
}
_FOLDS = 5
_MOST_FOLDS = 10  # as many maps are learned
_FEW = 50  # rows, from which there is something to choose by
_STEPS = 200  # rows, from which a staircase has steps
_MOST_CLASSES = 50  # with an offset or a staircase each: with more, few rows speak for each, and it takes long


def prior_for(score: Floats) -> float:
    """The precision of the prior: of log posteriors (n, k), none of a decision function (n,)."""
    return PRIOR if score.ndim == 2 else 0.0


def best_map(
    score: Floats, codes: Array, weight: Floats | None = None, groups: Ints | None = None, smoothing: Any = "ends"
) -> tuple[str, Any]:
    """The name of the map that is taken, and the map learned from all rows; `smoothing` is of the staircase.

    >>> rng = np.random.default_rng(0)
    >>> codes = rng.integers(0, 2, 300)
    >>> odds = rng.normal(2.0 * codes - 1.0)  # log odds would be twice as much
    >>> best_map(np.stack([np.zeros(300), 2 * odds], axis=1), codes)[0]
    'none'
    >>> best_map(np.stack([np.zeros(300), 20 * odds], axis=1), codes)[0]
    'logistic'
    """
    dealt = _folds(score, codes, groups)
    losses = {} if dealt is None else _losses_of_maps(score, codes, weight, dealt, smoothing)

    def trust(name: str) -> float:
        """How far the map may leave the shares of the classes."""
        if dealt is None or name not in losses:
            return 1.0
        amount = np.ones(len(codes)) if weight is None else as_rows(weight)
        errors = 1.0 if name == "isotonic" else SHOWN  # its staircase has no slope to shrink: it stays or goes
        if is_shown(-losses[name] - log_shares(codes, weight, int(codes.max()) + 1)[codes], amount, errors):
            return 1.0
        return trust_in(_out_of_fold(name, score, codes, weight, dealt, smoothing), codes, weight)

    name = _lowest(losses, weight) if losses else _plain(score)
    trusted = trust(name)
    if trusted < 1 and name == "isotonic":
        losses.pop(name)
        name = _lowest(losses, weight)
        trusted = trust(name)
    learned = _learned(name, score, codes, weight, smoothing)
    if trusted == 1:
        return name, learned
    offset = trusted * learned.offset + (1 - trusted) * log_shares(codes, weight, len(learned.offset))
    return "logistic", LogisticMap(trusted * learned.slope, offset - offset.mean(), learned.floor)


def crossed(
    learn: Callable[[Ints], Any], score: Floats, codes: Array, fold: Ints | None
) -> tuple[list[Any], Ints] | None:
    """A map that `learn(rows)` makes for each fold, without its rows, and the folds (n,).

    The folds are those of the classifier, so that a row is left out of both; many are put together, as each takes a
    map. None: a class has too few rows.

    >>> score, codes = np.arange(6.0), np.array([0, 1, 0, 1, 0, 1])
    >>> maps, fold = crossed(lambda rows: IsotonicMap.fit(score[rows], codes[rows]), score, codes, np.arange(6) // 2)
    >>> len(maps), fold
    (3, array([0, 0, 1, 1, 2, 2]))
    """
    counts = np.bincount(codes)
    folds = min(_FOLDS, int(counts.min()))
    if fold is not None and fold.min() < fold.max():
        names, dealt = np.unique(fold, return_inverse=True)
        dealt = dealt if len(names) <= _MOST_FOLDS else dealt % _FOLDS
    elif folds >= 2:
        dealt = _dealt(score, codes, folds)
    else:
        return None
    others = [np.flatnonzero(dealt != each) for each in range(int(dealt.max()) + 1)]
    if any(len(np.unique(codes[rows])) < len(counts) for rows in others):
        return None
    return [learn(rows) for rows in others], dealt


def _plain(score: Floats) -> str:
    """The map of rows that are too few to choose by."""
    return "logistic" if score.ndim == 1 else "temperature"


def _folds(score: Floats, codes: Array, groups: Ints | None) -> Ints | None:
    """The fold of each row (n,) in which maps are judged; None where rows do not allow to tell."""
    counts = np.bincount(codes)
    folds = min(_FOLDS, int(counts.min()) if groups is None else len(np.unique(groups)))
    if folds < 2:
        return None
    dealt = _dealt(score, codes, folds) if groups is None else make_folds(codes, folds, groups=groups)
    lacking = any(len(np.unique(codes[dealt != fold])) < len(counts) for fold in range(folds))
    return None if lacking else dealt


def _losses_of_maps(
    score: Floats, codes: Array, weight: Floats | None, dealt: Ints, smoothing: Any
) -> dict[str, Floats]:
    """Log-loss of every row (n,) under each of the maps to choose from, as the others' rows have it."""
    classes = int(codes.max()) + 1
    able = [name for name in MAPS if _is_for(name, score, classes)] if len(codes) >= _FEW else [_plain(score)]
    said = ((name, _out_of_fold(name, score, codes, weight, dealt, smoothing)) for name in able)
    most = np.finfo(np.float64).max  # a staircase without smoothing may say 0
    return {name: np.minimum(-one[np.arange(len(codes)), codes], most) for name, one in said}


def _dealt(score: Floats, codes: Array, folds: int) -> Ints:
    """The fold of each row (n,): stratified, by chance, but a function of the scores, not of the order of the rows."""
    own = np.where(codes == 1, score, -score) if score.ndim == 1 else score[np.arange(len(codes)), codes]
    rounded = np.round(own, 6) + 0.0  # what another order of sums changes, and the sign of 0, do not count
    shuffled = rounded.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing
    order = np.argsort(shuffled, kind="stable")
    out = np.empty(len(codes), dtype=np.int64)
    out[order] = stratified_folds(codes[order], folds)
    return out


def _lowest(losses: dict[str, Floats], weight: Floats | None) -> str:
    rows = len(next(iter(losses.values())))
    amount = np.ones(rows) if weight is None else as_rows(np.maximum(weight, np.finfo(np.float64).tiny))
    total = {name: float(amount @ loss) for name, loss in losses.items()}
    best = min((name for name in total if name != "isotonic"), key=lambda name: total[name])

    def better(name: str, other: str, errors: float) -> bool:
        """Whether its loss is lower by more than so many standard errors."""
        gain = losses[other] - losses[name]
        noise = float(np.sqrt(amount**2 @ (gain - amount @ gain / amount.sum()) ** 2))
        return total[other] - total[name] > errors * noise

    if "none" in total and best != "none" and not better(best, "none", 0.5):
        best = "none"
    return "isotonic" if "isotonic" in total and better("isotonic", best, 1.0) else best


def _is_for(name: str, score: Floats, classes: int) -> bool:
    if name in ("logistic", "isotonic"):
        return classes <= _MOST_CLASSES and (name == "logistic" or len(score) >= _STEPS)
    return score.ndim == 2  # what a decision function gives is no posterior yet


def _out_of_fold(name: str, score: Floats, codes: Array, weight: Floats | None, dealt: Ints, smoothing: Any) -> Floats:
    """Log posteriors (n, k) of every row under the map of the other folds."""
    out = np.empty((len(codes), int(codes.max()) + 1))
    for fold in range(int(dealt.max()) + 1):
        own, others = np.flatnonzero(dealt == fold), np.flatnonzero(dealt != fold)
        known = _learned(name, score[others], codes[others], None if weight is None else weight[others], smoothing)
        out[own] = known.log_posterior(score[own])
    return out


def _learned(name: str, score: Floats, codes: Array, weight: Floats | None, smoothing: Any) -> Any:
    if name == "isotonic":
        return IsotonicMap.fit(score, codes, weight, smoothing)
    return MAPS[name].fit(score, codes, weight, prior_for(score), rising=True)
