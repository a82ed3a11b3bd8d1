"""What may be wrong with a column: it names the rows, repeats another, or is badly written."""

import re
import shlex
from typing import Any

import numpy as np
import polars as pl

from likely.data.columns.kinds import dates_in_words
from likely.data.features.dates import read_dates
from likely.data.sources.parsers.column_types import padded
from likely.numeric.arrays import Array

_FEW = 20  # rows below which distinct values say nothing
_NEARLY_ALL = 0.95
_ZEROS, _MOST_ZEROS = 5, 0.6  # cells, and the share of them: where most are 0 it is the usual amount
_TIMES, _NEAREST = 3.0, 5  # as frequent as the nearest numbers are, and as far away
_FAR = 0.1  # of the median of the other numbers
_NAMES = re.compile(
    r"(?:^|[\W_])(?:id|ids|uuid|guid|index|idx|key|path|row|rowid|rownames?|row_?(?:nr|no|num|number)|serial|unnamed|hash)"
    r"(?:$|[\W_])|[a-z](?:Id|ID|Uuid|UUID|Index)$",
)
_SPLITS = frozenset({"split", "fold", "folds", "partition", "subset", "is_train", "is_test", "train_test"})
MISSING_SPELLINGS = frozenset(
    {"?", "na", "n/a", "n.a.", "nan", "null", "none", "nil", "-", "--", ".", "#n/a", "missing", "<na>", "unknown", ""}
)
_LEVELS_TOO = frozenset({"unknown", "none", "nil"})  # as often a level of its own as a missing cell
_DATE_PATTERNS = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M")
_AMBIGUOUS_DATES = r"^\d{1,2}[/-]\d{1,2}[/-](?:\d{2}|\d{4})$"
_GROUPED = r"^[-+]?\d{1,3}(?:[,' ]\d{3})+(?:\.\d+)?$"
_DECIMAL_COMMA = r"^[-+]?\d+,\d+$"
_WITH_UNIT = r"^[$€£]?\s?[-+]?\d+(?:[.,]\d+)*\s?(?:%|[$€£]|°?[A-Za-zµ]{1,4}[²³]?(?:/[A-Za-z]{1,4})?)?$"


def identifier(column: pl.Series, distinct: int) -> tuple[bool, str] | None:
    """Whether a column names its rows: (surely or perhaps, in words), or None.

    >>> identifier(pl.Series("row", range(1, 101)), 100)
    (True, 'whole numbers 1 to 100, each once')
    >>> identifier(pl.Series("sex", ["f", "m"] * 50), 2) is None
    True
    """
    seen = len(column) - column.null_count()
    named = _NAMES.search(column.name) is not None or (column.name.lower() in ("id", "uuid", "guid", "index", ""))
    if seen < 3 or distinct < 3:
        return None
    share = distinct / seen
    if column.dtype in (pl.String, pl.Categorical):
        if share >= _NEARLY_ALL and (named or seen >= _FEW):
            hint = "" if named or dates_in_words(column.cast(pl.String)) else _if_texts(column.name)
            return True, f"text, {distinct:,} different values in {seen:,} cells{hint}"
        if named and share > 0.5:
            return True, f"named {column.name!r}, {distinct:,} different values in {seen:,} cells"
        return None
    if not column.dtype.is_integer():
        return None
    low, high = int(column.min()), int(column.max())  # type: ignore[arg-type]
    if distinct == seen == high - low + 1 and (named or seen >= _FEW):
        return True, f"whole numbers {low} to {high}, each once"
    if named and share >= 0.9:
        return True, f"named {column.name!r}, {distinct:,} different whole numbers in {seen:,} cells"
    if distinct == seen and seen >= 2 * _FEW:
        return False, f"all {seen:,} whole numbers are different"
    return None


def _if_texts(name: str) -> str:
    return f"; if they are texts to be read word by word, say kinds={{{name!r}: 'text'}} (--kind {name}=text)"


def names_a_split(column: pl.Series, distinct: int) -> bool:
    """Whether a column tells which rows its source meant for training and testing."""
    return column.name.lower() in _SPLITS and 2 <= distinct <= 20


def date_pattern(column: pl.Series) -> str | None:
    """How every cell of a text column is written as a date, if it is."""
    cells = column.drop_nulls().unique()
    if not len(cells) or not cells.str.contains(r"^\d{1,4}[-/.]\d{1,2}[-/.]\d").all():
        return None
    for pattern in _DATE_PATTERNS:
        if not read_dates(cells, pattern).null_count():
            return pattern
    return None


def counted(column: pl.Series) -> pl.DataFrame:
    """The different values of a column as they come up, and how many times each occurs, whatever it is called.

    >>> counted(pl.Series("times", ["b", "a", "a"])).rows()
    [('b', 1), ('a', 2)]
    """
    return column.to_frame("value").group_by("value", maintain_order=True).len("times")


def levels_seen_once(column: pl.Series) -> int:
    """How many levels occur in a single row."""
    return int((counted(column.drop_nulls())["times"] == 1).sum())


