"""Sums over what two rows of a sparse table both have, and weighted means over their neighbours.

Rows are people (or items), columns items (or people); a cell is a rating. A row is compared with all others by walking
through the columns it has and the rows that have those: no matrix of all pairs is made.

Which of two neighbours is the more similar is asked in single precision: what is equal but for rounding is equal then,
in whatever order it was summed, so that all answers ask the same neighbours.
"""

import numpy as np

from likely.numeric.jit import kernel

NOTHING = 1e-12  # of a cosine or correlation: what is no larger is rounding
FARTHEST = 1e-37  # a similarity that single precision still holds in full; below it rows are not alike at all
SUMS = 8  # of two rows, and what they are taken about
_SAME = 1e-12  # of the values: they do not vary by more than rounding


@kernel
def add_up(o, a, b, kind, sums):  # type: ignore[no-untyped-def]
    """Add what two rows both have, a and b, to the sums of row o (rows, SUMS), as the similarity needs them.

    Of the distance the squared gaps; of the cosine squares and products; of the correlation also the values, all about
    the first pair, so that an offset costs no digits and what does not vary has sums of exactly 0.
    """
    sums[o, 0] += 1.0
    if kind == 0:
        sums[o, 3] += (a - b) * (a - b)
        return
    if kind == 2:
        if sums[o, 0] == 1.0:
            sums[o, 6] = a
            sums[o, 7] = b
        a -= sums[o, 6]
        b -= sums[o, 7]
        sums[o, 1] += a
        sums[o, 2] += b
    sums[o, 3] += a * a
    sums[o, 4] += b * b
    sums[o, 5] += a * b


@kernel
def measured(o, kind, sums):  # type: ignore[no-untyped-def]
    """The similarity of which these are the sums: 0 is 1 / (1 + distance), 1 the cosine, 2 the correlation."""
    if kind == 0:
        return 1.0 / (1.0 + sums[o, 3] ** 0.5)
    n, xx, yy, xy = sums[o, 0], sums[o, 3], sums[o, 4], sums[o, 5]
    if kind == 2:
        x, y = sums[o, 1], sums[o, 2]
        xx -= x * x / n
        yy -= y * y / n
        xy -= x * y / n
        if xx <= n * (_SAME * sums[o, 6]) ** 2 or yy <= n * (_SAME * sums[o, 7]) ** 2:
            return 0.0
    if not (xx > 0.0 and yy > 0.0):
        return 0.0
    found = xy / (xx**0.5 * yy**0.5)  # the root of the product could overflow
    return found if abs(found) > NOTHING else 0.0


@kernel
def against_all(columns, values, begin, rows, cells, kind, sums, gap, similarity):  # type: ignore[no-untyped-def]
    """One row against all others: similarities, and the squares of their distances.

    The given row has `values` in `columns`; column j holds `cells` of `rows` from begin[j] to begin[j + 1]. sums (rows,
    SUMS) and gap (rows,) are 0 before; the first of the sums is of how many columns are shared.
    """
    for at in range(columns.size):
        j = columns[at]
        a = values[at]
        for p in range(begin[j], begin[j + 1]):
            r = rows[p]
            add_up(r, a, cells[p], kind, sums)
            gap[r] += (a - cells[p]) * (a - cells[p])
    for r in range(similarity.size):
        similarity[r] = measured(r, kind, sums) if sums[r, 0] > 0.0 else 0.0


@kernel
def similar(own, columns, values, begin, rows, cells, kind, shrinkage, least, sums, met, out):  # type: ignore[no-untyped-def]
    """Positive similarities of one row, that has `values` in `columns`, with all others; how many it meets.

    `own` is the row itself. The first of `met` become the rows that share a column; out (rows,) is filled in for those,
    and sums (rows, SUMS) are 0 before and after.
    """
    number = 0
    for at in range(columns.size):
        a = values[at]
        for q in range(begin[columns[at]], begin[columns[at] + 1]):
            o = rows[q]
            if o == own:
                continue
            if sums[o, 0] == 0.0:
                met[number] = o
                number += 1
            add_up(o, a, cells[q], kind, sums)
    for i in range(number):
        o = met[i]
        n, found = sums[o, 0], 0.0
        if n >= least:
            found = measured(o, kind, sums) * (n / (n + shrinkage))
        out[o] = found if found > FARTHEST else 0.0
        for j in range(SUMS):
            sums[o, j] = 0.0
    return number


