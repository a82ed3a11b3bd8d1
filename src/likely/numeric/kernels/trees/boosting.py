"""A tree of one step of boosting, grown from sums of slopes over the codes of the columns.

The loss falls by (G_left^2 / (H_left + l2) + G_right^2 / (H_right + l2) - G^2 / (H + l2)) / 2 where a node with sums G
of first and H of second derivatives is parted. Sums are of whole numbers, derivatives in fixed steps, so they are
exact: a sibling is what is left of its parent, and neither the order of the rows nor the number of threads is any
matter. A row has two numbers, g and h << 24 | weight, so that one pass sums all three.

The node that gains most is parted next. Each waits with its table of sums, as long as there are places to keep one.
"""

import numpy as np

from likely.numeric.jit import kernel
from likely.numeric.kernels.trees.growing import next_random

_BLOCK = 1024  # rows whose slopes stay in the cache while all columns are summed
_WEIGHT = (1 << 24) - 1  # the bits of the weight
_ONE = np.uint64(1)
_SAME = 1e-9  # gains nearer than this, as a share of the larger, are the same
FEATURE, LAST, NEXT, CHILD, GAPS_LEFT, START, STOP, DEPTH, SLOT, FIRST, SECOND = range(11)  # whole numbers of a node
VALUE, GAIN = range(2)  # its real ones


@kernel
def pack_slopes(p, own, c, weight, steps, packed):  # type: ignore[no-untyped-def]
    """Derivatives of the log-loss by the score of class c, times the weights, and the weights, in whole steps (n, 2).

    `p` (n,) are probabilities of class c; `steps` of the weight, and of g, for one; that of h depends on its sum, and
    is returned.
    """
    total = 0.0
    for i in range(len(p)):
        total += weight[i] * p[i] * (1.0 - p[i])
    fine = 2.0 ** np.floor(37.0 - np.log2(total + 1e-30))
    for i in range(len(p)):
        w = weight[i]
        g = w * (p[i] - (1.0 if own[i] == c else 0.0))
        packed[i, 0] = np.int64(np.rint(g * steps[1]))
        light = np.int64(np.rint(w * steps[0]))
        light = np.int64(1) if w > 0 and light < 1 else light
        packed[i, 1] = (np.int64(np.rint(w * p[i] * (1.0 - p[i]) * fine)) << 24) + light
    return fine


@kernel
def add_slopes(codes, first, end, rows, slopes, start, stop, offset, table):  # type: ignore[no-untyped-def]
    """Add the slopes of rows start to stop of a node to the tables of columns first to end."""
    for a in range(start, stop, _BLOCK):
        z = a + _BLOCK if a + _BLOCK < stop else stop
        for j in range(first, end):
            column, base = codes[j], np.uint64(2 * offset[j])
            for i in range(a, z):
                at = base + (np.uint64(column[rows[i]]) << _ONE)
                table[at] += slopes[i, 0]
                table[at + _ONE] += slopes[i, 1]


@kernel
def side_gain(g, s, unit, l2, least, least_h):  # type: ignore[no-untyped-def]
    """What a side of a test is worth, g and s its sums; below 0 where it is too light."""
    h = (s >> 24) * unit[1]
    if (s & _WEIGHT) < least or h < least_h:
        return -1.0
    return (g * unit[0]) ** 2 / (h + l2) if h + l2 > 0 else 0.0


@kernel
def best_test(table, base, bins, of_levels, g, s, unit, limits, smooth, order, key, found):  # type: ignore[no-untyped-def]
    """The best cut of one column: what both sides are worth, or -1; `found` is where it is.

    `found`: how many codes in `order` go left, whether gaps do, and how many codes there are.
    """
    l2, least, least_h = limits[0], limits[1], limits[2]
    u = 0
    for b in range(bins):
        if table[base + 2 * b + 1] & _WEIGHT:
            order[u] = b
            u += 1
    gap_g, gap_s = table[base + 2 * bins], table[base + 2 * bins + 1]
    found[2] = u
    if of_levels and u > 2:
        for i in range(u):
            b = order[i]
            h = (table[base + 2 * b + 1] >> 24) * unit[1]
            key[b] = table[base + 2 * b] * unit[0] / (h + smooth)
        gap = u
        while gap > 1:  # Shell's sort: there may be thousands of levels
            gap = (gap * 5 - 1) // 11 if gap > 2 else 1
            for i in range(gap, u):
                at, j = order[i], i - gap
                while j >= 0 and (key[order[j]] > key[at] or (key[order[j]] == key[at] and order[j] > at)):
                    order[j + gap] = order[j]
                    j -= gap
                order[j + gap] = at
    best, left_g, left_s = -1.0, 0, 0
    for i in range(u):
        left_g += table[base + 2 * order[i]]
        left_s += table[base + 2 * order[i] + 1]
        for with_left in range(2 if gap_s else 1):
            if i == u - 1 and (with_left == 1 or not gap_s):
                break
            a_g, a_s = left_g + with_left * gap_g, left_s + with_left * gap_s
            one = side_gain(a_g, a_s, unit, l2, least, least_h)
            if one < 0:
                continue
            other = side_gain(g - a_g, s - a_s, unit, l2, least, least_h)
            if other >= 0 and one + other > best * (1 + _SAME):
                best = one + other
                found[0] = i + 1
                found[1] = with_left if gap_s else (1 if 2 * (a_s & _WEIGHT) >= (s & _WEIGHT) else 0)
    return best


