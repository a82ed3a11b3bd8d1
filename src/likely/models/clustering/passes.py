"""One pass of K-means as a sum over batches: every row to its nearest centre, the rows of each centre added up.

What a pass knows of single rows (their centres, and bounds of their distances) goes along with the sum, batch by
batch: nothing that is asked again is written to. After the first pass a sum holds what the rows that moved add and
take away, so late passes, in which hardly any row moves, hardly look at the rows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np

from likely.models.learning.unlabelled import NumberedRows
from likely.numeric.arrays import Array, Floats, Ints, Matrix, frozen
from likely.numeric.jit import FEW
from likely.numeric.kernels.clusters.bounds import Known, Sought, bounded_pass
from likely.numeric.nearest import about, nearest, own_squares

_CANCELS = 1e-6  # of the squares about the origin: an error below it is summed from differences
_LIGHT = 1e-9  # of all weight


class Nearest(NamedTuple):
    """What a pass without bounds leaves of the rows of a batch."""

    labels: Array  # (n,) int32


@dataclass(frozen=True)
class Passed:
    """The sum over the batches of a pass; all about the origin."""

    first: Floats  # (k, d)  sum of w x over the observed cells
    observed: Floats  # (k, d)  sum of w over them
    weight: Floats  # (k,)  sum of w over the rows
    squares: float  # sum of w x^2 over all cells; only where the sums are those of all rows
    error: float  # sum of w times the squared distance to the own centre; only where the sums are those of all rows
    moved: int  # rows with another centre than before
    known: Mapping[int, Known | Nearest]  # by number of the batch

    def __add__(self, other: Self) -> Self:
        return replace(
            self,
            first=self.first + other.first,
            observed=self.observed + other.observed,
            weight=self.weight + other.weight,
            squares=self.squares + other.squares,
            error=self.error + other.error,
            moved=self.moved + other.moved,
            known={**self.known, **other.known},
        )

    def after(self, later: Self) -> Self:
        """The sums of all rows, after a pass in which some of them moved."""
        weight = self.weight + later.weight
        first, observed = self.first + later.first, self.observed + later.observed
        return replace(later, first=first, observed=observed, weight=weight, squares=self.squares)

    @property
    def empty(self) -> Array:
        """Which centres have no rows (k,)."""
        return np.asarray(self.weight <= 0)  # of so little the sums are those of all rows, and no rounding

    @property
    def labels(self) -> Array:
        """The centre of every row (n,), in the order of the rows."""
        return np.concatenate([self.known[number].labels for number in sorted(self.known)])

    def means(self, before: Floats) -> Floats:
        """The mean of each centre's rows (k, d); what no row tells stays as it was."""
        told = self.observed > 0
        return np.where(told, self.first / np.where(told, self.observed, 1.0), before)

    def error_about(self, centres: Floats) -> float:
        """The sum of the squares of the rows about these centres, from the sums alone."""
        gained = 2.0 * (centres * self.first).sum() - (np.square(centres) * self.observed).sum()
        return max(float(self.squares - gained), 0.0)

    def has_rounded(self, error: float) -> bool:
        """Whether what moved may have left too few digits: of an error that is hardly anything beside the squares, as
        that of groups far apart is, or in the sums of a centre whose rows weigh hardly anything beside the others.
        """
        return error <= _CANCELS * self.squares or bool(self.weight.min() <= _LIGHT * self.weight.sum())


