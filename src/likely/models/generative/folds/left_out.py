"""Posteriors of rows under models that have not seen them, without a refit.

Each row is summed once into its own fold and class. The statistic of all folds but one is a sum of prefix and suffix
sums, so each fold's model costs one addition and one small solve; that of all folds but two costs two additions for
every pair. The result is that of the naive loop of refits.

Many folds (leave-one-out is the extreme) are taken in two levels: chunks of folds first, then the folds of each chunk,
so that memory stays bounded. Families that can take a single row out of their estimate (`leave_one_out`) need neither.
"""

from collections.abc import Iterator
from itertools import starmap
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from likely import engines
from likely.errors import InputError
from likely.models.generative.folds.dense import DenseFolds
from likely.models.generative.folds.parts import Judgement, PartedTable
from likely.models.generative.folds.rests import rests_of, rests_of_pairs, rows_of, sums_of_stages
from likely.models.held_out.cv import numbered_folds
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.logspace import log_joint, log_normalize, log_of
from likely.statistics import Membership, all_but_one

_GROUPS = 4096  # folds times classes that are summed side by side
_ENOUGH = 1e-5  # of a class's weight that must be left for its digits to be good
_CELLS = 2**24  # sums, if every pair of columns has one, that are held at a time


def held_out_posteriors(table: PartedTable, folds: ArrayLike) -> Floats:
    """Log posteriors (n, k): row i under the model of the rows whose fold is not folds[i].

    With the folds of several repeats (r, n) they are (r, n, k). A class that does not occur outside a fold has -inf
    there.
    """
    named = np.asarray(folds)
    if named.shape[-1:] != (len(table),) or named.ndim > 2:
        raise InputError(f"folds has shape {named.shape}, expected ({len(table)},): one fold per row")
    repeats = [numbered_folds(one) for one in np.atleast_2d(named)]
    out = np.empty((len(repeats), len(table), table.classes))
    for group in _grouped(table, repeats):
        shared_out = [repeats[r][0] for r in group], [repeats[r][1] for r in group]
        dense = DenseFolds.of(table, *shared_out)
        if dense is not None:
            dense.judge([out[r] for r in group])
            continue
        parts = table.sums(*shared_out)
        table.judge(
            Judgement(rows, seen, out[r], rows)
            for r, own in zip(group, parts, strict=True)
            for rows, seen in zip(rows_of(*repeats[r]), all_but_one(own), strict=True)
        )
    for r, (numbers, count) in enumerate(repeats):
        if _are_many(table, count):
            _many_folds(table, numbers, count, out[r])
        elif table.is_wide(count):
            rests = zip(rows_of(numbers, count), rests_of(table, numbers, count), strict=True)
            table.judge(Judgement(rows, seen, out[r], rows) for rows, seen in rests)
    return out if named.ndim == 2 else out[0]


def twice_held_out_posteriors(table: PartedTable, folds: ArrayLike) -> Floats:
    """Log posteriors (f, n, k): [j, i] is row i under the model that has seen neither the fold of row i nor fold j.

    Folds (n,) count in the order of their names. For j the row's own fold this is the posterior of plain
    cross-validation. All pairs of folds are left out, each once, for both of its folds.
    """
    named = np.asarray(folds)
    if named.shape != (len(table),):
        raise InputError(f"folds has shape {named.shape}, expected ({len(table)},): one fold per row")
    numbers, count = numbered_folds(named)
    if count < 3:
        raise InputError("leaving out two folds at a time needs at least three folds")
    rows = rows_of(numbers, count)
    out = np.empty((count, len(table), table.classes))
    flat = out.reshape(-1, table.classes)
    n = len(table)

    def piece(i: int, j: int, seen: Any) -> Judgement:
        if i == j:
            return Judgement(rows[i], seen, flat, rows[i] + i * n)
        return Judgement(
            np.concatenate([rows[i], rows[j]]), seen, flat, np.concatenate([rows[i] + j * n, rows[j] + i * n])
        )

    table.judge(starmap(piece, rests_of_pairs(table, numbers, count)))
    return out


def growing_posteriors(table: PartedTable, stages: ArrayLike) -> Floats:
    """Log posteriors (s, n, k): [s, i] is row i under the model of the stages up to s, if it has seen it or never will.

    `stages` (n,) says at which stage 0, 1, ... a row is learned; -1: never, the row is withheld. Rows of later stages
    are NaN. Stages are added up one after the other, so all models together cost one pass.
    """
    stage = np.asarray(stages)
    count = int(stage.max(initial=-1)) + 1
    if stage.shape != (len(table),) or count < 1 or stage.min() < -1:
        raise InputError(f"stages has shape {stage.shape}, expected ({len(table)},): -1 or a stage 0, 1, ... per row")
    out = np.full((count, len(table), table.classes), np.nan)
    judged = [np.flatnonzero(stage <= s) for s in range(count)]
    sums = sums_of_stages(table, stage, count)
    table.judge(Judgement(judged[s], seen, out[s], judged[s]) for s, seen in enumerate(sums))
    return out