def badly_written(column: pl.Series) -> list[tuple[str, str]]:
    """Warnings about the spelling of a text column: (kind of warning, words)."""
    spellings = counted(column.drop_nulls())
    values = spellings.get_column("value")
    plain = values.str.strip_chars().str.to_lowercase()
    absent = spellings.filter(plain.is_in(list(MISSING_SPELLINGS - _LEVELS_TOO)))
    rest = values.filter(~plain.is_in(list(MISSING_SPELLINGS))).str.strip_chars()
    found = list(_numbers_as_text(rest, len(rest) < len(values)))
    if absent.height:
        listed = absent.get_column("value").to_list()[:3]
        cells = int(absent.get_column("times").sum())
        found.append(
            ("missing spelled", f"{cells:,} cells hold {_or(listed)}, which may mean missing: {_say_missing(listed)}")
        )
    if not any(kind == "number as text" for kind, _ in found):
        alike = pl.DataFrame({"value": values, "plain": plain}).filter(pl.col("plain").is_duplicated()).sort("plain")
        if alike.height:
            pair = alike.filter(pl.col("plain") == alike["plain"][0])["value"].sort().to_list()
            found.append(("mixed case", f"{_or(pair[:3], 'and')} differ only in case or blanks: are they the same?"))
    return found


def _say_missing(spellings: list[str]) -> str:
    """What to say in Python, and to the command."""
    return f"say missing={spellings} ({' '.join(f'--missing {shlex.quote(one)}' for one in spellings)})"


def _numbers_as_text(values: pl.Series, others: bool) -> Any:
    if len(values) < 2:
        return
    shown = values[0]
    number = values.cast(pl.Float64, strict=False).is_not_null()
    if number.all() and len(codes := values.filter(padded(values))):
        yield "number as text", f"whole numbers with zeros in front, such as {codes[0]!r}: codes, unless told"
    elif number.all():
        yield (
            "number as text",
            (f"numbers such as {shown!r} {'but for cells that may mean missing' if others else 'kept as text'}"),
        )
    elif values.str.contains(_GROUPED).any() and (number | values.str.contains(_GROUPED)).all():
        yield "number as text", f"numbers with signs between the thousands, such as {shown!r}: remove the signs"
    elif (number | values.str.contains(_DECIMAL_COMMA)).all():
        yield (
            "number as text",
            f"numbers with a decimal comma, such as {shown!r}: write a point, or say decimal=',' (--decimal ,)",
        )
    elif values.str.contains(_WITH_UNIT).all() and _one_unit(values):
        yield "number as text", f"numbers with units, such as {shown!r}: remove the units"
    elif len(values) >= 10 and number.mean() >= 0.9:  # type: ignore[operator]
        other = values.filter(~number).to_list()[:3]
        yield "number as text", f"numbers but for {_or(other)}: correct those, or call them missing"
    elif dates_in_words(values):
        yield "date as text", f"dates such as {shown!r}: write them as 2024-12-31 to have them used"
    elif values.str.contains(_AMBIGUOUS_DATES).all():
        yield "date as text", f"dates such as {shown!r}, day or month first: write them as 2024-12-31 to have them used"


def _one_unit(values: pl.Series) -> bool:
    """Whether few units are common to many values, which codes such as A1 and 7b are not."""
    units = values.str.replace_all(r"[\d.,+\s-]", "").unique()
    return len(values) >= 5 and len(units) <= max(3, len(values) // 10) and not bool((units == "").all())


def codes_of(column: pl.Series) -> Array:
    """Values as numbers in order of first appearance, missing cells as a value: equal for renamings of one column."""
    ranks = column.rank("dense").fill_null(0).to_numpy().astype(np.int64)
    first = np.full(int(ranks.max(initial=0)) + 1, len(ranks))
    first[ranks[::-1]] = np.arange(len(ranks))[::-1]  # of equal places the last assignment stays
    place = np.empty(len(first), dtype=np.int32)
    place[np.argsort(first, kind="stable")] = np.arange(len(first), dtype=np.int32)
    return np.asarray(place[ranks])


def _or(values: list[Any], word: str = "or") -> str:
    return f" {word} ".join(repr(value) for value in values)


def zeros_apart(column: pl.Series) -> str:
    """What shows that 0 stands for unknown: far from all other numbers, and more frequent than those next to it.

    >>> zeros_apart(pl.Series([0] * 20 + [40 + i % 50 for i in range(200)]))
    '20 cells are 0, and none lies between 0 and 40: does 0 stand for unknown? If so, leave those cells empty'
    >>> zeros_apart(pl.Series([i % 20 for i in range(400)]))
    ''
    """
    if not column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return ""
    spellings = counted(column.drop_nulls()).sort("value")
    if spellings.height <= _FEW or float(spellings["value"][0]) != 0.0:
        return ""
    values, times = spellings["value"].cast(pl.Float64).to_numpy()[1:], spellings["times"].to_numpy()
    zeros, gap = int(times[0]), float(np.median(np.diff(values)))
    frequent = zeros >= _ZEROS and zeros > _TIMES * times[1 : _NEAREST + 1].mean()
    apart = values[0] > _TIMES * gap and values[0] > _FAR * np.median(np.repeat(values, times[1:]))
    if not (frequent and apart and zeros < _MOST_ZEROS * len(column)):
        return ""
    return (
        f"{zeros:,} cells are 0, and none lies between 0 and {values[0]:g}: does 0 stand for unknown? If so, leave "
        "those cells empty"
    )


def is_nested(column: pl.Series) -> bool:
    """Whether its cells are lists, records or bytes."""
    return column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object)
