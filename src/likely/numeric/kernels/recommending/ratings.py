"""Sums over what two rows of a sparse table both have, and weighted means over their neighbours.

Rows are people (or items), columns items (or people); a cell is a rating. A row is compared with all others by walking
through the columns it has and the rows that have those: no matrix of all pairs is made.
"""

from likely.numeric.jit import kernel


@kernel
def shared_sums(columns, values, begin, rows, cells, count, first, other, square, other_square, product):  # type: ignore[no-untyped-def]
    """Add up, for every row, what it and one given row both have.

    The given row has `values` in `columns`; column j holds `cells` of `rows` from begin[j] to begin[j + 1]. The sums
    run over shared columns: of the given row's values and squares, of the other's, and of the products.
    """
    for at in range(columns.size):
        j = columns[at]
        x = values[at]
        for p in range(begin[j], begin[j + 1]):
            r = rows[p]
            y = cells[p]
            count[r] += 1
            first[r] += x
            other[r] += y
            square[r] += x * x
            other_square[r] += y * y
            product[r] += x * y


@kernel
def similar_rows(  # type: ignore[no-untyped-def]
    start, stop, begin, columns, cells, middle, scale, by_begin, by_rows, by_cells, kind, shrinkage, least,
    out, count, x, y, xx, yy, xy, touched
):  # fmt: skip
    """Positive similarities of the rows `start` to `stop` with all others, written into out (rows, rows).

    kind 0 is 1 / (1 + distance), 1 the cosine, 2 the correlation, as in `Neighbourhood`. The scratch arrays are 0
    before and after.
    """
    for r in range(start, stop):
        met = 0
        for p in range(begin[r], begin[r + 1]):
            j = columns[p]
            a = (cells[p] - middle[r]) / scale[r]
            for q in range(by_begin[j], by_begin[j + 1]):
                o = by_rows[q]
                if o == r:
                    continue
                if count[o] == 0:
                    touched[met] = o
                    met += 1
                b = by_cells[q]
                count[o] += 1
                x[o] += a
                y[o] += b
                xx[o] += a * a
                yy[o] += b * b
                xy[o] += a * b
        for i in range(met):
            o = touched[i]
            n = count[o]
            if n >= least:
                if kind == 0:
                    gap = xx[o] + yy[o] - 2 * xy[o]
                    found = 1.0 / (1.0 + (gap if gap > 0.0 else 0.0) ** 0.5)
                else:
                    sxx, syy, sxy = xx[o], yy[o], xy[o]
                    if kind == 2:
                        sxx -= x[o] * x[o] / n
                        syy -= y[o] * y[o] / n
                        sxy -= x[o] * y[o] / n
                    noise = 1e-12 * (1.0 + abs(x[o] * y[o]))
                    found = sxy / (sxx * syy) ** 0.5 if sxx * syy > noise * noise else 0.0
                found *= n / (n + shrinkage)
                out[r, o] = found if found > 0.0 else 0.0
            count[o] = 0
            x[o] = 0.0
            y[o] = 0.0
            xx[o] = 0.0
            yy[o] = 0.0
            xy[o] = 0.0


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
            if held == most and not s > best[0]:
                continue
            place = held
            if held == most:  # the least similar of those kept gives way
                place = most - 1
                for i in range(most - 1):
                    best[i] = best[i + 1]
                    kept[i] = kept[i + 1]
            else:
                held += 1
            while place > 0 and best[place - 1] >= s:  # of equals the first is kept longest
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
def nearest_speak(order, similarity, begin, columns, cells, most, total, weight, number):  # type: ignore[no-untyped-def]
    """The same for all columns at once: rows speak in the given order, the most similar first, to `most` at a column.

    total, weight and number (columns,) are 0 before; a column that is not wanted has a number of `most`.
    """
    open_columns = 0
    for j in range(number.size):
        open_columns += number[j] < most
    for at in range(order.size):
        r = order[at]
        s = similarity[r]
        for p in range(begin[r], begin[r + 1]):
            j = columns[p]
            if number[j] < most:
                number[j] += 1
                weight[j] += s
                total[j] += s * cells[p]
                open_columns -= number[j] == most
        if open_columns == 0:
            break


@kernel
def weighted_rows(similarity, wanted, columns, cells, most, own, best, kept):  # type: ignore[no-untyped-def]
    """The same the other way round: for every wanted row r, over the given columns, similarity[r, column] times cell.

    own (wanted, 3) becomes total, weight and number.
    """
    for place_of_r in range(wanted.size):
        r = wanted[place_of_r]
        held = 0
        sum_weight = 0.0
        sum_total = 0.0
        for at in range(columns.size):
            s = similarity[r, columns[at]]
            if not s > 0.0:
                continue
            if most == 0:
                held += 1
                sum_weight += s
                sum_total += s * cells[at]
                continue
            if held == most and not s > best[0]:
                continue
            place = held
            if held == most:
                place = most - 1
                for i in range(most - 1):
                    best[i] = best[i + 1]
                    kept[i] = kept[i + 1]
            else:
                held += 1
            while place > 0 and best[place - 1] >= s:  # of equals the first is kept longest
                best[place] = best[place - 1]
                kept[place] = kept[place - 1]
                place -= 1
            best[place] = s
            kept[place] = cells[at]
        if most > 0:
            for i in range(held):
                sum_weight += best[i]
                sum_total += best[i] * kept[i]
        own[place_of_r, 0] = sum_total
        own[place_of_r, 1] = sum_weight
        own[place_of_r, 2] = held
