"""Passes of the perceptron over rows: of two classes, of several that compete, and in dual form.

Weights (m + 1,) are those of the columns, then that of the constant input (1.0, or 0.0 for none). Of w after each row
shown, the average is w - drift / clock: an update at time t is missing from the t rows shown before it.

state    clock (rows shown), run (right in a row), best run, mistakes of the pocket, updates that are logged
pocket   the weights with fewest mistakes on all rows, looked at when a run is the longest so far (Gallant, IEEE Trans.
         Neural Networks 1, 1990); empty where it is not wanted
table    the rows: x (n, m) if they are dense; else data, indices and indptr of a CSR matrix, which are empty for those
"""

from likely.numeric.jit import REORDER, kernel

ROSENBLATT, MARGIN, FRACTIONAL = 0, 1, 2
CLOCK, RUN, BEST_RUN, POCKET_MISTAKES, LOGGED = range(5)


@kernel(fastmath=REORDER)
def perceptron_pass(  # type: ignore[no-untyped-def]
    x, data, indices, indptr, target, share, order, weights, drift, pocket, state, rows, activations, after, rate, rule,
    epsilon, constant,
):  # fmt: skip
    """Show the rows (n, m) with targets +-1 (0: left out) in this order; give the number of mistakes."""
    m = weights.shape[0] - 1
    dense, weighted, pocketed = indptr.shape[0] == 0, share.shape[0] > 0, pocket.shape[0] > 0
    mistakes = 0
    for place in range(order.shape[0]):
        i = order[place]
        d = target[i]
        if d == 0:
            continue
        a = constant * weights[m]
        if dense:
            for j in range(m):
                a += x[i, j] * weights[j]
        else:
            for at in range(indptr[i], indptr[i + 1]):
                a += data[at] * weights[indices[at]]
        wrong = d * a <= 0.0 if rule == 1 else (a > 0.0) != (d > 0)
        if not wrong:
            state[0] += 1.0
            state[1] += 1.0
            continue
        if pocketed and state[1] > state[2]:
            state[2] = state[1]
            found = 0
            for r in range(target.shape[0]):
                if target[r] != 0:
                    s = constant * weights[m]
                    if dense:
                        for j in range(m):
                            s += x[r, j] * weights[j]
                    else:
                        for at in range(indptr[r], indptr[r + 1]):
                            s += data[at] * weights[indices[at]]
                    if (target[r] * s <= 0.0) if rule == 1 else ((s > 0.0) != (target[r] > 0)):
                        found += 1
            if found < state[3]:
                state[3] = found
                for j in range(m + 1):
                    pocket[j] = weights[j]
        mistakes += 1
        step = rate * d
        if rule != 1:
            step *= 2.0
        if rule == 2:
            square = constant * constant
            if dense:
                for j in range(m):
                    square += x[i, j] * x[i, j]
            else:
                for at in range(indptr[i], indptr[i + 1]):
                    square += data[at] * data[at]
            step *= (abs(a) + epsilon) / (square + epsilon)
        if weighted:
            step *= share[i]
        clock = state[0]
        if dense:
            for j in range(m):
                weights[j] += step * x[i, j]
                drift[j] += clock * (step * x[i, j])
        else:
            for at in range(indptr[i], indptr[i + 1]):
                weights[indices[at]] += step * data[at]
                drift[indices[at]] += clock * (step * data[at])
        weights[m] += step * constant
        drift[m] += clock * (step * constant)
        state[0] += 1.0
        state[1] = 0.0
        logged = int(state[4])
        if logged < rows.shape[0]:
            rows[logged] = i
            activations[logged] = a
            for j in range(m + 1):
                after[logged, 0, j] = weights[j]
            state[4] += 1.0
    return mistakes


