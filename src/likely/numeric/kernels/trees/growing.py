"""A tree grown from codes: the best test of each node, its rows parted, until nothing is left to gain.

Nodes are numbered as they are made, the children of one node side by side, so that a child's number is always larger
than its parent's. The smaller child is grown first: never more than log2(n) nodes wait. Where all columns are tried in
every node, a node's table of counts is kept until it is split; its smaller child is counted, and the larger one is what
is left of it. That needs sums that are exact, which those of whole weights are.
"""

import numpy as np

from likely.numeric.jit import kernel
from likely.numeric.kernels.trees.counting import add_to_table, by_marks, from_table
from likely.numeric.kernels.trees.splitting import (
    SAME,
    best_cut,
    best_cut_of_two,
    order_levels,
    side_score,
    split_information,
)

_BLOCK = 4096  # rows whose places stay in the cache while all columns are counted
_ONE = np.uint64(1)
_NEAR = 4096  # rows up to which a node reads codes row by row: they are in the cache for its other columns
GAIN, GINI, RATIO = 0, 1, 2  # criteria


@kernel(inner=True)
def next_random(state):  # type: ignore[no-untyped-def]
    """A number of 64 bits from one (splitmix64, Steele et al. 2014)."""
    z = state + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@kernel(inner=True)
def count_all(codes, n, rows, own, mass, start, stop, offset, k, tables, slot, above):  # type: ignore[no-untyped-def]
    """The table of every column for a node into a slot, and the same taken from another slot, if there is one."""
    d = len(offset) - 1
    size = offset[d] * k
    for i in range(slot * size, (slot + 1) * size):
        tables[i] = 0.0
    for a in range(start, stop, _BLOCK):
        z = a + _BLOCK if a + _BLOCK < stop else stop
        for j in range(d):
            add_to_table(
                codes, np.uint64(j * n), _ONE, rows, own, mass, np.uint64(a), np.uint64(z), np.uint64(k), tables,
                np.uint64(slot * size + offset[j] * k),
            )  # fmt: skip
    if above >= 0:
        for i in range(size):
            tables[above * size + i] -= tables[slot * size + i]


@kernel(inner=True)
def part_rows(  # type: ignore[no-untyped-def]
    codes, first, step, gap, last, by_level, goes_left, rows, own, mass, start, stop, others, own_2, mass_2, counts, to
):
    """Put the rows of a node that go left before the others, each side in its order; where those begin.

    A code goes left up to `last`, or, of levels and gaps, where `goes_left` says so. The weights of the classes on
    either side are added up in counts[to] and counts[to + 1]. Each row is written to both sides, one of which goes on:
    nobody could guess the branch.
    """
    middle = start
    kept = np.uint64(0)
    for c in range(counts.shape[1]):
        counts[to, c] = counts[to + _ONE, c] = 0.0
    for i in range(start, stop):
        row = rows[i]
        of = own[i]
        heavy = mass[i]
        code = np.uint64(codes[first + row * step])
        left = np.uint64(code <= last)
        if by_level or code == gap:
            left = goes_left[code]
        counts[to + _ONE - left, of] += heavy
        rows[middle] = others[kept] = row
        own[middle] = own_2[kept] = of
        mass[middle] = mass_2[kept] = heavy
        middle += left
        kept += _ONE - left
    for i in range(kept):
        rows[middle + i] = others[i]
        own[middle + i] = own_2[i]
        mass[middle + i] = mass_2[i]
    return middle


