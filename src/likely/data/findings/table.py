"""What a table holds, before anything is learned from it: the kind of each column and why, and what to beware of.

A column is left out when it cannot help: it has no value or only one, names its rows, or holds lists; but columns that
every table of texts or of mail has (see `likely.data.text.corpora`) stay, so that models of two mailboxes go together.
Everything else that is suspicious is said and kept: columns that give the class away or repeat another, numbers and
dates written as text, levels that differ in case. Numbers that are infinite, or too large to be squared, are missing
cells. Nothing is left out or changed without being listed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from likely.data.encoding import LARGEST
from likely.data.features.preparing import prepared_column, without_extremes
from likely.data.findings import suspicions
from likely.data.findings.target import check_target, labels_of
from likely.data.inputs import suggest
from likely.data.kinds import guess_kind, prose
from likely.data.sources.mistakes import listed
from likely.data.tables import read_table
from likely.data.text.corpora import known_kinds
from likely.errors import InputError
from likely.numeric.arrays import Array

Warned: TypeAlias = Literal[
    "empty", "constant", "nested", "identifier", "leak", "number as text", "date as text", "duplicate", "split",
    "missing spelled", "mixed case", "perhaps identifier", "many levels", "infinite", "too large", "date",
]  # fmt: skip

_LEFT_OUT = frozenset({"empty", "constant", "nested", "identifier"})
_LEAK_SKILL, _LEAK_DISTANCE, _LEAK_ROWS = 0.9, 3.0, 30
_MANY_LEVELS = 100
_LONGEST_NAME = 40  # that is shown in a list


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
class Findings:
    """What was found in a table, made by `examine`."""

    target: str
    rows: int
    columns: tuple[ColumnFinding, ...]  # without the target
    classes: tuple[tuple[Any, int], ...]  # labels and how many rows have them
    unlabelled: int  # rows without a label
    notes: tuple[str, ...]  # about the target and the table

    @property
    def usable(self) -> tuple[str, ...]:
        """The features to learn from."""
        return tuple(column.name for column in self.columns if column.used)

    @property
    def kinds(self) -> dict[str, str]:
        """The kinds of the usable features as `prepared` gives them."""
        return {column.name: column.family for column in self.columns if column.used}

    @property
    def left_out(self) -> dict[str, str]:
        """The features that are not used, and why."""
        return {column.name: column.words for column in self.columns if not column.used}

    def prepared(self, frame: Any, keep: Sequence[str] = ()) -> pl.DataFrame:
        """The usable columns of a table like the one examined, dates as days, and the target if it is there.

        Cells that are infinite, or larger than can be squared, become missing, as NaN is.
        Rows without a label are left out. `keep` lists columns to keep although they are not usable.
        """
        table = read_table(frame)
        for name in keep:
            if name not in (known := [column.name for column in self.columns]):
                raise InputError(f"keep: there is no feature {name!r}{suggest(name, known)}")
        chosen = [column for column in self.columns if column.used or column.name in keep]
        lacking = [column.name for column in chosen if column.name not in table.columns]
        if lacking:
            hint = suggest(lacking[0], table.columns)
            raise InputError(f"the table lacks the column {lacking[0]!r}{hint}; it was there when it was examined")
        features = {column.name: prepared_column(table[column.name], column.kind, column.pattern) for column in chosen}
        if self.target not in table.columns:
            return pl.DataFrame(features)
        labels = labels_of(table[self.target])
        return pl.DataFrame({**features, self.target: labels}).filter(labels.is_not_null())

    def frame(self) -> pl.DataFrame:
        """One row per feature."""
        fields = ("name", "kind", "why", "missing", "distinct", "used", "warning", "words")
        types = dict(zip(fields, (pl.String, pl.String, pl.String, pl.Int64, pl.Int64, pl.Boolean), strict=False))
        schema = {**types, "warning": pl.String, "words": pl.String}
        return pl.DataFrame([[getattr(c, field) for field in fields] for c in self.columns], schema, orient="row")

    def __str__(self) -> str:
        classes = ", ".join(f"{label} {count:,}" for label, count in self.classes[:10])
        more = f" and {len(self.classes) - 10} more" if len(self.classes) > 10 else ""
        lines = [
            f"{self.rows:,} rows, {len(self.columns)} features, {len(self.usable)} of them usable",
            f"target {_name_shown(self.target)}: {len(self.classes)} classes ({classes}{more})",
            *(f"! {note}" for note in self.notes),
        ]
        names = [_name_shown(column.name) for column in self.columns]
        wide = max(map(len, names), default=0)
        wide_kind = max((len(column.kind) for column in self.columns), default=0)
        for name, column in zip(names, self.columns, strict=True):
            gaps = f"; missing {column.missing:,} ({column.missing / max(self.rows, 1):.0%})" if column.missing else ""
            mark = " " if column.used else "x"
            lines.append(f"{mark} {name:{wide}}  {column.kind:{wide_kind}}  {column.why}{gaps}")
            if column.words:
                lines.append(f"  {'':{wide}}  {'':{wide_kind}}  {column.words}")
        return "\n".join(lines)


def examine(
    frame: Any, target: str, kinds: Mapping[str, str] | None = None, known: Mapping[str, str] | None = None
) -> Findings:
    """Look at every column of a table for what a classifier of `target` should know before it learns.

    frame: anything that `read_table` takes.
    kinds: kinds that are known, by column; such a column is used as is said, whatever it looks like, unless it has no
    value or only one.
    known: kinds of columns, a date's among them, that every table of this sort has; such a column is used whatever it
    holds, and `kinds` may say another kind. None: those of texts and of mail, if the frame is a whole table of such.

    >>> rows = range(40)
    >>> table = {"id": rows, "spots": [i % 4 for i in rows], "size": [i / 8 for i in rows], "sick": ["no", "yes"] * 20}
    >>> found = examine(table, "sick")
    >>> found.usable, found.left_out
    (('spots', 'size'), {'id': 'names the rows: whole numbers 0 to 39, each once.'})
    >>> found.columns[2].why
    'decimal numbers 0 to 4.875'
    """
    table = read_table(frame)
    if target not in table.columns:
        raise InputError(
            f"there is no target column {target!r}; the columns are {listed(table.columns)}"
            f"{suggest(target, table.columns)}"
        )
    if table.width == 1:
        raise InputError(f"the table has no column but the target {target!r}. Give at least one feature.")
    given = dict(kinds or {})
    for name in given:
        if name not in table.columns:
            raise InputError(f"kinds: there is no column {name!r}{suggest(name, table.columns)}")
    fixed = known_kinds(table) if known is None else known
    labels = labels_of(table[target])
    labelled = table.filter(labels.is_not_null())
    classes, notes = check_target(labels)
    features = [labelled[name] for name in table.columns if name != target]
    found = [_look(column, given.get(column.name), fixed.get(column.name)) for column in features]
    if fixed:
        found = [_without_place(look) for look in found]
    codes = {
        column.name: suspicions.codes_of(without_extremes(column))
        for column in features
        if not suspicions.is_nested(column)
    }
    label_codes = suspicions.codes_of(labels.drop_nulls())
    found = _repeated(found, codes, label_codes, target, {column.name: column for column in features})
    found = _leaking(found, codes, label_codes, {column.name: column for column in features})
    finished = tuple(_finished(each, name_given=each.finding.name in given) for each in found)
    if not any(column.used for column in finished):
        notes.append("no feature is usable; name those to keep all the same, or give their kinds")
    return Findings(target, table.height, finished, classes, labels.null_count(), tuple(notes))


@dataclass(frozen=True)
class _Look:
    """A finding in the making."""

    finding: ColumnFinding
    warnings: tuple[tuple[Warned, str], ...] = ()

    def warned(self, kind: Warned, words: str) -> "_Look":
        return _Look(self.finding, (*self.warnings, (kind, words)))

    @property
    def kinds(self) -> set[str]:
        return {kind for kind, _ in self.warnings}


_GRAVITY: tuple[Warned, ...] = Warned.__args__  # type: ignore[attr-defined]


def _finished(look: _Look, name_given: bool) -> ColumnFinding:
    """The finding with its warnings, the gravest first."""
    kept_by_name = frozenset({"identifier"}) if name_given else frozenset()
    ordered = sorted(look.warnings, key=lambda warning: _GRAVITY.index(warning[0]))
    useless = "number as text" in look.kinds and "identifier" in look.kinds
    found = look.finding
    return ColumnFinding(
        found.name,
        found.kind,
        found.why,
        found.missing,
        found.distinct,
        warning="number as text" if useless else (ordered[0][0] if ordered else None),
        words=" ".join(words if words.endswith("?") else words + "." for _, words in ordered),
        used=not look.kinds & (_LEFT_OUT - kept_by_name),
        pattern=found.pattern,
    )


def _look(column: pl.Series, given: str | None, fixed: str | None) -> _Look:
    """The kind of a column by itself, and what is wrong with it; of a column of fixed kind nothing is."""
    if suspicions.is_nested(column):
        look = _Look(ColumnFinding(column.name, "none", f"cells of type {column.dtype}", column.null_count(), 0))
        return look.warned(
            "nested", f"left out: cells of type {column.dtype} are no feature; take them apart into columns"
        )
    cells = without_extremes(column)
    distinct = cells.n_unique() - bool(cells.null_count())
    pattern = suspicions.date_pattern(cells) if cells.dtype == pl.String and given is None else None
    if fixed is not None:
        values = {0: "no value", 1: "one value"}.get(distinct, f"{distinct:,} different")
        why = "as told" if given else f"as in all {'texts' if column.name == 'text' else 'mail'}, {values}"
        look = _Look(ColumnFinding(column.name, given or fixed, why, cells.null_count(), distinct))
        return look.warned("date", "turned into days since 1970-01-01") if look.finding.kind == "date" else look
    kind, why = ("given", "as told") if given else _guess(cells, distinct, pattern)
    found = ColumnFinding(column.name, given or kind, why, cells.null_count(), distinct, pattern=pattern)
    look = _warned_of_extremes(_Look(found), column)
    if not distinct:
        return look.warned("empty", "left out: no cell has a value")
    if distinct == 1:
        only = f"the only value is {_shown(cells.drop_nulls()[0])}"
        return look.warned("constant", f"left out: {only}" + (" where there is one" if cells.null_count() else ""))
    if kind == "date":
        return look.warned("date", "turned into days since 1970-01-01")
    return _suspect(look, cells, distinct)


def _without_place(look: _Look) -> _Look:
    """Where a text lies says which it is, however few there are."""
    if look.finding.name != "path" or "identifier" in look.kinds:
        return look
    return look.warned("identifier", "names the rows: where each of the texts lies")


def _warned_of_extremes(look: _Look, column: pl.Series) -> _Look:
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


def _suspect(look: _Look, cells: pl.Series, distinct: int) -> _Look:
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
        dates = suspicions.read_dates(column.drop_nulls(), pattern)
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
    few = distinct <= 5 and len(seen) >= _LEAK_ROWS
    hint = f", only {distinct} of them: if they are codes, declare the kind nominal" if few else ""
    return f"whole numbers {low} to {high}{hint}"


def _repeated(
    looks: list[_Look], codes: dict[str, Array], labels: Array, target: str, columns: dict[str, pl.Series]
) -> list[_Look]:
    """Columns that are equal to, or a renaming of, an earlier one or the target."""
    seen: dict[bytes, str] = {}
    out = []
    for look in looks:
        found, name = look.finding, look.finding.name
        if name not in codes or found.distinct < 2 or look.kinds & _LEFT_OUT:
            out.append(look)
            continue
        coded = codes[name]
        if np.array_equal(coded, labels):
            look = look.warned("leak", f"is the target {target!r} under other names; leave it out")
        first = seen.setdefault(coded.tobytes(), name)
        if first != name:
            equal = columns[first].dtype == columns[name].dtype and columns[first].equals(columns[name])
            # Columns of which nearly every cell is different are renamings of each other by nothing but chance.
            if equal or found.distinct <= len(coded) / 2:
                words = f"equal to {first!r}" if equal else f"a renaming of {first!r}, value for value"
                look = look.warned("duplicate", f"{words}; leave one of them out")
        out.append(look)
    return out


def _leaking(looks: list[_Look], codes: dict[str, Array], labels: Array, columns: dict[str, pl.Series]) -> list[_Look]:
    """Columns that tell the class nearly perfectly by themselves, when the others do not come near."""
    base = float(np.bincount(labels).max() / len(labels))
    judged = [
        look.finding.name for look in looks if look.finding.name in codes and not look.kinds & {*_LEFT_OUT, "leak"}
    ]
    if len(labels) < _LEAK_ROWS or len(judged) < 2:
        return looks
    errors = {
        name: suspicions.error_alone(suspicions.binned(_numbers(columns[name]), codes[name]), labels) for name in judged
    }
    best = [name for name, error in errors.items() if 1 - error / (1 - base) >= _LEAK_SKILL]
    others = [error for name, error in errors.items() if name not in best]
    alone = len(best) == 1 or 3 * len(best) <= len(judged)
    if not best or not others or not alone or min(others) < _LEAK_DISTANCE * max(errors[name] for name in best):
        return looks
    return [
        look.warned(
            "leak",
            f"by itself tells the class of {1 - errors[look.finding.name]:.1%} of the rows, the next best column of "
            f"{1 - min(others):.1%}: is it known before the class is?",
        )
        if look.finding.name in best
        else look
        for look in looks
    ]


def _numbers(column: pl.Series) -> pl.Series:
    return without_extremes(column.to_physical() if column.dtype.is_temporal() else column)


def _whole(cells: pl.Series) -> pl.Series | None:
    """Decimal numbers that are whole ones with gaps, as whole ones."""
    if not cells.dtype.is_float() or not cells.null_count():
        return None
    if not bool((cells.drop_nulls() == cells.drop_nulls().round()).all()):
        return None
    whole = cells.cast(pl.Int64, strict=False)
    return whole if whole.null_count() == cells.null_count() else None


def _name_shown(name: str) -> str:
    """A name of a column that keeps to its line."""
    shown = name if name.isprintable() and name.strip() else repr(name)
    return shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 3] + "..."


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, date | datetime | int):
        return str(value)
    return repr(value) if len(repr(value)) <= 40 else repr(value)[:37] + "...'"
