"""Kinds of feature, and how they are guessed.

A kind says how values compare: numbers by difference, counts as numbers of events, levels by equality, ordered
levels by rank, texts by their words. The guess is made from a column's type, and for whole numbers from its values:

- decimal numbers are `numeric`; true/false, or whole numbers that are only 0 and 1, are `binary`, and so are decimal
  numbers that are 0 and 1 alone, both of them (one-hot encoded levels, say), in a sparse matrix too
  where naive Bayes reads it;
- a sparse matrix that looks like counts of words (`counts_of_words`) is, to naive Bayes, one "multinomial" over all its
  columns;
- whole numbers from 0 up are `count` when they look like numbers of events in the first 10,000 rows (at least one in
  five is 0, the median is at most 10, and the variance is no less than the mean), otherwise `numeric`;
- decimal numbers in a frame that are all whole and have gaps are taken for whole ones: some frames turn them so;
- texts are `text` when they read as prose in the first 10,000 rows (at least half of them different, 15 characters or
  more on average, and three words, or half of the characters in a script that puts no blanks between words, such as
  Chinese, Japanese and Thai), are no dates in words, and are not called `path`, as names of files are; otherwise
  `nominal`;
- categories that their frame declares as ordered are `ordinal`.
"""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from likely.errors import InputTypeError
from likely.numeric.arrays import Array, frozen
from likely.numeric.kernels.sums.counts import column_ranges

Kinds: TypeAlias = Mapping[str, str] | str | None  # of some columns or of all; None and "auto": guessed
Kind: TypeAlias = Literal["numeric", "nominal", "ordinal", "binary", "count", "text"]
KINDS: tuple[str, ...] = get_args(Kind)
ONE_BY_ONE: tuple[str, ...] = ("nominal", "ordinal", "binary", "count")  # kinds whose values can be listed

_COUNT_MEDIAN, _ZEROS = 10, 0.2
_HEAD = 10_000
_FEW = 16
_WORDS, _LENGTH, _DIFFERENT = 3, 15, 0.5
_WITHOUT_BLANKS = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
_DAY, _MONTH = (
    r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?",
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*",
)
_DATE_IN_WORDS = (  # as in "Mon, 1 Feb 2021 10:00:00 +0000" and "March 1st, 2021"
    rf"(?i)^\s*(?:{_DAY}\s+)?(?:\d{{1,2}}(?:st|nd|rd|th)?[\s-]+{_MONTH}|{_MONTH}\.?\s+\d{{1,2}}(?:st|nd|rd|th)?)\b"
    r"(?:[\s,.:+-]|\d|\b(?:at|am|pm)\b|\(?\b[a-z]{1,5}t\b\)?|\(?\butc\b\)?)*$"
)
_NEARLY_ALL = 0.95


def guess_kind(column: Any) -> Kind:
    """The kind of a Polars column.

    >>> import polars as pl
    >>> [guess_kind(pl.Series("x", v)) for v in ([1.5, 2], ["a", "b"], [True, None], [0, 3, 1], [1950, 1987])]
    ['numeric', 'nominal', 'binary', 'count', 'numeric']
    """
    import polars as pl

    dtype = column.dtype
    if dtype == pl.Boolean:
        return "binary"
    if dtype == pl.Enum:
        return "ordinal"
    if dtype in (pl.String, pl.Categorical):
        return "text" if column.name != "path" and prose(column.head(_HEAD)) else "nominal"
    if dtype == pl.Null:
        return "numeric"  # never observed: carries no information under any kind
    if dtype.is_float():
        seen = column.drop_nulls().drop_nans()
        if len(seen) > 2 and zeros_and_ones(seen.to_numpy()):
            return "binary"
        gaps, whole = len(seen) < len(column), bool((seen == seen.floor()).all())
        if not (gaps and whole and len(seen) and seen.is_finite().all()):
            return "numeric"
        return _whole_numbers(seen.min(), seen.max(), seen.head(_HEAD).to_numpy())
    if dtype.is_decimal():
        return "numeric"
    if dtype.is_integer():
        return _whole_numbers(column.min(), column.max(), column.head(_HEAD).drop_nulls().to_numpy())
    raise InputTypeError(
        f"column {column.name!r} has type {dtype}, which has no kind here. "
        "Turn it into numbers or text first (a date into a number of days, say), or leave it out."
    )


def prose(column: Any) -> str | None:
    """In words, if the cells of a column of strings are sentences rather than levels.

    >>> import polars as pl
    >>> prose(pl.Series(["Lunch at noon today?", "The minutes are late", "Free prizes to be won"]))
    'text of 4 words on average, 3 different in 3 cells'
    >>> prose(pl.Series(["red", "green", "red"]))
    """
    import polars as pl

    cells = column.drop_nulls().cast(pl.String)
    distinct = cells.n_unique()
    if not len(cells) or distinct < 2 or distinct < _DIFFERENT * len(cells):
        return None
    words = float((cells.str.strip_chars().str.count_matches(r"\s+") + 1).mean() or 0)
    length = float(cells.str.len_chars().mean() or 0)
    if length < _LENGTH or dates_in_words(cells):
        return None
    many = f"{distinct:,} different in {len(cells):,} cells"
    if words >= _WORDS:
        return f"text of {words:.0f} words on average, {many}"
    if 2 * float(cells.str.count_matches(_WITHOUT_BLANKS).mean() or 0) < length:
        return None
    return f"text of {length:.0f} characters on average in a script without blanks, {many}"


