"""Two classes in the order of a score: the steps of the ROC curve, and what is summed along them.

Scores are never NaN. Equal scores belong together: they make one sloping step of the curve.
"""

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints
from likely.numeric.jit import FEW, kernel


def split_scores(score: Floats, positive: Array, count: int) -> tuple[Floats, Floats]:
    """Scores of the `count` positive rows and of the others, in their order."""
    if len(score) <= FEW:
        return score[positive], score[~positive]
    yes, no = _split_scores(score, positive, count)
    return yes, no


@kernel(makes=lambda score, positive, count: (np.empty(count), np.empty(len(score) - count)))
def _split_scores(score, positive, count, yes, no):  # type: ignore[no-untyped-def]
    i = 0
    j = 0
    for r in range(len(score)):
        if positive[r]:
            yes[i] = score[r]
            i += 1
        else:
            no[j] = score[r]
            j += 1


def merge_steps(yes: Floats, no: Floats) -> tuple[Floats, Ints, Ints]:
    """Distinct scores from high to low, and how many of either class reach them; first infinity, which none reaches.

    `yes` and `no` are sorted in increasing order.
    """
    if len(yes) + len(no) <= FEW:
        steps = np.unique(np.concatenate([yes, no]))[::-1]
        hits, alarms = (np.append(0, len(part) - np.searchsorted(part, steps)) for part in (yes, no))
        return np.append(np.inf, steps), hits, alarms
    threshold, hits, alarms, size = _merge_steps(yes, no)
    return threshold[:size], hits[:size], alarms[:size]


@kernel(
    makes=lambda yes, no: (
        np.empty(len(yes) + len(no) + 1),
        np.empty(len(yes) + len(no) + 1, np.int64),
        np.empty(len(yes) + len(no) + 1, np.int64),
    )
)
def _merge_steps(yes, no, threshold, hits, alarms):  # type: ignore[no-untyped-def]
    m, n = len(yes), len(no)
    threshold[0] = np.inf
    hits[0] = 0
    alarms[0] = 0
    i, j, size = m - 1, n - 1, 1
    while i >= 0 or j >= 0:
        t = yes[i] if j < 0 or (i >= 0 and yes[i] >= no[j]) else no[j]
        while i >= 0 and yes[i] == t:
            i -= 1
        while j >= 0 and no[j] == t:
            j -= 1
        threshold[size] = t
        hits[size] = m - 1 - i
        alarms[size] = n - 1 - j
        size += 1
    return size


def pairs_won(hits: Array, alarms: Array) -> float:
    """Twice the number of pairs that the positive wins, ties counting half; whole for whole counts."""
    if len(hits) <= FEW and hits.dtype == alarms.dtype == np.int64:
        return float(np.diff(hits) @ (2 * alarms[-1] - alarms[1:] - alarms[:-1]))
    return float(_pairs_won(hits, alarms))


@kernel
def _pairs_won(hits, alarms):  # type: ignore[no-untyped-def]
    won = hits[0] * 0
    for i in range(1, len(hits)):
        won += (hits[i] - hits[i - 1]) * (2 * alarms[-1] - alarms[i] - alarms[i - 1])
    return won


@kernel
def placement_squares(hits, alarms, hit_squares, alarm_squares, area):  # type: ignore[no-untyped-def]
    """Sums of w^2 (placement - area)^2 over the positives and over the negatives.

    The placement of a positive is the share of negatives below it, that of a negative the share of positives above.
    """
    m, n = float(hits[-1]), float(alarms[-1])
    over_hits = 0.0
    over_alarms = 0.0
    for i in range(1, len(hits)):
        below = 1.0 - 0.5 * (alarms[i] + alarms[i - 1]) / n - area
        above = 0.5 * (hits[i] + hits[i - 1]) / m - area
        over_hits += (hit_squares[i] - hit_squares[i - 1]) * below * below
        over_alarms += (alarm_squares[i] - alarm_squares[i - 1]) * above * above
    return over_hits, over_alarms


