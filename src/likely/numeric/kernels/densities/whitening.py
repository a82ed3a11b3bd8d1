"""Rows in units of a covariance: what every distribution with elliptical contours is made of.

With S = L L', L lower triangular, z = L^-1 (x - m) is white, and its entries are the chain rule in column order:
z_j is the deviation of x_j from what x_1 .. x_(j-1) predict, in units of L_jj. Rows without missing cells are whitened
by a product of matrices; a row with missing cells needs the factor of its observed columns alone, which `chain` makes.

Standardised values are held within LIMIT, so that every sum of squares stays finite for every finite x.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import REORDER, kernel

LIMIT = 1e100
_DEPENDENT = 1e-12  # of a column's variance: less than that left of it, and it repeats the columns before


def standardize(x: Array, columns: Ints, centre: Floats, inverse_scale: Floats, out: Floats) -> None:
    """Write (x - centre) * inverse_scale of some columns to `out` (n, r), within LIMIT; NaN stays NaN."""
    np.subtract(x if len(columns) == x.shape[1] else x[:, columns], centre, out=out)
    out *= inverse_scale
    np.clip(out, -LIMIT, LIMIT, out=out)


@kernel(
    fastmath=REORDER,
    scratch=lambda x, columns, centre, inverse_scale, coef, intercept, out: (np.empty(coef.shape[1]),),
)
def linear_scores(x, columns, centre, inverse_scale, coef, intercept, out, standard):  # type: ignore[no-untyped-def]
    """Write coef . (x - centre) * inverse_scale + intercept to `out` (n, k): faster than a product for few classes."""
    k, r = coef.shape
    every = r == x.shape[1]
    for i in range(x.shape[0]):
        row = x[i]
        if every:
            for j in range(r):
                v = (row[j] - centre[j]) * inverse_scale[j]
                v = LIMIT if v > LIMIT else v
                standard[j] = -LIMIT if v < -LIMIT else v
        else:
            for j in range(r):
                v = (row[columns[j]] - centre[j]) * inverse_scale[j]
                v = LIMIT if v > LIMIT else v
                standard[j] = -LIMIT if v < -LIMIT else v
        for c in range(k):
            slope = coef[c]
            total = 0.0
            for j in range(r):
                total += slope[j] * standard[j]
            out[i, c] = total + intercept[c]


@kernel(fastmath=REORDER)
def add_squared_lengths(projected, offset, start, stop, out):  # type: ignore[no-untyped-def]
    """Add to out[start:stop] (n, k) the squared length of each row's block for class c less offset[c] (k, w).

    `projected` (rows, k w) holds a block of w columns for each class, or (rows, w) one for all of them.
    """
    k, w = offset.shape
    step = w if projected.shape[1] > w else 0
    for i in range(stop - start):
        row = projected[i]
        for c in range(k):
            first = c * step
            away = offset[c]
            total = 0.0
            for j in range(w):
                v = row[first + j] - away[j]
                total += v * v
            out[start + i, c] += total


def speaking_columns(x: Array, relation: Floats, columns: Ints) -> Array:
    """Which columns of each row say something (n, d): those of `columns` (r,) that are observed, and for one that is
    missing a column that `relation` (d, r) makes a function of it and says something that the others have not.
    """
    return np.asarray(x == x if len(columns) == x.shape[1] else _speaking_columns(x, relation, columns))


@kernel(
    fastmath=REORDER,
    makes=lambda x, relation, columns: (np.zeros(x.shape, np.bool_),),
    scratch=lambda x, relation, columns: (np.zeros((len(columns), len(columns))), np.zeros(len(columns))),
)
def _speaking_columns(x, relation, columns, speaks, residual, work):  # type: ignore[no-untyped-def]
    """The rows of `residual` (r, r) are orthonormal: what the further columns add."""
    n, d = x.shape
    r = columns.size
    for i in range(n):
        whole = True
        for t in range(r):
            seen = x[i, columns[t]] == x[i, columns[t]]
            speaks[i, columns[t]] = seen
            whole = whole and seen
        if whole:
            continue
        extra = 0
        for j in range(d):
            if speaks[i, j] or x[i, j] != x[i, j]:
                continue
            size = 0.0
            for t in range(r):
                size += relation[j, t] * relation[j, t]
                work[t] = 0.0 if x[i, columns[t]] == x[i, columns[t]] else relation[j, t]
            for e in range(extra):
                along = 0.0
                for t in range(r):
                    along += work[t] * residual[e, t]
                for t in range(r):
                    work[t] -= along * residual[e, t]
            left = 0.0
            for t in range(r):
                left += work[t] * work[t]
            if left > _DEPENDENT * size:
                for t in range(r):
                    residual[extra, t] = work[t] / np.sqrt(left)
                extra += 1
                speaks[i, j] = True


def chain(
    x: Array,
    speaks: Array,
    order: Ints,
    centre: Floats,
    inverse_scale: Floats,
    offset: Floats,
    factor: Floats,
    width: Ints,
    z: Floats,
    log_unit: Floats,
) -> None:
    """Whiten each row over the columns that speak, one after the other.

    Rows come in `order`, sorted by which columns speak: the factor of these is remade only from the first column where
    a row differs from the one before. Row j of `factor` (g, d, r) is zero from width[j] on; g is k, or 1 if all classes
    share their factor. Writes z (n, d, k) and the logarithm of its unit (n, d, g).
    """
    g, _, r = factor.shape
    rooms = (*np.zeros((2, g, r, r)), np.zeros((g, r)), *np.zeros((2, r), np.int64), *np.zeros((3, r)))
    spoke = np.zeros(x.shape[1], np.bool_)
    _chain(x, speaks, order, centre, inverse_scale, offset, factor, width, z, log_unit, *rooms, spoke)


@kernel(fastmath=REORDER)
def _chain(  # type: ignore[no-untyped-def]
    x, speaks, order, centre, inverse_scale, offset, factor, width, z, log_unit,
    lower,
    direction,  # (g, r, r)  orthonormal: what each column adds to those before it
    log_pivot,
    reach,  # (r,)  where each direction becomes zero
    place, work, standard, white, spoke,
):  # fmt: skip
    d, k, g = x.shape[1], offset.shape[0], factor.shape[0]
    for index in range(order.size):
        i = order[index]
        change = 0
        while change < d and speaks[i, change] == spoke[change]:
            change += 1
        m = 0
        for j in range(d):
            if not speaks[i, j]:
                continue
            if j >= change:  # modified Gram-Schmidt on the rows of the factor: no squares, so no lost digits
                place[m] = j
                reach[m] = reach[m - 1] if m > 0 and reach[m - 1] > width[j] else width[j]
                for b in range(g):
                    for t in range(reach[m]):
                        work[t] = factor[b, j, t]
                    for s in range(m):
                        along = 0.0
                        for t in range(reach[s]):
                            along += work[t] * direction[b, s, t]
                        lower[b, m, s] = along
                        for t in range(reach[s]):
                            work[t] -= along * direction[b, s, t]
                    size = 0.0
                    for t in range(reach[m]):
                        size += work[t] * work[t]
                    size = np.sqrt(size) if size > 1e-300 else 1e-150
                    lower[b, m, m] = size
                    log_pivot[b, m] = np.log(size) - np.log(inverse_scale[j])
                    for t in range(reach[m]):
                        direction[b, m, t] = work[t] / size
            m += 1
        for j in range(d):
            spoke[j] = speaks[i, j]
        for t in range(m):
            j = place[t]
            v = (x[i, j] - centre[j]) * inverse_scale[j]
            v = LIMIT if v > LIMIT else v
            standard[t] = -LIMIT if v < -LIMIT else v
            for b in range(g):
                log_unit[i, j, b] = log_pivot[b, t]
        for c in range(k):
            b = c if g > 1 else 0
            for t in range(m):
                row = lower[b, t]
                along = 0.0
                for s in range(t):
                    along += row[s] * white[s]
                white[t] = (standard[t] - offset[c, place[t]] - along) / row[t]
            for t in range(m):
                z[i, place[t], c] = white[t]
