"""Labels counted into a confusion matrix, at the speed of reading them.

Whole numbers in a small range are counted as they are, in one pass; all other labels become codes first.
"""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from likely.data.labels.aligned_labels import align_labels, read_labels
from likely.data.labels.weights import read_weight
from likely.errors import InputError
from likely.evaluation.judged_input import all_classes, read_truth
from likely.intervals.means import read_groups
from likely.numeric.arrays import Array, PerRow, frozen
from likely.numeric.kernels import ranking as kernels

_LARGEST_SPAN = 1024  # of whole numbers that are counted as they are: the table of pairs stays in cache


class Counted(NamedTuple):
    """Truth against answer; the last of k + 1 columns holds the rejected rows."""

    classes: tuple[Hashable, ...]
    matrix: Array  # (k, k) or (k, k + 1)
    squares: Array | None  # sums of squared weights; None without weights
    by_group: Array | None  # (g, k, c)


def count_answers(
    truth: Any,
    said: Any,
    classes: Sequence[Hashable] | None = None,
    sample_weight: PerRow = None,
    groups: PerRow = None,
    reject_label: Hashable = None,
) -> Counted:
    """Count what was said of each class; a missing answer, or `reject_label`, is a rejected row."""
    if classes is None and sample_weight is None and groups is None and reject_label is None:
        counted = _count_whole_numbers(truth, said)
        if counted is not None:
            return counted
    target, answers = read_truth(truth, "the truth"), read_labels(said, reject_label)
    rows = len(target.codes)
    if len(answers.codes) != rows:
        raise InputError(f"there are {rows} true labels but {len(answers.codes)} answers; give one answer per row")
    names = all_classes(target, answers) if classes is None else classes
    codes, names = align_labels(target, names, "the truth")
    answered, _ = align_labels(answers, names, "the answers")
    weight = read_weight(sample_weight, rows)
    return count_codes(codes, answered, names, weight, None if groups is None else read_groups(groups, rows))


def count_codes(
    truth: Array, said: Array, classes: tuple[Hashable, ...], weight: Array | None = None, groups: Array | None = None
) -> Counted:
    """Count codes of true classes and of answers; an answer below 0 is a rejected row."""
    k = len(classes)
    rejected = said < 0
    columns = k + 1 if rejected.any() else k
    cell = truth.astype(np.int64) * columns + np.where(rejected, k, said)
    shape = (k, columns)
    matrix = np.bincount(cell, weights=weight, minlength=k * columns).reshape(shape)
    squares = None if weight is None else np.bincount(cell, weights=weight**2, minlength=k * columns).reshape(shape)
    by_group = None
    if groups is not None:
        size = int(groups.max()) + 1
        by_group = np.bincount(groups * k * columns + cell, weights=weight, minlength=size * k * columns)
        by_group = by_group.reshape(size, *shape)
    return Counted(classes, matrix, squares, by_group)


def _count_whole_numbers(truth: Any, said: Any) -> Counted | None:
    if not all(isinstance(v, np.ndarray) and v.ndim == 1 and v.dtype.kind in "iub" for v in (truth, said)):
        return None
    if len(truth) != len(said) or not len(truth):
        return None
    low, high = kernels.ranges(frozen(truth), frozen(said))
    span = int(high) - int(low) + 1
    if span > _LARGEST_SPAN:
        return None
    table = kernels.count_pairs(frozen(truth), frozen(said), low, span)
    present = np.flatnonzero(table.sum(axis=0) + table.sum(axis=1))
    boolean = truth.dtype.kind == said.dtype.kind == "b"
    classes = tuple(bool(v + low) if boolean else int(v) + int(low) for v in present)
    return Counted(classes, table[np.ix_(present, present)], None, None)
