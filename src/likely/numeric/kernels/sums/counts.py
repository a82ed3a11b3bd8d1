"""Counts of category codes per class, and log densities read from a table, in one pass over the rows.

The levels of all features stand side by side in one flat table: feature j holds the columns offset[j] to
offset[j + 1]. A code is x - base[j]; a missing cell has code -1.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import FEW, kernel


def count_codes(x: Array, labels: Array, base: Ints, offset: Ints, k: int) -> Ints:
    """How often each level of each feature occurs in each class: (k, offset[-1])."""
    if x.size > FEW:
        return np.asarray(_count_codes(x, labels, base, offset, k))
    code = x.astype(np.int64) - base
    place = labels[:, None].astype(np.int64) * offset[-1] + offset[:-1] + code
    seen = place[(code >= 0) & (labels >= 0)[:, None]]
    return np.bincount(seen, minlength=k * int(offset[-1])).reshape(k, offset[-1])


@kernel(makes=lambda x, labels, base, offset, k: (np.zeros((k, offset[-1]), np.int64),))
def _count_codes(x, labels, base, offset, k, table):  # type: ignore[no-untyped-def]
    n, d = x.shape
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            if code >= 0:
                table[c, offset[j] + code] += 1


@kernel(makes=lambda x, labels, weight, base, offset, k: (np.zeros((k, offset[-1])),))
def weigh_codes(x, labels, weight, base, offset, k, table):  # type: ignore[no-untyped-def]
    """The same with a weight per row."""
    n, d = x.shape
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            if code >= 0:
                table[c, offset[j] + code] += weight[i]


@kernel(makes=lambda x, shares, base, offset: (np.zeros((shares.shape[1], offset[-1])),))
def share_codes(x, shares, base, offset, table):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k)."""
    n, d = x.shape
    k = shares.shape[1]
    for i in range(n):
        for j in range(d):
            code = np.int64(x[i, j]) - base[j]
            if code >= 0:
                for c in range(k):
                    table[c, offset[j] + code] += shares[i, c]


def add_table(x: Array, base: Ints, stride: Ints, group: Ints, start: Ints, table: Floats, out: Floats) -> None:
    """Add to `out` (n, k) the rows of `table` at the codes of each row of x.

    Features group[g] to group[g + 1] are read together: their codes, plus one so that a missing cell is 0, times
    their strides give one place in the group's part of the table. No code needs to be compared with a bound. The
    table's rows are padded to a multiple of four classes, which are added up in registers.
    """
    if x.size * table.shape[1] > FEW or len(start) == 0:
        _add_table(x, base, stride, group, start, table, out)
        return
    place = start + np.add.reduceat((x.astype(np.int64) - base + 1) * stride, group[:-1], axis=1)
    out += np.add.reduce(table[place], axis=1)[:, : out.shape[1]]  # one group after the other, as the kernel adds


@kernel(scratch=lambda x, base, stride, group, start, table, out: (start.copy(), np.empty(len(start), np.int64)))
def _add_table(x, base, stride, group, start, table, out, zero, at):  # type: ignore[no-untyped-def]
    """`zero` begins as a copy of `start`."""
    n, k = out.shape
    groups = len(start)
    for g in range(groups):  # where the group's cell for x = 0 lies
        for j in range(group[g], group[g + 1]):
            zero[g] += (1 - base[j]) * stride[j]
    for i in range(n):
        row = x[i]
        for g in range(groups):
            place = zero[g]
            for j in range(group[g], group[g + 1]):
                place += np.int64(row[j]) * stride[j]
            at[g] = place
        for c in range(0, k, 4):
            a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
            for g in range(groups):
                entry = table[at[g]]
                a0 += entry[c]
                a1 += entry[c + 1]
                a2 += entry[c + 2]
                a3 += entry[c + 3]
            out[i, c] += a0
            if c + 1 < k:
                out[i, c + 1] += a1
            if c + 2 < k:
                out[i, c + 2] += a2
            if c + 3 < k:
                out[i, c + 3] += a3


def column_ranges(x: Array) -> tuple[Array, Array]:
    """Smallest and largest value of each column of whole numbers."""
    if x.size <= FEW:
        return x.min(axis=0), x.max(axis=0)
    low, high = _column_ranges(x)
    return low, high


@kernel(makes=lambda x: (x[0].copy(), x[0].copy()))
def _column_ranges(x, low, high):  # type: ignore[no-untyped-def]
    n, d = x.shape
    for i in range(1, n):
        row = x[i]
        for j in range(d):
            low[j] = row[j] if row[j] < low[j] else low[j]
            high[j] = row[j] if row[j] > high[j] else high[j]