@kernel
def grow_tree(  # type: ignore[no-untyped-def]
    codes,  # (d * n,)  column after column; then, where a node tries some of them, (n * d,) row after row
    n_rows,
    bins,  # (d,)  codes of each column without that of a gap
    nominal,  # (d,) bool
    rows,  # (m,) uint32  those that count; they are reordered, as are their classes and weights
    own,  # (m,) uint32  their classes
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
    tables,  # ((s + 1) * codes * k,)  s that may be kept, and one to count a column in; s = 0: nothing is subtracted
    x_log,  # table of x ln x
    offset,  # (d + 1,)
    free,  # (s + 1,) int64
    feature,
    cut,  # (nodes, 2)  last code on the left and first on the right, -1 where there is none
    child,
    gaps_left,
    mask_at,
    masks,
    counts,  # (nodes, k)
    gain,
    test_bits,
    stack,  # (waiting, 5) int64
    seeds,  # (waiting,) uint64
    drawn,  # (d,) int64
    spare_rows,
    spare_own,
    spare_mass,
    tally,  # (codes * k,)  zeros
    marks,  # (codes / 64,) uint64  zeros
    words,  # (codes / 4096,) uint64  zeros
    other,
    present,
    order,
    weight,
    share,
    key,
    missing,  # (k + 1,)
    left,  # (k,)
    right,  # (k,)
    total,  # (k,)
    way,  # (2 k,)
    gain_of,  # (d,)
    ratio_of,  # (d,)
    found,  # (3,)
    test,  # of the best column: its levels on the left
):
    """Grow one tree into the arrays of nodes; how many nodes and words of masks were made."""
    d = len(bins)
    by_row = d * n_rows  # where the codes row after row begin
    ku = np.uint64(k)
    gini = criterion == GINI
    n_free = len(free) - 1
    keeps = n_free > 0 and columns_tried >= d
    spare = n_free * offset[d] * k
    for s in range(n_free):
        free[s] = s
    for c in range(k):
        counts[0, c] = 0.0
    for i in range(len(rows)):
        counts[0, own[i]] += mass[i]
    nodes = 1
    n_words = 0
    waiting = 1
    stack[0, 0] = stack[0, 1] = stack[0, 3] = 0
    stack[0, 2] = len(rows)
    stack[0, 4] = -1
    seeds[0] = seed
    while waiting > 0:
        waiting -= 1
        node = stack[waiting, 0]
        start = stack[waiting, 1]
        stop = stack[waiting, 2]
        depth = stack[waiting, 3]
        slot = stack[waiting, 4]
        state = seeds[waiting]
        all_weight = 0.0
        heaviest = 0.0
        for c in range(k):
            heavy = total[c] = counts[node, c]
            all_weight += heavy
            heaviest = heavy if heavy > heaviest else heaviest
        feature[node] = child[node] = mask_at[node] = -1
        gain[node] = 0.0
        n = stop - start
        near = n <= _NEAR and by_row < len(codes)
        step = np.uint64(d if near else 1)
        begin = np.uint64(start)
        end = np.uint64(stop)
        chosen = best_last = best_next = -1
        best = -1.0
        if n >= 2 and heaviest < all_weight and depth < max_depth and all_weight >= min_split:
            if keeps and slot < 0 and n_free > 0 and 2 * n * d >= offset[d]:
                n_free -= 1
                slot = free[n_free]
                count_all(codes, n_rows, rows, own, mass, start, stop, offset, k, tables, slot, np.int64(-1))
            before = side_score(total, total, 0.0, k, gini, x_log)
            for j in range(d):
                drawn[j] = j
                gain_of[j] = ratio_of[j] = -1.0  # of those that are not tried, too
            tried = 0
            winner = -1
            sum_of_gains = 0.0
            for turn in range(d + 1):
                if turn == d:  # the gain ratio compares columns of at least average gain, once all are known
                    if criterion != RATIO or tried == 0:
                        break
                    for i in range(d):
                        if gain_of[i] + SAME >= sum_of_gains / tried and ratio_of[i] > best + SAME:
                            best = ratio_of[i]
                            winner = i
                    if winner < 0:  # no column could be cut
                        break
                    j = winner
                    best = -1.0
                elif tried >= columns_tried:
                    continue
                else:
                    j = drawn[turn]
                    if columns_tried < d:
                        state = next_random(state)
                        pick = turn + np.int64(state % np.uint64(d - turn))
                        drawn[turn] = drawn[pick]
                        drawn[pick] = j
                        j = drawn[turn]
                codes_here = bins[j]
                first = np.uint64(by_row + j if near else j * n_rows)
                if slot >= 0 or 2 * n >= codes_here:
                    base = (slot * offset[d] + offset[j]) * k
                    if slot < 0:
                        base = spare
                        for i in range((codes_here + 1) * k):
                            tables[base + i] = 0.0
                        add_to_table(codes, first, step, rows, own, mass, begin, end, ku, tables, np.uint64(base))
                    u = from_table(tables, np.uint64(base), np.uint64(codes_here), ku, present, weight, missing)
                else:
                    u = by_marks(
                        codes, first, step, rows, own, mass, begin, end, np.uint64(codes_here), ku, tally, marks, words,
                        present, weight, missing,
                    )  # fmt: skip
                u = np.int64(u)
                gaps = missing[k]
                if u == 0 or (u == 1 and gaps <= 0):
                    continue  # the same everywhere: another column is drawn for it
                if nominal[j]:
                    order_levels(
                        present, weight, u, k, total, missing, all_weight - gaps, share, way, order, key, other
                    )
                else:
                    for i in range(u):
                        key[i] = present[i]
                if k == 2 and whole and gaps <= 0 and all_weight < len(x_log):
                    got = best_cut_of_two(key, weight, u, total, before, min_leaf, gini, x_log, found)
                else:
                    got = best_cut(
                        key, weight, u, k, missing, total, all_weight, before, min_leaf, gini, x_log, left, right, found
                    )
                if turn < d:
                    tried += 1
                last = found[0]
                if last < 0:
                    continue
                got = got if got > 0 else 0.0
                if criterion == RATIO and turn < d:
                    sum_of_gains += got
                    gain_of[j] = got
                    ratio_of[j] = got / split_information(weight, last, found[1], gaps, all_weight, k)
                elif got > best + SAME:
                    best = got
                    chosen = j
                    best_last = present[last]
                    best_next = present[last + 1] if last + 1 < u else -1
                    gaps_left[node] = test[codes_here] = found[1]
                    if nominal[j]:
                        test_bits[node] = u - 1.0 + (1.0 if gaps > 0 else 0.0)
                        for b in range(codes_here):
                            test[b] = found[1]  # a level that is not here goes where gaps go
                        for i in range(u):
                            test[present[i]] = 1 if i <= last else 0
                    else:
                        test_bits[node] = np.log2(found[2])
        if chosen < 0 or best < min_gain:
            if slot >= 0:
                free[n_free] = slot
                n_free += 1
            continue
        by_level = nominal[chosen]
        gap = bins[chosen]
        middle = part_rows(
            codes, np.uint64(by_row + chosen if near else chosen * n_rows), step, np.uint64(gap), np.uint64(best_last),
            by_level, test, rows, own, mass, begin, end, spare_rows, spare_own, spare_mass, counts, np.uint64(nodes),
        )  # fmt: skip
        middle = np.int64(middle)
        feature[node] = chosen
        child[node] = nodes
        gain[node] = best
        cut[node, 0] = best_last
        cut[node, 1] = best_next
        if by_level:
            mask_at[node] = n_words
            for b in range(0, gap + 1, 64):
                word = np.uint64(0)
                for bit in range(64):
                    if b + bit <= gap and test[b + bit] == 1:
                        word |= np.uint64(1) << np.uint64(bit)
                masks[n_words] = word
                n_words += 1
        less = 0 if 2 * (middle - start) <= n else 1  # the smaller child
        few = middle - start if less == 0 else stop - middle
        slot_of_less = -1
        if slot >= 0:
            if n_free > 0 and 2 * (n - few) * d >= offset[d] and depth + 1 < max_depth:
                n_free -= 1
                slot_of_less = free[n_free]
                begins = start if less == 0 else middle
                count_all(codes, n_rows, rows, own, mass, begins, begins + few, offset, k, tables, slot_of_less, slot)
            else:
                free[n_free] = slot
                n_free += 1
                slot = -1
        for side in range(2):  # the smaller one last: it is taken first
            which = 1 - less if side == 0 else less
            stack[waiting, 0] = nodes + which
            stack[waiting, 1] = start if which == 0 else middle
            stack[waiting, 2] = middle if which == 0 else stop
            stack[waiting, 3] = depth + 1
            stack[waiting, 4] = slot if side == 0 else slot_of_less
            seeds[waiting] = next_random(state ^ np.uint64(which + 1))
            waiting += 1
        nodes += 2
    return nodes, n_words
