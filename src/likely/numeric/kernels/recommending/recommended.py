"""The best items of many people at once: what neighbours say of every item, and the highest scores among them.

By users, those most similar speak first, until every item has heard as many as are asked. By items, a person's own
ratings speak for each item by their similarity to it: the `most` similar of them are found for a block of items at a
time, by halving the interval in which the least similar one of those lies.
"""

import numpy as np

from likely.numeric.jit import REORDER, kernel
from likely.numeric.kernels.recommending.ratings import nearest_speak, similar

BLOCK = 512  # items at a time: what is known of them stays in cache
_HALVINGS = 200  # more than numbers of single precision between any two


@kernel
def best_by_users(  # type: ignore[no-untyped-def]
    asked, row_begin, columns, values, begin, rows, cells, kind, shrinkage, least, most,
    middle, scale, damping, fallback, lean, items, scores, support, sums, met, similarity, heard, score, number
):  # fmt: skip
    """Items (asked, n) of the highest scores that each asked user has not rated, with their scores and support.

    `fallback` (items,) and `lean` (users,) add up to the score of an item that nobody speaks for. Items are -1 where
    none is left. sums (rows, SUMS) and the rest are scratch, the sums 0 before and after.
    """
    for i in range(asked.size):
        u = asked[i]
        part = slice(row_begin[u], row_begin[u + 1])
        similar(u, columns[part], values[part], begin, rows, cells, kind, shrinkage, least, sums, met, similarity)
        for m in range(score.size):
            heard[m, 0], heard[m, 1], heard[m, 2] = 0.0, 0.0, 0.0
        for at in range(row_begin[u], row_begin[u + 1]):
            heard[columns[at], 2] = most
        speak = 0
        for r in range(similarity.size):  # in their order: of equals the first speaks first
            if similarity[r] > 0.0:
                met[speak] = r
                speak += 1
        near = met[:speak]
        order = near[np.argsort(-similarity[near].astype(np.float32), kind="mergesort")]
        nearest_speak(order, similarity, row_begin, columns, values, most, heard)
        for at in range(row_begin[u], row_begin[u + 1]):
            heard[columns[at], 2] = -1.0
        for m in range(score.size):
            number[m] = int(heard[m, 2])
            if number[m] > 0:
                score[m] = middle[u] + scale[u] * (heard[m, 0] / (heard[m, 1] + damping))
            else:
                score[m] = fallback[m] + lean[u]
        keep_best(score, number, items[i], scores[i], support[i])
        for j in range(speak):
            similarity[met[j]] = 0.0


@kernel
def best_by_items(  # type: ignore[no-untyped-def]
    asked, row_begin, columns, values, pairs, most, middle, scale, damping, fallback, lean,
    items, scores, support, total, weight, number, low, high, level, above
):  # fmt: skip
    """The same from the similarities of all items, `pairs` (items, items); the values are normalised by item."""
    for i in range(asked.size):
        u = asked[i]
        part = slice(row_begin[u], row_begin[u + 1])
        profile_says(pairs, columns[part], values[part], most, total, weight, number, low, high, level, above)
        for m in range(total.size):
            if number[m] > 0:
                total[m] = middle[m] + scale[m] * (total[m] / (weight[m] + damping))
            else:
                total[m] = fallback[m] + lean[u]
        for at in range(row_begin[u], row_begin[u + 1]):
            number[columns[at]] = -1
        keep_best(total, number, items[i], scores[i], support[i])


@kernel(fastmath=REORDER)
def profile_says(similarity, rows, cells, most, total, weight, number, low, high, level, above):  # type: ignore[no-untyped-def]
    """For every column m, sums of similarity[row, m] times cell over the given rows, positive similarities only.

    Of more than `most` such rows the most similar are taken, of equals the first; most = 0 takes all. low, high and
    level (BLOCK,) of single precision and above (BLOCK,) are scratch.
    """
    columns = similarity.shape[1]
    one, none = np.float32(1.0), np.float32(0.0)
    for start in range(0, columns, low.size):
        width = low.size if start + low.size < columns else columns - start
        here = slice(start, start + width)
        sums, weights, numbers = total[here], weight[here], number[here]
        for b in range(width):
            low[b], high[b], above[b] = none, none, none
            sums[b], weights[b], numbers[b] = 0.0, 0.0, 0
        for at in range(rows.size):
            part = similarity[rows[at], here]
            for b in range(width):
                above[b] += one if part[b] > none else none
                high[b] = part[b] if part[b] > high[b] else high[b]
        undecided = 0
        for b in range(width):
            if most == 0 or above[b] <= most:
                low[b], high[b] = none, none  # decided: all that are above 0
            else:
                undecided += 1
        for _ in range(_HALVINGS):
            if undecided == 0:
                break
            for b in range(width):
                level[b] = low[b] + (high[b] - low[b]) * np.float32(0.5)
                above[b] = none
            for at in range(rows.size):
                part = similarity[rows[at], here]
                for b in range(width):
                    above[b] += one if part[b] > level[b] else none
            for b in range(width):
                if low[b] == high[b]:
                    continue
                if above[b] == most or level[b] == low[b] or level[b] == high[b]:
                    undecided -= 1
                    if above[b] == most:
                        high[b] = level[b]
                    low[b] = high[b]  # else as many as there is room for are equal to the highest that is too high
                elif above[b] > most:
                    low[b] = level[b]
                else:
                    high[b] = level[b]
        for at in range(rows.size):
            part = similarity[rows[at], here]
            x = cells[at]
            for b in range(width):
                spoken = part[b] if part[b] > high[b] else none
                weights[b] += spoken
                sums[b] += spoken * x
                numbers[b] += 1 if part[b] > high[b] else 0
        for b in range(width):
            if high[b] == none or numbers[b] == most:
                continue
            for at in range(rows.size):  # the first of equals
                s = similarity[rows[at], start + b]
                if s == high[b] and numbers[b] < most:
                    weights[b] += s
                    sums[b] += s * cells[at]
                    numbers[b] += 1


@kernel
def keep_best(score, number, items, scores, support):  # type: ignore[no-untyped-def]
    """The places (n,) of the highest scores: those that somebody speaks for first, of equals the more spoken for.

    A number of -1 is that of an item that is not wanted.
    """
    n = items.size
    held = 0
    for m in range(score.size):
        if number[m] < 0:
            continue
        place = held
        while place > 0:
            before = place - 1
            if (number[m] > 0) != (support[before] > 0):
                better = number[m] > 0
            elif score[m] != scores[before]:
                better = score[m] > scores[before]
            else:
                better = number[m] > support[before]
            if not better:
                break
            if place < n:
                items[place], scores[place], support[place] = items[before], scores[before], support[before]
            place = before
        if place < n:
            items[place], scores[place], support[place] = m, score[m], number[m]
            held += held < n
    for place in range(held, n):
        items[place], scores[place], support[place] = -1, 0.0, 0
