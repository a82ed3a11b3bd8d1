"""Rows of a block brought together by class, ready for one matrix product per class.

A counting sort writes z = x - origin[class] into a buffer in which the rows of each class are neighbours: class c
holds the rows begin[c] to begin[c + 1]. Its sum of outer products is then a single product of matrices,

    sum z z' = Z' Z

which runs at the speed of the hardware. With missing cells the buffer is twice as wide: z (zero where missing) and
beside it the mask m of observed cells, whose products give every sum over complete pairs at once:

    [Z M]' [Z M] = [ sum z_i z_j   sum z_i m_j ]
                   [ sum m_i z_j   sum m_i m_j ]
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import FEW, kernel

_ROWS = 1024  # of a block at least,
_CACHED = 2**16  # and numbers, half a megabyte: they stay in a core's own cache until they are multiplied
_HALVED = 64  # columns, beyond which to make one half of a product is worth more than to stay out of the interpreter


def gather(
    x: Array,
    labels: Array,
    weight: Array,
    origin: Floats,
    start: int,
    stop: int,
    rows: Floats,
    weighted: Floats,
    begin: Ints,
    first: Floats,
) -> None:
    """Sort the rows `start` to `stop` into `rows`; rows without class or weight are left out.

    An empty `weight` means that every row weighs 1, and `weighted`, the rows times their weight, is not written.
    Without masks, `first` (k, d) grows by the sums of w z, and is NaN from then on where a cell was missing.
    """
    if x.size > FEW or weight.size:
        _gather(x, labels, weight, origin, start, stop, rows, weighted, begin, first)
        return
    own = labels[start:stop]
    order = start + np.argsort(own, kind="stable")[np.count_nonzero(own < 0) :]
    k, d = origin.shape
    begin[:] = np.searchsorted(labels[order], np.arange(k + 1))
    z = x[order] - origin[labels[order]]
    if rows.shape[1] > d:
        seen = z == z
        rows[: len(z), :d], rows[: len(z), d:] = np.where(seen, z, 0.0), seen
    else:
        rows[: len(z)] = z
        np.add.at(first, labels[order], z)


@kernel(scratch=lambda *arguments: (np.zeros(len(arguments[3]), np.int64),))
def _gather(x, labels, weight, origin, start, stop, rows, weighted, begin, first, place):  # type: ignore[no-untyped-def]
    k, d = origin.shape
    masks = rows.shape[1] > d
    weighs = weight.size > 0
    for c in range(k + 1):
        begin[c] = 0
    for i in range(start, stop):
        if labels[i] >= 0 and not (weighs and weight[i] == 0.0):
            begin[labels[i] + 1] += 1
    for c in range(k):
        place[c] = begin[c]
        begin[c + 1] += begin[c]
    for i in range(start, stop):
        c = labels[i]
        if c < 0 or (weighs and weight[i] == 0.0):
            continue
        w = weight[i] if weighs else 1.0
        p = place[c]
        place[c] += 1
        row = x[i]
        near = origin[c]
        z = rows[p]
        if masks:
            for j in range(d):
                v = row[j] - near[j]
                seen = v == v
                z[j] = v if seen else 0.0
                z[d + j] = 1.0 if seen else 0.0
        else:
            one = first[c]
            for j in range(d):
                v = row[j] - near[j]
                z[j] = v
                one[j] += w * v
        if weighs:
            wz = weighted[p]
            for j in range(z.size):
                wz[j] = w * z[j]


@kernel(
    makes=lambda x, shares: (np.zeros((shares.shape[1], x.shape[1])),),
    scratch=lambda x, shares: (np.zeros((shares.shape[1], x.shape[1])), np.zeros(shares.shape[1])),
)
def heaviest_values(x, shares, origin, best, least):  # type: ignore[no-untyped-def]
    """Of each feature and class the value of the row with the largest share: an origin near the data (k, d).

    `least` (k,) is the smallest entry of each row of `best` (k, d): what a share must exceed to matter.
    """
    n, d = x.shape
    k = shares.shape[1]
    for i in range(n):
        for c in range(k):
            share = abs(shares[i, c])
            if not share > least[c]:
                continue
            smallest = np.inf
            for j in range(d):
                if share > best[c, j] and x[i, j] == x[i, j]:
                    best[c, j] = share
                    origin[c, j] = x[i, j]
                smallest = best[c, j] if best[c, j] < smallest else smallest
            least[c] = smallest


def products_of_all(x: Array, origin: Floats, first: Floats) -> Floats:
    """Sum of z z' (d, d) of all rows, z = x - origin (d,); `first` (d,) grows by the sum of z.

    Where a cell is missing, `first` is NaN in its column, and what lies behind its block is not summed.

    Block by block, which stays in cache until it is multiplied, and without the interpreter in between: threads that
    call BLAS from there wait for each other's lock before and after every block. Of many columns a block takes so long
    that the wait is nothing, and NumPy's product of a matrix with itself, which makes one half of it alone, is faster.
    """
    n, d = x.shape
    rows = np.empty((max(1, min(n, max(_ROWS, _CACHED // max(d, 1)))), d))
    total = np.zeros((d, d))
    if x.size > FEW and d <= _HALVED:
        _products_of_all(x, origin, first, total, rows, np.empty((d, d)))
        return total
    for start in range(0, n, len(rows)):
        block = x[start : start + len(rows)]
        z = np.subtract(block, origin, out=rows[: len(block)])
        first += z.sum(axis=0)
        if np.isnan(first).any():
            break
        total += z.T @ z
    return total


@kernel
def _products_of_all(x, origin, first, total, rows, product):  # type: ignore[no-untyped-def]
    n, d = x.shape
    for start in range(0, n, rows.shape[0]):
        stop = start + rows.shape[0]
        stop = n if stop > n else stop
        z = rows[: stop - start]
        for i in range(start, stop):
            row = x[i]
            own = z[i - start]
            for j in range(d):
                v = row[j] - origin[j]
                own[j] = v
                first[j] += v
        for j in range(d):
            if first[j] != first[j]:
                return
        np.dot(z.T, z, product)
        for i in range(d):
            for j in range(i + 1):
                total[i, j] += product[i, j]
                total[j, i] = total[i, j]


def products_of(x: Array, origin: Floats, start: int, stop: int, rows: Floats) -> None:
    """Write z_1 .. z_d and z_1 z_1, z_2 z_1, z_2 z_2, z_3 z_1, ... of each row, z = x - origin (d,)."""
    _products_of(x, origin, start, stop, rows)


@kernel
def _products_of(x, origin, start, stop, rows):  # type: ignore[no-untyped-def]
    d = origin.size
    for i in range(start, stop):
        out = rows[i - start]
        row = x[i]
        for a in range(d):
            out[a] = row[a] - origin[a]
        at = d
        for a in range(d):
            z = out[a]
            for b in range(a + 1):
                out[at + b] = z * out[b]
            at += a + 1