@kernel
def look_at_node(  # type: ignore[no-untyped-def]
    node, table, bins, offset, nominal, tried, state, unit, limits, whole, real, masks, order, key, drawn, found
):
    """Find the best test of a node and write it there; whether it gains anything."""
    d = len(bins)
    g, s = whole[node, FIRST], whole[node, SECOND]
    before = side_gain(g, s, unit, limits[0], 0.0, 0.0)
    best, words = before + _SAME * (1.0 + before), masks.shape[1]
    whole[node, FEATURE] = -1
    for j in range(d):
        drawn[j] = j
    for turn in range(tried):
        if tried < d:
            state = next_random(state)
            pick = turn + np.int64(state % np.uint64(d - turn))
            drawn[turn], drawn[pick] = drawn[pick], drawn[turn]
        j = drawn[turn]
        base = 2 * offset[j]
        got = best_test(table, base, bins[j], nominal[j], g, s, unit, limits, limits[3], order, key, found)
        if got <= best * (1 + _SAME):
            continue
        best = got
        whole[node, FEATURE], whole[node, GAPS_LEFT] = j, found[1]
        whole[node, LAST] = order[found[0] - 1]
        whole[node, NEXT] = order[found[0]] if found[0] < found[2] else -1
        if nominal[j]:  # levels that are not here go where gaps go
            for word in range(words):
                masks[node, word] = ~np.uint64(0) if found[1] else np.uint64(0)
            for i in range(found[2]):
                bit = _ONE << np.uint64(order[i] & 63)
                if i < found[0]:
                    masks[node, order[i] >> 6] |= bit
                else:
                    masks[node, order[i] >> 6] &= ~bit
    real[node, GAIN] = 0.5 * (best - before) if whole[node, FEATURE] >= 0 else 0.0
    return whole[node, FEATURE] >= 0


@kernel
def part_rows(node, column, gap, of_levels, rows, slopes, whole, masks, spare_rows, spare_slopes):  # type: ignore[no-untyped-def]
    """Put the rows of a node that go left before the others, both in their order; where the others begin."""
    start, stop, to_left, last = whole[node, START], whole[node, STOP], whole[node, GAPS_LEFT], whole[node, LAST]
    bits = masks[node]
    middle, kept = start, 0
    for i in range(start, stop):
        code = np.int64(column[rows[i]])
        if code == gap:
            goes = to_left == 1
        elif of_levels:
            goes = (bits[code >> 6] >> np.uint64(code & 63)) & _ONE == _ONE
        else:
            goes = code <= last
        if goes:
            rows[middle], slopes[middle, 0], slopes[middle, 1] = rows[i], slopes[i, 0], slopes[i, 1]
            middle += 1
        else:
            spare_rows[kept], spare_slopes[kept, 0], spare_slopes[kept, 1] = rows[i], slopes[i, 0], slopes[i, 1]
            kept += 1
    for i in range(kept):
        rows[middle + i] = spare_rows[i]
        slopes[middle + i, 0], slopes[middle + i, 1] = spare_slopes[i, 0], spare_slopes[i, 1]
    return middle


@kernel
def sum_slopes(node, start, stop, depth, slopes, whole, real):  # type: ignore[no-untyped-def]
    """Begin a node of these rows."""
    g, s = 0, 0
    for i in range(start, stop):
        g += slopes[i, 0]
        s += slopes[i, 1]
    whole[node, FIRST], whole[node, SECOND], whole[node, START], whole[node, STOP] = g, s, start, stop
    whole[node, FEATURE], whole[node, CHILD], whole[node, SLOT], whole[node, DEPTH] = -1, -1, -1, depth
    real[node, GAIN] = 0.0


