"""Sums of deviations and their squares in two words, where plain sums would lose what is forgotten later.

A plain sum rounds every addition to 2^-53 of its size. That is harmless while all values are of one size. But one value
1e10 times as far out as the others pushes all of their digits out of the sum of squares, and when it is forgotten they
do not come back. So of each batch

- a small one is summed in two words (see `two_words`) altogether;
- in a large one rows with a cell 2^10 times as far out as nine of ten others of its group are: deviations x - origin,
  their products and their sums, all in two words. The rest is summed plainly.

Sums of batches are added, moved to other origins and subtracted in two words. What can still be missing is the rounding
of the plain sums, about 2^-53 sqrt(n) of them: it is kept beside the sums (`error`).
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints, frozen
from likely.numeric.kernels.sums.moments import beyond
from likely.numeric.two_words import Words, one_word, plus, sums_by_group, times, two_sum

EPSILON = float(np.finfo(np.float64).eps)
SMALL = 4096  # cells, or products of cells, that are all summed in two words
_FAR = 1024.0  # times the deviation within which most are
_OF_TEN = 9  # of those that deviate at all
_SAMPLE = 128  # rows that say how far most are out
_MOST = 50_000_000  # products of far rows, beyond which they are summed plainly
_SHARE = 2.5e-13  # of the spread of all rows: what the rounding of shares can make of a group's own
_CHUNK = 1 << 19  # products at a time

Resum: TypeAlias = Callable[[Array], tuple[Floats, Floats]]  # plain first and second sums of the rows with these labels


class Grouped(NamedTuple):
    """Rows of some groups, and where they are summed about."""

    x: Array  # (n, d)
    labels: Array  # (n,)  negative: left out
    weight: Array | None  # (n,)
    origin: Floats  # (k, d)

    @property
    def counted(self) -> Array:
        """The rows that are in a group and have a weight (n,)."""
        here = self.labels >= 0
        return here if self.weight is None else here & (self.weight != 0)

    def labels_without(self, rows: Ints) -> Array:
        """The labels with some rows in no group."""
        labels = self.labels.copy()
        labels[rows] = -1
        return frozen(labels)

    def deviations(self, rows: Ints, columns: Array) -> Words:
        """Of some rows and columns, or of cells; zero where a cell is missing."""
        value = self.x[rows, columns].astype(np.float64)
        high, low = two_sum(value, -self.origin[self.labels[rows], columns])
        seen = ~np.isnan(high)
        return np.where(seen, high, 0.0), np.where(seen, low, 0.0)

    def weighted(self, deviations: Words, rows: Ints) -> Words:
        """Times the rows' weights; `rows` has as many axes as the deviations."""
        return deviations if self.weight is None else times(deviations, one_word(self.weight[rows]))


def moments(
    given: Grouped, count: Array, first: Floats, second: Floats, resum: Resum
) -> tuple[Words, Words, Words, Floats]:
    """Count, first and second sums (k, d) in two words, from the plain ones, and the plain part of the second."""
    number, one, two = (count, np.zeros(count.shape)), one_word(first), one_word(second)
    if given.x.size <= SMALL:
        rows = np.flatnonzero(given.counted)
        columns = np.arange(given.x.shape[1])
        i, j = np.repeat(rows, len(columns)), np.tile(columns, len(rows))
        if given.weight is not None:
            weight = np.where(np.isnan(given.x[i, j]), 0.0, given.weight[i])
            number = _sums_of_cells(given, one_word(weight), i, j)
        return (number, *_cell_sums(given, i, j), np.zeros(second.shape))
    rows = far_rows(given, second, d=1)
    if not len(rows):
        return number, one, two, second
    plain = resum(given.labels_without(rows))
    i, j = np.repeat(rows, second.shape[1]), np.tile(np.arange(second.shape[1]), len(rows))
    far = _cell_sums(given, i, j)
    return number, plus(one_word(plain[0]), far[0]), plus(one_word(plain[1]), far[1]), plain[1]


def far_rows(given: Grouped, squares: Floats, d: int) -> Ints:
    """The rows to be summed in two words; `squares` (k, d) are the plain sums, a cell is in `d` products."""
    n, columns = given.x.shape
    if n * columns * d <= SMALL:
        return np.flatnonzero(given.counted)
    reach = _FAR * _usual(given)
    least = 1.0
    if given.weight is not None:
        least = max(0.0, float(given.weight[given.counted].min(initial=np.inf)))
    with np.errstate(over="ignore", invalid="ignore"):
        suspect = np.flatnonzero(~(squares <= least * reach**2).all(axis=0))
    if not len(suspect):
        return suspect
    weight = frozen(np.empty(0)) if given.weight is None else given.weight
    rows = np.flatnonzero(beyond(given.x, given.labels, weight, given.origin, reach, suspect))
    return rows if len(rows) * columns * d <= _MOST else rows[:0]


