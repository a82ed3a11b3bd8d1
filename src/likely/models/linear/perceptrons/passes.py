"""Pass after pass over the rows, until one makes no mistake: the work of all perceptrons with weights.

rosenblatt   y = 1 if w x > 0 else -1;  on a mistake  w <- w + rate (d - y) x
margin       where d w x <= 0           w <- w + rate d x
fractional   on a mistake               w <- w + rate (|w x| + epsilon) / (x x + epsilon) (d - y) x
classes that compete                    w_right <- w_right + rate x,  w_winner <- w_winner - rate x
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints, Matrix
from likely.numeric.kernels.row_by_row import perceptron as kernels

RULES = {"rosenblatt": kernels.ROSENBLATT, "margin": kernels.MARGIN, "fractional": kernels.FRACTIONAL}
_NOTHING = np.empty(0)


class History(NamedTuple):
    """What the passes did: mistakes of each, and the first updates one by one."""

    mistakes: Ints  # (p,)  of each pass, of all problems together
    problem: Ints  # (u,)  which of the perceptrons was updated
    sweep: Ints  # (u,)  in which pass, from 0
    row: Ints  # (u,)  by which row of those learned from
    activation: Floats  # (u,)  w x before; of classes that compete, the right score less that of the winner
    rival: Ints  # (u,)  the wrong winner; -1: none, or a tie
    weights: Floats  # (u, r, m + 1)  after the update; r = 1, or one for each class that competes


@dataclass(frozen=True)
class Passes:
    """How rows are shown."""

    rule: str
    rate: float
    epsilon: float
    constant: float  # the input after the last column: 1, or 0 for none
    most: int  # passes
    patience: int | None  # passes without fewer mistakes than before, after which it is given up
    shuffle: bool
    pocket: bool
    kept: int  # updates that are written down


class Learned(NamedTuple):
    """What the passes made of a start."""

    final: Floats  # (r, m + 1)
    averaged: Floats  # (r, m + 1)
    clock: float  # rows shown so far: what the average is over
    pocket: Floats | None  # (r, m + 1)
    converged: bool  # a pass made no mistake
    history: History


def learn(
    x: Any,
    target: Array,
    share: Array | None,
    start: Floats,
    passes: Passes,
    rng: np.random.Generator,
    problem: int = 0,
    done: Callable[..., None] = lambda *_: None,
    before: tuple[Floats, float] | None = None,
) -> Learned:
    """Show rows (n, m) with targets (+-1 and 0, or classes 0 to r - 1) until a pass makes no mistake.

    `start` is (1, m + 1) of two classes, (r, m + 1) of r classes that compete; `before` are the average of the weights
    up to there and over how many rows it is.
    """
    units, width = start.shape
    weights = np.array(start, dtype=np.float64)
    average, clock = (weights, 0.0) if before is None else before
    drift = clock * (weights - average)
    pocket = weights.copy() if passes.pocket else np.empty((0, width))
    state = np.array([clock, 0.0, 0.0, np.inf, 0.0])
    kept = passes.kept
    rows, activations, rivals = np.empty(kept, np.int64), np.empty(kept), np.full(kept, -1)
    after, scores = np.empty((kept, units, width)), np.empty(units)
    none = np.empty(0, np.int32)
    if hasattr(x, "indptr"):
        table = np.empty((0, 0)), x.data, x.indices, x.indptr
    else:
        table = np.ascontiguousarray(x, dtype=np.float64), _NOTHING, none, none
    share = _NOTHING if share is None else share
    options = (float(passes.rate), RULES[passes.rule], float(passes.epsilon), float(passes.constant))
    order = np.arange(len(target), dtype=np.int64)
    mistakes: list[int] = []
    sweep = np.empty(kept, np.int64)
    best, since = np.inf, 0
    while len(mistakes) < passes.most:
        if passes.shuffle:
            order = rng.permutation(len(target))
        logged = int(state[kernels.LOGGED])
        if units == 1:
            flat = weights[0], drift[0], pocket[0] if passes.pocket else pocket.ravel()
            logs = rows, activations, after
            made = kernels.perceptron_pass(*table, target, share, order, *flat, state, *logs, *options)
        else:
            made = kernels.winner_take_all_pass(
                *table, target, share, order, weights, drift, pocket, state, rows, activations, rivals, after, scores,
                *options,
            )  # fmt: skip
        sweep[logged : int(state[kernels.LOGGED])] = len(mistakes)
        mistakes.append(int(made))
        done()
        since = 0 if made < best else since + 1
        best = min(best, made)
        if made == 0 or (passes.patience is not None and since >= passes.patience):
            break
    count = int(state[kernels.LOGGED])
    log = History(
        np.array(mistakes, dtype=np.int64),
        np.full(count, problem),
        sweep[:count],
        rows[:count],
        activations[:count],
        rivals[:count],
        after[:count],
    )
    converged = bool(mistakes) and mistakes[-1] == 0
    averaged = weights - drift / max(state[kernels.CLOCK], 1.0)
    settled = weights if converged or not passes.pocket else _fewest(pocket, weights, x, target, passes)
    pocketed = settled if passes.pocket else None
    return Learned(weights, averaged, float(state[kernels.CLOCK]), pocketed, converged, log)


def mistaken(x: Matrix, target: Array, weights: Floats, rule: str, constant: float) -> Array:
    """Which rows (n,) these weights (r, m + 1) get wrong, as the rule counts mistakes."""
    scores = np.asarray(x @ weights[:, :-1].T) + constant * weights[:, -1]
    if len(weights) > 1:
        own = scores[np.arange(len(target)), target]
        scores[np.arange(len(target)), target] = -np.inf
        return np.asarray(scores.max(axis=1) >= own)
    a = scores[:, 0]
    wrong = target * a <= 0 if rule == "margin" else (a > 0) != (target > 0)
    return np.asarray(wrong & (target != 0))


def no_history(width: int) -> History:
    """Of no pass."""
    none = np.empty(0, np.int64)
    return History(none, none, none, none, np.empty(0), none, np.empty((0, 1, width + 1)))


def joined(histories: list[History]) -> History:
    """The histories of several perceptrons, one after the other; mistakes are added up pass by pass."""
    if len(histories) == 1:
        return histories[0]
    longest = max(len(h.mistakes) for h in histories)
    mistakes = sum(np.pad(h.mistakes, (0, longest - len(h.mistakes))) for h in histories)
    rest = [np.concatenate([h[i] for h in histories]) for i in range(1, len(History._fields))]
    return History(np.asarray(mistakes), *rest)


def continued(before: History, more: History, rows: int, kept: int) -> History:
    """One history after the other, of as many updates as are kept; `rows` came before the later one's."""
    count = max(0, kept - len(before.row))
    late = more._replace(sweep=more.sweep + len(before.mistakes), row=more.row + rows)
    rest = [np.concatenate([before[i], late[i][:count]]) for i in range(1, len(History._fields))]
    return History(np.concatenate([before.mistakes, more.mistakes]), *rest)


def _fewest(pocket: Floats, weights: Floats, x: Matrix, target: Array, passes: Passes) -> Floats:
    """The pocket, or the weights in the end where these make fewer mistakes."""
    counts = [mistaken(x, target, w, passes.rule, passes.constant).sum() for w in (pocket, weights)]
    return pocket if counts[0] <= counts[1] else weights
