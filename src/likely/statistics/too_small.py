"""Numbers so small that arithmetic has no digits left for them."""

from likely.errors import InputError
from likely.numeric.arrays import Array

SQUARED = 1e-153  # deviations below are too small to be squared
INVERTED = 1e-305  # amounts below are too small to be divided by


def check_size(sizes: Array, least: float = SQUARED) -> None:
    """Refuse features of which the sizes of all deviations lie below `least`, where arithmetic has no digits left.

    >>> import numpy as np
    >>> check_size(np.array([1.0, 0.0]))
    >>> check_size(np.array([1.0, 1e-200]))
    Traceback (most recent call last):
    ...
    likely.errors.InputError: a column of numbers varies by about 1e-200 only, below 1e-153, where numbers have no ...
    """
    small = (sizes > 0) & (sizes < least)
    if small.any():
        raise InputError(
            f"a column of numbers varies by about {float(sizes[small].min()):.0e} only, below {least:g}, where numbers "
            "have no digits left to be computed with; multiply the column by a large number"
        )