def add_products(given: Grouped, rows: Ints, count: Array, one: Words, two: Words) -> Words:
    """Add the deviations of some rows to `one` (k, d, d) or (k, d, 1) and their products to `two` (k, d, d).

    Returns the count in two words, of a small batch whose rows are all given.
    """
    d = given.x.shape[1]
    own = given.labels[rows]
    everything = np.arange(d)
    short = one[0].shape[2] < d
    weighs = given.weight is not None and len(rows) == np.count_nonzero(given.counted)
    number = one_word(np.zeros(count.shape) if weighs else count)
    for c in np.unique(own):
        mine = rows[own == c]
        for some in np.array_split(mine, max(1, len(mine) * d * d // _CHUNK)):
            z = given.deviations(some[:, None], everything)
            high, rest = wz = _across(given.weighted(z, some[:, None]), 2)
            _add(two, c, times(wz, _across(z, 1)))
            seen = ~np.isnan(given.x[some])
            _add(one, c, wz if short else (high * seen[:, None, :], rest * seen[:, None, :]))
            if weighs and given.weight is not None:
                both = np.ones((len(some), 1, 1)) if short else seen[:, :, None] & seen[:, None, :]
                _add(number, c, one_word(both * given.weight[some, None, None]))
    return number


def plain_error(summed: Floats, count: Array) -> Floats:
    """How far plain sums of squares may be off."""
    return np.asarray(EPSILON * np.sqrt(1.0 + np.abs(count)) * np.abs(summed))


def shared_error(count: Floats, first: Floats, second: Floats, origin: Floats) -> Floats:
    """How far sums of squares (k, d) may be off whose rows are shared out among groups.

    A share is no sharper than the posterior that it is: far rows of which a group has next to nothing have an error
    of their share, by which the group's own spread is unknown.
    """
    everything = count.sum(axis=0)
    middle = first + count * (origin - origin[:1])  # about the first group's origin
    squares = second + (2 * first + count * (origin - origin[:1])) * (origin - origin[:1])
    total, total_squares = middle.sum(axis=0), squares.sum(axis=0)
    away = origin - origin[:1]
    about_own = total_squares - (2 * total - everything * away) * away
    share = count / np.where(everything > 0, everything, 1.0)
    return np.asarray(plain_error(second, count) + _SHARE * share * np.abs(about_own))


def grain(mean: Array) -> Floats:
    """The variance that the rounding of values of this size can make of equal ones."""
    return np.asarray(np.where(np.isfinite(mean), (4 * EPSILON * mean) ** 2, 0.0))


def _add(sums: Words, c: int, words: Words) -> None:
    shape = words[0].shape[1:]
    cells = int(np.prod(shape))
    place = np.tile(np.arange(cells), len(words[0]))
    found = sums_by_group((words[0].ravel(), words[1].ravel()), place, cells)
    whole = plus((sums[0][c], sums[1][c]), (found[0].reshape(shape), found[1].reshape(shape)))
    sums[0][c], sums[1][c] = whole


def _across(words: Words, axis: int) -> Words:
    return np.expand_dims(words[0], axis), np.expand_dims(words[1], axis)


def _cell_sums(given: Grouped, i: Ints, j: Ints) -> tuple[Words, Words]:
    """Sums of the deviations and squares of some cells (k, d)."""
    v = given.deviations(i, j)
    wv = given.weighted(v, i)
    return _sums_of_cells(given, wv, i, j), _sums_of_cells(given, times(wv, v), i, j)


def _sums_of_cells(given: Grouped, cells: Words, i: Ints, j: Ints) -> Words:
    k, d = given.origin.shape
    high, rest = sums_by_group(cells, given.labels[i].astype(np.int64) * d + j, k * d)
    return high.reshape(k, d), rest.reshape(k, d)


def _usual(given: Grouped) -> Floats:
    """Within which deviation (k, d) nine of ten cells of each group are, of those that deviate, in a sample of rows."""
    rows = np.flatnonzero(given.counted)
    rows = rows[:: max(1, len(rows) // _SAMPLE)]
    own = given.labels[rows]
    out = np.zeros(given.origin.shape)
    if not len(rows):
        return out
    away = np.abs(given.x[rows] - given.origin[own])
    away = np.where(np.isfinite(away), away, 0.0)
    order = np.argsort(own, kind="stable")
    groups, begin = np.unique(own[order], return_index=True)
    for c, mine in zip(groups, np.split(order, begin[1:]), strict=True):
        sizes = np.sort(away[mine], axis=0)
        still = np.count_nonzero(sizes == 0, axis=0)
        place = np.minimum(still + (len(mine) - still - 1) * _OF_TEN // 10, len(mine) - 1)
        out[c] = sizes[place, np.arange(sizes.shape[1])]
    return out
