"""Two classes in the order of a score: the steps of the ROC curve, and what is summed along them.

Scores are never NaN. Equal scores belong together: they make one sloping step of the curve.
"""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def split_scores(score, positive, count):  # type: ignore[no-untyped-def]
    """Scores of the `count` positive rows and of the others, in their order."""
    yes = np.empty(count)
    no = np.empty(len(score) - count)
    i = 0
    j = 0
    for r in range(len(score)):
        if positive[r]:
            yes[i] = score[r]
            i += 1
        else:
            no[j] = score[r]
            j += 1
    return yes, no


@kernel
def merge_steps(yes, no):  # type: ignore[no-untyped-def]
    """Distinct scores from high to low, and how many of either class reach them; first infinity, which none reaches.

    `yes` and `no` are sorted in increasing order.
    """
    m, n = len(yes), len(no)
    threshold = np.empty(m + n + 1)
    hits = np.empty(m + n + 1, np.int64)
    alarms = np.empty(m + n + 1, np.int64)
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
    return threshold[:size], hits[:size], alarms[:size]


@kernel
def pairs_won(hits, alarms):  # type: ignore[no-untyped-def]
    """Twice the number of pairs that the positive wins, ties counting half; whole for whole counts."""
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


@kernel
def placements(order, score, positive, weight):  # type: ignore[no-untyped-def]
    """The placement of each row: of a positive the share of negatives below, of a negative that of positives above.

    `order` sorts the scores in increasing order; ties count half.
    """
    n = len(order)
    total_yes = 0.0
    total_no = 0.0
    for r in range(n):
        if positive[r]:
            total_yes += weight[r]
        else:
            total_no += weight[r]
    out = np.empty(n)
    seen_yes = 0.0
    seen_no = 0.0
    start = 0
    while start < n:
        t = score[order[start]]
        stop = start
        yes = 0.0
        no = 0.0
        while stop < n and score[order[stop]] == t:
            r = order[stop]
            if positive[r]:
                yes += weight[r]
            else:
                no += weight[r]
            stop += 1
        for s in range(start, stop):
            r = order[s]
            if positive[r]:
                out[r] = (seen_no + 0.5 * no) / total_no
            else:
                out[r] = (total_yes - seen_yes - 0.5 * yes) / total_yes
        seen_yes += yes
        seen_no += no
        start = stop
    return out


@kernel
def upper_hull(x, y):  # type: ignore[no-untyped-def]
    """Places of the corners of the upper hull of points whose x and y never fall; no three corners on a line."""
    n = len(x)
    corners = np.empty(n, np.int64)
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
    return corners[:size].copy()


@kernel
def resampled_curves(order, score, positive, weight, group, counts):  # type: ignore[no-untyped-def]
    """Area under the ROC curve and average precision when group g is in the sample counts[b, g] times: (b, 2).

    `order` sorts the scores in decreasing order. NaN where a replicate has rows of one class only.
    """
    replicates = len(counts)
    n = len(order)
    out = np.empty((replicates, 2))
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
    return out


@kernel
def count_pairs(truth, said, low, span):  # type: ignore[no-untyped-def]
    """How often each pair of whole numbers in low .. low + span - 1 occurs: (span, span)."""
    table = np.zeros((span, span), np.int64)
    for r in range(len(truth)):
        table[np.int64(truth[r]) - low, np.int64(said[r]) - low] += 1
    return table


@kernel
def ranges(truth, said):  # type: ignore[no-untyped-def]
    """The smallest and the largest of all the numbers in two vectors of one length."""
    low = np.int64(truth[0])
    high = low
    for r in range(len(truth)):
        t, s = np.int64(truth[r]), np.int64(said[r])
        low = min(low, min(t, s))
        high = max(high, max(t, s))
    return low, high
