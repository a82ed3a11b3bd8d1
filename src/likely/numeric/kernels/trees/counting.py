"""Which codes of a column occur in a node, in order, and how much weight of each class every one has.

A large node counts into a table with a place for every code; a small one sorts its codes, so that its work is that of
its own rows and not of the codes there could be. Both give the same: codes that occur (u,) in rising order, their
weights by class (u * k,), and beside them those of the missing cells, whose code is the number of bins, and their sum
(k + 1,).
"""

import numpy as np

from likely.numeric.jit import kernel

_FEW_ROWS = 24  # below, codes are put in order one by one


@kernel(inner=True)
def add_to_table(codes, j, rows, own, mass, start, stop, k, tables, slot, base):  # type: ignore[no-untyped-def]
    """Add the weights of rows start to stop of a node to the table of column j, which begins at `base` of a slot."""
    for i in range(start, stop):
        tables[slot, base + codes[j, rows[i]] * k + own[i]] += mass[i]


@kernel(inner=True)
def from_table(tables, slot, base, bins, k, present, weight, missing):  # type: ignore[no-untyped-def]
    """The codes that occur, from the table of a column; how many they are."""
    u = 0
    for b in range(bins):
        at = base + b * k
        some = 0.0
        for c in range(k):
            some += tables[slot, at + c]
        if some > 0:
            present[u] = b
            for c in range(k):
                weight[u * k + c] = tables[slot, at + c]
            u += 1
    missing[k] = 0.0
    for c in range(k):
        missing[c] = tables[slot, base + bins * k + c]
        missing[k] += missing[c]
    return u


@kernel(inner=True)
def by_sorting(  # type: ignore[no-untyped-def]
    codes, j, rows, own, mass, start, stop, bins, k, keys, other, bucket, present, weight, missing
):
    """The same from the rows of a small node, by sorting them."""
    n = stop - start
    for i in range(n):
        keys[i] = (np.int64(codes[j, rows[start + i]]) << 32) | i
    if n <= _FEW_ROWS:
        for i in range(1, n):
            key = keys[i]
            to = i
            while to > 0 and keys[to - 1] > key:
                keys[to] = keys[to - 1]
                to -= 1
            keys[to] = key
    else:  # digit by digit, the lowest first, each keeping the order of those before
        shift = 32
        while (bins >> (shift - 32)) > 0:
            for b in range(256):
                bucket[b] = 0
            for i in range(n):
                bucket[(keys[i] >> shift) & 255] += 1
            before = 0
            for b in range(256):
                before += bucket[b]
                bucket[b] = before - bucket[b]
            for i in range(n):
                b = (keys[i] >> shift) & 255
                other[bucket[b]] = keys[i]
                bucket[b] += 1
            for i in range(n):
                keys[i] = other[i]
            shift += 8
    for c in range(k + 1):
        missing[c] = 0.0
    u = 0
    last = -1
    for i in range(n):
        code = keys[i] >> 32
        row = start + (keys[i] & 0xFFFFFFFF)
        if code == bins:
            missing[own[row]] += mass[row]
            missing[k] += mass[row]
            continue
        if code != last:
            present[u] = last = code
            for c in range(k):
                weight[u * k + c] = 0.0
            u += 1
        weight[(u - 1) * k + own[row]] += mass[row]
    return u
