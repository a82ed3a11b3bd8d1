"""The nearest of k centres for every row, with bounds that spare the search; and centres that move row by row.

Bounds after Hamerly (Making k-means even faster, 2010): `upper` is at least the distance of a row to its own centre,
`lower` at most that to every other one. When centres move, the bounds move by as much; a row whose upper bound stays
below its lower one, or below half the distance from its centre to the next one, keeps its centre without a look at it.
Rows for which this does not tell are gathered and compared with all centres by one matrix product.

All rows are taken about an origin near the data, so that products do not cancel; where two centres are within rounding
of each other the distances are computed from differences, and the first centre of equally near ones wins.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats
from likely.numeric.jit import kernel

_GATHERED = 256  # rows compared with all centres at a time: they and their products stay in cache
_SURE = 1.0 + 1e-12  # more than the rounding of a bound that was moved many times
_NO_NAN = {"contract", "reassoc", "nsz", "nnan"}  # rows with missing cells never come here


def bounded_pass(
    x: Array,
    weight: Array,
    centres: Floats,
    origin: Floats,
    drift: Floats,
    before: tuple[Array, Floats, Floats] | None,
) -> tuple[Array, Floats, Floats, Floats, Floats, int]:
    """One pass over complete rows x (n, d): labels, upper and lower bounds, sums (k, d), weights (k,), rows that moved.

    `centres` (k, d) are about the origin, and so are the sums; `drift` (k,) is how far each has moved since `before`,
    the labels and bounds of the last pass. Without `before` the sums are those of all rows, otherwise what the rows
    that moved add to them and take away.
    """
    k, d = centres.shape
    n = len(x)
    known = before if before is not None else (np.empty(0, np.int32), np.empty(0), np.empty(0))
    own = np.ascontiguousarray(centres.T, dtype=x.dtype)
    half = (np.square(own, dtype=x.dtype).sum(axis=0) / 2).astype(x.dtype)
    away = distances_between(centres)
    np.fill_diagonal(away, np.inf)
    gap = away.min(axis=1) / 2
    most = drift.argmax() if k else 0
    others = np.full(k, drift.max(initial=0.0))
    others[most] = np.delete(drift, most).max(initial=0.0)
    size = float(np.square(centres).sum(axis=1).max(initial=0.0))
    fine = 1e-14 if x.dtype == np.float64 else 1e-5
    out = np.empty(n, np.int32), np.empty(n), np.empty(n)
    first, count, moved = np.zeros((k, d)), np.zeros(k), np.zeros(1, np.int64)
    work = np.empty((_GATHERED, d), x.dtype), np.empty((_GATHERED, k), x.dtype), np.empty(_GATHERED, np.int64)
    _bounded(
        x, weight, centres, own, half, origin, gap, drift, others, size, fine, *known, *out, first, count, moved, *work
    )
    return (*out, first, count, int(moved[0]))


def distances_between(centres: Floats) -> Floats:
    """Euclidean distances (k, k) of every pair of centres, from differences.

    >>> distances_between(np.array([[0.0, 0.0], [3.0, 4.0]]))
    array([[0., 5.],
           [5., 0.]])
    """
    return np.stack([np.sqrt(np.square(centres - centre).sum(axis=1)) for centre in centres])


@kernel(fastmath=_NO_NAN)
def _bounded(  # type: ignore[no-untyped-def]
    x, weight, centres, own, half, origin, gap, drift, others, size, fine,
    labels_before, upper_before, lower_before,
    labels, upper, lower, first, count, moved,
    gathered, scores, place,
):  # fmt: skip
    n, d, k = x.shape[0], x.shape[1], centres.shape[0]
    anew = labels_before.size == 0
    weighs = weight.size > 0
    i = 0
    while i < n:
        pending = 0
        while i < n and pending < gathered.shape[0]:
            tell = True
            if not anew:
                a = labels_before[i]
                up = upper_before[i] + drift[a]
                low = lower_before[i] - others[a]
                bound = low if low > gap[a] else gap[a]
                if up * _SURE >= bound:  # tighten, then look again
                    square = 0.0
                    for j in range(d):
                        away = x[i, j] - origin[j] - centres[a, j]
                        square += away * away
                    up = np.sqrt(square)
                if up * _SURE < bound:
                    labels[i], upper[i], lower[i] = a, up, low
                    tell = False
            if tell:
                for j in range(d):
                    gathered[pending, j] = x[i, j] - origin[j]
                place[pending] = i
                pending += 1
            i += 1
        if pending == 0:
            continue
        np.dot(gathered[:pending], own, scores[:pending])
        for p in range(pending):
            row = place[p]
            length = 0.0
            for j in range(d):
                length += gathered[p, j] * gathered[p, j]
            for c in range(k):
                scores[p, c] = half[c] - scores[p, c]
            least = scores[p, 0]
            for c in range(k):
                least = scores[p, c] if scores[p, c] < least else least
            best = 0
            while scores[p, best] != least and best < k - 1:
                best += 1
            scores[p, best] = np.inf
            next_best = scores[p, 0]
            for c in range(k):
                next_best = scores[p, c] if scores[p, c] < next_best else next_best
            if next_best - least <= fine * (length + size):  # within rounding: by differences
                smallest, after = np.inf, np.inf
                for c in range(k):
                    square = 0.0
                    for j in range(d):
                        away = x[row, j] - origin[j] - centres[c, j]
                        square += away * away
                    if square < smallest:
                        after = smallest
                        smallest = square
                        best = c
                    elif square < after:
                        after = square
                upper[row], lower[row] = np.sqrt(smallest), np.sqrt(after)
            else:
                square = 0.0
                for j in range(d):
                    away = x[row, j] - origin[j] - centres[best, j]
                    square += away * away
                upper[row] = np.sqrt(square)
                after = length + 2.0 * next_best - fine * (length + size)
                lower[row] = np.sqrt(after) if after > 0.0 else 0.0
            labels[row] = best
            w = weight[row] if weighs else 1.0
            if anew:
                count[best] += w
                for j in range(d):
                    first[best, j] += w * (x[row, j] - origin[j])
            elif labels_before[row] != best:
                a = labels_before[row]
                moved[0] += 1
                count[best] += w
                count[a] -= w
                for j in range(d):
                    part = w * (x[row, j] - origin[j])
                    first[best, j] += part
                    first[a, j] -= part


@kernel
def run_through(x, weight, centres, count, labels):  # type: ignore[no-untyped-def]
    """Row after row to its nearest centre, which moves towards it at once: m <- m + (x - m) w / n, cell by cell.

    `centres` (k, d) and `count` (k, d), what the observed cells of each have weighed so far, are changed; `labels` (n,)
    are filled in. The first row of a centre that has weighed nothing takes its place. A missing cell (NaN) has no say.
    Returned is the sum of the squares of the rows about the centres that they found.
    """
    weighs = weight.size > 0
    total = 0.0
    for i in range(x.shape[0]):
        least, best = np.inf, 0
        for c in range(centres.shape[0]):
            square = 0.0
            for j in range(x.shape[1]):
                if x[i, j] == x[i, j]:
                    square += (x[i, j] - centres[c, j]) ** 2
            if square < least:
                least, best = square, c
        labels[i] = best
        w = weight[i] if weighs else 1.0
        total += w * least
        if w > 0.0:
            for j in range(x.shape[1]):
                if x[i, j] == x[i, j]:
                    count[best, j] += w
                    centres[best, j] += (x[i, j] - centres[best, j]) * (w / count[best, j])
    return total