def dates_in_words(cells: Any) -> bool:
    """Whether nearly all cells of a column of strings are dates such as Mon, 1 Feb 2021 10:00:00 +0000."""
    return len(cells) > 0 and float(cells.str.contains(_DATE_IN_WORDS).mean() or 0) >= _NEARLY_ALL


def guess_kinds(x: Array) -> list[Kind]:
    """The kinds of the columns of a matrix of numbers.

    >>> guess_kinds(np.array([[0, 1950], [3, 1987]])), guess_kinds(np.array([[0.0, 1.0]]))
    (['count', 'numeric'], ['numeric', 'numeric'])
    """
    if x.dtype.kind == "b":
        return ["binary"] * x.shape[1]
    if x.dtype.kind == "f" and len(x) > 2:
        return ["binary" if zeros_and_ones(column) else "numeric" for column in x.T]
    if x.dtype.kind not in "iu" or not len(x):
        return ["numeric"] * x.shape[1]
    low, high = column_ranges(frozen(np.ascontiguousarray(x)))
    return [_whole_numbers(a, b, head) for a, b, head in zip(low.tolist(), high.tolist(), x[:_HEAD].T, strict=True)]


def zeros_and_ones(column: Array) -> bool:
    """Whether the numbers of a column, gaps (NaN) aside, are 0 and 1, with both of them there.

    >>> zeros_and_ones(np.array([0.0, 1.0, np.nan])), zeros_and_ones(np.array([0.0, 0.0]))
    (True, False)
    """
    if not _nothing_else(column[:_FEW]):  # most columns of numbers are seen through at once
        return False
    return _nothing_else(column) and bool((column == 0).any() and (column == 1).any())


def zeros_and_ones_of_sparse(matrix: Any) -> Array:
    """Which columns of a compressed sparse matrix (CSR) are 0 and 1 alone: those of one-hot encoded levels.

    Both must be there, as in a dense matrix, unless the whole matrix is 0 and 1: then so are its constant columns.

    >>> from scipy.sparse import csr_array
    >>> zeros_and_ones_of_sparse(csr_array([[0, 1, 0], [1, 2.5, 0], [0, 0, 0]])).tolist()
    [True, False, False]
    >>> zeros_and_ones_of_sparse(csr_array([[0, 1, 0], [1, 1, 0], [0, 0, 0]])).tolist()
    [True, True, True]
    """
    n, d = matrix.shape
    ones, zeros = matrix.data == 1, matrix.data == 0
    other = np.bincount(matrix.indices[~(ones | zeros)], minlength=d)
    one = np.bincount(matrix.indices[ones], minlength=d)
    if n <= 2 or not one.any():
        return np.zeros(d, dtype=np.bool_)
    if not other.any() and (one < n).any():
        return np.ones(d, dtype=np.bool_)
    return np.asarray((other == 0) & (one > 0) & (one < n))


def counts_of_words(matrix: Any) -> bool:
    """Whether a compressed sparse matrix (CSR) looks like counts of words, as `CountVectorizer` gives them.

    All numbers are whole and none is negative; some are 1 and some above, and most columns that have such are mostly 0.
    Columns of one-hot encoded levels beside whole numbers such as ages are none: these are hardly ever 0.

    >>> from scipy.sparse import csr_array
    >>> counts_of_words(csr_array([[0, 2, 0], [1, 0, 0], [0, 0, 3]])), counts_of_words(csr_array([[0, 31], [1, 45]]))
    (True, False)
    """
    x, columns = matrix.data, matrix.indices
    if matrix.dtype.kind not in "iuf" or not ((x >= 0) & (x == np.floor(x)) & (x < np.inf)).all():
        return False
    if not (x == 1).any():
        return False
    several = np.bincount(columns[x > 1], minlength=matrix.shape[1]) > 0
    filled = np.bincount(columns[x > 0], minlength=matrix.shape[1])[several]
    return bool(len(filled)) and bool(np.mean(2 * filled < matrix.shape[0]) > 0.5)


def _nothing_else(column: Array) -> bool:
    return bool(((column == 0) | (column == 1) | np.isnan(column)).all())


def _whole_numbers(low: Any, high: Any, head: Array) -> Kind:
    if low is None or low < 0 or not len(head):
        return "numeric"
    if high <= 1:
        return "binary"
    events = np.mean(head == 0) >= _ZEROS and np.median(head) <= _COUNT_MEDIAN and np.var(head) >= np.mean(head)
    return "count" if low == 0 and events else "numeric"
