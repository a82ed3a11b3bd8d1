"""The nearest of k centres for every row, with bounds that spare the search.

Bounds after Hamerly (Making k-means even faster, 2010): `upper` is at least the distance of a row to its own centre,
`lower` at most that to every other one. When centres move, the bounds move by as much; a row whose upper bound stays
below its lower one, or below half the distance from its centre to the next one, keeps its centre without a look at it.

Most of the time a few centres move far and the others hardly at all. So there are two lower bounds: `near` for a few
centres, the movers, and `lower` for the rest. Rows for which the bounds do not tell are first compared with the movers;
only where that does not tell either, with all. Both are matrix products of blocks of rows with centres, of which
the two nearest centres are read off, row beside row. Which centres are the movers is decided for each batch of rows,
by what it would cost: those of the pass before, or those that have moved most since.

Distances are over the cells that a row has: these bounds hold for them too, since no centre moves farther in some of
the cells than in all; half the distance between two centres tells nothing then. Rows are taken about an origin near
the data, so that products do not cancel; where two centres are within rounding of each other the distances are computed
from differences, and the first centre of equally near ones wins.
"""

from typing import Any, NamedTuple

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.jit import REORDER, kernel

_BLOCK = 1 << 14  # products of a block of rows with all centres: they stay in cache
_STRETCH = 8192  # rows that are looked at together
_SURE = 1.0 + 1e-12  # more than the rounding of a bound that was moved many times
_GATHERING = 12.0  # centres whose products cost as much as gathering a row
_MOST = 0.9  # of the rows: where bounds tell nothing of so many, they are not asked
_SAMPLE = 1024  # rows by which costs are judged


class Known(NamedTuple):
    """What a pass leaves of rows."""

    labels: Array  # (n,) int32
    upper: Floats  # (n,)  at least the distance to the own centre
    near: Floats  # (n,)  at most the distance to any other of the movers
    lower: Floats  # (n,)  at most the distance to any other of the rest
    movers: Array  # (m,) int32


class Sought(NamedTuple):
    """Centres as a pass looks for them."""

    centres: Floats  # (k, d)  about the origin
    whole: bool  # no row has a gap
    drift: Floats  # (k,)  how far each has moved since the last pass
    others: Floats  # (k,)  the farthest that any other has moved
    gap: Floats  # (k,)  half the distance to the next centre; 0 if there are gaps

    @classmethod
    def of(cls, centres: Floats, whole: bool, drift: Floats) -> "Sought":
        others = np.full(len(drift), drift.max(initial=0.0))
        farthest = int(drift.argmax())
        others[farthest] = np.delete(drift, farthest).max(initial=0.0)
        away = distances_between(centres) if whole else np.zeros((len(drift), len(drift)))
        np.fill_diagonal(away, np.inf)
        return cls(centres, whole, drift, others, away.min(axis=1) / 2)


class Found(NamedTuple):
    """What a pass over rows has found."""

    known: Known
    first: Floats  # (k, d)  sums of w x about the origin
    observed: Floats  # (k, d)  sums of w over the observed cells
    weight: Floats  # (k,)  sums of w over the rows
    moved: int  # rows that have another centre than before
    squares: float  # sum of w x^2; from nothing only
    error: float  # sum of w times the squared distances to the own centres; from nothing only


