"""What one column of a table holds by itself: its kind and why, and what is suspicious about it."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal, TypeAlias

import numpy as np
import polars as pl

from likely.data.columns.encoding import LARGEST
from likely.data.columns.kinds import guess_kind, prose
from likely.data.features.dates import read_dates
from likely.data.features.preparing import without_extremes
from likely.data.findings import suspicions

Warned: TypeAlias = Literal[
    "empty", "constant", "nested", "identifier", "leak", "number as text", "date as text", "duplicate", "split",
    "missing spelled", "mixed case", "perhaps identifier", "many levels", "infinite", "too large", "zeros", "date",
]  # fmt: skip

_MANY_LEVELS = 100
_FEW_ROWS = 30  # below it, few different numbers are no sign of codes


@dataclass(frozen=True)
class ColumnFinding:
    """What was found in a feature."""

    name: str
    kind: str  # a kind of feature, or "date", "none"; or what `kinds` said
    why: str
    missing: int
    distinct: int  # without missing cells
    warning: Warned | None = None  # the gravest
    words: str = ""  # all warnings, in sentences
    used: bool = True
    pattern: str | None = None  # of dates written as text

    @property
    def family(self) -> str:
        """The kind under which the prepared column can be learned from."""
        return {"date": "numeric", "none": "numeric"}.get(self.kind, self.kind)


@dataclass(frozen=True)
class Look:
    """A finding in the making."""

    finding: ColumnFinding
    warnings: tuple[tuple[Warned, str], ...] = ()

    def warned(self, kind: Warned, words: str) -> "Look":
        return Look(self.finding, (*self.warnings, (kind, words)))

    @property
    def kinds(self) -> set[str]:
        return {kind for kind, _ in self.warnings}


def look_at(column: pl.Series, given: str | None, fixed: str | None, beyond: pl.Series | None = None) -> Look:
    """The kind of a column by itself, and what is wrong with it; of a column of fixed kind nothing is.

    Cells `beyond` its rows are looked at as if it held them.
    """
    if beyond is not None:
        column = pl.concat([column.to_frame(), beyond.drop_nulls().to_frame()], how="vertical_relaxed").to_series()
    if suspicions.is_nested(column):
        look = Look(ColumnFinding(column.name, "none", f"cells of type {column.dtype}", column.null_count(), 0))
        return look.warned(
            "nested", f"left out: cells of type {column.dtype} are no feature; take them apart into columns"
        )
    cells = without_extremes(column)
    distinct = cells.n_unique() - bool(cells.null_count())
    pattern = suspicions.date_pattern(cells) if cells.dtype == pl.String and given is None else None
    if fixed is not None:
        values = {0: "no value", 1: "one value"}.get(distinct, f"{distinct:,} different")
        why = "as told" if given else f"as in all {'texts' if column.name == 'text' else 'mail'}, {values}"
        look = Look(ColumnFinding(column.name, given or fixed, why, cells.null_count(), distinct))
        return look.warned("date", "turned into days since 1970-01-01") if look.finding.kind == "date" else look
    kind, why = ("given", "as told") if given else _guess(cells, distinct, pattern)
    found = ColumnFinding(column.name, given or kind, why, cells.null_count(), distinct, pattern=pattern)
    look = _warned_of_extremes(Look(found), column)
    if not distinct:
        return look.warned("empty", "left out: no cell has a value")
    if distinct == 1:
        only = f"the only value is {_shown(cells.drop_nulls()[0])}"
        return look.warned("constant", f"left out: {only}" + (" where there is one" if cells.null_count() else ""))
    if kind == "date":
        return look.warned("date", "turned into days since 1970-01-01")
    return _suspect(look, cells, distinct)


def _warned_of_extremes(look: Look, column: pl.Series) -> Look:
    """Say which numbers `without_extremes` takes for missing."""
    if not column.dtype.is_float():
        return look
    infinite = int(column.is_infinite().sum())
    large = int((column.is_finite() & (column.abs() > LARGEST)).sum())
    if infinite:
        cells = "1 infinite number; it is" if infinite == 1 else f"{infinite:,} infinite numbers; they are"
        look = look.warned("infinite", f"holds {cells} treated as missing")
    if large:
        cells = "1 number" if large == 1 else f"{large:,} numbers"
        words = f"holds {cells} beyond {LARGEST:g}, too large to be squared; treated as missing, so rescale the column"
        look = look.warned("too large", words)
    return look


def _suspect(look: Look, cells: pl.Series, distinct: int) -> Look:
    if look.finding.kind == "text":
        return look
    text = cells.dtype in (pl.String, pl.Categorical)
    whole = _whole(cells)
    if names := suspicions.identifier(cells if whole is None else whole, distinct):
        sure, words = names
        kind: Warned = "identifier" if sure else "perhaps identifier"
        verdict = "names the rows" if sure else "may name the rows; leave it out if it does"
        look = look.warned(kind, f"{verdict}: {words}")
    if suspicions.names_a_split(cells, distinct):
        look = look.warned("split", "seems to say which rows were meant for training and testing; leave it out if so")
    if zeros := suspicions.zeros_apart(cells):
        look = look.warned("zeros", zeros)
    if text:
        for written, words in suspicions.badly_written(cells.cast(pl.String)):
            look = look.warned(written, words)  # type: ignore[arg-type]
        once = suspicions.levels_seen_once(cells) if distinct > _MANY_LEVELS else 0
        if 2 * once > distinct and "identifier" not in look.kinds and look.finding.kind == "nominal":
            look = look.warned(
                "many levels",
                f"many levels for so few rows: {once:,} of {distinct:,} occur once; it says little about new rows",
            )
    return look


def _guess(column: pl.Series, distinct: int, pattern: str | None) -> tuple[str, str]:
    """The kind of a column and why, in words."""
    if pattern is not None:
        dates = read_dates(column.drop_nulls(), pattern)
        return "date", f"text that is dates, {_shown(dates.min())} to {_shown(dates.max())}"
    if column.dtype.is_temporal():
        return "date", f"dates, {_shown(column.min())} to {_shown(column.max())}" if distinct else "dates, all missing"
    kind = guess_kind(column)
    if not distinct:
        return kind, "no value"
    if kind == "text":
        return kind, prose(column) or "text"
    if column.dtype == pl.Boolean:
        return kind, "true or false"
    if column.dtype == pl.Enum:
        return kind, f"levels in order, {distinct} of {len(column.dtype.categories)} seen"  # type: ignore[attr-defined]
    if column.dtype in (pl.String, pl.Categorical):
        return kind, f"text, {distinct:,} {'level' if distinct == 1 else 'levels'}"
    return kind, _numbers_in_words(kind, column, distinct)


def _numbers_in_words(kind: str, column: pl.Series, distinct: int) -> str:
    seen = column.drop_nulls()
    low, high = _shown(seen.min()), _shown(seen.max())
    if kind == "binary":
        return "whole numbers 0 and 1 only" if distinct == 2 else f"the whole number {low} only"
    if kind == "count":
        return f"whole numbers {low} to {high} that look like counts: {float(np.mean(seen.to_numpy() == 0)):.0%} zeros"
    whole = column.dtype.is_integer() or _whole(column) is not None
    if not whole:
        return f"decimal numbers {low} to {high}"
    few = distinct <= 5 and len(seen) >= _FEW_ROWS
    hint = f", only {distinct} of them: if they are codes, declare the kind nominal" if few else ""
    return f"whole numbers {low} to {high}{hint}"


def _whole(cells: pl.Series) -> pl.Series | None:
    """Decimal numbers that are whole ones with gaps, as whole ones."""
    if not cells.dtype.is_float() or not cells.null_count():
        return None
    if not bool((cells.drop_nulls() == cells.drop_nulls().round()).all()):
        return None
    whole = cells.cast(pl.Int64, strict=False)
    return whole if whole.null_count() == cells.null_count() else None


def _shown(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, date | datetime | int):
        return str(value)
    return repr(value) if len(repr(value)) <= 40 else repr(value)[:37] + "...'"
