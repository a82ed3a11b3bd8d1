"""The search of a pass of K-means: rows by their bounds, from their own centres, beside the movers, beside all.

The words are those of `bounds`, which says why. Bounds are written a little wide, for what they round to be safe.
"""

import numpy as np

from likely.numeric.jit import REORDER, kernel

STRETCH = 2048  # rows that are looked at together
LANES = 16  # rows are multiplied so many at a time, and room is for a multiple of them
_MORE, _LESS = 1.0 + 4e-7, 1.0 - 4e-7  # more than what a number in single precision is rounded by


@kernel(fastmath=REORDER)
def search(  # type: ignore[no-untyped-def]
    x, weight, origin, centres, whole, order, table, half, gap,
    asked, kept, anew, movers, scale, size, fine,
    labels_before, bounds_before, past, step, labels, bounds, moved, first, observed, total, told,
    rows, sure, block, scores, own, best, least, later, length, to_best, past_best, past_next,
):  # fmt: skip
    """Fill in labels and bounds, and what rows add to the sums."""
    n, width = x.shape[0], block.shape[0]
    upper, near, lower = bounds[0], bounds[1], bounds[2]
    gone, fell_near, fell = moved[0], moved[1], moved[2]
    upper_before, near_before, lower_before = bounds_before[0], bounds_before[1], bounds_before[2]
    back = 2.0 / (scale * scale)
    start = 0
    while start < n:
        stop = start + rows.shape[0] if start + rows.shape[0] < n else n
        left = 0
        if asked:
            for i in range(start, stop):
                a = np.uint32(labels_before[i])  # never counted from the end
                up, close, low = upper_before[i], near_before[i], lower_before[i]
                up_now, close_now, low_now = up + past[0, a], close - past[1, a], low - past[2, a]
                if not kept:  # what held for all others now holds for the movers, and for the rest
                    close_now = low_now if low_now < close_now else close_now
                    low_now = close_now - step[2, a]
                    close_now, up_now = close_now - step[1, a], up_now + step[0, a]
                least_now = low_now if low_now < close_now else close_now
                labels[i] = labels_before[i]
                upper[i] = up if kept else up_now * _MORE
                near[i] = close if kept else close_now * _LESS
                lower[i] = low if kept else low_now * _LESS
                sure[i - start] = up_now < (least_now if least_now > gap[a] else gap[a]) and not anew
        for i in range(start, stop):
            rows[left] = i
            left += 0 if asked and sure[i - start] else 1
        if asked:
            left = _from_own(x, rows, left, origin, centres, gap, labels, upper, near, lower, gone, fell_near, fell)
        unsure = left
        if movers > 0:
            left = 0
            for at in range(0, unsure, width):
                count = unsure - at if unsure - at < width else width
                _gather(x, rows, at, count, origin, whole, scale, block, length)
                for p in range(count):
                    own[p] = labels[rows[at + p]]
                wide = (count + LANES - 1) // LANES * LANES
                products = scores[: movers * wide].reshape(movers, wide)
                np.dot(table[:movers], block[:wide].T, products)
                _two_least(products, half, order, own, best, least, later)
                for p in range(count):
                    slack = fine * (length[p] + size)
                    square, low = length[p] + back * least[p], length[p] + back * later[p] - slack
                    to_best[p] = np.sqrt(square + slack if square + slack > 0.0 else 0.0)
                    past_best[p] = np.sqrt(square - slack if square > slack else 0.0)
                    past_next[p] = np.sqrt(low if low > 0.0 else 0.0)
                for p in range(count):
                    i = rows[at + p]
                    a = labels[i]
                    to_own, low = upper[i] + gone[a], lower[i] - fell[a]
                    if to_own < (low if low < past_best[p] else past_best[p]):
                        near[i] = (past_best[p] + fell_near[a]) * _LESS
                        continue
                    past_own = to_own * _LESS * _LESS - gone[a] * (_MORE - _LESS)
                    low = low if low < past_own else past_own
                    close = past_next[p] if past_next[p] < low else low
                    if to_best[p] * _MORE < close:
                        b = best[p]
                        labels[i], upper[i] = b, to_best[p] * _MORE - gone[b] * _LESS
                        near[i], lower[i] = (close + fell_near[b]) * _LESS, (low + fell[b]) * _LESS
                    else:
                        rows[left] = i
                        left += 1
        for p in range(width):
            own[p] = -1
        for at in range(0, left, width):
            count = left - at if left - at < width else width
            _gather(x, rows, at, count, origin, whole, scale, block, length)
            wide = (count + LANES - 1) // LANES * LANES
            products = scores[: order.shape[0] * wide].reshape(order.shape[0], wide)
            np.dot(table, block[:wide].T, products)
            _two_least(products, half, order, own, best, least, later)
            for p in range(count):
                slack = fine * (length[p] + size)
                up, low = length[p] + back * least[p] + slack, length[p] + back * later[p] - slack
                to_best[p] = np.sqrt(up if up > 0.0 else 0.0)
                past_next[p] = np.sqrt(low if low > 0.0 else 0.0)
            for p in range(count):
                i = rows[at + p]
                b, up, low = best[p], to_best[p], past_next[p]
                if not up < low:  # within rounding
                    b, up, low = _by_differences(x, i, origin, centres)
                    told[3] += 1.0
                labels[i], upper[i] = b, up * _MORE - gone[b] * _LESS
                near[i], lower[i] = (low + fell_near[b]) * _LESS, (low + fell[b]) * _LESS
        others = 0
        if labels_before.shape[0] > 0:
            for i in range(start, stop):
                others += 1 if labels_before[i] != labels[i] else 0
        told[0] += others
        if anew:
            _add_all(x, start, stop, weight, origin, whole, centres, labels, upper, gone, first, observed, total, told)
        elif others > 0:
            _add_moved(x, start, stop, weight, origin, whole, labels_before, labels, first, observed, total)
        start = stop


