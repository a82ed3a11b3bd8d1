"""Sums of x - origin and its square, per class, in one pass over the rows.

The row loop vectorises over the features. Each kernel comes without and with missing cells (NaN): the first is
half as fast again, and its sums become NaN when a cell is missing, which is how the caller finds out.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def first_values(x, labels, k):  # type: ignore[no-untyped-def]
    """The first observed value of each feature in each class: an origin near the data."""
    n, d = x.shape
    origin = np.zeros((k, d))
    known = np.zeros((k, d), np.bool_)
    open_cells = np.full(k, d)
    unfinished = k if d > 0 else 0
    for i in range(n):
        if unfinished == 0:
            break
        c = labels[i]
        if c < 0 or open_cells[c] == 0:
            continue
        for j in range(d):
            if not known[c, j] and x[i, j] == x[i, j]:
                known[c, j] = True
                origin[c, j] = x[i, j]
                open_cells[c] -= 1
        if open_cells[c] == 0:
            unfinished -= 1
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
