"""Rows that belong together, come later, or were set aside: what a column of the table says about judging.

    groups   rows of a group (a patient, a customer) stay on one side: in one fold, or all in the test
    time     the last fifth of the rows by time is the test, and nothing later is learned
    split    where its cells are words such as train and test, the test rows are judged once at the end and never
             learned; any other column names the fold of each row

A column that is called `split`, and holds such words, is taken for one although nobody named it: it is never learned.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from likely.data.inputs import suggest
from likely.errors import InputError
from likely.numeric.arrays import Array, Ints

TEST_SHARE = 0.2
_TESTS = frozenset({"test", "testing", "tst", "holdout", "hold-out", "valid", "validation", "val", "dev", "eval"})
_TRAINS = frozenset({"train", "training", "trn", "learn", "fit", "design"})
_NAMES = ("split", "set", "subset", "partition")
_MOST_FOLDS = 50


@dataclass(frozen=True)
class Parting:
    """What columns say of the rows that are judged; None: nothing."""

    groups: Ints | None = None  # (n,)
    folds: Array | None = None  # (n,)  names of the folds
    test: Array | None = None  # (n,)  whether a row is judged once at the end
    words: str = ""

    def taken(self, rows: Array) -> "Parting":
        """The same of some rows."""
        groups, folds, test = (None if part is None else part[rows] for part in (self.groups, self.folds, self.test))
        return Parting(groups, folds, test, self.words)


def offered_split(frame: Any) -> str | None:
    """The column that says which rows are for testing, though nobody named it.

    >>> import polars as pl
    >>> offered_split(pl.DataFrame({"split": ["train", "test"], "x": [1, 2]}))
    'split'
    """
    for name in frame.columns:
        if name.lower() in _NAMES and _is_train_and_test(_words(frame[name])):
            return str(name)
    return None


def part(frame: Any, groups: str | None = None, time: str | None = None, split: str | None = None) -> Parting:
    """Read the columns; at most one of `time` and `split`."""
    for option, name in (("groups", groups), ("time", time), ("split", split)):
        if name is not None and name not in frame.columns:
            raise InputError(f"{option}: there is no column {name!r}{suggest(name, frame.columns)}")
    if time is not None and split is not None:
        raise InputError("time and split both say which rows are for testing; give one of them")
    members = None if groups is None else _groups(frame[groups])
    if split is not None:
        return _by_split(frame[split], members)
    if time is not None:
        return _by_time(frame[time], members)
    if groups is None:
        return Parting()
    count = 0 if members is None else int(members.max()) + 1
    return Parting(members, words=f"rows of the same {groups} ({count:,} of them) are on one side of every fold")


def _groups(column: Any) -> Ints:
    if column.null_count():
        raise InputError(
            f"groups: column {column.name!r} has {column.null_count():,} missing cells; every row needs one"
        )
    return np.asarray(column.rank("dense").to_numpy(), dtype=np.int64) - 1


def _by_split(column: Any, members: Ints | None) -> Parting:
    if column.null_count():
        raise InputError(
            f"split: column {column.name!r} has {column.null_count():,} missing cells; every row needs one"
        )
    words = _words(column)
    if _is_train_and_test(words):
        test = np.array([str(cell).strip().lower() in _TESTS for cell in column.to_list()])
        count = int(test.sum())
        told = (
            f"{count:,} rows are judged once at the end, as {column.name} says; the other {len(test) - count:,} learned"
        )
        return Parting(members, None, test, told)
    if not 2 <= len(words) <= _MOST_FOLDS:
        raise InputError(
            f"split: column {column.name!r} has {len(words):,} different cells; it should say train and test, or name "
            f"2 to {_MOST_FOLDS} folds"
        )
    if members is not None:
        raise InputError("split names the folds, so groups cannot; give one of them")
    names = np.array([str(cell) for cell in column.to_list()])
    return Parting(None, names, None, f"the folds are those of {column.name}")


def _by_time(column: Any, members: Ints | None) -> Parting:
    import polars as pl

    from likely.data.features.dates import as_days
    from likely.data.findings.suspicions import date_pattern

    pattern = date_pattern(column) if column.dtype == pl.String else None
    days = as_days(column, pattern)
    if not days.dtype.is_numeric() or days.null_count():
        raise InputError(f"time: column {column.name!r} should hold a date, a time or a number in every row")
    values = days.cast(pl.Float64).to_numpy()
    start = float(np.quantile(values, 1 - TEST_SHARE))
    test = values >= start if (values < start).any() else values > start
    if not test.any() or test.all():
        raise InputError(f"time: column {column.name!r} has too few different times to tell earlier from later rows")
    if members is not None:
        test = test & ~np.isin(members, members[~test])  # a group that was learned before is not judged later
    if not test.any():
        raise InputError("every group of the later rows is among the earlier ones too: give groups or time, not both")
    first = column[int(np.flatnonzero(test)[np.argmin(values[test])])]
    told = (
        f"{int(test.sum()):,} rows from {column.name} {first} on are judged once at the end; only earlier are learned"
    )
    return Parting(members, None, test, told)


def _words(column: Any) -> set[str]:
    return {str(cell).strip().lower() for cell in column.drop_nulls().unique().to_list()}


def _is_train_and_test(words: set[str]) -> bool:
    return bool(words & _TESTS) and bool(words & _TRAINS) and words <= _TESTS | _TRAINS
