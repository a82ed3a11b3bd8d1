"""How a training went, as a file tells it: one vector of numbers for each thing that was followed pass by pass."""

from typing import Any

import numpy as np

from likely.errors import InputError


def check_curves(curves: Any, count: int) -> None:
    """Refuse what is not so many vectors of numbers.

    >>> check_curves((np.array([0.7, 0.5]), np.array([3, 1])), 2)
    >>> check_curves((np.ones((2, 2)),), 1)
    Traceback (most recent call last):
    ...
    likely.errors.InputError: the history of its training does not fit together
    """
    fits = isinstance(curves, tuple) and len(curves) == count
    if not fits or not all(isinstance(c, np.ndarray) and c.ndim == 1 and c.dtype.kind in "iuf" for c in curves):
        raise InputError("the history of its training does not fit together")
