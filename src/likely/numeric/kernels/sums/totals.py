"""Sums of the values themselves, per class, in one pass over the rows.

As for the moments there is a kernel for complete rows, whose sums become NaN when a cell is missing, and others that
look at every cell. The unweighted ones also tell how many cells are not whole numbers: sums of whole numbers are
exact, and the caller keeps them as integers.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import kernel


def totals_of_few(x: Array, labels: Array, k: int) -> tuple[Ints, Floats, int]:
    """What `observed_totals` finds, one row after the other as it does: its digits too."""
    place = labels[:, None].astype(np.int64) * x.shape[1] + np.arange(x.shape[1])
    seen = (labels >= 0)[:, None] & (x == x)
    shape, value = (k, x.shape[1]), x[seen]
    count = np.bincount(place[seen], minlength=k * x.shape[1])
    sums = np.asarray(np.bincount(place[seen], value, k * x.shape[1]), dtype=np.float64)
    return count.reshape(shape), sums.reshape(shape), int(np.count_nonzero(value != np.floor(value)))


@kernel(makes=lambda x, labels, k: (np.zeros(k, np.int64), np.zeros((k, x.shape[1]))))
def complete_totals(x, labels, k, rows, sums):  # type: ignore[no-untyped-def]
    """Rows (k,), sums (k, d) and the number of fractions, where no cell is missing."""
    n, d = x.shape
    fractions = 0
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        rows[c] += 1
        row = x[i]
        into = sums[c]
        for j in range(d):
            v = row[j]
            into[j] += v
            fractions += v != np.floor(v)
    return fractions


@kernel(makes=lambda x, labels, k: (np.zeros((k, x.shape[1]), np.int64), np.zeros((k, x.shape[1]))))
def observed_totals(x, labels, k, count, sums):  # type: ignore[no-untyped-def]
    """Count per cell (k, d), sums (k, d) and the number of fractions, over the observed cells."""
    n, d = x.shape
    fractions = 0
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        row = x[i]
        for j in range(d):
            seen = row[j] == row[j]
            v = row[j] if seen else 0.0
            count[c, j] += 1 if seen else 0
            sums[c, j] += v
            fractions += v != np.floor(v)
    return fractions


@kernel(makes=lambda x, labels, weight, k: (*np.zeros((2, k, x.shape[1])),))
def weighted_totals(x, labels, weight, k, count, sums):  # type: ignore[no-untyped-def]
    """Sums of w and of w x over the observed cells."""
    n, d = x.shape
    for i in range(n):
        c = labels[i]
        w = weight[i]
        if c < 0 or w == 0.0:
            continue
        row = x[i]
        for j in range(d):
            seen = row[j] == row[j]
            count[c, j] += w if seen else 0.0
            sums[c, j] += w * row[j] if seen else 0.0


@kernel(makes=lambda x, shares: (*np.zeros((2, shares.shape[1], x.shape[1])),))
def shared_totals(x, shares, count, sums):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k)."""
    n, d = x.shape
    k = shares.shape[1]
    for i in range(n):
        row = x[i]
        for c in range(k):
            w = shares[i, c]
            if w == 0.0:
                continue
            for j in range(d):
                seen = row[j] == row[j]
                count[c, j] += w if seen else 0.0
                sums[c, j] += w * row[j] if seen else 0.0


@kernel(makes=lambda data, indices, indptr, labels, weight, k, d: (*np.zeros((2, k, d)),))
def sparse_totals(data, indices, indptr, labels, weight, k, d, missing, sums):  # type: ignore[no-untyped-def]
    """Of compressed sparse rows: the weight of the missing cells (k, d), the sums (k, d), the number of fractions.

    An empty `weight` stands for ones.
    """
    fractions = 0
    for i in range(len(labels)):
        c = labels[i]
        if c < 0:
            continue
        w = weight[i] if len(weight) else 1.0
        if w == 0.0:
            continue
        for p in range(indptr[i], indptr[i + 1]):
            v = data[p]
            if v == v:
                sums[c, indices[p]] += w * v
                fractions += v != np.floor(v)
            else:
                missing[c, indices[p]] += w
    return fractions
