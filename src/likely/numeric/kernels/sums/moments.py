"""Sums of x - origin and its square, per class, in one pass over the rows.

The row loop vectorises over the features. Each kernel comes without and with missing cells (NaN): the first is
half as fast again, and its sums become NaN when a cell is missing, which is how the caller finds out.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def central_values(x, labels, weight, k):  # type: ignore[no-untyped-def]
    """An origin near the data (k, d): the median of the five heaviest observed values, of the first five among equals.

    The median is by weight, so a row that outweighs the others is the origin itself, and a single wild value of no
    particular weight is not. An empty `weight` means that every row weighs 1; a row without weight is absent.
    """
    n, d = x.shape
    most = 5
    weighs = weight.size > 0
    held = np.full((k, d, most), -1, np.int32)  # rows, the heaviest first
    least = np.zeros(k)  # what a row must outweigh to be held for some feature of its class
    finished = np.zeros(k, np.bool_)
    unfinished = k if d > 0 else 0
    for i in range(n):
        c = labels[i]
        if c < 0 or finished[c]:
            continue
        w = abs(weight[i]) if weighs else 1.0
        if not w > least[c]:
            continue
        lightest = np.inf
        for j in range(d):
            rows = held[c, j]
            if x[i, j] == x[i, j]:
                place = most
                while place > 0 and (rows[place - 1] < 0 or (weighs and abs(weight[rows[place - 1]]) < w)):
                    place -= 1
                if place < most:
                    for p in range(most - 1, place, -1):
                        rows[p] = rows[p - 1]
                    rows[place] = i
            last = rows[most - 1]
            if last < 0:
                lightest = 0.0
            elif weighs:
                lightest = min(lightest, abs(weight[last]))
            else:
                lightest = min(lightest, 1.0)
        least[c] = lightest
        if not weighs and lightest > 0.0:
            finished[c] = True
            unfinished -= 1
            if unfinished == 0:
                break
    origin = np.zeros((k, d))
    value = np.empty(most)
    share = np.empty(most)
    for c in range(k):
        for j in range(d):
            size = 0
            whole = 0.0
            for p in range(most):
                i = held[c, j, p]
                if i < 0:
                    break
                w = abs(weight[i]) if weighs else 1.0
                at = size
                while at > 0 and value[at - 1] > x[i, j]:
                    value[at] = value[at - 1]
                    share[at] = share[at - 1]
                    at -= 1
                value[at] = x[i, j]
                share[at] = w
                size += 1
                whole += w
            below = 0.0
            for p in range(size):
                below += share[p]
                if 2.0 * below >= whole:
                    origin[c, j] = value[p]
                    break
    return origin


@kernel
def complete_moments(x, labels, origin):  # type: ignore[no-untyped-def]
    """Count, first and second sums where no cell is missing."""
    n, d = x.shape
    k = origin.shape[0]
    rows = np.zeros(k, np.int64)
    first = np.zeros((k, d))
    second = np.zeros((k, d))
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        rows[c] += 1
        row = x[i]
        near = origin[c]
        one = first[c]
        two = second[c]
        for j in range(d):
            v = row[j] - near[j]
            one[j] += v
            two[j] += v * v
    return rows, first, second


@kernel
def observed_moments(x, labels, origin):  # type: ignore[no-untyped-def]
    """Count per cell, first and second sums over the observed cells."""
    n, d = x.shape
    k = origin.shape[0]
    count = np.zeros((k, d), np.int64)
    first = np.zeros((k, d))
    second = np.zeros((k, d))
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        row = x[i]
        near = origin[c]
        for j in range(d):
            v = row[j] - near[j]
            seen = v == v
            v = v if seen else 0.0
            count[c, j] += 1 if seen else 0
            first[c, j] += v
            second[c, j] += v * v
    return count, first, second


@kernel
def weighted_moments(x, labels, weight, origin):  # type: ignore[no-untyped-def]
    """Sums of w, w (x - origin), w (x - origin)^2 over the observed cells."""
    n, d = x.shape
    k = origin.shape[0]
    count = np.zeros((k, d))
    first = np.zeros((k, d))
    second = np.zeros((k, d))
    for i in range(n):
        c = labels[i]
        w = weight[i]
        if c < 0 or w == 0.0:
            continue
        row = x[i]
        near = origin[c]
        for j in range(d):
            v = row[j] - near[j]
            seen = v == v
            v = v if seen else 0.0
            count[c, j] += w if seen else 0.0
            first[c, j] += w * v
            second[c, j] += w * v * v
    return count, first, second


@kernel
def shared_moments(x, shares, origin):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k)."""
    n, d = x.shape
    k = origin.shape[0]
    count = np.zeros((k, d))
    first = np.zeros((k, d))
    second = np.zeros((k, d))
    for i in range(n):
        row = x[i]
        for c in range(k):
            w = shares[i, c]
            if w == 0.0:
                continue
            near = origin[c]
            for j in range(d):
                v = row[j] - near[j]
                seen = v == v
                v = v if seen else 0.0
                count[c, j] += w if seen else 0.0
                first[c, j] += w * v
                second[c, j] += w * v * v
    return count, first, second
