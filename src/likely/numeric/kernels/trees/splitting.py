"""The best test of a node on one column: a threshold between codes, or a set of levels.

How good a test is, is told by what it makes of the weights n_c of the classes on either side, N in all:

    entropy     sum over sides and classes of n_c ln n_c, less N ln N of each side
    Gini        sum over sides of (sum over classes of n_c^2) / N

either less its value before the test, divided by the weight of the node: nats gained, or the fall of the impurity.
Levels of a nominal column are put in order first, and cut like numbers: by the share of the one class of two, which
holds the best of all sets (Breiman et al. 1984), and of more classes along the first principal component of their
shares (Coppersmith, Hong and Hosking 1999). Missing cells are tried on both sides, and as a side of their own.
"""

import numpy as np

from likely.numeric.jit import kernel

SAME = 1e-10  # gains that are told apart by no more than rounding: the first of them wins
_NEARLY = 1e-7  # of gains, more than rounding can make of them
_TURNS = 8  # of the power method
_STEPS = 2.0**36  # to which a level's place along the component is rounded, so that equal shares stay equal


@kernel(inner=True)
def x_log_x(x, table):  # type: ignore[no-untyped-def]
    """The number times its logarithm, looked up for whole numbers."""
    whole = int(x)
    if whole == x and whole < len(table):
        return table[whole]
    return x * np.log(x) if x > 0 else 0.0


@kernel(inner=True)
def side_score(side, plus, sign, k, gini, table):  # type: ignore[no-untyped-def]
    """The score of one side, whose weights are `side`, and those of `plus` times `sign`."""
    total, score = 0.0, 0.0
    for c in range(k):
        n = side[c] + sign * plus[c]
        total += n
        score += n * n if gini else x_log_x(n, table)
    if gini:
        return score / total if total > 0 else 0.0
    return score - x_log_x(total, table)


@kernel(inner=True)
def best_cut(  # type: ignore[no-untyped-def]
    key, weight, u, k, missing, total, all_weight, before, least, gini, table, left, right, found
):
    """The best cut of u codes in order: its gain, and in `found` the last code on its left and the gaps' side.

    A cut is possible only between codes of different `key`. `found` has the last place on the left, whether gaps go
    left (with the heavier side where the node has none), and how many cuts there were.
    """
    gaps = missing[k]
    for c in range(k):
        left[c] = 0.0
        right[c] = total[c] - missing[c]
    best, cuts, on_left = -1.0, 0, 0.0
    found[0] = -1
    for i in range(u):
        at = i * k
        for c in range(k):
            n = weight[at + c]
            left[c] += n
            right[c] -= n
            on_left += n
        last = i == u - 1
        if last and gaps <= 0:
            break
        if not last and key[i] == key[i + 1]:
            continue
        on_right = all_weight - gaps - on_left
        for with_left in range(2):
            if with_left == 1 and (gaps <= 0 or last):
                break
            lighter = on_left + gaps * with_left
            other = on_right + gaps * (1 - with_left)
            if lighter < least or other < least:
                continue
            cuts += 1
            if gaps <= 0:
                score = side_score(left, missing, 0.0, k, gini, table) + side_score(right, missing, 0.0, k, gini, table)
            else:
                score = side_score(left, missing, float(with_left), k, gini, table)
                score += side_score(right, missing, 1.0 - with_left, k, gini, table)
            gain = (score - before) / all_weight
            if gain > best + SAME:
                best, found[0] = gain, i
                found[1] = with_left if gaps > 0 else (1 if on_left >= on_right else 0)
    found[2] = cuts
    return best


