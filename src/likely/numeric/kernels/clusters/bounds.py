"""The nearest of k centres for every row, with bounds that spare the search.

Bounds after Hamerly (Making k-means even faster, 2010): `upper` is at least the distance of a row to its own centre,
`lower` at most that to every other one. When centres move, the bounds move by as much; a row whose upper bound stays
below its lower one, or below half the distance from its centre to the next one, keeps its centre without a look at it.
Bounds are kept, in single precision, as they were when the row was last looked at, and what they have moved by since
stands with the centres: so a pass only reads them, and writes those of the rows that it looks at.

Most of the time a few centres move far and the others hardly at all. So there are two lower bounds: `near` for a few
centres, the movers, and `lower` for the rest. A row for which the bounds do not tell is first measured from its own
centre; where that does not tell, it is compared with the movers; only then with all. Which centres are the movers is
decided for each batch of rows, by what it would cost: those of the pass before, or those that have moved most since.

Distances are over the cells that a row has: these bounds hold for them too, since no centre moves farther in some of
the cells than in all; half the distance between two centres tells nothing then. Rows are taken about an origin near
the data, so that products do not cancel. Products are in single precision as long as these tell of nearly all rows;
where two centres are within rounding of each other the distances are computed from differences in double precision,
and the first centre of equally near ones wins. So the precision of the products never shows in what is found.
"""

from typing import Any, NamedTuple, Self

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.kernels.clusters.search import LANES, STRETCH, search

_BLOCK = 1 << 14  # products of a block of rows with all centres: they stay in cache
_GATHERING = 24.0  # centres whose products cost as much as gathering a row, and reading off its nearest
_OWN = 24.0  # the same of measuring it from its own centre
_SMALL, _LARGE = 1e-24, 1e24  # squared lengths of centres for which bounds are safe in single precision
_SAMPLE = 1024  # rows by which costs are judged
_CLOSE = 1 / 16  # of the rows: where single precision tells nothing of so many, products are in double


class Known(NamedTuple):
    """What a pass leaves of rows. A bound is now what is kept of it, and what its centres have moved by."""

    labels: Array  # (n,) int32
    bounds: Array  # (3, n)  upper, less the first of `moved`; near, and the second; lower, and the third
    movers: Array  # (m,) int32
    moved: Floats  # (3, k)  since the movers were chosen: `_moved` of every pass, added up
    single: bool  # whether products in single precision tell enough

    @classmethod
    def room(cls, n: int, kind: Any = np.float32) -> Self:
        """For what a pass finds of n rows, bounds in this precision."""
        return cls(np.empty(n, np.int32), np.empty((3, n), kind), np.empty(0, np.int32), np.empty((3, 0)), True)


class Sought(NamedTuple):
    """Centres as a pass looks for them."""

    centres: Floats  # (k, d)  about the origin
    whole: bool  # no row has a gap
    drift: Floats  # (k,)  how far each has moved since the last pass
    gap: Floats  # (k,)  half the distance to the next centre; 0 if there are gaps

    @classmethod
    def of(cls, centres: Floats, whole: bool, drift: Floats) -> "Sought":
        away = distances_between(centres) if whole else np.zeros((len(drift), len(drift)))
        np.fill_diagonal(away, np.inf)
        return cls(centres, whole, drift, away.min(axis=1) / 2)


class Found(NamedTuple):
    """What a pass over rows has found."""

    known: Known
    first: Floats  # (k, d)  sums of w x about the origin
    observed: Floats  # (k, d)  sums of w over the observed cells
    weight: Floats  # (k,)  sums of w over the rows
    moved: int  # rows that have another centre than before
    squares: float  # sum of w x^2; of all rows only
    error: float  # sum of w times the squared distances to the own centres; of all rows only


