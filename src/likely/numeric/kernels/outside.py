"""Find a value that a family cannot take."""

from typing import cast

import numpy as np

from likely.numeric.arrays import Array
from likely.numeric.jit import FEW, kernel


def first_outside(x: Array, lowest: float, highest: float, whole: bool) -> tuple[int, int]:
    """Row and column of the first observed cell that is outside [lowest, highest], or a fraction where whole numbers
    are wanted; (-1, -1) when there is none.
    """
    if x.size > FEW:
        return cast(tuple[int, int], _first_outside(x, lowest, highest, whole))
    outside = (x < np.float64(lowest)) | (x > np.float64(highest)) | ((x != np.floor(x)) & (x == x) if whole else False)
    if not outside.any():
        return -1, -1
    row, column = divmod(int(np.argmax(outside)), x.shape[1])
    return row, column


@kernel
def _first_outside(x, lowest, highest, whole):  # type: ignore[no-untyped-def]
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
