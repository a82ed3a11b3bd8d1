"""Averaged two-dependence estimators: every two features in turn the parents of all others.

    p(x | k) = 1/p sum_(i < j) p(x_i, x_j | k) prod_(l != i, j) p(x_l | k, x_i, x_j)     over the p pairs observed

Rows are places u (n, d) in the row of all levels, -1 for a missing cell or a level that nobody knows. `pair` (T, T, k)
has log p(u, v | k) of levels of two features and log p(u | k) on the diagonal; `table` (C, 3, k) has for each cell of
three features i < j < l, as `statistics.triple_counts` counts them, the log probability of the level of i given the
others, of j and of l. So every three observed features are looked up once, for the products of three pairs.
"""

import math

import numpy as np

from likely.numeric.jit import REORDER, kernel

_ENOUGH = 1e-5  # of a weight that must be left for its digits to be good


def _scratch(u, offset, start, pair, table, *_):  # type: ignore[no-untyped-def]
    d = u.shape[1]
    return np.empty((d * d, pair.shape[2])), np.empty(d, np.int64)


@kernel(
    fastmath=REORDER,
    makes=lambda u, offset, start, pair, table: (np.empty((len(u), pair.shape[2])),),
    scratch=_scratch,
)
def average_over_pairs(u, offset, start, pair, table, out, products, seen):  # type: ignore[no-untyped-def]
    """Log density (n, k) of rows under the average."""
    n = u.shape[0]
    k = pair.shape[2]
    for r in range(n):
        m = _products(u[r], offset, start, pair, table, products, seen)
        _average(u[r], pair, products, seen, m, k, out[r])


@kernel(
    makes=lambda u, offset, start, pair, table: (np.zeros((*u.shape, pair.shape[2])),),
    scratch=_scratch,
)
def terms_of_pairs(u, offset, start, pair, table, out, products, seen):  # type: ignore[no-untyped-def]
    """What each feature adds to the log density (n, d, k): its mean log probability under the pairs, each with the
    share that it has in the average; of a pair's own probability each has one half, and of what the average adds to
    the mean an equal part.
    """
    n = u.shape[0]
    k = pair.shape[2]
    for r in range(n):
        m = _products(u[r], offset, start, pair, table, products, seen)
        if m == 1:
            for c in range(k):
                out[r, seen[0], c] = pair[u[r, seen[0]], u[r, seen[0]], c]
        if m < 2:
            continue
        pairs = m * (m - 1) // 2
        for c in range(k):
            largest = _largest(products, m, c)
            total = 0.0
            mean = 0.0
            for i in range(m):
                for j in range(i + 1, m):
                    weight = math.exp(products[i * m + j, c] - largest)
                    total += weight
                    mean += weight * products[i * m + j, c]
                    products[i * m + j, c] = weight
            rest = (largest + math.log(total / pairs) - mean / total) / m
            for i in range(m):
                out[r, seen[i], c] = rest
            for i in range(m):
                for j in range(i + 1, m):
                    half = 0.5 * products[i * m + j, c] / total * pair[u[r, seen[i]], u[r, seen[j]], c]
                    out[r, seen[i], c] += half
                    out[r, seen[j], c] += half
                    for l in range(j + 1, m):  # noqa: E741
                        cell = _cell(u[r], offset, start, seen[i], seen[j], seen[l])
                        out[r, seen[i], c] += products[j * m + l, c] / total * table[cell, 0, c]
                        out[r, seen[j], c] += products[i * m + l, c] / total * table[cell, 1, c]
                        out[r, seen[l], c] += products[i * m + j, c] / total * table[cell, 2, c]


@kernel(scratch=_scratch)
def pairs_without_own_row(  # type: ignore[no-untyped-def]
    u, offset, start, pair, table, labels, weight, exact, count, triple, together, m0, out, products, seen
):
    """Log density (n, k) of each row under the counts as they are without it.

    count (k, T, T), triple (k, C), together (k, d, d): rows in which two features are both observed, m0 pseudo-counts.
    A level that nobody else has is gone with its row. Rows of which too few digits would be left are NaN, unless the
    counts are `exact`.
    """
    n, d = u.shape
    k = pair.shape[2]
    for r in range(n):
        own = labels[r]
        w = weight[r] if own >= 0 else 0.0
        row = u[r]
        lost = False
        m = 0
        for j in range(d):
            if row[j] < 0:
                continue
            everyone = 0.0
            for c in range(k):
                everyone += count[c, row[j], row[j]]
            others = everyone - w
            if not exact and w > 0.0 and others < _ENOUGH * everyone:
                lost = lost or others != 0.0
            if others <= 0.0 and w > 0.0:
                continue
            seen[m] = j
            m += 1
        _multiply(row, offset, start, pair, table, products, seen, m)
        if w > 0.0:
            for i in range(m):
                for j in range(i + 1, m):
                    size = (offset[seen[i] + 1] - offset[seen[i]]) * (offset[seen[j] + 1] - offset[seen[j]])
                    left = count[own, row[seen[i]], row[seen[j]]] - w
                    of = together[own, seen[i], seen[j]] - w
                    if not exact:
                        lost = lost or (left < _ENOUGH * w and left != 0.0) or (of < _ENOUGH * w and of != 0.0)
                        left = left if left > 0.0 else 0.0
                        of = of if of > 0.0 else 0.0
                    products[i * m + j, own] = math.log((left + m0 / size) / (of + m0))
            for i in range(m):
                for j in range(i + 1, m):
                    for l in range(j + 1, m):  # noqa: E741
                        cell = _cell(row, offset, start, seen[i], seen[j], seen[l])
                        left = triple[own, cell] - w
                        step = 1
                        for back in range(3):
                            child = 2 - back
                            feature = seen[i] if child == 0 else seen[j] if child == 1 else seen[l]
                            at = j * m + l if child == 0 else i * m + l if child == 1 else i * m + j
                            levels = offset[feature + 1] - offset[feature]
                            first = cell - (row[feature] - offset[feature]) * step
                            of = 0.0
                            for level in range(levels):
                                of += triple[own, first + level * step]
                            of -= w
                            if not exact:
                                lost = lost or (left < _ENOUGH * w and left != 0.0) or (of < _ENOUGH * w and of != 0.0)
                            left = left if left > 0.0 else 0.0
                            of = of if of > 0.0 else 0.0
                            products[at, own] += math.log((left + m0 / levels) / (of + m0))
                            step *= levels
        if m == 1:
            for c in range(k):
                out[r, c] = pair[row[seen[0]], row[seen[0]], c]
            if w > 0.0:
                j = seen[0]
                left = count[own, row[j], row[j]] - w
                of = together[own, j, j] - w
                if not exact:
                    lost = lost or (left < _ENOUGH * w and left != 0.0) or (of < _ENOUGH * w and of != 0.0)
                left = left if left > 0.0 else 0.0
                of = of if of > 0.0 else 0.0
                out[r, own] = math.log((left + m0 / (offset[j + 1] - offset[j])) / (of + m0))
        else:
            _average(row, pair, products, seen, m, k, out[r])
        if lost:
            for c in range(k):
                out[r, c] = np.nan