@kernel
def grow_boosted(  # type: ignore[no-untyped-def]
    codes,  # (d, n)
    bins,  # (d,)  codes of each column without that of a gap
    offset,  # (d + 1,)  where the codes of each column begin
    nominal,  # (d,) bool
    rows,  # (n,) uint32  reordered, as their slopes are
    slopes,  # (n, 2) int64
    unit,  # (2,)  a step of g and of h
    limits,  # (5,)  l2, least weight and second derivative of a leaf, smoothing of levels, learning rate
    most,  # (3,) int64  leaves (0: any number), depth, columns tried
    seed,
    tables,  # (s + 1, 2 codes) int64  the first has the sums of all rows, the last is for nodes that keep none
    whole,  # (nodes, 11) int64
    real,  # (nodes, 2)
    masks,  # (nodes, words) uint64
    scores,  # (n,)  to which the values of the leaves are added
    order,  # (most codes,) int64
    key,  # (most codes,)
    drawn,  # (d,) int64
    found,  # (3,) int64
    free,  # (s + 1,) int64
    waiting,  # (nodes,) int64
    spare_rows,
    spare_slopes,
):
    """Grow one tree; how many nodes it has."""
    scratch = len(tables) - 1
    n_free = 0
    for i in range(scratch - 1, 0, -1):  # the first is the root's
        free[n_free] = i
        n_free += 1
    none = np.int64(0)  # a literal would have the kernels that are called compiled once more
    nodes, n_waiting, small, large = none + 1, none, none, none
    table = none if scratch > 0 else none - 1
    sum_slopes(none, none, len(rows), none, slopes, whole, real)
    while True:
        # The smaller child is summed; its sibling is what it leaves of their parent, where that kept its table.
        goes_on = (nodes + 1) // 2 != most[0] and whole[large, DEPTH] < most[1]
        look_large = goes_on and (whole[large, SECOND] & _WEIGHT) >= 2 * limits[1]
        look_small = goes_on and (whole[small, SECOND] & _WEIGHT) >= 2 * limits[1]
        subtracts = table >= 0 and look_large
        for turn in range(0 if small != large else 1, 2):  # the root has no sibling
            child = large if turn else small
            looks = look_large if turn else look_small
            if not (looks or (subtracts and turn == 0)):
                continue
            slot = table
            if small != large and (turn == 0 or not subtracts):
                if table < 0 or subtracts:
                    slot = none + scratch
                    if n_free > 0:
                        n_free -= 1
                        slot = free[n_free]
                sums = tables[slot]
                for i in range(len(sums)):
                    sums[i] = 0
                add_slopes(codes, none, len(codes), rows, slopes, whole[child, START], whole[child, STOP], offset, sums)
                if subtracts:
                    its = tables[table]
                    for i in range(len(sums)):
                        its[i] -= sums[i]
            state = next_random(seed ^ np.uint64(child))
            if looks and look_at_node(
                child, tables[slot], bins, offset, nominal, most[2], state, unit, limits, whole, real, masks, order,
                key, drawn, found,
            ):  # fmt: skip
                waiting[n_waiting] = child
                n_waiting += 1
                whole[child, SLOT] = slot if slot < scratch else -1
            elif 0 <= slot < scratch:
                free[n_free] = slot
                n_free += 1
        if table >= 0 and not (look_large or look_small):  # nobody takes it over
            free[n_free] = table
            n_free += 1
        if n_waiting == 0 or (nodes + 1) // 2 == most[0]:
            break
        pick = n_waiting - 1
        if most[0] > 0:
            for i in range(n_waiting):
                if real[waiting[i], GAIN] > real[waiting[pick], GAIN] * (1 + _SAME):
                    pick = none + i
        node = waiting[pick]
        n_waiting -= 1
        waiting[pick] = waiting[n_waiting]
        start, stop, j = whole[node, START], whole[node, STOP], whole[node, FEATURE]
        middle = part_rows(node, codes[j], bins[j], nominal[j], rows, slopes, whole, masks, spare_rows, spare_slopes)
        whole[node, CHILD] = nodes
        sum_slopes(nodes, start, middle, whole[node, DEPTH] + 1, slopes, whole, real)
        sum_slopes(nodes + 1, middle, stop, whole[node, DEPTH] + 1, slopes, whole, real)
        small = nodes if 2 * middle <= start + stop else nodes + 1
        large, table = 2 * nodes + 1 - small, whole[node, SLOT]
        nodes += 2
    for node in range(nodes):
        if whole[node, CHILD] < 0:
            whole[node, FEATURE] = -1
            real[node, GAIN] = 0.0
        h = (whole[node, SECOND] >> 24) * unit[1]
        value = -limits[4] * whole[node, FIRST] * unit[0] / (h + limits[0]) if h + limits[0] > 0 else 0.0
        real[node, VALUE] = value
        if whole[node, CHILD] < 0:
            for i in range(whole[node, START], whole[node, STOP]):
                scores[rows[i]] += value
    return nodes
