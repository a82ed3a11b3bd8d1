"""Models of a plain table, cross-validated with all folds of all repeats side by side.

The same sums, models and posteriors as of any other table (`PartedTable`), made in fewer and larger steps:

    sums    about one origin for each class, so that folds add as they are
    models  of all folds at once, or in one kernel for each, where nothing is out of the ordinary
    scores  of a block of rows for all repeats, while it is in cache

It wants numbers without a missing cell, rows without weights, and one family for all columns that has `fold_scores`. A
fold that needs more (a class that only it holds, a column that does not vary, a covariance without an inverse) takes
the general way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, product
from typing import Any, Self

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.distributions.family import FoldScores, shortcut
from likely.models.generative.folds.parts import Judgement, PartedTable
from likely.numeric.arrays import Array, Floats, frozen
from likely.numeric.kernels.left_out.held_out import put_log_posteriors, rows_by_fold
from likely.numeric.kernels.sums.fold_sums import deviations_by_class, moments_by_fold
from likely.numeric.kernels.sums.moments import central_values
from likely.numeric.logspace import log_of
from likely.statistics import SideBySide, all_but_one

_GATHERED = 2048  # rows whose products are summed at a time
_SORTED_CELLS = 2**22  # numbers that are sorted by class at a time, as a copy
_LINE = 8  # numbers in a line of the cache
_SUMMED = 8192  # rows that are summed at a time for all repeats
_CELLS = 2**16  # numbers that are scored at a time for all repeats: they stay in cache
_ROWS_OF_A_FOLD = 64  # at least among those scored at a time: kernels take so many side by side


@dataclass(frozen=True)
class DenseFolds:
    """The folds of r repeats, f of them in each, and what the model of each has seen."""

    table: PartedTable
    folds: Array  # (r, n)
    seen: list[SideBySide]  # [f]  groups: the k classes of the first repeat, of the second, ...

    @classmethod
    def of(cls, table: PartedTable, folds: Sequence[Array], counts: Sequence[int]) -> Self | None:
        """Folds (n,) of each repeat, numbered from 0, and how many there are; None if the quick way does not apply."""
        if len(set(counts)) > 1 or not _is_plain(table):
            return None
        numbers = np.stack(folds).astype(np.int32, copy=False)
        own = _sums(table, numbers, counts[0])
        return None if own is None else cls(table, frozen(numbers), list(all_but_one(own)))

    def judge(self, out: Sequence[Floats]) -> None:
        """Write the log posteriors (n, k) of each repeat."""
        scoring = self._scoring()
        if scoring is None:
            ordinary = np.zeros((len(self.folds), len(self.seen)), dtype=bool)
        else:
            self._score(scoring, out)
            ordinary = scoring.ordinary
        self.table.judge(
            Judgement(rows, self._seen(r, f), out[r], rows)
            for r, f in np.argwhere(~ordinary).tolist()
            for rows in (np.flatnonzero(self.folds[r] == f),)
        )

    def _score(self, scoring: FoldScores, out: Sequence[Floats]) -> None:
        x, k = frozen(self.table.encoded[0]), self.table.classes
        size = scoring.stretch * max(_ROWS_OF_A_FOLD * len(self.seen), _CELLS // x.shape[1])
        columns, even = np.arange(k), np.zeros(k)  # priors are in the constants

        def score(part: tuple[slice, list[Floats]]) -> None:
            at, own = part
            joint = np.empty((k, len(x[at])))
            for r, fold in enumerate(self.folds):
                rows, ends = rows_by_fold(fold[at], len(self.seen))
                scoring.kernel(x[at], rows, ends, *(part[r] for part in scoring.constants), joint)
                put_log_posteriors(joint.T, even, rows, columns, own[r])

        parts = [slice(start, start + size) for start in range(0, len(x), size)]
        engines.current().map([(at, [each[at] for each in out]) for at in parts], score)

    def _scoring(self) -> FoldScores | None:
        """None: the family has no quick way of scoring."""
        family: Any = self.table.model.layout_.families[0]
        found: FoldScores | None = family.fold_scores([joint.parts[0] for joint in self.seen], self.table.classes)
        if found is None:
            return None
        log_prior, known = self._log_priors()
        constants = (*found.constants[:-1], found.constants[-1] + log_prior)
        return found._replace(constants=constants, ordinary=found.ordinary & known)

    def _log_priors(self) -> tuple[Floats, Array]:
        """Of the model of each fold (r, f, k), and whether it has seen all classes (r, f)."""
        table, k = self.table, self.table.classes
        out = np.zeros((len(self.folds), len(self.seen), k))
        known = np.zeros(out.shape[:2], dtype=bool)
        for r, f in product(*map(range, known.shape)):
            weight = self.seen[f].weight[r * k : (r + 1) * k]
            if weight.all():
                known[r, f] = True
                out[r, f] = log_of(table.model._prior_from(weight, table.target.classes))
        return out, known

    def _seen(self, repeat: int, fold: int) -> SideBySide:
        k = self.table.classes
        return self.seen[fold].taken(np.arange(repeat * k, (repeat + 1) * k))


def _is_plain(table: PartedTable) -> bool:
    """One array of numbers as it is, of a family with `fold_scores`; whether cells are missing the sums will tell."""
    families, x = table.model.layout_.families, table.encoded[0]
    return (
        not table.late
        and len(table.encoded) == 1
        and table.weight is None
        and isinstance(x, np.ndarray)
        and x.flags.c_contiguous
        and shortcut(families[0], "fold_scores") is not None
        and bool(table.target.codes.min(initial=0) >= 0)
    )


def _sums(table: PartedTable, folds: Array, count: int) -> list[SideBySide] | None:
    """The statistic of each fold, in all repeats side by side (r k groups); None when a sum is not finite."""
    family: Any = table.model.layout_.families[0]
    x, codes = frozen(table.encoded[0]), frozen(table.target.codes)
    origin = central_values(x, codes, frozen(np.empty(0)), table.classes)
    origins = np.tile(origin, (len(folds), 1))
    statistic = family.statistic
    with np.errstate(over="ignore", invalid="ignore"):
        rows, first, second = (_products if statistic.crossed else _moments)(x, codes, folds, origin, count)
    if not np.isfinite(second).all():
        return None
    shape = (count, len(origins))
    first, second = first.reshape(*shape, -1), second.reshape(*shape, *second.shape[3:])
    sums = zip(rows.reshape(shape), first, second, strict=True)
    return [SideBySide(n, (statistic.of_sums(n, origins, one, two),)) for n, one, two in sums]


def _moments(x: Array, codes: Array, folds: Array, origin: Floats, count: int) -> tuple[Array, Floats, Floats]:
    """Rows (f, r, k), and sums of deviations and of their squares (f, r, k, d)."""
    k = len(origin)
    size = max(_SUMMED, 8 * count * k)  # rows enough to be worth the sums of all groups

    summed: Floats = engines.current().fold(_Rows(x, codes, folds, size), partial(_moments_of, origin, count))
    sums = summed.swapaxes(0, 1)
    rows = [np.bincount(fold * np.int32(k) + codes, minlength=count * k).reshape(count, k) for fold in folds]
    return np.stack(rows, axis=1), sums[:, :, :, 0], sums[:, :, :, 1]


@dataclass(frozen=True)
class _Rows(Source[tuple[Array, Array, Array]]):
    """Rows (m, d), their classes (m,) and folds (r, m), so many at a time."""

    x: Array
    codes: Array
    folds: Array
    size: int

    @property
    def n_batches(self) -> int:
        return -(-len(self.x) // self.size)

    def batch(self, number: int) -> tuple[Array, Array, Array]:
        at = slice(number * self.size, (number + 1) * self.size)
        return self.x[at], self.codes[at], self.folds[:, at]


def _moments_of(origin: Floats, count: int, rows: tuple[Array, Array, Array]) -> Floats:
    x, codes, folds = map(frozen, rows)
    own: Floats = moments_by_fold(x, codes, folds, origin, count)
    return own


def _products(x: Array, codes: Array, folds: Array, origin: Floats, count: int) -> tuple[Array, Floats, Floats]:
    """Rows (f, r, k), and sums of deviations (f, r, k, d) and of their products (f, r, k, d, d).

    Deviations are sorted by class once for all repeats; a column of ones beside them makes the other sums products too.
    """
    k, d = origin.shape
    wide = -(-(d + 1) // _LINE) * _LINE
    sums = np.zeros((count, len(folds), k, wide, wide))
    size = max(_GATHERED, _SORTED_CELLS // wide)
    for start in range(0, len(x), size):
        at = slice(start, start + size)
        sums = _with_products(x[at], codes[at], folds[:, at], origin, sums)
    return np.rint(sums[..., d, d]).astype(np.int64), sums[..., :d, d], np.ascontiguousarray(sums[..., :d, :d])


def _with_products(x: Array, codes: Array, folds: Array, origin: Floats, sums: Floats) -> Floats:
    order, ends = rows_by_fold(codes, len(origin))
    count, wide = len(sums), sums.shape[-1]
    classes = [slice(begin, end) for begin, end in pairwise([0, *ends.tolist()])]

    def deviations_of(c: int) -> Floats:
        own = np.empty((classes[c].stop - classes[c].start, wide))
        deviations_by_class(x, order[classes[c]], origin[c], own)
        return own

    deviations = engines.current().map(range(len(classes)), deviations_of)

    def added(repeat: int) -> Floats:
        own, gathered = sums[:, repeat].copy(), np.empty((_GATHERED, wide))
        fold = frozen(folds[repeat][order])
        for c, at in enumerate(classes):
            rows, cuts = rows_by_fold(fold[at], count)
            for f, (begin, end) in enumerate(pairwise([0, *cuts.tolist()])):
                for some in range(begin, end, _GATHERED):
                    chosen = rows[some : min(some + _GATHERED, end)]
                    z = deviations[c].take(chosen, axis=0, out=gathered[: len(chosen)], mode="clip")
                    own[f, c] += z.T @ z
        return own

    return np.stack(engines.current().map(range(len(folds)), added), axis=1)
