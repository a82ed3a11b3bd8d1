"""Sums of x - origin and its square, per class, in one pass over the rows.

The row loop vectorises over the features. Each kernel comes without and with missing cells (NaN): the first is
half as fast again, and its sums become NaN when a cell is missing, which is how the caller finds out.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import FEW, kernel

_MOST = 5  # values that have a say in an origin


def central_values(x: Array, labels: Array, weight: Array, k: int) -> Floats:
    """An origin near the data (k, d): the median of the five heaviest observed values, of the first five among equals.

    The median is by weight, so a row that outweighs the others is the origin itself, and a single wild value of no
    particular weight is not. An empty `weight` means that every row weighs 1; a row without weight is absent.
    """
    if len(x) == 0:
        return np.zeros((k, x.shape[1]))
    heaviest_rows = _heaviest_of_few if x.size <= FEW else _heaviest_rows
    held = heaviest_rows(x, labels, weight, k)
    there = held >= 0
    value = np.where(there, x[held, np.arange(x.shape[1])[:, None]], np.inf)
    share = np.where(there, np.abs(weight[held]) if weight.size else 1.0, 0.0)
    order = np.argsort(value, axis=2, kind="stable")
    below = np.cumsum(np.take_along_axis(share, order, axis=2), axis=2)
    middle = np.argmax(2.0 * below >= np.cumsum(share, axis=2)[:, :, -1:], axis=2)[:, :, None]
    origin = np.take_along_axis(value, np.take_along_axis(order, middle, axis=2), axis=2)
    return np.where(there[:, :, 0], origin[:, :, 0], 0.0).astype(np.float64, copy=False)


def _heaviest_of_few(x: Array, labels: Array, weight: Array, k: int) -> Ints:
    """What `_heaviest_rows` finds, by sorting."""
    heaviness = np.abs(weight) if weight.size else np.ones(len(x))
    rows = np.flatnonzero((labels >= 0) & (heaviness > 0.0))
    rows = rows[np.lexsort((-heaviness[rows], labels[rows]))]
    begin = np.searchsorted(labels[rows], np.arange(k + 1))
    place = begin[:-1, None] + np.arange(_MOST)
    first = np.where(place < begin[1:, None], np.append(rows, -1)[np.minimum(place, len(rows))], -1)
    if not np.isnan(x[first]).any():
        return np.repeat(first[:, None], x.shape[1], axis=1)
    seen = ~np.isnan(x[rows])
    upto = np.cumsum(seen, axis=0)
    before = np.vstack([np.zeros((1, x.shape[1]), np.int64), upto])[begin[:-1]]
    rank = upto - before[labels[rows]] - 1  # among the observed of its class
    at, j = np.nonzero(seen & (rank < _MOST))
    held = np.full((k, x.shape[1], _MOST), -1)
    held[labels[rows[at]], j, rank[at, j]] = rows[at]
    return held


@kernel(
    makes=lambda x, labels, weight, k: (np.full((k, x.shape[1], _MOST), -1, np.int32),),
    scratch=lambda x, labels, weight, k: (np.zeros(k),),
)
def _heaviest_rows(x, labels, weight, k, held, least):  # type: ignore[no-untyped-def]
    """The rows with the five heaviest values (k, d, 5) of each class and feature, the heaviest first, -1 for none.

    `least` (k,) is what a row must outweigh to be held for some feature of its class.
    """
    weighs = weight.size > 0
    unfinished = k if x.shape[1] > 0 else 0
    for i in range(x.shape[0]):
        if unfinished == 0:
            break
        c = labels[i]
        w = abs(weight[i]) if weighs else 1.0
        if c < 0 or not w > least[c]:
            continue
        lightest = np.inf
        for j in range(x.shape[1]):
            rows = held[c, j]
            if x[i, j] == x[i, j]:
                place = _MOST
                while place > 0 and (rows[place - 1] < 0 or (weighs and abs(weight[rows[place - 1]]) < w)):
                    place -= 1
                    if place + 1 < _MOST:
                        rows[place + 1] = rows[place]
                if place < _MOST:
                    rows[place] = i
            last = rows[_MOST - 1]
            u = 0.0 if last < 0 else abs(weight[last]) if weighs else 1.0
            lightest = u if u < lightest else lightest
        least[c] = lightest
        if not weighs and lightest > 0.0:
            unfinished -= 1


@kernel(makes=lambda x, labels, origin: (np.zeros(len(origin), np.int64), *np.zeros((2, *origin.shape))))
def complete_moments(x, labels, origin, rows, first, second):  # type: ignore[no-untyped-def]
    """Count, first and second sums where no cell is missing."""
    n, d = x.shape
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        rows[c] += 1
        row = x[i]
        near = origin[c]
        one = first[c]
        two = second[c]
        for j in range(d):
            v = row[j] - near[j]
            one[j] += v
            two[j] += v * v


@kernel(makes=lambda x, labels, origin: (np.zeros(origin.shape, np.int64), *np.zeros((2, *origin.shape))))
def observed_moments(x, labels, origin, count, first, second):  # type: ignore[no-untyped-def]
    """Count per cell, first and second sums over the observed cells."""
    n, d = x.shape
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        row = x[i]
        near = origin[c]
        for j in range(d):
            v = row[j] - near[j]
            seen = v == v
            v = v if seen else 0.0
            count[c, j] += 1 if seen else 0
            first[c, j] += v
            second[c, j] += v * v


@kernel(makes=lambda x, labels, weight, origin: (*np.zeros((3, *origin.shape)),))
def weighted_moments(x, labels, weight, origin, count, first, second):  # type: ignore[no-untyped-def]
    """Sums of w, w (x - origin), w (x - origin)^2 over the observed cells."""
    n, d = x.shape
    for i in range(n):
        c = labels[i]
        w = weight[i]
        if c < 0 or w == 0.0:
            continue
        row = x[i]
        near = origin[c]
        for j in range(d):
            v = row[j] - near[j]
            seen = v == v
            v = v if seen else 0.0
            count[c, j] += w if seen else 0.0
            first[c, j] += w * v
            second[c, j] += w * v * v


@kernel(makes=lambda x, shares, origin: (*np.zeros((3, *origin.shape)),))
def shared_moments(x, shares, origin, count, first, second):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k)."""
    n, d = x.shape
    k = origin.shape[0]
    for i in range(n):
        row = x[i]
        for c in range(k):
            w = shares[i, c]
            if w == 0.0:
                continue
            near = origin[c]
            for j in range(d):
                v = row[j] - near[j]
                seen = v == v
                v = v if seen else 0.0
                count[c, j] += w if seen else 0.0
                first[c, j] += w * v
                second[c, j] += w * v * v


@kernel(makes=lambda x, labels, weight, origin, reach, columns: (np.zeros(len(x), np.bool_),))
def beyond(x, labels, weight, origin, reach, columns, out):  # type: ignore[no-untyped-def]
    """Which rows (n,) have a cell in some columns that is further than `reach` (k, d) from the origin of its class."""
    weighs = weight.size > 0
    for i in range(x.shape[0]):
        c = labels[i]
        if c < 0 or (weighs and weight[i] == 0.0):
            continue
        for j in range(columns.size):
            at = columns[j]
            if abs(x[i, at] - origin[c, at]) > reach[c, at]:
                out[i] = True
                break
