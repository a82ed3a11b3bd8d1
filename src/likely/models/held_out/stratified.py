"""Folds: every row is left out once, and every class is spread evenly over the folds.

Rows are dealt out class by class, one to each fold in turn, so that the sizes of the folds, and of each class in them,
differ by at most one row. Without a seed they are dealt in the order of the data; with one they are shuffled first.
"""

from typing import Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Ints


def stratified_folds(codes: Array, folds: int, random_state: Any = None) -> Ints:
    """Fold of each row (n,), from class codes (n,).

    >>> stratified_folds(np.array([0, 0, 0, 1, 1, 1]), 3)
    array([0, 1, 2, 0, 1, 2])
    """
    n = len(codes)
    if not 2 <= folds <= n:
        raise InputError(f"cv must be between 2 and the number of rows, {n}; got {folds}")
    if random_state is None:
        order = np.argsort(codes, kind="stable")
    else:
        from likely.numeric.random_state import as_generator

        shuffled = as_generator(random_state).permutation(n)
        order = shuffled[np.argsort(codes[shuffled], kind="stable")]
    fold = np.empty(n, dtype=np.int64)
    fold[order] = np.arange(n) % folds
    return fold
