"""Find a value that a family cannot take."""

import numpy as np

from likely.numeric.jit import kernel


@kernel
def first_outside(x, lowest, highest, whole):  # type: ignore[no-untyped-def]
    """Row and column of the first observed cell that is outside [lowest, highest], or a fraction where whole numbers
    are wanted; (-1, -1) when there is none.
    """
    n, d = x.shape
    for i in range(n):
        row = x[i]
        outside = 0
        if whole:
            for j in range(d):
                v = row[j]
                outside += (v < lowest) | (v > highest) | ((v != np.floor(v)) & (v == v))
        else:
            for j in range(d):
                v = row[j]
                outside += (v < lowest) | (v > highest)
        if outside:
            for j in range(d):
                v = row[j]
                if v < lowest or v > highest or (whole and v == v and v != np.floor(v)):
                    return i, j
    return -1, -1