@kernel
def similar_rows(  # type: ignore[no-untyped-def]
    asked, row_begin, columns, values, begin, rows, cells, kind, shrinkage, least, out, sums, met
):  # fmt: skip
    """Positive similarities of the asked rows with all others, written into out (asked, rows), which is 0 before."""
    for i in range(asked.size):
        r = asked[i]
        part = slice(row_begin[r], row_begin[r + 1])
        similar(r, columns[part], values[part], begin, rows, cells, kind, shrinkage, least, sums, met, out[i])


@kernel
def say_of_columns(  # type: ignore[no-untyped-def]
    asked, wanted_begin, wanted, row_begin, columns, values, begin, rows, cells, kind, shrinkage, least, most,
    total, weight, number, sums, met, similarity, best, kept
):  # fmt: skip
    """For each asked row, what its neighbours say of its wanted columns, as `weighted_columns` has it.

    The wanted columns of asked row i stand from wanted_begin[i] to wanted_begin[i + 1], and so do the answers.
    """
    for i in range(asked.size):
        r = asked[i]
        part = slice(row_begin[r], row_begin[r + 1])
        count = similar(
            r, columns[part], values[part], begin, rows, cells, kind, shrinkage, least, sums, met, similarity
        )
        own = slice(wanted_begin[i], wanted_begin[i + 1])
        weighted_columns(
            similarity, begin, rows, cells, wanted[own], most, total[own], weight[own], number[own], best, kept
        )
        for j in range(count):
            similarity[met[j]] = 0.0


@kernel
def weighted_columns(similarity, begin, rows, cells, wanted, most, total, weight, number, best, kept):  # type: ignore[no-untyped-def]
    """For each wanted column, sums of similarity times cell over the rows that have it, positive similarities only.

    Of more than `most` such rows the most similar are taken; most = 0 takes all. `best` and `kept` (most,) are scratch.
    """
    for at in range(wanted.size):
        j = wanted[at]
        held = 0
        sum_weight = 0.0
        sum_total = 0.0
        for p in range(begin[j], begin[j + 1]):
            s = similarity[rows[p]]
            if not s > 0.0:
                continue
            if most == 0:
                held += 1
                sum_weight += s
                sum_total += s * cells[p]
                continue
            level = np.float32(s)
            if held == most and not level > np.float32(best[0]):
                continue
            place = held
            if held == most:  # the least similar of those kept gives way
                place = most - 1
                for i in range(most - 1):
                    best[i] = best[i + 1]
                    kept[i] = kept[i + 1]
            else:
                held += 1
            while place > 0 and np.float32(best[place - 1]) >= level:  # of equals the first is kept longest
                best[place] = best[place - 1]
                kept[place] = kept[place - 1]
                place -= 1
            best[place] = s
            kept[place] = cells[p]
        if most > 0:
            for i in range(held):
                sum_weight += best[i]
                sum_total += best[i] * kept[i]
        total[at] = sum_total
        weight[at] = sum_weight
        number[at] = held


@kernel
def nearest_speak(order, similarity, begin, columns, cells, most, heard):  # type: ignore[no-untyped-def]
    """The same for all columns at once: rows speak in the given order, the most similar first, to `most` at a column.

    heard (columns, 3), total, weight and number, is 0 before; a column that is not wanted has a number of `most`.
    """
    open_columns = 0
    for j in range(heard.shape[0]):
        open_columns += heard[j, 2] < most
    for at in range(order.size):
        r = order[at]
        s = similarity[r]
        for p in range(begin[r], begin[r + 1]):
            j = columns[p]
            if heard[j, 2] < most:
                heard[j, 0] += s * cells[p]
                heard[j, 1] += s
                heard[j, 2] += 1.0
                open_columns -= heard[j, 2] == most
        if open_columns == 0:
            break
