"""Sharing rows out among folds: at random, with the class shares of the whole, with groups kept together.

Stratified: the rows of each class are shuffled and dealt out one fold after the other, the next class going on where
the last one stopped. Fold sizes, and the rows of each class in them, then differ by one at most.
"""

from typing import Any

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Ints


def make_folds(y: Any, folds: int = 10, stratify: bool = True, groups: Any = None, random_state: Any = None) -> Ints:
    """The fold (0, 1, ...) of each row.

    >>> make_folds(["a", "a", "a", "b", "b", "b"], folds=3, random_state=0)
    array([1, 2, 0, 0, 2, 1])
    """
    labels = np.asarray(y)
    rng = np.random.default_rng(random_state)
    if folds < 2:
        raise InputError(f"folds must be at least 2, got {folds}")
    if groups is not None:
        return _grouped(labels, np.asarray(groups), folds, stratify, rng)
    if folds > len(labels):
        raise InputError(f"{folds} folds need at least as many rows, and there are {len(labels)}")
    codes = _codes(labels) if stratify else None
    return deal(codes, len(labels), folds, rng)


def deal(codes: Array | None, rows: int, folds: int, rng: np.random.Generator) -> Ints:
    """Shuffle and deal; `codes` are small whole numbers, one per class."""
    order = rng.permutation(rows)
    if codes is not None:
        small = codes.astype(np.uint8 if codes.max(initial=0) < 256 else np.uint16 if codes.max() < 65536 else np.int64)
        order = order[np.argsort(small[order], kind="stable")]  # a radix sort for small codes
    out = np.empty(rows, dtype=np.int64)
    out[order] = np.arange(rows) % folds
    return out


def holdout(y: Any, share: float = 1 / 3, stratify: bool = True, groups: Any = None, random_state: Any = None) -> Array:
    """Which rows to withhold for testing: a boolean per row, with the class shares of the whole.

    >>> int(holdout(["a"] * 60 + ["b"] * 30, share=1 / 3, random_state=0).sum())
    30
    """
    if not 0 < share < 1:
        raise InputError(f"share must lie between 0 and 1, got {share}")
    labels = np.asarray(y)
    parts = 1000 if groups is None else min(1000, len(np.unique(np.asarray(groups))))
    if groups is None:
        parts = min(parts, len(labels))
    if parts < 2:
        raise InputError("there is nothing to split: give at least two rows, or two groups")
    fold = make_folds(labels, parts, stratify, groups, random_state)
    count = min(max(1, round(share * parts)), parts - 1)
    return fold < count


def _grouped(labels: Array, groups: Array, folds: int, stratify: bool, rng: np.random.Generator) -> Ints:
    """Whole groups to folds, largest first, each to the fold whose class counts it leaves most even."""
    if len(groups) != len(labels):
        raise InputError(f"groups has {len(groups)} entries for {len(labels)} rows: give one per row")
    names, member = np.unique(groups, return_inverse=True)
    if folds > len(names):
        raise InputError(f"{folds} folds need at least as many groups, and there are {len(names)}")
    codes = _codes(labels) if stratify else np.zeros(len(labels), dtype=np.int64)
    k = int(codes.max(initial=0)) + 1
    counts = np.zeros((len(names), k))
    np.add.at(counts, (member, codes), 1.0)
    share = counts / counts.sum(axis=0)
    order = rng.permutation(len(names))
    order = order[np.argsort(-counts[order].sum(axis=1), kind="stable")]
    filled = np.zeros((folds, k))
    home = np.empty(len(names), dtype=np.int64)
    for group in order:
        cost = ((filled + share[group]) ** 2 - filled**2).sum(axis=1)
        home[group] = int(cost.argmin())
        filled[home[group]] += share[group]
    return home[member]


def _codes(labels: Array) -> Ints:
    from likely.data.target import read_target

    return read_target(labels).codes.astype(np.int64)
