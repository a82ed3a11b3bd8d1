"""Look over a block of numbers for what cannot be used."""

import numpy as np

from likely.numeric.arrays import Array
from likely.numeric.jit import FEW, REORDER, kernel


def any_beyond(x: Array, limit: float) -> bool:
    """Whether a cell lies beyond the limit in size (infinity always does, NaN never)."""
    return bool((np.abs(x) > np.float64(limit)).any() if x.size <= FEW else _any_beyond(x, limit))


@kernel(fastmath=REORDER)
def _any_beyond(x, limit):  # type: ignore[no-untyped-def]
    n, d = x.shape
    for i in range(n):
        row = x[i]
        beyond = 0
        for j in range(d):
            beyond += 1 if abs(row[j]) > limit else 0
        if beyond > 0:
            return True
    return False
