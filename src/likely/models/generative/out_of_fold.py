"""Posteriors of every row under the model of the other folds, without a refit.

Each row is summed once into its own fold and class. The statistic of all folds but one is a sum of prefix and suffix
sums, so each fold's model costs one addition and one small solve. Everything that is learned comes out of that
statistic, the levels of nominal columns included, so the result is that of the naive loop of refits.

Many folds (leave-one-out is the extreme) are taken in two levels: chunks of folds first, then the folds of each chunk,
so that memory stays bounded. Families that can take a single row out of their estimate (`leave_one_out`) need neither.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from likely import engines
from likely.data.inputs import ArrayInput, FrameInput, Input
from likely.data.target import Target, read_target
from likely.errors import InputError
from likely.models.generative.learning import Task, learn, tasks, without_empty_classes
from likely.numeric.arrays import Floats, Ints
from likely.numeric.logspace import log_normalize, log_of
from likely.statistics import Additive, Labelled, Membership, all_but_one

_GROUPS = 4096  # folds times classes that are summed side by side


def held_out_posteriors(model: Any, data: Input, target: Target, weight: Floats | None, folds: Ints) -> Floats:
    """Log posteriors (n, k): row i under the model of the rows whose fold is not folds[i].

    `model` has its layout and nothing else. A class that does not occur outside a fold has -inf in that fold.
    """
    numbered = read_target(folds)
    count, folds = len(numbered.classes), numbered.codes
    if count < 2:
        raise InputError("cross-validation needs at least two folds")
    if count == len(folds) and _has_closed_form(model, target, weight):
        return _leave_one_out(model, data, target, weight)
    k = len(target.classes)
    out = np.full((len(folds), k), -np.inf)
    chunk = max(2, min(count, _GROUPS // k))
    work: list[tuple[Ints, Additive]] = []
    for rows, local, outside in _chunks(model, data, target, weight, folds, chunk):
        own = _by_fold(model, _take(data, rows), target, weight, rows, local)
        rest = all_but_one(own) if len(own) > 1 else [None]
        order = np.argsort(local.astype(np.uint16), kind="stable")  # a radix sort; a chunk is smaller than 2^16
        ends = np.cumsum(np.bincount(local, minlength=len(own)))
        for fold, others in enumerate(rest):
            inside = rows[order[ends[fold - 1] if fold else 0 : ends[fold]]]
            seen = outside if others is None else others if outside is None else outside + others
            assert seen is not None
            work.append((inside, seen))
        if len(work) >= chunk:
            _score_all(model, data, target, work, out)
            work = []
    _score_all(model, data, target, work, out)
    return out


def _has_closed_form(model: Any, target: Target, weight: Floats | None) -> bool:
    """Every part can take a row out of its class by itself, and no class vanishes with one row."""
    layout = model.layout_
    if layout.missing not in ("ignore", "error") or model.class_prior is not None:
        return False
    if not all(_leaves_one_out(family) for family in layout.families):
        return False
    present = target.codes if weight is None else target.codes[weight > 0]
    return bool((np.bincount(present, minlength=len(target.classes)) > 1).all())


def _leaves_one_out(family: Any) -> bool:
    return hasattr(family, "leave_one_out") and getattr(family, "estimation", "ml") == "ml"


def _leave_one_out(model: Any, data: Input, target: Target, weight: Floats | None) -> Floats:
    seen = learn(data, target, weight, model.layout_)
    out = np.empty((len(target.codes), len(target.classes)))

    def score(task: Task) -> None:
        start, batch, labels, share = task
        rows = model.layout_.rows(batch, start, learning=True)
        membership = Membership.of_labels(labels.codes, len(labels.classes), share)
        own = out[start : start + len(membership)]
        own[:] = 0.0
        for family, part, x in zip(model.layout_.families, seen.given.parts, rows, strict=True):  # type: ignore[attr-defined]
            own += family.leave_one_out(part, x, membership)
        left = np.repeat(seen.weight[None].astype(np.float64), len(own), axis=0)
        left[np.arange(len(own)), labels.codes] -= 1.0 if share is None else share
        own += log_of((left + model.class_alpha) / (left + model.class_alpha).sum(axis=1, keepdims=True))
        own[:] = log_normalize(own)

    engines.current().each(tasks(data, target, weight), score)
    return out


def _chunks(
    model: Any, data: Input, target: Target, weight: Floats | None, folds: Ints, size: int
) -> Iterator[tuple[Ints, Ints, Additive | None]]:
    """Rows of each chunk of folds, their fold within it, and the statistic of the rows outside the chunk."""
    everything = np.arange(len(folds))
    if folds.max() < size:
        yield everything, folds, None
        return
    chunk = folds // size
    outside = all_but_one(_by_fold(model, data, target, weight, everything, chunk))
    for number, rest in enumerate(outside):
        rows = np.flatnonzero(chunk == number)
        yield rows, folds[rows] - number * size, rest


def _by_fold(model: Any, data: Input, target: Target, weight: Floats | None, rows: Ints, folds: Ints) -> list[Additive]:
    """The statistic of each fold: the groups of one sum are all pairs of fold and class."""
    k, count = len(target.classes), int(folds.max()) + 1
    pairs = Target((folds * k + target.codes[rows]).astype(np.int32), tuple(range(count * k)))
    total = learn(data, pairs, None if weight is None else weight[rows], model.layout_).given
    return [total.taken(np.arange(f * k, (f + 1) * k)).canonical() for f in range(count)]


def _score_all(model: Any, data: Input, target: Target, work: list[tuple[Ints, Additive]], out: Floats) -> None:
    def score(task: tuple[Ints, Additive]) -> None:
        rows, given = task
        seen = without_empty_classes(Labelled(target.classes, given))
        if not seen.classes:
            raise InputError("a fold holds all rows that have a label: nothing is left to learn from outside it")
        part = model._copy()
        part._settle(seen)
        with engines.use(engines.Serial()):
            log_p = part.predict_log_proba(_take(data, rows))
        if seen.classes == target.classes:
            out[rows] = log_p
        else:
            out[np.ix_(rows, np.array([target.classes.index(name) for name in seen.classes]))] = log_p

    engines.current().each(work, score)


def _take(data: Input, rows: Ints) -> Input:
    if rows.size == data.rows and np.array_equal(rows, np.arange(rows.size)):
        return data
    if isinstance(data, ArrayInput):
        return replace(data, x=data.x[rows])
    assert isinstance(data, FrameInput)
    return replace(data, frame=data.frame[rows])