def bounded_pass(x: Array, weight: Array, origin: Floats, sought: Sought, before: Known | None) -> Found:
    """One pass over rows x (n, d), from what the last one has left of them or from nothing.

    From nothing the sums are those of all rows, otherwise what the rows that moved add to them and take away.
    """
    (n, d), k = x.shape, len(sought.centres)
    anew = before is None
    known = before or Known(np.empty(0, np.int32), np.empty(0), np.empty(0), np.empty(0), np.empty(0, np.int32))
    movers, kept, asked = (known.movers, False, False) if anew else _plan(sought, known)
    order, table, half = _table(sought, movers, x.dtype)
    rest = np.delete(sought.drift, movers).max(initial=0.0)
    falls = sought.drift[movers].max(initial=0.0), rest
    size = 2.0 * float(np.square(sought.centres).sum(axis=1).max())
    fine = max(1e-14 if x.dtype == np.float64 else 1e-5, 4.0 * np.sqrt(table.shape[1]) * np.finfo(x.dtype).eps)
    out = np.empty(n, np.int32), np.empty(n), np.empty(n), np.empty(n)
    sums = np.zeros((k, d)), np.zeros((k, d)), np.zeros(k), np.zeros(3)
    rows = min(max(_BLOCK // k, 32), 256)
    work = np.zeros((rows, table.shape[1]), x.dtype), np.empty((len(order), rows), x.dtype)
    each = [np.zeros(rows, kind) for kind in (np.int32, np.int32, x.dtype, x.dtype, *[np.float64] * 6)]
    _bounded(
        x, weight, origin, sought.centres, sought.whole, order, table, half, sought.drift, sought.others, sought.gap,
        asked, kept, len(movers), *falls, size, fine, *known[:4], *out, *sums,
        np.empty(min(n, _STRETCH), np.int64), np.empty(min(n, _STRETCH), np.bool_), *work, *each,
    )  # fmt: skip
    first, observed, total, told = sums
    if sought.whole:
        observed = np.repeat(total[:, None], d, axis=1)
    return Found(Known(*out, movers), first, observed, total, int(told[0]), float(told[1]), float(told[2]))


def distances_between(centres: Floats) -> Floats:
    """Euclidean distances (k, k) of every pair of centres, from differences.

    >>> distances_between(np.array([[0.0, 0.0], [3.0, 4.0]]))
    array([[0., 5.],
           [5., 0.]])
    """
    size = max(1, (1 << 20) // max(1, centres.size))
    parts = [centres[at : at + size, None] - centres for at in range(0, len(centres), size)]
    return np.concatenate([np.sqrt(np.einsum("abj,abj->ab", part, part)) for part in parts])


def _plan(sought: Sought, known: Known) -> tuple[Array, bool, bool]:
    """Which centres are the movers, whether they are those of before, and whether bounds are asked at all."""
    k, drift = len(sought.drift), sought.drift
    some = slice(None, None, max(1, len(known.labels) // _SAMPLE))
    labels, upper, near, lower, movers = (*(each[some] for each in known[:4]), known.movers)
    upper = upper + drift[labels]
    order, counts = np.argsort(-drift, kind="stable").astype(np.int32), np.arange(0, k, 2)
    room = np.sort(np.minimum(near, lower) - upper)
    unsure = np.searchsorted(room, drift[order[counts]], side="right") / len(room)  # of all but so many of the first
    cost = unsure[0] * (counts + _GATHERING) + unsure * (k + _GATHERING)
    cost[0] = unsure[0] * (k + _GATHERING)
    best = int(cost.argmin())
    if len(movers):
        far = lower - np.delete(drift, movers).max() <= upper
        any_near = far | (near - drift[movers].max() <= upper)
        if any_near.mean() * (len(movers) + _GATHERING) + far.mean() * (k + _GATHERING) <= cost[best]:
            return movers, True, True
    return order[: counts[best]], False, bool(best or unsure[0] < _MOST)


def _table(sought: Sought, movers: Array, dtype: Any) -> tuple[Array, Array, Array]:
    """Numbers of the centres with the movers first, with what rows are multiplied, and half the squared lengths.

    They are made an even number, since two are read at a time; the last may be infinitely far.
    """
    k = len(sought.centres)
    order = np.concatenate([movers, np.delete(np.arange(k), movers), np.zeros(k % 2)]).astype(np.int32)
    table = sought.centres[order]
    half = np.square(table).sum(axis=1) / 2
    if not sought.whole:  # the squares of a centre over the cells that a row has, beside the products with them
        table, half = np.concatenate([table, -np.square(table) / 2], axis=1), np.zeros(len(order))
    half[k:] = np.inf
    return order, table.astype(dtype), half.astype(dtype)


@kernel(fastmath=REORDER)
def _bounded(  # type: ignore[no-untyped-def]
    x, weight, origin, centres, whole, order, table, half, drift, others, gap,
    asked, kept, movers, fall_near, fall, size, fine, labels_before, upper_before, near_before, lower_before,
    labels, upper, near, lower, first, observed, total, told,
    rows, sure, block, scores, own, best, least, later, length, to_best, past_best, past_next, to_own, past_own,
):  # fmt: skip
    n, width = x.shape[0], block.shape[0]
    start = 0
    while start < n:
        stop = start + rows.shape[0] if start + rows.shape[0] < n else n
        unsure = 0
        if asked:
            for i in range(start, stop):
                a = np.uint32(labels_before[i])  # never counted from the end
                up, close, low = upper_before[i] + drift[a], near_before[i], lower_before[i]
                both = (low if low < close else close) - others[a]
                close = close - fall_near if kept else both
                low = low - fall if kept else both
                labels[i], upper[i], near[i], lower[i] = labels_before[i], up, close, low
                low = low if low < close else close
                sure[i - start] = up * _SURE < (low if low > gap[a] else gap[a])
        for i in range(start, stop):
            rows[unsure] = i
            unsure += 0 if asked and sure[i - start] else 1
        left = unsure
        if movers > 0:
            left = 0
            for at in range(0, unsure, width):
                count = unsure - at if unsure - at < width else width
                _gather(x, rows, at, count, origin, whole, block, length)
                for p in range(count):
                    own[p] = labels_before[rows[at + p]]
                _to_own(block, count, whole, centres, own, to_own)
                np.dot(table[:movers], block.T, scores[:movers])
                _two_least(scores, half, order, movers, own, best, least, later)
                for p in range(width):
                    slack = fine * (length[p] + size)
                    square, low = length[p] + 2.0 * least[p], length[p] + 2.0 * later[p] - slack
                    to_best[p] = np.sqrt(square + slack if square + slack > 0.0 else 0.0)
                    past_best[p] = np.sqrt(square - slack if square > slack else 0.0)
                    past_next[p] = np.sqrt(low if low > 0.0 else 0.0)
                    past_own[p] = np.sqrt(to_own[p] - slack if to_own[p] > slack else 0.0)
                    to_own[p] = np.sqrt(to_own[p] + slack)
                for p in range(count):
                    i = rows[at + p]
                    low = lower_before[i] if kept or lower_before[i] < near_before[i] else near_before[i]
                    low -= fall
                    bound = low if low < past_best[p] else past_best[p]
                    after = past_next[p] if past_next[p] < past_own[p] else past_own[p]
                    if to_own[p] * _SURE < bound:
                        upper[i], near[i], lower[i] = to_own[p], past_best[p], low
                    elif to_best[p] * _SURE < (after if after < low else low):
                        labels[i], upper[i], near[i] = best[p], to_best[p], after
                        lower[i] = low if low < past_own[p] else past_own[p]
                    else:
                        rows[left] = i
                        left += 1
        for p in range(width):
            own[p] = -1
        for at in range(0, left, width):
            count = left - at if left - at < width else width
            _gather(x, rows, at, count, origin, whole, block, length)
            np.dot(table, block.T, scores)
            _two_least(scores, half, order, order.shape[0], own, best, least, later)
            for p in range(width):
                slack = fine * (length[p] + size)
                up, low = length[p] + 2.0 * least[p] + slack, length[p] + 2.0 * later[p] - slack
                to_best[p] = np.sqrt(up if up > 0.0 else 0.0)
                past_next[p] = np.sqrt(low if low > 0.0 else 0.0)
            for p in range(count):
                i = rows[at + p]
                labels[i], upper[i], near[i], lower[i] = best[p], to_best[p], past_next[p], past_next[p]
                if not to_best[p] < past_next[p]:  # within rounding
                    _by_differences(x, i, origin, centres, labels, upper, near, lower)
        if labels_before.shape[0] == 0:
            _add_all(x, start, stop, weight, origin, whole, centres, labels, upper, first, observed, total, told)
        else:
            _add_moved(x, start, stop, weight, origin, whole, labels_before, labels, first, observed, total, told)
        start = stop


@kernel(inner=True, fastmath=REORDER)
def _square(x, i, origin, centres, c):  # type: ignore[no-untyped-def]
    """The squared distance of a row to a centre, from differences."""
    square = 0.0
    for j in range(x.shape[1]):
        away = x[i, j] - origin[j] - centres[c, j]
        square += away * away if away == away else 0.0
    return square


@kernel(inner=True, fastmath=REORDER)
def _by_differences(x, i, origin, centres, labels, upper, near, lower):  # type: ignore[no-untyped-def]
    """The nearest centre of a row, the first of equally near ones."""
    least = later = np.inf
    for c in range(centres.shape[0]):
        square = _square(x, i, origin, centres, c)
        if square < least:
            later, least = least, square
            labels[i] = c
        elif square < later:
            later = square
    upper[i], near[i], lower[i] = np.sqrt(least), np.sqrt(later), np.sqrt(later)


@kernel(inner=True, fastmath=REORDER)
def _gather(x, rows, at, count, origin, whole, block, length):  # type: ignore[no-untyped-def]
    """Rows about the origin side by side, 0 for a missing cell and beside it whether it is there; and their squares."""
    d = x.shape[1]
    for p in range(count):
        i = rows[at + p]
        square = 0.0
        if whole:
            for j in range(d):
                about = x[i, j] - origin[j]
                block[p, j] = about
                square += about * about
        else:
            for j in range(d):
                about = x[i, j] - origin[j]
                there = about == about
                block[p, j] = about if there else 0.0
                block[p, d + j] = 1.0 if there else 0.0
                square += about * about if there else 0.0
        length[p] = square


@kernel(inner=True, fastmath=REORDER)
def _to_own(block, count, whole, centres, own, square):  # type: ignore[no-untyped-def]
    """The squared distance of gathered rows to their own centres."""
    d = centres.shape[1]
    for p in range(count):
        total = 0.0
        for j in range(d):
            away = block[p, j] - centres[own[p], j]
            away = away if whole or block[p, d + j] > 0.0 else 0.0
            total += away * away
        square[p] = total


@kernel(inner=True, fastmath=REORDER)
def _two_least(scores, half, order, k, own, best, least, later):  # type: ignore[no-untyped-def]
    """Of every column of half - scores the smallest entry, the number of its centre, and the next; `own` left out."""
    size = best.shape[0]
    none = least.dtype.type(np.inf)
    for p in range(size):
        best[p], least[p], later[p] = 0, none, none
    for c in range(0, k, 2):
        one, two, half_one, half_two = order[c], order[c + 1], half[c], half[c + 1]
        for p in range(size):
            here, there = half_one - scores[c, p], half_two - scores[c + 1, p]
            here = here if own[p] != one else none
            there = there if own[p] != two else none
            nearer = there < here
            low, high, number = (there, here, two) if nearer else (here, there, one)
            first = low < least[p]
            passed = least[p] if first else low
            high = high if high < passed else passed
            later[p] = high if high < later[p] else later[p]
            best[p] = number if first else best[p]
            least[p] = low if first else least[p]


@kernel(inner=True, fastmath=REORDER)
def _add_all(  # type: ignore[no-untyped-def]
    x, start, stop, weight, origin, whole, centres, labels, upper, first, observed, total, told
):
    """Add rows to the sums of their centres, and their squares about the origin and about their centres."""
    squares = error = 0.0
    for i in range(start, stop):
        c = labels[i]
        w = weight[i] if weight.shape[0] > 0 else 1.0
        square = own = 0.0
        for j in range(x.shape[1]):
            about = x[i, j] - origin[j]
            there = whole or about == about
            about = about if there else 0.0
            away = about - centres[c, j] if there else 0.0
            first[c, j] += w * about
            square += about * about
            own += away * away
        if not whole:
            for j in range(x.shape[1]):
                observed[c, j] += w if x[i, j] == x[i, j] else 0.0
        total[c] += w
        squares += w * square
        error += w * own
        upper[i] = np.sqrt(own)
    told[1] += squares
    told[2] += error


@kernel(inner=True, fastmath=REORDER)
def _add_moved(  # type: ignore[no-untyped-def]
    x, start, stop, weight, origin, whole, labels_before, labels, first, observed, total, told
):
    """Take rows that have another centre than before from the sums of one to those of the other."""
    for i in range(start, stop):
        fro, to = labels_before[i], labels[i]
        if fro == to:
            continue
        w = weight[i] if weight.shape[0] > 0 else 1.0
        for j in range(x.shape[1]):
            about = x[i, j] - origin[j]
            part = w * about if whole or about == about else 0.0
            first[to, j] += part
            first[fro, j] -= part
        if not whole:
            for j in range(x.shape[1]):
                part = w if x[i, j] == x[i, j] else 0.0
                observed[to, j] += part
                observed[fro, j] -= part
        total[to] += w
        total[fro] -= w
        told[0] += 1.0
