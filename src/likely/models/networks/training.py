"""The training loop: pass after pass over the rows in batches, until it no longer pays, or diverges.

The loss that is made small is the mean over the rows, plus weight_decay / (2 n) times the squares of the weights (not
of the constants): weight_decay is the inverse variance of a Gaussian prior. Where rows are withheld (early stopping),
their loss decides which weights are kept.
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from likely import engines
from likely.models.networks.layers import Layers
from likely.models.networks.optimizers import Optimizer
from likely.numeric.arrays import Array, Floats

STOPPED = ("epochs", "tol", "early_stopping", "diverged")  # why training ended
_BLOCK = 4096  # rows at a time where a gradient is of many
_BLOWN_UP = 1e3  # times the loss at the beginning: by then steps are too long


class History(NamedTuple):
    """How training went, pass by pass."""

    loss: Floats  # (e,)  mean over the rows, each as it was shown
    mistakes: Floats  # (e,)  share of the rows whose largest output was not that of their class; empty for amounts
    validation_loss: Floats  # (e,)  of the rows withheld; empty where none were


@dataclass(frozen=True)
class Schedule:
    """How long and by which batches."""

    epochs: int
    batch_size: int | None  # None: all rows
    weight_decay: float
    tol: float
    patience: int  # passes without an improvement by tol, after which it ends
    validation: float  # share of the rows withheld; 0: none


class Rows(NamedTuple):
    """What is learned from."""

    x: Any  # (n, m)
    targets: Array  # (n, k)
    share: Array | None  # (n,)  weights, 1 on average
    classes: bool = True  # targets are those of classes


class Trained(NamedTuple):
    """Where training ended."""

    weights: Array  # (p,)
    history: History
    stopped: str  # why: one of STOPPED


def train(
    net: Layers,
    rows: Rows,
    weights: Array,
    optimizer: Optimizer,
    schedule: Schedule,
    rng: np.random.Generator,
    done: Callable[..., None] = lambda *_: None,
) -> Trained:
    """Train from these weights, which are changed in place."""
    return engines.current().map([weights], lambda own: _train(net, rows, own, optimizer, schedule, rng, done))[0]


def _train(
    net: Layers,
    rows: Rows,
    weights: Array,
    optimizer: Optimizer,
    schedule: Schedule,
    rng: np.random.Generator,
    done: Callable[..., None],
) -> Trained:
    held, rows = _withheld(rows, schedule.validation, rng)
    n = len(rows.targets)
    decay = _decay(net, schedule.weight_decay / n, weights)
    size = n if schedule.batch_size is None else min(schedule.batch_size, n)
    codes = rows.targets.argmax(axis=1) if rows.classes and rows.targets.shape[1] > 1 else None
    logs: tuple[list[float], list[float], list[float]] = ([], [], [])
    best, kept, since, stopped = np.inf, weights.copy(), 0, "epochs"
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        first = _mean_loss(net, weights, rows, slice(0, _BLOCK))
        for _ in range(schedule.epochs):
            loss, mistakes = _epoch(net, rows, codes, weights, optimizer, decay, size, rng)
            judged = loss if held is None else _mean_loss(net, weights, held, slice(None))
            logs[0].append(loss)
            if rows.classes:
                logs[1].append(mistakes)
            if held is not None:
                logs[2].append(judged)
            done()
            if not np.isfinite(loss) or loss > _BLOWN_UP * max(first, 1e-3) or not np.isfinite(weights).all():
                stopped = "diverged"
                break
            since = 0 if judged < best - schedule.tol * max(1.0, abs(best) if np.isfinite(best) else 1.0) else since + 1
            if judged < best:
                best = judged
                kept[:] = weights
            if since >= schedule.patience:
                stopped = "tol" if held is None else "early_stopping"
                break
    if stopped == "diverged":
        _say_diverged(optimizer, len(logs[0]), logs[0][-1])
        weights[:] = kept
    elif held is not None:
        weights[:] = kept
    history = History(*(np.array(log) for log in logs))
    return Trained(weights, history, stopped)


def _epoch(
    net: Layers,
    rows: Rows,
    codes: Array | None,
    weights: Array,
    optimizer: Optimizer,
    decay: Array,
    size: int,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """One pass over all rows; the mean loss, and the share of mistakes, as they were shown."""
    n = len(rows.targets)
    if size == n:
        loss, wrong, gradient = _of_all(net, weights, rows, codes)
        gradient /= n
        optimizer.step(weights, gradient, decay)
        return loss / n, wrong / n
    order = rng.permutation(n)
    loss = wrong = 0.0
    for at in range(0, n, size):
        batch = order[at : at + size]
        share = None if rows.share is None else rows.share[batch]
        t = rows.targets[batch]
        found = net.back_propagate(weights, rows.x[batch], t, share)
        loss += float(found.losses.sum())
        wrong += _wrong(found.activations, t, None if codes is None else codes[batch])
        gradient = found.gradient
        gradient *= gradient.dtype.type(1 / len(batch))
        optimizer.step(weights, gradient, decay)
    return loss / n, wrong / n


def _of_all(net: Layers, weights: Array, rows: Rows, codes: Array | None) -> tuple[float, float, Array]:
    """Loss, mistakes and gradient of all rows: sums over blocks, added in their order."""

    def of_block(at: int) -> tuple[float, float, Array]:
        part = slice(at, at + _BLOCK)
        share = None if rows.share is None else rows.share[part]
        found = net.back_propagate(weights, rows.x[part], rows.targets[part], share)
        wrong = _wrong(found.activations, rows.targets[part], None if codes is None else codes[part])
        return float(found.losses.sum()), wrong, found.gradient

    parts = engines.current().map(range(0, len(rows.targets), _BLOCK), of_block)
    gradient = parts[0][2]
    for _, _, more in parts[1:]:
        gradient += more
    return sum(p[0] for p in parts), sum(p[1] for p in parts), gradient


def _wrong(activations: Array, targets: Array, codes: Array | None) -> float:
    """How many rows have another largest output than that of their class; of one output, how many are mistaken."""
    if codes is not None:
        return float(np.count_nonzero(activations.argmax(axis=1) != codes))
    return float(np.count_nonzero((activations[:, 0] > 0) != (targets[:, 0] > 0.5)))


def _mean_loss(net: Layers, weights: Array, rows: Rows, part: slice) -> float:
    share = None if rows.share is None else rows.share[part]
    losses = net.back_propagate(weights, rows.x[part], rows.targets[part], share).losses
    return float(losses.mean())


def _withheld(rows: Rows, validation: float, rng: np.random.Generator) -> tuple[Rows | None, Rows]:
    """A share of the rows that is not trained on, and the rest; none where there are too few rows."""
    n = len(rows.targets)
    count = round(validation * n)
    if count < 1 or n - count < 1:
        return None, rows
    order = rng.permutation(n)
    return _taken(rows, order[:count]), _taken(rows, np.sort(order[count:]))


def _taken(rows: Rows, places: Array) -> Rows:
    share = None if rows.share is None else rows.share[places]
    return Rows(rows.x[places], rows.targets[places], share, rows.classes)


def _decay(net: Layers, amount: float, weights: Array) -> Array:
    """The decay of each weight (p,); constants have none."""
    decay = np.zeros_like(weights)
    for W, _ in net.split(decay):
        W[:] = amount
    return decay


def _say_diverged(optimizer: Optimizer, epochs: int, loss: float) -> None:
    warnings.warn(
        f"training diverged in pass {epochs}, with a mean loss of {loss:.3g}: steps of learning_rate="
        f"{optimizer.rate:g} are too long for {optimizer.name!r}. Try learning_rate={optimizer.rate / 10:g}, or "
        "standardise the columns. The best weights before that are kept",
        stacklevel=6,
    )
