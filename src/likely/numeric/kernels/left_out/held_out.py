"""Rows shared out among folds, and their posteriors put back in place.

Cross-validation calls these once for every fold of every repeat, so they touch each row once: shuffling, sorting rows
by fold, and log p = log joint - log sum exp(log joint) written straight to where the row stands.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import kernel

_BLOCK = 64  # rows side by side: a loop over them uses the vector units however few classes there are
_STRIDE = _BLOCK + 4  # not a power of two, so that columns do not fight for the same cache lines

# exp(x) = 2^n exp(r), n = round(x / log 2), |r| <= log(2) / 2; log 2 in two parts, so that r keeps its digits
_PER_LOG_2 = 1.4426950408889634
_LOG_2_HIGH = 6.93147180369123816490e-01
_LOG_2_LOW = 1.90821492927058770002e-10
_ROUND = 6755399441055744.0  # 1.5 2^52: adding it rounds to a whole number, which is then in the lowest bits
_SMALLEST = -708.0  # exp of less is no normal number; next to a term of 1 it does not count


@kernel(
    scratch=lambda codes, folds, uniform, begin, out: (
        np.zeros(len(begin) + 1, np.int64),
        np.zeros(len(begin), np.int64),
        begin.copy(),
        np.empty(len(codes), np.int32),
    )
)
def shuffle_within(codes, folds, uniform, begin, out, place, seen, turn, dealt):  # type: ignore[no-untyped-def]
    """Write to `out` (n,) a fold for each row; the folds of each class are an even deal, shuffled.

    `begin` (k,) is where in the deal each class starts; `uniform` (n,) are random numbers in [0, 1). The i-th row of a
    class swaps what it was dealt with that of one of the rows before (Fisher and Yates, inside out).
    """
    n, k = codes.size, begin.size
    for i in range(n):
        place[codes[i] + 1] += 1
    for c in range(k):
        place[c + 1] += place[c]
    for i in range(n):
        c = codes[i]
        j = seen[c]
        seen[c] = j + 1
        other = int(uniform[i] * (j + 1))
        first = place[c]
        dealt[first + j] = dealt[first + other]
        dealt[first + other] = turn[c]
        turn[c] = turn[c] + 1 if turn[c] + 1 < folds else 0
    for i in range(n):
        c = codes[i]
        out[i] = dealt[place[c]]
        place[c] += 1


@kernel(
    scratch=lambda order, counts, folds, home: (
        np.zeros(counts.shape[1]),
        np.zeros((folds, counts.shape[1])),
        np.zeros(folds),
    )
)
def share_groups(order, counts, folds, home, scale, filled, rows):  # type: ignore[no-untyped-def]
    """Write to `home` the fold of each group, one after the other in `order`, from rows per group and class (g, k).

    A group goes where it raises the sum of squared class shares least, and of such folds to the smallest. No fold stays
    empty.
    """
    g, k = counts.shape
    for i in range(g):
        for c in range(k):
            scale[c] += counts[i, c]
    for c in range(k):
        scale[c] = 1.0 / scale[c] if scale[c] > 0.0 else 0.0
    empty = folds
    for place in range(g):
        group = order[place]
        only_empty = g - place <= empty
        best = -1
        least = np.inf
        for f in range(folds):
            if only_empty and rows[f] > 0.0:
                continue
            cost = 0.0
            for c in range(k):
                cost += counts[group, c] * scale[c] ** 2 * (2.0 * filled[f, c] + counts[group, c])
            if best < 0 or cost < least or (cost == least and rows[f] < rows[best]):
                best = f
                least = cost
        if rows[best] == 0.0:
            empty -= 1
        home[group] = best
        for c in range(k):
            filled[best, c] += counts[group, c]
            rows[best] += counts[group, c]


@kernel(
    makes=lambda folds, count: (np.empty(len(folds), np.int64), np.empty(count, np.int64)),
    scratch=lambda folds, count: (np.zeros(count + 1, np.int64),),
)
def rows_by_fold(folds, count, order, ends, place):  # type: ignore[no-untyped-def]
    """The rows in order of their folds (n,), ascending within each, and where each fold ends (count,)."""
    for i in range(folds.size):
        place[folds[i] + 1] += 1
    for f in range(count):
        place[f + 1] += place[f]
        ends[f] = place[f + 1]
    for i in range(folds.size):
        f = folds[i]
        order[place[f]] = i
        place[f] += 1


def put_log_posteriors(log_density: Array, log_prior: Floats, places: Ints, columns: Ints, out: Floats) -> None:
    """Write the log posterior of row i of `log_density` (m, k) to out[places[i], columns].

    A row that is impossible under every class has the prior as its posterior.
    """
    joint, (power, rest, largest, total) = np.zeros((len(log_prior), _STRIDE)), np.zeros((4, _BLOCK))
    # no loop may use the power and its bits: one that does is not vectorised
    bits = power.view(np.int64)
    _put_log_posteriors(log_density, log_prior, places, columns, out, joint, power, bits, rest, largest, total)


@kernel
def _put_log_posteriors(  # type: ignore[no-untyped-def]
    log_density, log_prior, places, columns, out, joint, power, bits, rest, largest, total
):
    m, k = log_density.shape
    for start in range(0, m, _BLOCK):
        size = _BLOCK if start + _BLOCK < m else m - start
        for c in range(k):
            one = joint[c]
            for i in range(size):
                one[i] = log_density[start + i, c] + log_prior[c]
        one = joint[0]
        for i in range(_BLOCK):
            largest[i] = one[i]
            total[i] = 0.0
        for c in range(1, k):
            one = joint[c]
            for i in range(_BLOCK):
                largest[i] = one[i] if one[i] > largest[i] else largest[i]
        for i in range(size):
            if largest[i] == -np.inf:
                for c in range(k):
                    joint[c, i] = log_prior[c]
                    largest[i] = log_prior[c] if log_prior[c] > largest[i] else largest[i]
        for c in range(k):
            one = joint[c]
            for i in range(_BLOCK):
                x = one[i] - largest[i]
                one[i] = x
                x = x if x > _SMALLEST else _SMALLEST
                shifted = x * _PER_LOG_2 + _ROUND
                whole = shifted - _ROUND
                power[i] = shifted
                rest[i] = (x - whole * _LOG_2_HIGH) - whole * _LOG_2_LOW
            for i in range(_BLOCK):
                bits[i] = (bits[i] + 1023) << 52
            for i in range(_BLOCK):
                r = rest[i]
                p = 1.0 / 6227020800.0  # the exponential series as far as 1 / 13!
                p = p * r + 1.0 / 479001600.0
                p = p * r + 1.0 / 39916800.0
                p = p * r + 1.0 / 3628800.0
                p = p * r + 1.0 / 362880.0
                p = p * r + 1.0 / 40320.0
                p = p * r + 1.0 / 5040.0
                p = p * r + 1.0 / 720.0
                p = p * r + 1.0 / 120.0
                p = p * r + 1.0 / 24.0
                p = p * r + 1.0 / 6.0
                p = p * r + 0.5
                p = p * r + 1.0
                p = p * r + 1.0
                total[i] += p * power[i]
        for i in range(size):
            total[i] = np.log(total[i])
        for i in range(size):
            to = out[places[start + i]]
            for c in range(k):
                to[columns[c]] = joint[c, i] - total[i]


@kernel
def largest_is(log_posterior, y, out):  # type: ignore[no-untyped-def]
    """Write 1 where the largest entry of a row (n, k), the first of equal ones, is that of its class, else 0."""
    n, k = log_posterior.shape
    for i in range(n):
        row = log_posterior[i]
        best = row[0]
        place = 0
        for c in range(1, k):  # without branches, which would be guessed wrong every other time
            larger = row[c] > best
            best = row[c] if larger else best
            place = c if larger else place
        out[i] = 1.0 if place == y[i] else 0.0