@kernel(makes=lambda triple, size, start, m0: (np.empty((triple.shape[1], 3, triple.shape[0])),))
def log_conditionals_of_triples(triple, size, start, m0, out):  # type: ignore[no-untyped-def]
    """Log probability (C, 3, k) of each of three levels given the others, from counts (k, C) and m0 pseudo-counts."""
    k = triple.shape[0]
    d = size.size
    for c in range(k):
        for i in range(d):
            for j in range(i + 1, d):
                for l in range(j + 1, d):  # noqa: E741
                    block = triple[c, start[i, j, l] :]
                    told = out[start[i, j, l] :]
                    _shares(block, told, c, 0, size[i], size[j] * size[l], size[j] * size[l], 1, m0)
                    for a in range(size[i]):
                        at = a * size[j] * size[l]
                        _shares(block[at:], told[at:], c, 1, size[j], size[l], size[l], 1, m0)
                    _shares(block, told, c, 2, size[l], size[i] * size[j], 1, size[l], m0)


@kernel
def _shares(count, out, c, child, levels, given, step, stride, m0):  # type: ignore[no-untyped-def]
    """Of levels that stand `step` apart, for each of the levels given, which stand `stride` apart."""
    pseudo = m0 / levels
    for g in range(given):
        whole = m0
        for a in range(levels):
            n = count[g * stride + a * step]
            whole += n if n > 0 else 0.0
        for a in range(levels):
            n = count[g * stride + a * step]
            out[g * stride + a * step, child, c] = math.log(((n if n > 0 else 0.0) + pseudo) / whole)


@kernel
def _cell(row, offset, start, i, j, l):  # type: ignore[no-untyped-def]  # noqa: E741
    both = (row[i] - offset[i]) * (offset[j + 1] - offset[j]) + row[j] - offset[j]
    return start[i, j, l] + both * (offset[l + 1] - offset[l]) + row[l] - offset[l]


@kernel
def _products(row, offset, start, pair, table, products, seen):  # type: ignore[no-untyped-def]
    m = 0
    for j in range(row.shape[0]):
        if row[j] >= 0:
            seen[m] = j
            m += 1
    _multiply(row, offset, start, pair, table, products, seen, m)
    return m


@kernel
def _multiply(row, offset, start, pair, table, products, seen, m):  # type: ignore[no-untyped-def]
    k = pair.shape[2]
    for i in range(m):
        for j in range(i + 1, m):
            for c in range(k):
                products[i * m + j, c] = pair[row[seen[i]], row[seen[j]], c]
    for i in range(m):
        for j in range(i + 1, m):
            both = products[i * m + j]
            for l in range(j + 1, m):  # noqa: E741
                term = table[_cell(row, offset, start, seen[i], seen[j], seen[l])]
                first = products[j * m + l]
                second = products[i * m + l]
                for c in range(k):
                    first[c] += term[0, c]
                    second[c] += term[1, c]
                    both[c] += term[2, c]


@kernel
def _average(row, pair, products, seen, m, k, out):  # type: ignore[no-untyped-def]
    if m < 2:
        for c in range(k):
            out[c] = pair[row[seen[0]], row[seen[0]], c] if m == 1 else 0.0
        return
    for c in range(k):
        largest = _largest(products, m, c)
        total = 0.0
        for i in range(m):
            for j in range(i + 1, m):
                total += math.exp(products[i * m + j, c] - largest)
        out[c] = largest + math.log(total / (m * (m - 1) // 2))


@kernel
def _largest(products, m, c):  # type: ignore[no-untyped-def]
    largest = -np.inf
    for i in range(m):
        for j in range(i + 1, m):
            largest = products[i * m + j, c] if products[i * m + j, c] > largest else largest
    return largest
