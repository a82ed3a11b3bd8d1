"""Batch K-means (Lloyd): all rows to their nearest centres, all centres to the means of their rows, until no row moves.

The error never rises, and there are finitely many assignments, so it ends; how soon, nothing says. A centre that no row
is nearest to is put where the row lies that is farthest from its own centre, if any is away from it by more than the
rounding of a mean: where there are fewer different rows than centres, some stay as they were, without rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from likely import engines
from likely.data.sources import Source
from likely.models.clustering.passes import Nearest, Pass, Passed
from likely.models.learning.unlabelled import NumberedRows
from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.kernels.clusters.bounds import Known
from likely.numeric.nearest import about, own_squares

_ROUNDED = 2 * float(np.finfo(np.float64).eps)  # of a number, for each row: what the mean of equal ones may be off
_CANDIDATES = 8  # farthest rows that are looked at for each empty centre: some may be equal
KEPT = 1 << 12  # numbers in a set of centres up to which those of every pass are kept


class History(NamedTuple):
    """How the passes went."""

    error: Floats  # (t,)  mean squared distance of the rows to the centres that they were given
    moved: Array  # (t,)  rows given another centre than in the pass before; (0,) where centres move as rows arrive
    centres: Floats  # (t, k, m)  at which each pass began; (0, k, m) where they would take much room


class Run(NamedTuple):
    """Where one start has led."""

    centres: Floats  # (k, d)  about the origin
    labels: Array  # (n,) int32
    weight: Floats  # (k, d)  of the observed cells behind each centre
    size: Floats  # (k,)  weight of the rows of each centre
    error: float  # mean squared distance
    history: History
    converged: bool
    relocated: int  # empty centres that were put elsewhere


def run_batch(
    rows: Source[NumberedRows], start: Floats, origin: Floats, complete: bool, max_iter: int, tol: float
) -> Run:
    """K-means from a start (k, d), about the origin like all that it gives back."""
    engine = engines.current()

    def over(centres: Floats, drift: Floats, anew: bool = False) -> Passed:
        known = None if total is None else total.known
        passed: Passed = engine.fold(rows, Pass(centres, origin, complete, drift, known, room, anew))
        return passed

    centres, drift = start, np.zeros(len(start))
    total: Passed | None = None
    room: Mapping[int, Known | Nearest] | None = None  # what was known before `total`
    errors: list[float] = []
    moves: list[int] = []
    trace: list[Floats] = []
    relocated, put, anew, still = 0, 0, False, np.zeros(len(start))
    for _ in range(max_iter):
        passed = over(centres, drift, anew)
        moves.append(len(passed.labels) if total is None else passed.moved)
        anew = anew or total is None  # whether the sums are those of all rows, and not of what moved
        total, room = (passed, None) if total is None else (passed if anew else total.after(passed), total.known)
        error = total.error if anew else total.error_about(centres)
        rounded = total.has_rounded(error)
        if rounded and not anew:
            again, anew = over(centres, still, anew=True), True
            total, room, error = again, total.known, again.error
        errors.append(error / float(total.weight.sum()))
        trace += [centres] if centres.size <= KEPT else []
        if moves[-1] == 0 and not put:
            again = total if anew else over(centres, still, anew=True)  # sums of what moved may have rounded
            if again.moved == 0:
                return _ended(again.means(centres), again, errors, moves, trace, True, relocated)
            total, room = again, total.known
        anew = rounded
        after, put = _without_empty(rows, total, centres, origin)
        relocated += put
        drift, centres = np.sqrt(np.square(after - centres).sum(axis=1)), after
        if tol > 0 and len(errors) > 1 and errors[-2] - errors[-1] <= tol * errors[-2] and not put:
            break
    return _ended(centres, over(centres, drift, anew=True), errors, moves, trace, False, relocated)


def _ended(
    centres: Floats,
    last: Passed,
    errors: list[float],
    moves: list[int],
    trace: list[Floats],
    converged: bool,
    relocated: int,
) -> Run:
    kept = np.array(trace) if trace else np.empty((0, *centres.shape))
    history = History(np.array(errors), np.array(moves), kept)
    error = last.error / float(last.weight.sum())
    return Run(centres, last.labels, last.observed, last.weight, error, history, converged, relocated)


def _without_empty(rows: Source[NumberedRows], total: Passed, before: Floats, origin: Floats) -> tuple[Floats, int]:
    """The next centres, those without rows at the rows that are farthest from theirs; and how many were moved there."""
    out, empty = total.means(before), np.flatnonzero(total.empty)
    if not len(empty):
        return out, 0
    labels = {number: known.labels for number, known in total.known.items()}
    size = int(sum(map(len, labels.values())))
    far: Farthest = engines.current().fold(rows, _Far(out, origin, labels, _CANDIDATES * len(empty), size))
    chosen = far.different()[: len(empty)]
    out[empty] = out[_under(before, total.empty)[empty]]
    out[empty[: len(chosen)]] = chosen
    return out, len(chosen)


def _under(centres: Floats, empty: Array) -> Ints:
    """Of each centre (k,) the one with rows in the same place, if there is one: with which an empty one goes along.

    Where it stayed, all rows of the other would go over to it in the next pass, by the rounding of their mean.
    """
    place = np.unique(centres, axis=0, return_inverse=True)[1].ravel()
    first = np.arange(len(centres))
    first[place[::-1]] = np.arange(len(centres))[::-1]
    first[place[~empty]] = np.flatnonzero(~empty)
    return np.asarray(first[place])


@dataclass(frozen=True)
class Farthest:
    """The rows that are farthest from their centres, the farthest first; only those that are away from them."""

    square: Floats  # (m,)
    rows: Floats  # (m, d)
    most: int

    def __add__(self, other: Self) -> Self:
        square, rows = np.concatenate([self.square, other.square]), np.concatenate([self.rows, other.rows])
        order = np.argsort(-square, kind="stable")[: self.most]
        return type(self)(square[order], rows[order], self.most)

    def different(self) -> Floats:
        """Each once."""
        _, first = np.unique(self.rows, axis=0, return_index=True)
        return self.rows[np.sort(first)]


@dataclass(frozen=True)
class _Far:
    centres: Floats
    origin: Floats
    labels: dict[int, Array]
    most: int
    size: int  # rows of the table

    def __call__(self, batch: NumberedRows) -> Farthest:
        labels = self.labels[batch.number]
        x = about(batch.x, self.origin)
        square = own_squares(x, self.centres, labels)
        if batch.weight is not None:
            square = np.where(batch.weight > 0, square, 0.0)
        order = np.argsort(-square, kind="stable")[: self.most]
        rows, own = x[order].toarray() if hasattr(x, "indptr") else x[order], self.centres[labels[order]]
        rows = np.where(np.isnan(rows), own, rows)
        away = np.abs(rows - own)
        least = _ROUNDED * self.size * np.maximum(np.abs(rows), np.abs(own))
        told = (square[order] > 0) & (away > least).any(axis=1)
        return Farthest(np.square(away[told]).sum(axis=1), rows[told], self.most)