def _are_many(table: PartedTable, count: int) -> bool:
    return count == len(table) or count * table.classes > _GROUPS


def _grouped(table: PartedTable, repeats: list[tuple[Array, int]]) -> Iterator[list[int]]:
    """Repeats of not too many folds, in groups whose statistics are held at the same time."""
    group: list[int] = []
    held = 0
    for r, (_, count) in enumerate(repeats):
        if _are_many(table, count) or table.is_wide(count):
            continue
        size = count * table.classes * max(table.width**2, table.joint_numbers)
        if group and held + size > _CELLS:
            yield group
            group, held = [], 0
        group.append(r)
        held += size
    if group:
        yield group


def _many_folds(table: PartedTable, folds: Array, count: int, out: Floats) -> None:
    """In chunks of folds: the rows outside a chunk are one sum, to which the folds in it are added."""
    if count == len(table) and table.leaves_one_out:
        leave_one_out(table, out)
        return
    _refuse_too_many(table, count)
    size = min(count, _side_by_side(table))
    chunk = folds // size
    chunks = int(chunk.max()) + 1
    outside = rests_of(table, chunk, chunks) if chunks > 1 else iter([None])
    for number, beyond in enumerate(outside):
        rows = np.flatnonzero(chunk == number)
        local = folds[rows] - number * size
        inside = int(local.max()) + 1
        own = table.at(rows).sums([local], [inside])[0]
        rest = all_but_one(own) if inside > 1 else iter([None])
        seen = (beyond if one is None else one if beyond is None else beyond + one for one in rest)
        places = rows_of(local, inside)
        table.judge(Judgement(rows[p], s, out, rows[p]) for p, s in zip(places, seen, strict=True))


def _side_by_side(table: PartedTable) -> int:
    """How many folds are summed at a time: two at least."""
    return max(2, min(_GROUPS, _CELLS // max(table.joint_numbers, 1)) // table.classes)


def _refuse_too_many(table: PartedTable, count: int) -> None:
    """Families that take long to estimate say how many folds would take too long."""
    for family in table.model.layout_.families:
        if hasattr(family, "check_folds"):
            family.check_folds(count, len(table))


def leave_one_out(table: PartedTable, out: Floats) -> None:
    """Each row under the model of all others, by the families' closed forms."""
    model = table.model
    everything: Any = table.sums([np.zeros(len(table), dtype=np.int32)], [1])[0][0]
    total = everything.weight.astype(np.float64)

    def score(at: slice) -> Floats:
        codes, share = table.target.codes[at], None if table.weight is None else table.weight[at]
        membership = Membership.of_labels(codes, table.classes, share)
        own, rows = np.zeros((len(codes), table.classes)), np.arange(len(codes))
        for family, part, x in zip(model.layout_.family.parts, everything.parts, table.taken(at), strict=True):
            own += family.leave_one_out(part, x, membership)
        left = np.repeat(total[None], len(own), axis=0)
        left[rows, codes] -= 1.0 if share is None else share
        own[left[rows, codes] < _ENOUGH * total[codes]] = np.nan
        if model._estimates_prior:
            log_prior = log_of((left + model.class_alpha) / (left + model.class_alpha).sum(axis=1, keepdims=True))
        else:
            log_prior = np.broadcast_to(log_of(model._prior_from(total, table.target.classes)), left.shape)
        return log_normalize(log_joint(own, log_prior))

    engines.fill(out, table.slice_rows(), score)
    _without_each(table, np.flatnonzero(np.isnan(out).any(axis=1)), out)


def _without_each(table: PartedTable, rows: Ints, out: Floats) -> None:
    """The general way, for rows that have no closed form: in chunks, each row a fold beside all others."""
    if not len(rows):
        return
    _refuse_too_many(table, len(rows))
    size = _side_by_side(table)
    chunk = np.zeros(len(table), dtype=np.int32)
    chunk[rows] = np.arange(len(rows)) // size + 1
    outside = rests_of(table, chunk, int(chunk.max()) + 1)
    next(outside)  # of the rows that have been judged
    for number, beyond in enumerate(outside):
        some = rows[number * size : (number + 1) * size]
        own = table.at(some).sums([np.arange(len(some), dtype=np.int32)], [len(some)])[0]
        seen = (beyond + rest for rest in all_but_one(own)) if len(some) > 1 else iter([beyond])
        table.judge(Judgement(np.array([i]), s, out, np.array([i])) for i, s in zip(some, seen, strict=True))