@dataclass(frozen=True)
class Pass:
    """What is done with a batch: pure, and can be sent."""

    centres: Floats  # (k, d)  about the origin
    origin: Floats  # (d,)
    complete: bool  # no row has a gap
    drift: Floats  # (k,)  how far the centres have moved since `known`
    known: Mapping[int, Known | Nearest] | None = None  # of the pass before; None: from nothing
    room: Mapping[int, Known | Nearest] | None = None  # of an earlier pass that nobody asks any more: may be written to
    anew: bool = False  # whether the sums are those of all rows, and not what those that moved change

    def __call__(self, rows: NumberedRows) -> Passed:
        before = None if self.known is None else self.known[rows.number]
        x = rows.x
        return self._bounded(rows, before) if _many(x, self.centres) else self._plain(rows, before)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "room": None}  # not worth sending

    @cached_property
    def _sought(self) -> Sought:
        return Sought.of(self.centres, self.complete, self.drift)

    def _bounded(self, rows: NumberedRows, before: Known | Nearest | None) -> Passed:
        weight = np.empty(0) if rows.weight is None else rows.weight
        bounds = before if isinstance(before, Known) else None
        room = None if self.room is None else self.room[rows.number]
        found = bounded_pass(
            frozen(rows.x),
            frozen(weight),
            self.origin,
            self._sought,
            bounds,
            room if isinstance(room, Known) else None,
            self.anew,
        )
        known, first, observed, count, moved, squares, error = found
        return Passed(first, observed, count, squares, error, moved, {rows.number: known})

    def _plain(self, rows: NumberedRows, before: Known | Nearest | None) -> Passed:
        x = about(rows.x, self.origin)
        n, k = x.shape[0], len(self.centres)
        labels = _nearest(x, self.centres)
        weight = np.ones(n) if rows.weight is None else rows.weight
        if before is None or self.anew:
            first, observed, count = _sums(x, labels, weight, k)
            own = own_squares(x, self.centres, labels)
            squares = float(weight @ own_squares(x, np.zeros((1, x.shape[1])), np.zeros(n, dtype=np.int64)))
            moved = 0 if before is None else int((labels != before.labels).sum())
            known = {rows.number: Nearest(labels)}
            return Passed(first, observed, count, squares, float(weight @ own), moved, known)
        at = np.flatnonzero(labels != before.labels)
        to = _sums(x[at], labels[at], weight[at], k)
        fro = _sums(x[at], before.labels[at], weight[at], k)
        first, observed, count = (a - b for a, b in zip(to, fro, strict=True))
        return Passed(first, observed, count, 0.0, 0.0, len(at), {rows.number: Nearest(labels)})


def labels_of(x: Any, centres: Floats, origin: Floats) -> Array:
    """The nearest centre of each row (n,), as a pass finds them; the centres are about the origin."""
    if not _many(x, centres):
        return _nearest(about(x, origin), centres)
    sought = Sought.of(centres, not np.isnan(x).any(), np.zeros(len(centres)))
    return bounded_pass(frozen(x), np.empty(0), origin, sought, None).known.labels


def _many(x: Any, centres: Floats) -> bool:
    """Whether rows are worth the kernel with bounds."""
    return not hasattr(x, "indptr") and x.size > FEW and len(centres) > 1


def _nearest(x: Matrix, centres: Floats) -> Array:
    """The nearest centre of each row (n,), the first of equally near ones; block by block."""
    size = max(1, (1 << 22) // max(1, len(centres)))
    parts = [nearest(x[at : at + size], centres) for at in range(0, max(x.shape[0], 1), size)]
    return np.concatenate(parts).astype(np.int32)


def _sums(x: Any, labels: Ints | Array, weight: Floats, k: int) -> tuple[Floats, Floats, Floats]:
    """Sums of w x and of w over observed cells (k, d), and of w over rows (k,)."""
    from scipy.sparse import csr_matrix

    n, d = x.shape
    member = csr_matrix((weight, (labels, np.arange(n))), shape=(k, n))
    count = np.bincount(labels, weights=weight, minlength=k).astype(np.float64, copy=False)
    if hasattr(x, "indptr"):
        return (member @ x).toarray(), np.repeat(count[:, None], d, axis=1), count
    missing = np.isnan(x)
    if not missing.any():
        return member @ x, np.repeat(count[:, None], d, axis=1), count
    return member @ np.where(missing, 0.0, x), member @ (~missing).astype(np.float64), count