def placements(order: Ints, score: Floats, positive: Array, weight: Floats) -> Floats:
    """The placement of each row: of a positive the share of negatives below, of a negative that of positives above.

    `order` sorts the scores in increasing order; ties count half.
    """
    ranked, yes = score[order], positive[order]
    first = np.append(True, ranked[1:] != ranked[:-1])  # of rows of one score
    step = np.cumsum(first) - 1
    tied = (np.where(own, weight[order], 0.0) for own in (yes, ~yes))
    hits, alarms = (np.add.reduceat(amount, np.flatnonzero(first)) for amount in tied)
    below, passed = (np.append(0.0, np.cumsum(amount)[:-1]) for amount in (alarms, hits))
    out = np.empty(len(order))
    of_yes = (below + 0.5 * alarms) / alarms.sum()
    of_no = (hits.sum() - passed - 0.5 * hits) / hits.sum()
    out[order] = np.where(yes, of_yes[step], of_no[step])
    return out


def upper_hull(x: Array, y: Array) -> Ints:
    """Places of the corners of the upper hull of points whose x and y never fall; no three corners on a line."""
    corners, size = _upper_hull(x, y)
    return np.array(corners[:size])


@kernel(makes=lambda x, y: (np.empty(len(x), np.int64),))
def _upper_hull(x, y, corners):  # type: ignore[no-untyped-def]
    n = len(x)
    size = 0
    for i in range(n):
        while size >= 2:
            a, b = corners[size - 2], corners[size - 1]
            turn = (x[b] - x[a]) * (y[i] - y[a]) - (y[b] - y[a]) * (x[i] - x[a])
            if turn < 0:
                break
            size -= 1
        corners[size] = i
        size += 1
    return size


@kernel(makes=lambda order, score, positive, weight, group, counts: (np.empty((len(counts), 2)),))
def resampled_curves(order, score, positive, weight, group, counts, out):  # type: ignore[no-untyped-def]
    """Area under the ROC curve and average precision when group g is in the sample counts[b, g] times: (b, 2).

    `order` sorts the scores in decreasing order. NaN where a replicate has rows of one class only.
    """
    replicates = len(counts)
    n = len(order)
    for b in range(replicates):
        hits = 0.0
        alarms = 0.0
        lost = 0.0  # pairs that the negative wins
        summed = 0.0
        start = 0
        while start < n:
            t = score[order[start]]
            stop = start
            yes = 0.0
            no = 0.0
            while stop < n and score[order[stop]] == t:
                r = order[stop]
                w = weight[r] * counts[b, group[r]]
                if positive[r]:
                    yes += w
                else:
                    no += w
                stop += 1
            lost += yes * (alarms + 0.5 * no)
            hits += yes
            alarms += no
            if yes > 0.0:
                summed += yes * hits / (hits + alarms)
            start = stop
        if hits > 0.0 and alarms > 0.0:
            out[b, 0] = 1.0 - lost / (hits * alarms)
        else:
            out[b, 0] = np.nan
        out[b, 1] = summed / hits if hits > 0.0 else np.nan


@kernel(makes=lambda truth, said, low, span: (np.zeros((span, span), np.int64),))
def count_pairs(truth, said, low, span, table):  # type: ignore[no-untyped-def]
    """How often each pair of whole numbers in low .. low + span - 1 occurs: (span, span)."""
    for r in range(len(truth)):
        table[np.int64(truth[r]) - low, np.int64(said[r]) - low] += 1


@kernel
def ranges(truth, said):  # type: ignore[no-untyped-def]
    """The smallest and the largest of all the numbers in two vectors of one length."""
    low = np.int64(truth[0])
    high = low
    for r in range(len(truth)):
        t, s = np.int64(truth[r]), np.int64(said[r])
        low = t if t < low else low
        low = s if s < low else low
        high = t if t > high else high
        high = s if s > high else high
    return low, high
