"""Averaged one-dependence estimators: every feature in turn the parent of all others.

    p(x | k) = 1/m sum_i p(x_i | k) prod_(j != i) p(x_j | k, x_i)        over the m features that are observed

Rows are places u (n, d) in the row of all levels, -1 for a missing cell or a level that nobody knows. The table
(T, T, k) has log p(v | k, u) for levels u and v of two features, and log p(u | k) where they are the same, so that the
log of each product is a sum of table[u_i, u_j] over j.
"""

import math

import numpy as np

from likely.numeric.jit import REORDER, kernel

_ENOUGH = 1e-5  # of a sum of weights that must be left for its digits to be good


@kernel(
    fastmath=REORDER,
    makes=lambda u, table: (np.empty((len(u), table.shape[2])),),
    scratch=lambda u, table: (np.empty((u.shape[1], table.shape[2])), np.empty(u.shape[1], np.int64)),
)
def average_over_parents(u, table, out, products, seen):  # type: ignore[no-untyped-def]
    """Log density (n, k) of rows under the average."""
    n, d = u.shape
    k = table.shape[2]
    for r in range(n):
        m = 0
        for j in range(d):
            if u[r, j] >= 0:
                seen[m] = u[r, j]
                m += 1
        for i in range(m):
            given = table[seen[i]]
            own = products[i]
            for c in range(k):
                own[c] = 0.0
            for j in range(m):
                term = given[seen[j]]
                for c in range(k):
                    own[c] += term[c]
        for c in range(k):
            if m == 0:
                out[r, c] = 0.0
                continue
            largest = products[0, c]
            for i in range(1, m):
                largest = products[i, c] if products[i, c] > largest else largest
            total = 0.0
            for i in range(m):
                total += math.exp(products[i, c] - largest)
            out[r, c] = largest + math.log(total / m)


@kernel(
    makes=lambda u, table: (np.zeros((*u.shape, table.shape[2])),),
    scratch=lambda u, table: (np.empty(u.shape[1]),),
)
def terms_of_average(u, table, out, share):  # type: ignore[no-untyped-def]
    """What each feature adds to the log density (n, d, k): its mean log probability under the parents, each with the
    share that it has in the average, and an equal part of what the average adds to the mean.
    """
    n, d = u.shape
    k = table.shape[2]
    for r in range(n):
        m = 0
        for j in range(d):
            m += u[r, j] >= 0
        for c in range(k):
            largest = -np.inf
            for i in range(d):
                if u[r, i] < 0:
                    continue
                product = 0.0
                for j in range(d):
                    if u[r, j] >= 0:
                        product += table[u[r, i], u[r, j], c]
                share[i] = product
                largest = product if product > largest else largest
            total = 0.0
            mean = 0.0
            for i in range(d):
                if u[r, i] >= 0:
                    weight = math.exp(share[i] - largest)
                    total += weight
                    mean += weight * share[i]
                    share[i] = weight
            if m == 0:
                continue
            rest = (largest + math.log(total / m) - mean / total) / m
            for j in range(d):
                if u[r, j] < 0:
                    continue
                term = 0.0
                for i in range(d):
                    if u[r, i] >= 0:
                        term += share[i] * table[u[r, i], u[r, j], c]
                out[r, j, c] = term / total + rest


@kernel(
    scratch=lambda u, *rest: (
        np.empty((u.shape[1], rest[3].shape[2])), np.empty(u.shape[1], np.int64), np.empty(u.shape[1], np.int64)
    ),
)  # fmt: skip
def average_without_own_row(  # type: ignore[no-untyped-def]
    u, labels, weight, exact, table, count, whole, everyone, levels, m, out, products, seen, feature
):
    """Log density (n, k) of each row under the counts as they are without it.

    count (k, T, T), whole (k, T, d), everyone (T,) over all classes, levels (d,) of each feature, m pseudo-counts.
    A level that nobody else has is gone with its row. Rows of which too few digits would be left are NaN.
    """
    n, d = u.shape
    k = table.shape[2]
    for r in range(n):
        own = labels[r]
        w = weight[r] if own >= 0 else 0.0
        lost = False
        s = 0
        for j in range(d):
            if u[r, j] < 0:
                continue
            others = everyone[u[r, j]] - w
            if not exact and others < _ENOUGH * everyone[u[r, j]]:
                lost = lost or others != 0.0
            if others <= 0.0 and w > 0.0:
                continue
            seen[s] = u[r, j]
            feature[s] = j
            s += 1
        for i in range(s):
            given = table[seen[i]]
            sums = products[i]
            for c in range(k):
                sums[c] = 0.0
            for j in range(s):
                term = given[seen[j]]
                for c in range(k):
                    sums[c] += term[c]
            if w > 0.0:
                mine = 0.0
                for j in range(s):
                    left = count[own, seen[i], seen[j]] - w
                    of = whole[own, seen[i], feature[j]] - w
                    if not exact:
                        lost = lost or (left < _ENOUGH * w and left != 0.0) or (of < _ENOUGH * w and of != 0.0)
                        left = left if left > 0.0 else 0.0
                        of = of if of > 0.0 else 0.0
                    mine += math.log((left + m / levels[feature[j]]) / (of + m))
                sums[own] = mine
        for c in range(k):
            if lost:
                out[r, c] = np.nan
                continue
            if s == 0:
                out[r, c] = 0.0
                continue
            largest = products[0, c]
            for i in range(1, s):
                largest = products[i, c] if products[i, c] > largest else largest
            total = 0.0
            for i in range(s):
                total += math.exp(products[i, c] - largest)
            out[r, c] = largest + math.log(total / s)