def bounded_pass(
    x: Array,
    weight: Array,
    origin: Floats,
    sought: Sought,
    before: Known | None,
    room: Known | None = None,
    anew: bool = False,
) -> Found:
    """One pass over rows x (n, d), from what the last one has left of them or from nothing.

    From nothing or `anew` the sums are those of all rows, otherwise what the rows that moved add to them and take away.
    What is found is written into `room`, of an earlier pass that nobody asks any more, if there is one: memory that
    is new to the process costs as much as the search of a late pass.
    """
    (n, d), k = x.shape, len(sought.centres)
    size = 2.0 * float(np.square(sought.centres).sum(axis=1).max())
    held = np.dtype(np.float32 if size == 0.0 or _SMALL < size < _LARGE else np.float64)
    out = room if room is not None and room.bounds.dtype == held else Known.room(n, held)
    if before is None:
        movers, asked, kept, single = out.movers[:0], False, False, _single_tells(x, origin, sought.centres)
        before = Known(out.labels[:0], np.empty((3, 0), held), movers, np.zeros((3, k)), single)
        anew = True
    elif before.bounds.dtype == held:
        movers, asked, kept = _plan(sought, before)
    else:
        movers, asked, kept = before.movers[:0], False, False
        before = before._replace(bounds=np.empty((3, 0), held))
    step = _moved(sought.drift, movers)
    past = before.moved + step if kept else before.moved
    moved = past if kept else np.zeros((3, k))
    kind = np.dtype(np.float32 if before.single else np.float64)
    scale = 2.0 ** -np.frexp(np.sqrt(size))[1] if 0.0 < size < np.inf else 1.0  # keeps single precision in its range
    order, table, half = _table(sought, movers, scale, kind)
    first, observed, total, told = np.zeros((k, d)), np.zeros((k, d)), np.zeros(k), np.zeros(4)
    rows = min(max(_BLOCK // k // LANES, 2), 16) * LANES
    work = np.zeros((rows, table.shape[1]), kind), np.empty(len(order) * rows, kind)
    each = [np.zeros(rows, one) for one in (np.int32, np.int32, kind, kind, *[np.float64] * 4)]
    search(
        x, weight, origin, sought.centres, sought.whole, order, table, half, sought.gap,
        asked, kept, anew, len(movers), scale, size, _rounding(table.shape[1], kind),
        before.labels, before.bounds, past, step, out.labels, out.bounds, moved, first, observed, total, told,
        np.empty(min(n, STRETCH), np.int64), np.empty(min(n, STRETCH), np.bool_), *work, *each,
    )  # fmt: skip
    if sought.whole:
        observed = np.repeat(total[:, None], d, axis=1)
    known = Known(out.labels, out.bounds, movers, moved, before.single and bool(told[3] <= _CLOSE * n))
    return Found(known, first, observed, total, int(told[0]), float(told[1]), float(told[2]))


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
    """Which centres are the movers, whether bounds are asked at all, and whether the movers are those of before."""
    k, drift = len(sought.drift), sought.drift
    some = slice(None, None, max(1, len(known.labels) // _SAMPLE))
    labels = known.labels[some]
    moved, falls = known.moved[:, labels], _moved(drift, known.movers)[:, labels]
    upper, near, lower = known.bounds[:, some]
    upper, near, lower = upper + moved[0] + falls[0], near - moved[1], lower - moved[2]
    order, counts = np.argsort(-drift, kind="stable").astype(np.int32), np.arange(0, k, 2)
    room = np.sort(np.minimum(near, lower) - upper)
    unsure = np.searchsorted(room, drift[order[counts]], side="right") / len(room)  # of all but so many of the first
    beside_all = k + _GATHERING
    cost = unsure[0] * (_OWN + counts + _GATHERING) + unsure * beside_all
    cost[0] = unsure[0] * (_OWN + beside_all)
    best = int(cost.argmin())
    far = lower - falls[2] <= upper
    any_near = far | (near - falls[1] <= upper)
    m = len(known.movers)
    keeping = any_near.mean() * (_OWN + (m + _GATHERING if m else 0.0)) + far.mean() * beside_all
    if keeping <= min(cost[best], beside_all):
        return known.movers, True, True
    if cost[best] < beside_all:
        return order[: counts[best]], True, False
    return order[:0], False, False


def _moved(drift: Floats, movers: Array) -> Floats:
    """By what bounds move (3, k) as the centres drift: the own one, the farthest other mover, and other of the rest."""
    return np.stack([drift, _others(drift, movers), _others(drift, np.delete(np.arange(len(drift)), movers))])


def _others(drift: Floats, some: Array) -> Floats:
    """The farthest that any of some centres but the own has moved (k,)."""
    out = np.full(len(drift), drift[some].max(initial=0.0))
    if len(some):
        farthest = some[drift[some].argmax()]
        out[farthest] = drift[some[some != farthest]].max(initial=0.0)
    return out


def _table(sought: Sought, movers: Array, scale: float, kind: Any) -> tuple[Array, Array, Array]:
    """Numbers of the centres with the movers first, with what rows are multiplied, and half the squared lengths.

    They are made an even number, since two are read at a time; the last may be infinitely far.
    """
    k = len(sought.centres)
    order = np.concatenate([movers, np.delete(np.arange(k), movers), np.zeros(k % 2)]).astype(np.int32)
    table = scale * sought.centres[order]
    half = np.square(table).sum(axis=1) / 2
    if not sought.whole:  # the squares of a centre over the cells that a row has, beside the products with them
        table, half = np.concatenate([table, -np.square(table) / 2], axis=1), np.zeros(len(order))
    half[k:] = np.inf
    return order, table.astype(kind), half.astype(kind)


def _rounding(width: int, kind: Any) -> float:
    """By how much a square may be wrong, as a share of the squared lengths of a row and of centres."""
    return float((width + 8) * np.finfo(kind).eps)  # twice the worst case of a product of so many numbers


def _single_tells(x: Array, origin: Floats, centres: Floats) -> bool:
    """Whether single precision tells which of the centres is the nearest, of nearly all of some rows."""
    some = np.nan_to_num(np.asarray(x[:: max(1, len(x) // 256)] - origin, dtype=np.float64))
    length, lengths = np.square(some).sum(axis=1), np.square(centres).sum(axis=1)
    two = np.partition(lengths - 2.0 * some @ centres.T, 1, axis=1)
    slack = _rounding(2 * x.shape[1], np.float32) * (length + 2.0 * lengths.max())
    return bool((two[:, 1] - two[:, 0] <= 2.0 * slack).mean() <= _CLOSE)
