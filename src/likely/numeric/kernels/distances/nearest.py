"""The smallest entries of each row of a matrix of distances that is seen tile by tile, and never whole.

Each row keeps a heap of its k smallest entries so far. Whatever is not above the largest of them by more than `slack`
(what rounding may hide) is written down as a candidate; when the list is full, those that a smaller bound has left
behind are struck out. So in the end every entry that may be among the k smallest, or equal to the k-th, is there.
Distances that differ by less than 1e-12 of their size are equal.
"""

import numpy as np

from likely.numeric.jit import REORDER, kernel

_STRETCH = 128  # entries that are passed over together, where none is below the bound


@kernel(fastmath=REORDER)
def screen(tile, first, own, group, slack, k, heap, filled, index, value, count, limit):  # type: ignore[no-untyped-def]
    """Take in a tile (q, m) whose first column is row `first`; rows of the group own[i] do not count for row i.

    `limit` (1,) is room for the bound in the tile's own precision, in which most entries are passed over. Gives False
    when the list of some row is full: everything has to begin again with more room.
    """
    q, m = tile.shape
    room = index.shape[1]
    none, one = tile.dtype.type(0), tile.dtype.type(1)  # what is counted in the tile's own type, vector units count
    for i in range(q):
        bound = np.inf
        if filled[i] == k:
            bound = heap[i, 0] + slack[i] + 1e-12 * abs(heap[i, 0])
        limit[0] = bound + 2e-7 * abs(bound)
        edge = limit[0]
        for stretch in range((m + _STRETCH - 1) // _STRETCH):  # with range(0, m, _STRETCH) vector units stay idle
            j = stretch * _STRETCH
            stop = j + _STRETCH if j + _STRETCH < m else m
            some = none
            if stop == j + _STRETCH:
                for t in range(_STRETCH):
                    some += one if tile[i, j + t] <= edge else none
            else:
                for t in range(j, stop):
                    some += one if tile[i, t] <= edge else none
            if some == 0:
                continue
            for t in range(j, stop):
                v = np.float64(tile[i, t])
                if v <= bound and group[first + t] != own[i]:
                    if filled[i] < k:
                        h = filled[i]
                        filled[i] += 1
                        while h > 0 and heap[i, (h - 1) // 2] < v:
                            heap[i, h] = heap[i, (h - 1) // 2]
                            h = (h - 1) // 2
                        heap[i, h] = v
                    elif v < heap[i, 0]:
                        h = 0
                        while True:
                            child = 2 * h + 1
                            if child >= k:
                                break
                            if child + 1 < k and heap[i, child + 1] > heap[i, child]:
                                child += 1
                            if heap[i, child] <= v:
                                break
                            heap[i, h] = heap[i, child]
                            h = child
                        heap[i, h] = v
                    if filled[i] == k:
                        bound = heap[i, 0] + slack[i] + 1e-12 * abs(heap[i, 0])
                        limit[0] = bound + 2e-7 * abs(bound)
                        edge = limit[0]
                    if count[i] == room:
                        kept = 0
                        for s in range(room):
                            if value[i, s] <= bound:
                                value[i, kept] = value[i, s]
                                index[i, kept] = index[i, s]
                                kept += 1
                        count[i] = kept
                        if kept == room:
                            return False
                    value[i, count[i]] = v
                    index[i, count[i]] = first + t
                    count[i] += 1
    return True


@kernel
def weed(heap, filled, slack, k, index, value, count):  # type: ignore[no-untyped-def]
    """Strike out the candidates that the last bound has left behind."""
    for i in range(count.shape[0]):
        if filled[i] < k:
            continue
        bound = heap[i, 0] + slack[i] + 1e-12 * abs(heap[i, 0])
        kept = 0
        for s in range(count[i]):
            if value[i, s] <= bound:
                value[i, kept] = value[i, s]
                index[i, kept] = index[i, s]
                kept += 1
        count[i] = kept


@kernel(makes=lambda start, apart, index, weight, k: (np.empty(len(index)), np.zeros(len(start) - 1, dtype=np.int64)))
def share_places(start, apart, index, weight, k, share, kept):  # type: ignore[no-untyped-def]
    """Give the k places to the candidates of each row, nearest first; those at the last distance share what is left.

    Candidates start[i] to start[i + 1] of row i are brought into the order of their distance, then of their number.
    share (m,) is what of a candidate's weight counts; kept (q,) how many have any.
    """
    for i in range(start.shape[0] - 1):
        begin = start[i]
        end = start[i + 1]
        gap = 1
        while gap < (end - begin) // 3:
            gap = 3 * gap + 1
        while gap > 0:  # Shell's sort: lists are short, and nearly in order
            for t in range(begin + gap, end):
                far = apart[t]
                row = index[t]
                s = t
                while s - gap >= begin and (apart[s - gap] > far or (apart[s - gap] == far and index[s - gap] > row)):
                    apart[s] = apart[s - gap]
                    index[s] = index[s - gap]
                    s -= gap
                apart[s] = far
                index[s] = row
            gap //= 3
        total = 0.0
        t = begin
        while t < end and total < k:
            last = t
            together = 0.0
            while last < end and apart[last] <= apart[t] + 1e-12 * apart[t]:
                together += weight[index[last]]
                last += 1
            part = 1.0 if total + together <= k else (k - total) / together
            for s in range(t, last):
                share[s] = part
            total += together
            t = last
        kept[i] = t - begin
