"""Log densities that are constant between edges, all classes at once.

The edges of feature j are edges[offset[j]:offset[j + 1]]; it has one bin fewer than edges, and its bins begin at row
first[j] of `table` (bins, k). A feature without edges says nothing. Beyond the outer edges the density falls as

    outer bin's density * TAIL / (1 + z)^2,   z = distance from the edge in widths of that bin,

which holds TAIL of the bin's probability and is the same for all classes but for that probability.
"""

import numpy as np

from likely.numeric.jit import kernel

TAIL = 1e-12
LOG_TAIL = -27.631021115928547
FARTHEST = 1e300  # keeps the logarithm finite for every finite x


@kernel
def find_bins(x, edges, offset, out):  # type: ignore[no-untyped-def]
    """Write the bin [low, high) of each cell to `out` (n, d), the outer bins without end; -1 for a missing cell."""
    n, d = x.shape
    for j in range(d):
        first = offset[j]
        last = offset[j + 1] - 1
        for i in range(n):
            v = x[i, j]
            if v != v or last <= first:
                out[i, j] = -1
                continue
            low = first
            high = last
            while high - low > 1:
                middle = (low + high) // 2
                if edges[middle] <= v:
                    low = middle
                else:
                    high = middle
            out[i, j] = low - first


@kernel
def add_bins(x, edges, offset, first, table, each, out):  # type: ignore[no-untyped-def]
    """Add each feature's log density to `out` (n, 1, k), or to its own place in (n, d, k) where `each` is 1."""
    n, d = x.shape
    k = table.shape[1]
    for i in range(n):
        for j in range(d):
            v = x[i, j]
            begin = offset[j]
            end = offset[j + 1] - 1
            if v != v or end <= begin:
                continue
            low = begin
            high = end
            while high - low > 1:
                middle = (low + high) // 2
                if edges[middle] <= v:
                    low = middle
                else:
                    high = middle
            beyond = edges[begin] - v if v < edges[begin] else v - edges[end]
            fall = 0.0
            if beyond > 0.0:
                far = beyond / (edges[low + 1] - edges[low])
                fall = LOG_TAIL - 2.0 * np.log1p(far if far < FARTHEST else FARTHEST)
            entry = table[first[j] + low - begin]
            for c in range(k):
                out[i, each * j, c] += entry[c] + fall