@kernel(inner=True)
def best_cut_of_two(key, weight, u, total, before, least, gini, table, found):  # type: ignore[no-untyped-def]
    """As `best_cut`, of two classes without gaps, whose weights are whole and less than the table is long.

    Between two codes that have rows of the same one class no cut is best (Fayyad and Irani 1992), so none is tried.
    """
    first = np.uint64(total[0])
    second = np.uint64(total[1])
    all_weight = total[0] + total[1]
    left_1 = left_2 = np.uint64(0)
    best, cuts = -1.0, 0
    bar = before - all_weight * (1 + _NEARLY)  # no score below it is better
    found[0] = -1
    for i in range(u - 1):
        a, b = weight[2 * i], weight[2 * i + 1]
        left_1 += np.uint64(a)
        left_2 += np.uint64(b)
        right_1 = first - left_1
        right_2 = second - left_2
        left = left_1 + left_2
        right = right_1 + right_2
        if key[i] == key[i + 1] or left < least or right < least:
            continue
        cuts += 1
        if gini:
            score = (left_1 * left_1 + left_2 * left_2) / left + (right_1 * right_1 + right_2 * right_2) / right
        else:
            score = table[left_1] + table[left_2] - table[left]
            score += table[right_1] + table[right_2] - table[right]
        if score < bar or (least <= 1 and ((a == 0 and weight[2 * i + 2] == 0) or (b == 0 and weight[2 * i + 3] == 0))):
            continue
        gain = (score - before) / all_weight
        if gain > best + SAME:
            best, found[0] = gain, i
            found[1] = 1 if left >= right else 0
            bar = before + all_weight * (best - _NEARLY)
    found[2] = cuts
    return best


@kernel(inner=True)
def split_information(weight, last, gaps_left, gaps, all_weight, k):  # type: ignore[no-untyped-def]
    """Entropy of the two sides of a cut, in nats."""
    on_left = gaps if gaps_left == 1 else 0.0
    for i in range((last + 1) * k):
        on_left += weight[i]
    p = on_left / all_weight
    return -p * np.log(p) - (1 - p) * np.log(1 - p)


@kernel(inner=True)
def order_levels(present, weight, u, k, total, missing, known, share, way, order, key, other):  # type: ignore[no-untyped-def]
    """Put the levels of a nominal column in the order in which they are cut; the same for classes in any order."""
    farthest = 0
    far = -1.0
    for i in range(u):
        at = i * k
        n = 0.0
        for c in range(k):
            n += weight[at + c]
        away = 0.0
        for c in range(k):
            off = weight[at + c] / n - (total[c] - missing[c]) / known
            share[at + c] = off
            away += off * off
        order[i] = i
        key[i] = n
        if away * n > far * (1 + SAME) + SAME:
            farthest = i
            far = away * n
    for c in range(k):
        way[c] = share[farthest * k + c]
    for turn in range(_TURNS + 1):
        size = 0.0
        for c in range(k):
            way[k + c] = 0.0
        for i in range(u):
            at = i * k
            along = 0.0
            for c in range(k):
                along += share[at + c] * way[c]
            if turn == _TURNS:
                key[i] = np.floor(along * _STEPS + 0.5)
            else:
                for c in range(k):
                    way[k + c] += key[i] * along * share[at + c]
        for c in range(k):
            off = abs(way[k + c])
            size = off if off > size else size
        if size > 0:
            for c in range(k):
                way[c] = way[k + c] / size
    gap = u
    while gap > 1:  # Shell's sort: there may be thousands of levels
        gap = (gap * 5 - 1) // 11 if gap > 2 else 1
        for i in range(gap, u):
            at = order[i]
            j = i
            while j >= gap and key[order[j - gap]] > key[at]:
                order[j] = order[j - gap]
                j -= gap
            order[j] = at
    # Of either end the level that came first; which of the two came first is the beginning.
    first = order[0]
    end = order[u - 1]
    for i in range(u):
        if key[i] == key[order[0]] and i < first:
            first = i
        if key[i] == key[order[u - 1]] and i < end:
            end = i
    for i in range(u):
        other[i] = present[i]
        share[u * k + i] = key[i]
        for c in range(k):
            share[i * k + c] = weight[i * k + c]
    for i in range(u):
        at = order[u - 1 - i] if first > end else order[i]
        present[i] = other[at]
        key[i] = share[u * k + at]
        for c in range(k):
            weight[i * k + c] = share[at * k + c]
