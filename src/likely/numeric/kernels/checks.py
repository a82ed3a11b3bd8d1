"""Look over a block of numbers for what cannot be used."""

from likely.numeric.jit import REORDER, kernel


@kernel(fastmath=REORDER)
def any_beyond(x, limit):  # type: ignore[no-untyped-def]
    """Whether a cell lies beyond the limit in size (infinity always does, NaN never)."""
    n, d = x.shape
    for i in range(n):
        row = x[i]
        beyond = 0
        for j in range(d):
            beyond += 1 if abs(row[j]) > limit else 0
        if beyond > 0:
            return True
    return False
