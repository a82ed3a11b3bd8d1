"""Sharing rows out among folds: at random, with the class shares of the whole, with groups kept together.

Stratified: folds are dealt out to the rows of each class in turn, 0, 1, ..., the next class going on where the last one
stopped. Fold sizes, and the rows of each class in them, differ by one at most. Folds are shuffled within each class
after they are dealt, or the rows stand in a given order before.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from likely.data.accepted import TargetLike
from likely.data.labels.target import read_target
from likely.errors import InputError
from likely.numeric.arrays import Array, Floats, Ints, PerRow
from likely.numeric.kernels.left_out.held_out import share_groups, shuffle_within
from likely.numeric.random_state import Seed, as_generator


def make_folds(
    y: TargetLike, cv: int = 10, stratify: bool = True, groups: PerRow = None, random_state: Seed = 0
) -> Ints:
    """Stratified folds for cross-validation: which of the `cv` folds (0, 1, ...) each row is in.

    With `groups`, one per row, all rows of a group are in the same fold; class shares are then as even as groups allow.

    >>> make_folds(["a", "a", "a", "b", "b", "b"], cv=3, random_state=0)
    array([2, 0, 1, 0, 1, 2])
    """
    codes = read_target(y).codes
    if cv < 2:
        raise InputError(f"cv must be at least 2 folds, got {cv}")
    rng = as_generator(random_state)
    if groups is not None:
        return _grouped(codes, groups, int(cv), stratify, rng)
    if cv > len(codes):
        raise InputError(f"{cv} folds need at least as many rows, and there are {len(codes)}")
    return deal(codes, int(cv), stratify, rng)


def stratified_folds(codes: Array, folds: int, random_state: Seed = None) -> Ints:
    """The fold of each row, from class codes (n,), dealt in the order of the data, or of a shuffle by `random_state`.

    >>> stratified_folds(np.array([0, 0, 0, 1, 1, 1]), 3)
    array([0, 1, 2, 0, 1, 2])
    """
    n = len(codes)
    if not 2 <= folds <= n:
        raise InputError(f"cv must be between 2 and the number of rows, {n}; got {folds}")
    order = np.arange(n) if random_state is None else as_generator(random_state).permutation(n)
    return deal(codes, folds, order=order)


def refuse_single(codes: Array, classes: Sequence[Any]) -> None:
    """Refuse classes of one row, which no model can be judged on or left without.

    >>> refuse_single(np.array([0, 0, 1]), ["rain", "sun"])
    Traceback (most recent call last):
    likely.errors.InputError: class 'sun' has one sample, and rows that are left out need two of every class: ...
    """
    counts = np.bincount(codes, minlength=len(classes))
    if counts.min() < 2:
        few = "one sample" if counts.min() else "no sample"
        raise InputError(
            f"class {classes[int(counts.argmin())]!r} has {few}, and rows that are left out need two of every "
            "class: leave it out, give it more rows, or take rare classes together as one"
        )


def deal(
    codes: Array, folds: int, stratify: bool = True, rng: np.random.Generator | None = None, order: Ints | None = None
) -> Ints:
    """Deal out folds to rows with class codes (n,), -1 for a row without one: in an order of the rows, or shuffled."""
    kinds = np.zeros(len(codes), dtype=np.int32)
    if stratify:
        kinds = codes + np.int32(1 if codes.min(initial=0) < 0 else 0)
    out = np.empty(len(codes), dtype=np.int64)
    if order is not None:
        out[order[np.argsort(kinds[order], kind="stable")]] = np.arange(len(codes)) % folds
        return out
    counts = np.bincount(kinds)
    begin = (np.cumsum(counts) - counts) % folds
    shuffle_within(kinds, folds, as_generator(rng).random(len(codes)), begin, out)
    return out


def holdout(
    y: TargetLike, share: float = 1 / 3, stratify: bool = True, groups: PerRow = None, random_state: Seed = 0
) -> Array:
    """A holdout split: which rows to withhold for testing, a boolean per row, with the class shares of the whole.

    Parameters
    ----------
    share : of the rows, kept back to judge

    >>> int(holdout(["a"] * 60 + ["b"] * 30, share=1 / 3, random_state=0).sum())
    30
    """
    if not 0 < share < 1:
        raise InputError(f"share must lie between 0 and 1, got {share}")
    codes = read_target(y).codes
    rng = as_generator(random_state)
    if groups is not None:
        parts = min(1000, len(read_target(groups).classes))
        if parts < 2:
            raise InputError("there is nothing to split: give at least two groups")
        count = min(max(1, round(share * parts)), parts - 1)
        home = _grouped(codes, groups, parts, stratify, rng)
        return rng.permutation(parts)[home] < count  # the largest groups are in the first parts
    n = len(codes)
    if n < 2:
        raise InputError("there is nothing to split: give at least two rows")
    withheld = np.zeros(n, dtype=bool)
    withheld[in_random_order(codes, stratify, rng)[: min(max(1, round(share * n)), n - 1)]] = True
    return withheld


def in_random_order(codes: Array, stratify: bool, rng: np.random.Generator) -> Ints:
    """Rows in a random order of which every beginning has the class shares of the whole, to within a row a class."""
    order = rng.permutation(len(codes))
    if not stratify:
        return order
    kinds = codes[order]
    by_class = np.argsort(kinds, kind="stable")
    counts = np.bincount(kinds - kinds.min())
    counts = counts[counts > 0]
    # The j-th row of a class of m rows stands at (j + u) / m, one random u for each class.
    within = np.arange(len(codes)) - np.repeat(np.cumsum(counts) - counts, counts)
    place = (within + np.repeat(rng.random(len(counts)), counts)) / np.repeat(counts, counts)
    return np.asarray(order[by_class[np.argsort(place, kind="stable")]])


def fold_means(values: Floats, folds: Ints, count: int, weight: Floats | None) -> Floats:
    """The mean of row values (n,) over each fold (count,)."""
    if weight is None:
        return np.asarray(np.bincount(folds, weights=values, minlength=count) / np.bincount(folds, minlength=count))
    total = np.bincount(folds, weights=weight, minlength=count)
    if not total.all():
        raise InputError(f"all rows of fold {int(np.flatnonzero(total == 0)[0])} have weight 0; use fewer folds")
    return np.asarray(np.bincount(folds, weights=np.where(weight > 0, values, 0.0) * weight, minlength=count) / total)


def _grouped(codes: Array, groups: PerRow, folds: int, stratify: bool, rng: np.random.Generator) -> Ints:
    """Whole groups to folds, largest first, each to the fold whose class counts it leaves most even."""
    named = read_target(groups)
    member = named.codes
    if len(member) != len(codes):
        raise InputError(f"groups has {len(member)} entries for {len(codes)} rows: give one per row")
    if named.hidden:
        raise InputError(f"the group of row {int(np.flatnonzero(member < 0)[0])} is missing; give every row a group")
    names = len(named.classes)
    if folds > names:
        raise InputError(f"{folds} folds need at least as many groups, and there are {names}")
    kinds = codes - min(int(codes.min(initial=0)), 0) if stratify else np.zeros(len(codes), dtype=np.int32)
    k = int(kinds.max(initial=0)) + 1
    counts = np.bincount(member.astype(np.int64) * k + kinds, minlength=names * k).reshape(names, k).astype(np.float64)
    order = rng.permutation(names)
    order = order[np.argsort(-counts[order].sum(axis=1), kind="stable")]
    home = np.empty(names, dtype=np.int64)
    share_groups(order, counts, folds, home)
    return home[member]
