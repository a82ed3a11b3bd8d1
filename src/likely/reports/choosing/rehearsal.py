"""How long a candidate would take, from judging it on a few rows.

Judging takes a time that grows with the rows, after some that it takes in any case. Two small samples tell both; a
smaller one before them has whatever is done only once (compiling, importing) out of the way.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from likely.errors import LikelyError
from likely.models.any_classifier.asking import Training
from likely.numeric.arrays import Ints

_SIZES = (1_000, 2_500, 10_000)
_OF_A_CLASS = 20  # rows of a class in the smallest sample, to be in the samples at all
_CAUTION = 1.25  # sorting grows faster than the rows, and the machine may have other work


def seconds_for_all(judge: Callable[[Training, Ints], object], data: Training, folds: Ints) -> float:
    """What `judge(rows, their folds)` would take for all rows; 0 where they are few, or where some cannot be judged.

    >>> data = Training(np.zeros((100, 1)), np.zeros(100, dtype=int), ("a",), None)
    >>> seconds_for_all(lambda some, folds: time.sleep(1.0), data, np.zeros((1, 100), dtype=int))
    0.0
    """
    rows = len(data.codes)
    if rows <= 2 * _SIZES[-1]:
        return 0.0
    order = _of_frequent_classes(np.random.default_rng(0).permutation(rows), data.codes)
    spent = []
    for size in _SIZES:
        some = np.sort(order[:size])
        begin = time.monotonic()
        try:
            judge(_among_their_classes(data.taken(some)), folds[:, some])
        except LikelyError:
            return 0.0  # of so few rows; all of them may do
        spent.append(time.monotonic() - begin)
    _, few, many = spent
    for_each = max(many - few, 0.1 * many) / (_SIZES[-1] - _SIZES[-2])
    return _CAUTION * (many + (rows - _SIZES[-1]) * for_each)


def _of_frequent_classes(order: Ints, codes: Ints) -> Ints:
    """Rows without those of classes that so few rows would hardly show."""
    seen = np.bincount(codes[order[: _SIZES[0]]], minlength=int(codes.max()) + 1)
    return order[seen[codes[order]] >= _OF_A_CLASS]


def _among_their_classes(some: Training) -> Training:
    present, codes = np.unique(some.codes, return_inverse=True)
    return replace(some, codes=codes.astype(some.codes.dtype), classes=tuple(some.classes[i] for i in present))
