"""A tree grown from codes: the best test of each node, its rows parted, until nothing is left to gain.

Nodes are numbered as they are made, the children of one node side by side, so that a child's number is always larger
than its parent's. The smaller child is grown first: never more than log2(n) nodes wait. Where all columns are tried in
every node, a node's table of counts is kept until it is split; its smaller child is counted, and the larger one is what
is left of it. That needs sums that are exact, which those of whole weights are.
"""

import numpy as np

from likely.numeric.jit import kernel
from likely.numeric.kernels.trees.counting import add_to_table, by_sorting, from_table
from likely.numeric.kernels.trees.splitting import (
    SAME,
    best_cut,
    best_cut_of_two,
    order_levels,
    side_score,
    split_information,
)

_BLOCK = 4096  # rows whose places stay in the cache while all columns are counted
GAIN, GINI, RATIO = 0, 1, 2  # criteria


@kernel
def next_random(state):  # type: ignore[no-untyped-def]
    """A number of 64 bits from one (splitmix64, Steele et al. 2014)."""
    z = state + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel
def count_all(codes, rows, own, mass, start, stop, offset, k, table):  # type: ignore[no-untyped-def]
    """The table of every column for a node."""
    for i in range(len(table)):
        table[i] = 0.0
    for first in range(start, stop, _BLOCK):
        end = first + _BLOCK if first + _BLOCK < stop else stop
        for j in range(len(codes)):
            add_to_table(codes[j], rows, own, mass, first, end, offset[j] * k, k, table)


