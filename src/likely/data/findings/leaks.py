"""Columns that give the class away: known only once the class is, as a refund is for goods that were returned.

A column that tells too much by itself is one of three things.

- It tells every class nearly perfectly. How well is measured by the majority class among the other rows with the same
  value:

      right(v) = n_v1 if n_v1 - n_v2 >= 2 else 0        skill = (sum of right(v) / n - p) / (1 - p)

  with n_v1 and n_v2 the two largest class counts at value v, and p the share of the largest class. Nearly perfectly is
  a skill of 0.9, or one of 0.8 by a column that is wrong in no more than 2 % of the rows. Leaving the row itself out is
  what makes a column of distinct values tell nothing: its single rows get the largest class of all.
- It tells one class of several from all others, without a mistake in 200 rows of the class: by values that only it
  has, or by a range of numbers that holds no other row.
- Its cells are missing for the rows of one class and for no other, or the other way round; or they are known, or
  missing, in rows of one class alone, so many that chance does not pick them.

The first two are said only where no other column comes near: petals tell one iris from the others too, but two columns
do, and a flower may be that easy. What is missing says it alone, because whole blocks of columns go missing together.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from likely.data.features.preparing import without_extremes
from likely.numeric.arrays import Array, Floats

_ROWS = 30  # of a table, and of a class that is told from the others, below which nothing is said
_GONE_ROWS = 10  # of a class whose cells are missing: chance does not pick just these
_BY_CHANCE = np.log(1e-9)  # that all of so many rows are of one class
_SKILL, _DISTANCE = 0.9, 3.0
_SKILL_OF_FEW, _FEW_ERRORS = 0.8, 0.02  # where one class has most of the rows, a column of few errors has less skill
_MISTAKES = 0.005  # of the rows of a class, in telling it from the others
_NEXT_MISTAKES = 0.1  # the least of the next best column
_BINS = 64


def leaks(
    columns: Mapping[str, pl.Series], codes: Mapping[str, Array], labels: Array, names: Sequence[Any]
) -> dict[str, str]:
    """The columns that may give the class away, each with words that say how.

    codes are those of `suspicions.codes_of`; labels (n,) are numbers of the classes, which are called `names`.

    >>> y = np.arange(90) % 3
    >>> table = {"sold": pl.Series((y == 2).astype(int)), "size": pl.Series(np.arange(90) // 3)}
    >>> leaks(table, {name: column.to_numpy() for name, column in table.items()}, y, ["kept", "lent", "sold"])
    {'sold': "by itself tells class 'sold' from all others: is it known before the class is?"}
    """
    if len(labels) < _ROWS:
        return {}
    found = _missing_for_a_class(columns, labels, names)
    rest = [name for name in columns if name not in found]
    if len(rest) < 2:
        return found
    grouped = {name: _binned(_numbers(columns[name]), codes[name]) for name in rest}
    found |= _telling_all(grouped, labels)
    rest = [name for name in rest if name not in found]
    if len(names) > 2 and len(rest) > 1:
        mistakes = np.stack([_mistakes_of_classes(columns[name], grouped[name], labels) for name in rest])
        found |= _telling_one(rest, mistakes, labels, names)
    return found


def _missing_for_a_class(columns: Mapping[str, pl.Series], labels: Array, names: Sequence[Any]) -> dict[str, str]:
    """Columns whose missing cells are those of one class, or of all but one."""
    sizes = np.bincount(labels, minlength=len(names))
    smaller = np.minimum(sizes, len(labels) - sizes)
    found = {}
    for name, column in columns.items():
        gone = without_extremes(column).is_null().to_numpy()
        if not _GONE_ROWS <= gone.sum() <= len(gone) - _GONE_ROWS:
            continue
        inside = np.bincount(labels, weights=gone, minlength=len(names))
        wrong = (sizes - inside) + (gone.sum() - inside)  # cells that are there in the class, or missing elsewhere
        words: dict[int, str] = {}
        for mistakes, told in ((wrong, "missing for"), (len(labels) - wrong, "there for")):
            exact = (mistakes <= _MISTAKES * smaller) & (smaller >= _GONE_ROWS)
            words |= {int(place): told for place in np.flatnonzero(exact)}
        for place, told in list(words.items())[:1]:  # of two classes one says it all
            found[name] = f"{told} the rows of class {names[place]!r} and no others: is it known before the class is?"
        if name not in found and (told := _in_one_class(inside, sizes, names)):
            found[name] = f"{told}: is it known before the class is?"
    return found


def _in_one_class(gone: Array, sizes: Array, names: Sequence[Any]) -> str:
    """Whether all known, or all missing cells are of one class, beyond chance; of each class its missing cells (k,)."""
    for what, there in (("known", sizes - gone), ("missing", gone)):
        place, rows = int(there.argmax()), int(there.sum())
        if there[place] == rows and rows * np.log(sizes[place] / sizes.sum()) < _BY_CHANCE:
            share = 100 * sizes[place] / sizes.sum()
            return f"{what} in {rows:,} rows, all of class {names[place]!r}, to which {share:.1f} % of all rows belong"
    return ""


def _telling_all(grouped: Mapping[str, Array], labels: Array) -> dict[str, str]:
    """Columns that tell the class nearly perfectly by themselves, when the others do not come near."""
    base = float(np.bincount(labels).max() / len(labels))
    errors = {name: error_alone(codes, labels) for name, codes in grouped.items()}
    skill = {name: 1 - error / (1 - base) for name, error in errors.items()}
    best = [
        name for name, error in errors.items() if skill[name] >= (_SKILL_OF_FEW if error <= _FEW_ERRORS else _SKILL)
    ]
    others = [error for name, error in errors.items() if name not in best]
    if not _few(best, errors) or min(others) < _DISTANCE * max(errors[name] for name in best):
        return {}
    return {
        name: f"by itself tells the class of {100 * (1 - errors[name]):.1f} % of the rows, the next best column of "
        f"{100 * (1 - min(others)):.1f} %: is it known before the class is?"
        for name in best
    }


def _telling_one(rest: Sequence[str], mistakes: Floats, labels: Array, names: Sequence[Any]) -> dict[str, str]:
    """Columns that tell one class from all others, when the rest do not come near; mistakes are (columns, classes)."""
    sizes = np.bincount(labels, minlength=len(names))
    smaller = np.minimum(sizes, len(labels) - sizes)
    told: dict[str, list[str]] = {}
    for place in np.flatnonzero(smaller >= _ROWS).tolist():
        share = mistakes[:, place] / smaller[place]
        best = np.flatnonzero(share <= _MISTAKES)
        if _few(best, rest) and np.delete(share, best).min() >= _NEXT_MISTAKES:
            for column in best.tolist():
                told.setdefault(rest[column], []).append(repr(names[place]))
    return {
        name: f"by itself tells class {' and '.join(classes)} from all others: is it known before the class is?"
        for name, classes in told.items()
    }


def _few(best: Any, among: Any) -> bool:
    """Whether a few columns stand out: one, or no more than a third; several that tell as much make an easy table."""
    return 0 < len(best) < len(among) and (len(best) == 1 or 3 * len(best) <= len(among))


def _mistakes_of_classes(column: pl.Series, codes: Array, labels: Array) -> Floats:
    """Rows (k,) that a column puts on the wrong side when it tells each class from the others, the best way it can."""
    by_value = _mistakes_by_value(codes, labels)
    numbers = _numbers(column)
    return np.minimum(by_value, _mistakes_by_range(numbers, labels)) if numbers.dtype.is_numeric() else by_value


def _mistakes_by_value(codes: Array, labels: Array) -> Floats:
    """By the majority among the other rows with the value of a row: the class, or any other."""
    k = int(labels.max()) + 1
    value, label, counts = _pairs(codes, labels)
    total = np.bincount(value, weights=counts)[value]
    rest = total - counts
    wrong = np.where(counts - rest >= 2, rest, np.where(rest - counts >= 2, counts, total))
    return np.bincount(label, weights=wrong, minlength=k).astype(np.float64)


def _mistakes_by_range(column: pl.Series, labels: Array) -> Floats:
    """Rows of others between the least and the greatest number of a class, and rows of the class without a number."""
    k = int(labels.max()) + 1
    seen = column.is_not_null().to_numpy()
    values, classes = column.drop_nulls().to_numpy(), labels[seen]
    order = np.sort(values)
    rows = np.bincount(labels, minlength=k)
    wrong = rows.astype(np.float64)
    frame = pl.DataFrame({"class": classes, "value": values})
    for place, low, high, there in (
        frame.group_by("class").agg(pl.min("value").alias("low"), pl.max("value").alias("high"), pl.len()).rows()
    ):
        between = np.searchsorted(order, high, "right") - np.searchsorted(order, low, "left")
        wrong[place] = (between - there) + (rows[place] - there)
    return wrong


def error_alone(codes: Array, classes: Array) -> float:
    """The share of rows whose class is not the majority of the other rows with their value.

    >>> float(error_alone(np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 0, 1, 1, 0])))
    0.5
    """
    value, label, counts = _pairs(codes, classes)
    order = np.lexsort((-counts, value))
    value, label, counts = value[order], label[order], counts[order]
    start = np.flatnonzero(np.r_[True, value[1:] != value[:-1]])
    second = np.zeros(len(start), dtype=np.int64)
    more = np.r_[start[1:], len(value)] - start > 1
    second[more] = counts[start[more] + 1]
    largest = int(np.bincount(classes).argmax())
    single = (counts[start] == 1) & ~more & (label[start] == largest)
    right = np.where((counts[start] - second >= 2) | single, counts[start], 0)
    return float(1 - right.sum() / len(classes))


def _pairs(codes: Array, classes: Array) -> tuple[Array, Array, Array]:
    """The pairs of a value and a class that occur, and how many times each does."""
    width = int(classes.max()) + 1
    both = codes.astype(np.int64) * width + classes
    if int(both.max()) < 4 * len(both):
        times = np.bincount(both)
        pairs = np.flatnonzero(times)
        counts = times[pairs]
    else:
        pairs, counts = np.unique(both, return_counts=True)
    value, label = np.divmod(pairs, width)
    return value, label, counts


def _binned(column: pl.Series, codes: Array) -> Array:
    """Codes of a column, of numbers with many values those of bins with equally many rows."""
    if not column.dtype.is_numeric() or column.n_unique() <= _BINS:
        return codes
    ranks = column.rank("ordinal").to_numpy()
    seen = np.isfinite(ranks.astype(np.float64))
    bins = min(_BINS, max(2, int(seen.sum()) // 10))
    out = np.zeros(len(ranks), dtype=np.int64)
    out[seen] = 1 + ((ranks[seen] - 1) * bins // max(int(seen.sum()), 1)).astype(np.int64)
    return out


def _numbers(column: pl.Series) -> pl.Series:
    return without_extremes(column.to_physical() if column.dtype.is_temporal() else column)
