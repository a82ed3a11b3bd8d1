"""Which codes of a column occur in a node, in order, and how much weight of each class every one has.

A large node counts into a table with a place for every code; a small one sorts its codes, so that its work is that of
its own rows and not of the codes there could be. Both give the same: codes that occur (u,) in rising order, their
weights by class (u * k,), and beside them those of the missing cells (k,), whose code is the number of bins.
"""

import numpy as np

from likely.numeric.jit import kernel

_FEW_ROWS = 24  # below, codes are put in order one by one


@kernel
def add_to_table(column, rows, own, mass, start, stop, base, k, table):  # type: ignore[no-untyped-def]
    """Add the weights of rows start to stop of a node to the table of a column, which begins at `base`."""
    for i in range(start, stop):
        table[base + column[rows[i]] * k + own[i]] += mass[i]


@kernel
def from_table(table, base, bins, k, present, weight, missing):  # type: ignore[no-untyped-def]
    """The codes that occur, from the table of a column; how many they are."""
    u = 0
    for b in range(bins):
        at = base + b * k
        some = 0.0
        for c in range(k):
            some += table[at + c]
        if some > 0:
            present[u] = b
            for c in range(k):
                weight[u * k + c] = table[at + c]
            u += 1
    for c in range(k):
        missing[c] = table[base + bins * k + c]
    return u


@kernel
def by_sorting(  # type: ignore[no-untyped-def]
    column, rows, own, mass, start, stop, bins, k, keys, other, bucket, present, weight, missing
):
    """The same from the rows of a small node, by sorting them."""
    n = stop - start
    for i in range(n):
        keys[i] = (np.int64(column[rows[start + i]]) << 32) | i
    if n <= _FEW_ROWS:
        for i in range(1, n):
            key, j = keys[i], i - 1
            while j >= 0 and keys[j] > key:
                keys[j + 1] = keys[j]
                j -= 1
            keys[j + 1] = key
    else:  # digit by digit, the lowest first, each keeping the order of those before
        shift = 32
        while (bins >> (shift - 32)) > 0:
            for b in range(256):
                bucket[b] = 0
            for i in range(n):
                bucket[(keys[i] >> shift) & 255] += 1
            before = 0
            for b in range(256):
                before, bucket[b] = before + bucket[b], before
            for i in range(n):
                b = (keys[i] >> shift) & 255
                other[bucket[b]] = keys[i]
                bucket[b] += 1
            for i in range(n):
                keys[i] = other[i]
            shift += 8
    for c in range(k):
        missing[c] = 0.0
    u, last = 0, -1
    for i in range(n):
        code, row = keys[i] >> 32, start + (keys[i] & 0xFFFFFFFF)
        if code == bins:
            missing[own[row]] += mass[row]
            continue
        if code != last:
            present[u], last = code, code
            for c in range(k):
                weight[u * k + c] = 0.0
            u += 1
        weight[(u - 1) * k + own[row]] += mass[row]
    return u
