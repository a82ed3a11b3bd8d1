"""What `cv` may be: a number of folds, the fold of each row, or pairs of training and test rows.

Pairs come in a list, from a generator, or from an object with `split`, as scikit-learn's. Where every row is left out
once, and its model learns from all rows outside its fold, pairs are folds as well, or several repeats of them. Other
pairs (ShuffleSplit, TimeSeriesSplit, LeavePOut) judge some rows often and some never: they stay splits.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from likely import engines
from likely.data.labels.target import read_target
from likely.errors import InputError, check_whole
from likely.models.any_classifier.asking import Training
from likely.models.held_out.folds import deal, make_folds
from likely.numeric.arrays import Array, Ints
from likely.numeric.random_state import Seed, as_generator


class Splitter(Protocol):
    """Makes pairs of training and test rows, as those of scikit-learn do."""

    @property
    def split(self) -> Callable[..., Iterable[Any]]: ...


if TYPE_CHECKING:
    FoldsLike: TypeAlias = int | ArrayLike | Splitter | Iterable[tuple[ArrayLike, ArrayLike]]
else:

    class FoldsLike:
        """How many folds, the fold of each row, pairs of training and test rows, or what has `split`.

        A name for signatures: nothing is made of it.

        >>> from likely import NaiveBayes, cross_validate
        >>> X, y = [[0.0], [3.0], [1.0], [4.0]], ["a", "b", "a", "b"]
        >>> def n_folds(cv: FoldsLike) -> int:
        ...     return len(np.unique(cross_validate(NaiveBayes(), X, y, cv=cv).folds))
        >>> n_folds(2), n_folds([0, 0, 1, 1])
        (2, 2)
        """


class Split(NamedTuple):
    """Rows to learn from and rows to judge."""

    train: Ints
    test: Ints


def read_folds(
    cv: FoldsLike,
    data: Training,
    repeats: int = 1,
    stratify: bool = True,
    groups: Ints | None = None,
    random_state: Seed = 0,
) -> Ints:
    """The folds (r, n), numbered from 0, that `cv` asks for; splits that are no folds are refused."""
    parts = read_parts(cv, data, repeats, stratify, groups, random_state=random_state)
    if isinstance(parts, list):
        raise InputError(
            "cv leaves some rows out twice or never, or does not learn from all the others: give folds, each row in "
            "one of them (KFold, StratifiedKFold, GroupKFold, their repeats); other splits are for cross_validate and "
            "compare"
        )
    return parts


def read_parts(
    cv: FoldsLike,
    data: Training,
    repeats: int = 1,
    stratify: bool = True,
    groups: Ints | None = None,
    leave_one_out: bool = False,
    random_state: Seed = 0,
) -> Ints | list[Split]:
    """What the arguments of `cross_validate` ask for: folds (r, n), numbered from 0, or splits that are no folds."""
    rows = len(data.codes)
    if leave_one_out:
        if repeats != 1:
            raise InputError(f"leave-one-out has no repeats: every row is left out once; got repeats={repeats}")
        return np.arange(rows)[None] if groups is None else np.asarray(groups, dtype=np.int64)[None]
    if is_number(cv):
        return _dealt(int(cv), data.codes, repeats, stratify, groups, random_state)
    if repeats != 1:
        raise InputError(
            f"repeats={repeats} is for a number of folds, which are dealt anew each time; cv says which rows are left "
            "out: give it the repeats (RepeatedStratifiedKFold, or folds (r, n))"
        )
    if (named := named_folds(cv, data)) is not None:
        return named
    splits = read_splits(cv, data)
    folds = _folds_of(splits, rows)
    return _checked(splits, rows) if folds is None else folds


def named_folds(cv: object, data: Training) -> Ints | None:
    """Folds (r, n) that name the fold of each row, numbered from 0; None: `cv` is something else.

    They are of the rows that are kept, or of all that the user gave.
    """
    named = _as_array(cv)
    if named is None:
        return None
    rows = len(data.codes)
    if data.kept is not None and named.shape[-1] == data.given:
        named = named[..., data.kept]
    if named.shape[-1] != rows:
        given = rows if data.kept is None else data.given
        raise InputError(f"cv has shape {named.shape} for {given} rows: give a number of folds, or one fold per row")
    return _numbered(named)


def read_splits(cv: object, data: Training) -> list[Split]:
    """Pairs of training and test rows, from an object with `split` or as they are."""
    if hasattr(cv, "split") and not isinstance(cv, str):
        own = getattr(data.X, "x", getattr(data.X, "frame", data.X))  # of a table that was read already
        table = own if hasattr(own, "shape") else np.zeros((len(data.codes), 1))
        grouped = () if data.groups is None else (data.groups,)
        splits = [Split(np.asarray(train), np.asarray(test)) for train, test in cv.split(table, data.y, *grouped)]
        last = max((int(part.max(initial=0)) for split in splits for part in split), default=0)
        if last < len(data.codes):
            return splits
        if last >= max(data.given, len(data.codes)):
            raise InputError(f"cv names row {last} of {len(data.codes)}: give one that is made for this table")
        return [Split(*map(data.places, split)) for split in splits]  # it has numbers of its own, of rows left out too
    if not isinstance(cv, Iterable) or isinstance(cv, str):
        raise InputError(
            f"cv is a number of folds, the fold of each row, an object with split, or pairs of rows; got {cv!r}. To "
            "leave out single rows, set leave_one_out=True"
        )
    return [Split(*map(data.places, _pair(one))) for one in cv]


def _pair(given: Any) -> tuple[ArrayLike, ArrayLike]:
    try:
        train, test = given
    except (TypeError, ValueError):
        raise InputError(f"cv holds pairs of training and test rows, or the fold of each row; got {given!r}") from None
    return train, test


def splits_of(folds: Ints) -> list[Split]:
    """Of each fold (n,), numbered from 0, or of those of several repeats (r, n)."""
    count = int(folds.max()) + 1
    return [
        Split(np.flatnonzero(fold != f), np.flatnonzero(fold == f))
        for fold in np.atleast_2d(folds)
        for f in range(count)
    ]


def is_number(cv: object) -> TypeGuard[int]:
    """Whether `cv` is a number of folds."""
    return isinstance(cv, int | np.integer) and not isinstance(cv, bool)


def _dealt(count: int, codes: Array, repeats: int, stratify: bool, groups: Ints | None, random_state: Seed) -> Ints:
    check_whole("repeats", repeats)
    rngs = as_generator(random_state).spawn(repeats)
    if groups is not None or not 2 <= count <= len(codes):
        return np.stack([make_folds(codes, count, stratify, groups, rng) for rng in rngs])
    return np.stack(engines.current().map(rngs, partial(deal, codes, count, stratify)))


def _as_array(cv: object) -> Array | None:
    """Folds (n,) or (r, n); None: pairs of rows, or nothing that is known."""
    try:
        array = np.asarray(cv)
    except ValueError:  # lists of different lengths
        return None
    plain = array.dtype.kind != "O" or all(np.ndim(name) == 0 for name in array.flat)
    return array if array.size and array.ndim in (1, 2) and plain else None


def _numbered(named: Array) -> Ints:
    """Folds (n,) or (r, n) under any names as numbers from 0 (r, n)."""
    try:
        numbered = [np.unique(one, return_inverse=True) for one in np.atleast_2d(named)]
    except TypeError:  # names that have no order
        raise InputError(
            "cv names the fold of each row by numbers or by texts, not by both: give every row one"
        ) from None
    counts = {len(names) for names, _ in numbered}
    if len(counts) > 1 or counts.pop() < 2:
        raise InputError("every repeat needs the same number of folds, and at least two")
    return np.stack([codes.astype(np.int64) for _, codes in numbered])


def _folds_of(splits: Sequence[Split], rows: int) -> Ints | None:
    """Pairs as folds of one repeat or several, which end where every row was left out; None: they are no folds."""
    repeats, fold, number = list[Ints](), np.full(rows, -1, dtype=np.int64), 0
    for train, test in splits:
        if (fold[test] >= 0).any() or not np.array_equal(np.setdiff1d(np.arange(rows), test), np.sort(train)):
            return None
        fold[test] = number
        number += 1
        if (fold >= 0).all():
            repeats.append(fold)
            fold, number = np.full(rows, -1, dtype=np.int64), 0
    return None if number or not repeats else _numbered(np.stack(repeats))


def _checked(splits: list[Split], rows: int) -> list[Split]:
    """Splits that learn some rows and judge others, each once."""
    if not splits:
        raise InputError("cv gives no splits: give a number of folds, or pairs of training and test rows")
    for number, (train, test) in enumerate(splits, 1):
        place = f"split {number} of {len(splits)} of cv"
        if not len(train) or not len(test):
            raise InputError(f"{place} has no rows to {'judge' if len(train) else 'learn from'}; give it some")
        if len(np.unique(test)) < len(test):
            raise InputError(f"{place} names a test row twice; judge every row once in a split")
        shared = np.intersect1d(train, test)
        if len(shared):
            raise InputError(f"{place} judges row {int(shared[0])}, which it learned; leave the test rows out")
    return splits


def numbered_folds(folds: Array) -> tuple[Array, int]:
    """Folds under any names as 0, 1, ... (n,), and how many there are.

    >>> numbered_folds(np.array(["b", "a", "b"]))[0].tolist()
    [1, 0, 1]
    """
    target = read_target(folds)
    if len(target.classes) < 2:
        raise InputError("cross-validation needs at least two folds")
    return target.codes, len(target.classes)