@kernel(fastmath=REORDER)
def winner_take_all_pass(  # type: ignore[no-untyped-def]
    x, data, indices, indptr, target, share, order, weights, drift, pocket, state, rows, activations, rivals, after,
    scores, rate, rule, epsilon, constant,
):  # fmt: skip
    """Show the rows (n, m) of classes 0 to k - 1 to k units (k, m + 1) that compete; give the number of mistakes.

    A wrong winner loses what the right unit gains; where the largest score is tied nobody wins, and the right unit
    alone gains. By the fractional rule the step is that of the one perceptron whose input is x in the block of the
    right unit and -x in that of the winner.
    """
    k, m = weights.shape[0], weights.shape[1] - 1
    dense, weighted, pocketed = indptr.shape[0] == 0, share.shape[0] > 0, pocket.shape[0] > 0
    mistakes = 0
    for place in range(order.shape[0]):
        i = order[place]
        right = target[i]
        winner, tied = 0, False
        for c in range(k):
            a = constant * weights[c, m]
            if dense:
                for j in range(m):
                    a += x[i, j] * weights[c, j]
            else:
                for at in range(indptr[i], indptr[i + 1]):
                    a += data[at] * weights[c, indices[at]]
            scores[c] = a
            if c > 0:
                if a > scores[winner]:
                    winner, tied = c, False
                elif a == scores[winner]:
                    tied = True
        if winner == right and not tied:
            state[0] += 1.0
            state[1] += 1.0
            continue
        if pocketed and state[1] > state[2]:
            state[2] = state[1]
            found = 0
            for r in range(target.shape[0]):
                own = constant * weights[target[r], m]
                if dense:
                    for j in range(m):
                        own += x[r, j] * weights[target[r], j]
                else:
                    for at in range(indptr[r], indptr[r + 1]):
                        own += data[at] * weights[target[r], indices[at]]
                for c in range(k):
                    if c != target[r]:
                        s = constant * weights[c, m]
                        if dense:
                            for j in range(m):
                                s += x[r, j] * weights[c, j]
                        else:
                            for at in range(indptr[r], indptr[r + 1]):
                                s += data[at] * weights[c, indices[at]]
                        if s >= own:
                            found += 1
                            break
            if found < state[3]:
                state[3] = found
                for c in range(k):
                    for j in range(m + 1):
                        pocket[c, j] = weights[c, j]
        mistakes += 1
        gap = scores[right] - scores[winner]
        step = rate
        if rule == 2:
            square = constant * constant
            if dense:
                for j in range(m):
                    square += x[i, j] * x[i, j]
            else:
                for at in range(indptr[i], indptr[i + 1]):
                    square += data[at] * data[at]
            step *= 2.0 * (abs(gap) + epsilon) / ((1.0 if tied else 2.0) * square + epsilon)
        if weighted:
            step *= share[i]
        clock = state[0]
        if dense:
            for j in range(m):
                weights[right, j] += step * x[i, j]
                drift[right, j] += clock * (step * x[i, j])
            if not tied:
                for j in range(m):
                    weights[winner, j] -= step * x[i, j]
                    drift[winner, j] -= clock * (step * x[i, j])
        else:
            for at in range(indptr[i], indptr[i + 1]):
                change = step * data[at]
                weights[right, indices[at]] += change
                drift[right, indices[at]] += clock * change
                if not tied:
                    weights[winner, indices[at]] -= change
                    drift[winner, indices[at]] -= clock * change
        change = step * constant
        weights[right, m] += change
        drift[right, m] += clock * change
        if not tied:
            weights[winner, m] -= change
            drift[winner, m] -= clock * change
        state[0] += 1.0
        state[1] = 0.0
        logged = int(state[4])
        if logged < rows.shape[0]:
            rows[logged] = i
            activations[logged] = gap
            rivals[logged] = -1 if tied else winner
            for c in range(k):
                for j in range(m + 1):
                    after[logged, c, j] = weights[c, j]
            state[4] += 1.0
    return mistakes


@kernel
def dual_pass(gram, target, share, scores, strength, log, rate):  # type: ignore[no-untyped-def]
    """Show a block of rows in their order: scores (b, v) are kept up to date from their kernel values (b, b).

    One column of scores: two classes, targets +-1, strengths (b, 1) times the target; several: classes that compete.
    `log` (b,) becomes 1 where a row was mistaken. Gives the number of mistakes.
    """
    b, k = scores.shape
    weighted = share.shape[0] > 0
    mistakes = 0
    for i in range(b):
        step = rate * share[i] if weighted else rate
        log[i] = 0
        if k == 1:
            if target[i] * scores[i, 0] > 0.0:
                continue
            strength[i, 0] += step * target[i]
            for r in range(i, b):
                scores[r, 0] += step * target[i] * gram[i, r]
        else:
            right, winner, tied = target[i], 0, False
            for c in range(1, k):
                if scores[i, c] > scores[i, winner]:
                    winner, tied = c, False
                elif scores[i, c] == scores[i, winner]:
                    tied = True
            if winner == right and not tied:
                continue
            strength[i, right] += step
            for r in range(i, b):
                scores[r, right] += step * gram[i, r]
            if not tied:
                strength[i, winner] -= step
                for r in range(i, b):
                    scores[r, winner] -= step * gram[i, r]
        log[i] = 1
        mistakes += 1
    return mistakes
