"""Sums of log x and of x for positive features, as deviations from an origin at least as large as the data.

    v = log(x / origin) <= 0,   e = x / origin - 1 - v >= 0

e is of second order in the deviation and is computed without cancellation: with u = (x - origin) / origin and
t = u / (2 + u), u - log(1 + u) = u^2 / (2 + u) - 2 (t^3 / 3 + t^5 / 5 + ...).
"""

import math

import numpy as np

from likely.numeric.jit import kernel

TINY = 1e-300  # ratios below may have lost digits to underflow


@kernel
def largest_values(x, labels, k):  # type: ignore[no-untyped-def]
    """The largest value of each feature in each class (k, d); zero where nothing was observed."""
    n, d = x.shape
    largest = np.zeros((k, d))
    for i in range(n):
        c = labels[i]
        if c < 0:
            continue
        row = x[i]
        into = largest[c]
        for j in range(d):
            into[j] = row[j] if row[j] > into[j] else into[j]
    return largest


@kernel
def excess(u):  # type: ignore[no-untyped-def]
    """The series of u - log(1 + u) for |u| < 0.1."""
    t = u / (2.0 + u)
    q = t * t
    tail = 1 / 3 + q * (1 / 5 + q * (1 / 7 + q * (1 / 9 + q * (1 / 11 + q * (1 / 13 + q / 15)))))
    return u * u / (2.0 + u) - 2.0 * t * q * tail


@kernel
def log_sums(x, labels, weight, origin):  # type: ignore[no-untyped-def]
    """Sums of w, w v and w e over the observed cells."""
    n, d = x.shape
    k = origin.shape[0]
    count = np.zeros((k, d))
    log_first = np.zeros((k, d))
    second = np.zeros((k, d))
    for i in range(n):
        c = labels[i]
        w = weight[i]
        if c < 0 or w == 0.0:
            continue
        for j in range(d):
            if x[i, j] == x[i, j]:
                u = (x[i, j] - origin[c, j]) / origin[c, j]
                if abs(u) < 0.1:
                    e = excess(u)
                    v = u - e
                else:
                    ratio = x[i, j] / origin[c, j]
                    v = math.log(ratio) if ratio > TINY else math.log(x[i, j]) - math.log(origin[c, j])
                    e = u - v
                count[c, j] += w
                log_first[c, j] += w * v
                second[c, j] += w * e
    return count, log_first, second


@kernel
def shared_log_sums(x, shares, origin):  # type: ignore[no-untyped-def]
    """The same for rows that belong to every class by a share (n, k); one origin (d,) for all classes."""
    n, d = x.shape
    k = shares.shape[1]
    count = np.zeros((k, d))
    log_first = np.zeros((k, d))
    second = np.zeros((k, d))
    for i in range(n):
        for j in range(d):
            if x[i, j] == x[i, j]:
                u = (x[i, j] - origin[j]) / origin[j]
                if abs(u) < 0.1:
                    e = excess(u)
                    v = u - e
                else:
                    ratio = x[i, j] / origin[j]
                    v = math.log(ratio) if ratio > TINY else math.log(x[i, j]) - math.log(origin[j])
                    e = u - v
                for c in range(k):
                    w = shares[i, c]
                    if w == 0.0:  # the origin need not be larger than the values of a row without weight
                        continue
                    count[c, j] += w
                    log_first[c, j] += w * v
                    second[c, j] += w * e
    return count, log_first, second
