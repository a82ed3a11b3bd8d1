"""Centres that move row by row, as running means."""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def run_through(x, weight, centres, count, labels):  # type: ignore[no-untyped-def]
    """Row after row to its nearest centre, which moves towards it at once: m <- m + (x - m) w / n, cell by cell.

    `centres` (k, d) and `count` (k, d), what the observed cells of each have weighed so far, are changed; `labels` (n,)
    are filled in. The first row of a centre that has weighed nothing takes its place. A missing cell (NaN) has no say.
    Returned is the sum of the squares of the rows about the centres that they found.
    """
    weighs = weight.size > 0
    total = 0.0
    for i in range(x.shape[0]):
        least, best = np.inf, 0
        for c in range(centres.shape[0]):
            square = 0.0
            for j in range(x.shape[1]):
                if x[i, j] == x[i, j]:
                    square += (x[i, j] - centres[c, j]) ** 2
            if square < least:
                least, best = square, c
        labels[i] = best
        w = weight[i] if weighs else 1.0
        total += w * least
        if w > 0.0:
            for j in range(x.shape[1]):
                if x[i, j] == x[i, j]:
                    count[best, j] += w
                    centres[best, j] += (x[i, j] - centres[best, j]) * (w / count[best, j])
    return total