@kernel
def grow_tree(  # type: ignore[no-untyped-def]
    codes,  # (d, n)
    bins,  # (d,)  codes of each column without that of a gap
    nominal,  # (d,) bool
    rows,  # (m,)  those that count; they are reordered, as are their classes and weights
    own,  # (m,)  their classes
    mass,  # (m,)  their weights
    k,
    criterion,
    max_depth,
    min_split,
    min_leaf,
    min_gain,
    columns_tried,
    seed,
    whole,  # whether all weights are whole numbers
    slots,  # (s, codes * k)  tables that may be kept; none: nothing is subtracted
    x_log,  # table of x ln x
    feature,
    cut,  # (nodes, 2)  last code on the left and first on the right, -1 where there is none
    child,
    gaps_left,
    mask_at,
    masks,
    counts,  # (nodes, k)
    gain,
    test_bits,
    stack,  # (waiting, 6) int64
    seeds,  # (waiting,) uint64
    free,  # (s,) int64
    offset,  # (d + 1,)
    drawn,  # (d,) int64
    spare_rows,
    spare_own,
    spare_mass,
    keys,
    other,
    bucket,
    scratch,  # (most codes * k)
    present,
    present_2,
    order,
    weight,
    weight_2,
    share,
    key,
    small,  # (4, k)
    way,  # (2 k,)
    gain_of,  # (d,)
    ratio_of,  # (d,)
    found,  # (3,)
    test,  # of the best column: its levels on the left
):
    """Grow one tree into the arrays of nodes; how many nodes and words of masks were made."""
    d = len(codes)
    missing, left, right, known = small[0], small[1], small[2], small[3]
    gini = criterion == GINI
    keeps = len(slots) > 0 and columns_tried >= d
    n_free = len(slots)
    for s in range(n_free):
        free[s] = s
    for c in range(k):
        counts[0, c] = 0.0
    for i in range(len(rows)):
        counts[0, own[i]] += mass[i]
    nodes, words, waiting = 1, 0, 1
    stack[0, 0], stack[0, 1], stack[0, 2], stack[0, 3], stack[0, 4] = 0, 0, len(rows), 0, -1
    seeds[0] = seed
    while waiting > 0:
        waiting -= 1
        node, start, stop, depth, slot = (
            stack[waiting, 0],
            stack[waiting, 1],
            stack[waiting, 2],
            stack[waiting, 3],
            stack[waiting, 4],
        )
        state = seeds[waiting]
        total = counts[node]
        all_weight, heaviest = 0.0, 0.0
        for c in range(k):
            all_weight += total[c]
            heaviest = total[c] if total[c] > heaviest else heaviest
        feature[node], child[node], mask_at[node], gain[node] = -1, -1, -1, 0.0
        n = stop - start
        ends = n < 2 or heaviest >= all_weight or depth >= max_depth or all_weight < min_split
        chosen, best, best_last, best_next = -1, -1.0, -1, -1
        if not ends:
            if keeps and slot < 0 and n_free > 0 and 2 * n * d >= offset[d]:
                n_free -= 1
                slot = free[n_free]
                count_all(codes, rows, own, mass, start, stop, offset, k, slots[slot])
            before = side_score(total, total, 0.0, k, gini, x_log)
            for j in range(d):
                drawn[j] = j
            tried, sum_of_gains, winner = 0, 0.0, -1
            for turn in range(d + 1):
                if turn == d:  # the gain ratio compares columns of at least average gain, once all are known
                    if criterion != RATIO or tried == 0:
                        break
                    for i in range(d):
                        if gain_of[i] + SAME >= sum_of_gains / tried and ratio_of[i] > best + SAME:
                            best, winner = ratio_of[i], i
                    j, best = winner, -1.0
                elif tried >= columns_tried:
                    continue
                else:
                    if columns_tried < d:
                        state = next_random(state)
                        pick = turn + np.int64(state % np.uint64(d - turn))
                        drawn[turn], drawn[pick] = drawn[pick], drawn[turn]
                    j = drawn[turn]
                    gain_of[j], ratio_of[j] = -1.0, -1.0
                if slot >= 0:
                    u = from_table(slots[slot], offset[j] * k, bins[j], k, present, weight, missing)
                elif 2 * n >= bins[j]:
                    for i in range((bins[j] + 1) * k):
                        scratch[i] = 0.0
                    add_to_table(codes[j], rows, own, mass, start, stop, 0, k, scratch)
                    u = from_table(scratch, 0, bins[j], k, present, weight, missing)
                else:
                    u = by_sorting(
                        codes[j], rows, own, mass, start, stop, bins[j], k, keys, other, bucket,
                        present, weight, missing,
                    )  # fmt: skip
                gaps = 0.0
                for c in range(k):
                    gaps += missing[c]
                if u == 0 or (u == 1 and gaps <= 0):
                    continue  # the same everywhere: another column is drawn for it
                at, heavy = present, weight
                if nominal[j]:
                    for c in range(k):
                        known[c] = total[c] - missing[c]
                    order_levels(
                        present, weight, u, k, known, all_weight - gaps, share, way, order, key, present_2, weight_2
                    )
                    at, heavy = present_2, weight_2
                else:
                    for i in range(u):
                        key[i] = present[i]
                if k == 2 and whole and gaps <= 0 and all_weight < len(x_log):
                    got = best_cut_of_two(key, heavy, u, total, before, min_leaf, gini, x_log, found)
                else:
                    got = best_cut(
                        key, heavy, u, k, missing, total, all_weight, before, min_leaf, gini, x_log, left, right, found
                    )
                if turn < d:
                    tried += 1
                if found[0] < 0:
                    continue
                got = got if got > 0 else 0.0
                if criterion == RATIO and turn < d:
                    sum_of_gains += got
                    gain_of[j] = got
                    ratio_of[j] = got / split_information(heavy, found[0], found[1], gaps, all_weight, k)
                elif got > best + SAME:
                    best, chosen = got, j
                    best_last, gaps_left[node] = at[found[0]], found[1]
                    best_next = at[found[0] + 1] if found[0] + 1 < u else -1
                    test_bits[node] = np.log2(found[2]) if not nominal[j] else u - 1.0 + (1.0 if gaps > 0 else 0.0)
                    if nominal[j]:
                        for b in range(bins[j] + 1):
                            test[b] = found[1]  # a level that is not here goes where gaps go
                        for i in range(u):
                            test[at[i]] = 1 if i <= found[0] else 0
        if chosen < 0 or best < min_gain:
            if slot >= 0:
                free[n_free] = slot
                n_free += 1
            continue
        # The rows are parted, each side in the order it had.
        by_mask, gap, to_left = nominal[chosen], bins[chosen], gaps_left[node]
        column = codes[chosen]
        first, second = nodes, nodes + 1
        for c in range(k):
            counts[first, c], counts[second, c] = 0.0, 0.0
        middle, kept = start, 0
        for i in range(start, stop):
            code = np.int64(column[rows[i]])
            if code == gap:
                goes = to_left
            elif by_mask:
                goes = test[code]
            else:
                goes = 1 if code <= best_last else 0
            if goes == 1:
                rows[middle], own[middle], mass[middle] = rows[i], own[i], mass[i]
                counts[first, own[i]] += mass[i]
                middle += 1
            else:
                spare_rows[kept], spare_own[kept], spare_mass[kept] = rows[i], own[i], mass[i]
                counts[second, own[i]] += mass[i]
                kept += 1
        for i in range(kept):
            rows[middle + i], own[middle + i], mass[middle + i] = spare_rows[i], spare_own[i], spare_mass[i]
        feature[node], child[node], gain[node] = chosen, first, best
        cut[node, 0], cut[node, 1] = best_last, best_next
        if by_mask:
            mask_at[node] = words
            for b in range(0, gap + 1, 64):
                word = np.uint64(0)
                for bit in range(64):
                    if b + bit <= gap and test[b + bit] == 1:
                        word |= np.uint64(1) << np.uint64(bit)
                masks[words] = word
                words += 1
        nodes += 2
        n_left = middle - start
        less = 0 if 2 * n_left <= n else 1  # the smaller child
        few = n_left if less == 0 else n - n_left
        slot_of_less = -1
        if slot >= 0:
            if n_free > 0 and 2 * (n - few) * d >= offset[d] and depth + 1 < max_depth:
                n_free -= 1
                slot_of_less = free[n_free]
                a, b = (start, middle) if less == 0 else (middle, stop)
                count_all(codes, rows, own, mass, a, b, offset, k, slots[slot_of_less])
                mine, its = slots[slot], slots[slot_of_less]
                for i in range(len(mine)):
                    mine[i] -= its[i]
            else:
                free[n_free] = slot
                n_free += 1
                slot = -1
        for side in range(2):  # the smaller one last: it is taken first
            which = 1 - less if side == 0 else less
            stack[waiting, 0] = first + which
            stack[waiting, 1], stack[waiting, 2] = (start, middle) if which == 0 else (middle, stop)
            stack[waiting, 3] = depth + 1
            stack[waiting, 4] = slot if side == 0 else slot_of_less
            seeds[waiting] = next_random(state ^ np.uint64(which + 1))
            waiting += 1
    return nodes, words
