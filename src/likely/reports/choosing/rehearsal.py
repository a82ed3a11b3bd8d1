"""How long a candidate would take, from judging it on a few rows; and the report, from the figures of a few rows.

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
_FEW_ROWS = 3.0  # seconds of a report of few rows
_TIMES = 3.0  # the figures of all rows, which is what a report takes beyond that
_CAUTION = 1.25  # sorting grows faster than the rows, and the machine may have other work


def seconds_for_all(
    judge: Callable[[Training, Ints], object],
    data: Training,
    folds: Ints,
    allows: Callable[[float], bool] = lambda seconds: True,
) -> float:
    """What `judge(rows, their folds)` would take for all rows; 0 where they are few, or where some cannot be judged.

    `allows(seconds)` tells whether there is time for so much: as soon as there surely is not, no more rows are judged.

    >>> data = Training(np.zeros((100, 1)), np.zeros(100, dtype=int), ("a",), None)
    >>> seconds_for_all(lambda some, folds: time.sleep(1.0), data, np.zeros((1, 100), dtype=int))
    0.0
    """
    rows = len(data.codes)
    if rows <= 2 * _SIZES[-1]:
        return 0.0
    order = _of_frequent_classes(np.random.default_rng(0).permutation(rows), data.codes)
    try:
        return _foreseen(
            lambda some: judge(_among_their_classes(data.taken(some)), folds[:, some]), order, rows, allows
        )
    except LikelyError:
        return 0.0  # of so few rows; all of them may do


def seconds_of_report(figures: Callable[[Ints], object], rows: int) -> float:
    """What the report would take, of which the tables and texts are always written.

    `figures(some)` finds the figures of some rows, which is what takes long of many. They are found of the model kept,
    and compared with those of the others, drawn and told in three forms: a few times as much in all.
    """
    if rows <= 2 * _SIZES[-1]:
        return _FEW_ROWS
    order = np.random.default_rng(0).permutation(rows)
    return _FEW_ROWS + _TIMES * _foreseen(figures, order, rows)


def _foreseen(
    work: Callable[[Ints], object],
    order: Ints,
    rows: int,
    allows: Callable[[float], bool] = lambda seconds: True,
) -> float:
    """Seconds of work that grows with the rows, for all of them, from some at the head of an order."""
    spent: list[float] = []
    for size in _SIZES:
        least = _in_all(spent[-1], spent[-1], rows) if len(spent) > 1 else 0.0  # of the first, much is done only once
        if spent and not allows(least):
            return _CAUTION * spent[-1] * rows / _SIZES[len(spent) - 1]
        some = np.sort(order[:size])
        begin = time.monotonic()
        work(some)
        spent.append(time.monotonic() - begin)
    return _in_all(spent[-2], spent[-1], rows)


def _in_all(few: float, many: float, rows: int) -> float:
    """Seconds for all rows, from those of the second sample and of the third, which takes no less."""
    for_each = max(many - few, 0.1 * many) / (_SIZES[-1] - _SIZES[-2])
    return _CAUTION * (many + (rows - _SIZES[-1]) * for_each)


def _of_frequent_classes(order: Ints, codes: Ints) -> Ints:
    """Rows without those of classes that so few rows would hardly show."""
    seen = np.bincount(codes[order[: _SIZES[0]]], minlength=int(codes.max()) + 1)
    return order[seen[codes[order]] >= _OF_A_CLASS]


def _among_their_classes(some: Training) -> Training:
    present, codes = np.unique(some.codes, return_inverse=True)
    return replace(some, codes=codes.astype(some.codes.dtype), classes=tuple(some.classes[i] for i in present))