@kernel(inner=True, fastmath=REORDER)
def _from_own(  # type: ignore[no-untyped-def]
    x, rows, count, origin, centres, gap, labels, upper, near, lower, gone, fell_near, fell
):
    """Measure rows from their own centres; those for which that does not tell remain, and how many they are."""
    left = 0
    for p in range(count):
        i = rows[p]
        a = labels[i]
        up = np.sqrt(_square(x, i, origin, centres, a)) * _MORE
        upper[i] = up - gone[a] * _LESS
        close, low = near[i] - fell_near[a], lower[i] - fell[a]
        low = low if low < close else close
        rows[left] = i
        left += 0 if up < (low if low > gap[a] else gap[a]) else 1
    return left


@kernel(inner=True, fastmath=REORDER)
def _square(x, i, origin, centres, c):  # type: ignore[no-untyped-def]
    """The squared distance of a row to a centre, from differences."""
    square = 0.0
    for j in range(x.shape[1]):
        away = x[i, j] - origin[j] - centres[c, j]
        square += away * away if away == away else 0.0
    return square


@kernel(inner=True, fastmath=REORDER)
def _by_differences(x, i, origin, centres):  # type: ignore[no-untyped-def]
    """The nearest centre of a row, the first of equally near ones, and how far it and the next are."""
    least = later = np.inf
    best = np.int32(0)
    for c in range(centres.shape[0]):
        square = _square(x, i, origin, centres, c)
        if square < least:
            later, least = least, square
            best = np.int32(c)
        elif square < later:
            later = square
    return best, np.sqrt(least), np.sqrt(later)


@kernel(inner=True, fastmath=REORDER)
def _gather(x, rows, at, count, origin, whole, scale, block, length):  # type: ignore[no-untyped-def]
    """Rows about the origin side by side, 0 for a missing cell and beside it whether it is there; and their squares."""
    d = x.shape[1]
    for p in range(count):
        i = rows[at + p]
        square = 0.0
        if whole:
            for j in range(d):
                about = x[i, j] - origin[j]
                block[p, j] = scale * about
                square += about * about
        else:
            for j in range(d):
                about = x[i, j] - origin[j]
                there = about == about
                block[p, j] = scale * about if there else 0.0
                block[p, d + j] = 1.0 if there else 0.0
                square += about * about if there else 0.0
        length[p] = square


@kernel(inner=True, fastmath=REORDER)
def _two_least(scores, half, order, own, best, least, later):  # type: ignore[no-untyped-def]
    """Of every column of half - scores the smallest entry, the number of its centre, and the next; `own` left out."""
    k, size = scores.shape
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
    x, start, stop, weight, origin, whole, centres, labels, upper, gone, first, observed, total, told
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
        upper[i] = np.sqrt(own) * _MORE - gone[c] * _LESS
    told[1] += squares
    told[2] += error


@kernel(inner=True, fastmath=REORDER)
def _add_moved(  # type: ignore[no-untyped-def]
    x, start, stop, weight, origin, whole, labels_before, labels, first, observed, total
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
