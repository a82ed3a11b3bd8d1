"""What a table holds, before anything is learned from it: the kind of each column and why, and what to beware of.

A column is left out when it cannot help: it has no value or only one, names its rows, or holds lists; but columns that
every table of texts or of mail has (see `likely.data.text.corpora`) stay, so that models of two mailboxes go together.
Everything else that is suspicious is said and kept: columns that give the class away or repeat another, numbers and
dates written as text, levels that differ in case. Numbers that are infinite, or too large to be squared, are missing
cells. Nothing is left out or changed without being listed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from likely.data.accepted import TableLike
from likely.data.columns.schema import check_ordered
from likely.data.features.preparing import prepared_column, without_extremes
from likely.data.findings import suspicions
from likely.data.findings.column import ColumnFinding, Look, Warned, look_at
from likely.data.findings.leaks import leaks
from likely.data.findings.target_column import check_target, labels_of
from likely.data.frames.tables import read_table
from likely.data.inputs import suggest
from likely.data.labels.target import check_target_name
from likely.data.printing.html_table import text_as_html
from likely.data.printing.wording import counted, percentage, shortened
from likely.data.text.corpora import known_kinds
from likely.errors import InputError
from likely.numeric.arrays import Array

_LEFT_OUT = frozenset({"empty", "constant", "nested", "identifier"})
_MOST_ROWS = 100_000  # on which columns are held against the class and against each other
_LONGEST_NAME = 40  # that is shown in a list


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

    @property
    def dates(self) -> dict[str, str]:
        """The features that `prepared` turns from dates into days: the pattern of those in texts, "" of the others."""
        return {column.name: column.pattern or "" for column in self.columns if column.kind == "date"}

    def prepared(self, frame: TableLike, keep: Sequence[str] = ()) -> pl.DataFrame:
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
        classes = ", ".join(f"{shortened(str(label))} {count:,}" for label, count in self.classes[:10])
        more = f" and {len(self.classes) - 10} more" if len(self.classes) > 10 else ""
        lines = [
            f"{counted(self.rows, 'row')}, {counted(len(self.columns), 'feature')}, {len(self.usable)} of them usable",
            f"target {_name_shown(self.target)}: {_classes(len(self.classes))} ({classes}{more})",
            *(f"! {note}" for note in self.notes),
        ]
        names = [_name_shown(column.name) for column in self.columns]
        wide = max(map(len, names), default=0)
        wide_kind = max((len(column.kind) for column in self.columns), default=0)
        for name, column in zip(names, self.columns, strict=True):
            gaps = f"; missing {column.missing:,} ({percentage(column.missing, self.rows)})" if column.missing else ""
            mark = " " if column.used else "x"
            lines.append(f"{mark} {name:{wide}}  {column.kind:{wide_kind}}  {column.why}{gaps}")
            if column.words:
                lines.append(f"  {'':{wide}}  {'':{wide_kind}}  {column.words}")
        return "\n".join(lines)

    _repr_html_ = text_as_html


def examine(
    frame: TableLike,
    target: str,
    kinds: Mapping[str, str] | None = None,
    known: Mapping[str, str] | None = None,
    beyond: Any = None,
    one_class: bool = False,
) -> Findings:
    """Look at every column of a table for what a classifier of `target` should know before it learns.

    frame: anything that `read_table` takes.
    kinds: kinds that are known, by column; such a column is used as is said, whatever it looks like, unless it has no
    value or only one.
    known: kinds of columns, a date's among them, that every table of this sort has; such a column is used whatever it
    holds, and `kinds` may say another kind. None: those of texts and of mail, if the frame is a whole table of such.
    beyond: a Polars frame of cells that further rows hold (`later_cells`), for some columns: kinds must fit them too.
    one_class: whether rows of a single class are looked at too, for a model that is to be merged with others.

    Columns are held against the class and against each other on 100,000 rows, chosen by chance where there are more.

    >>> rows = range(40)
    >>> table = {"id": rows, "spots": [i % 4 for i in rows], "size": [i / 8 for i in rows], "sick": ["no", "yes"] * 20}
    >>> found = examine(table, "sick")
    >>> found.usable, found.left_out
    (('spots', 'size'), {'id': 'names the rows: whole numbers 0 to 39, each once.'})
    >>> found.columns[2].why
    'decimal numbers 0 to 4.875'
    """
    table = read_table(frame)
    check_target_name(target, table.columns)
    if table.width == 1:
        raise InputError(f"the table has no column but the target {target!r}. Give at least one feature.")
    given = dict(kinds or {})
    for name in given:
        if name not in table.columns:
            raise InputError(f"kinds: there is no column {name!r}{suggest(name, table.columns)}")
        if given[name] == "ordinal":
            check_ordered(table[name])
    fixed = known_kinds(table) if known is None else known
    labels = labels_of(table[target])
    labelled = table.filter(labels.is_not_null())
    classes, notes = check_target(labels, one_class)
    features = [labelled[name] for name in table.columns if name != target]
    more: dict[str, pl.Series] = {} if beyond is None else beyond.to_dict()
    found = [look_at(one, given.get(one.name), fixed.get(one.name), more.get(one.name)) for one in features]
    if fixed:
        found = [_without_place(look) for look in found]
    some = _some_of(labelled)
    columns = {name: some[name] for name in some.columns if name != target and not suspicions.is_nested(some[name])}
    codes = {name: suspicions.codes_of(without_extremes(column)) for name, column in columns.items()}
    label_codes = suspicions.codes_of(labels_of(some[target]))
    found = _repeated(found, codes, label_codes, target, labelled)
    in_order = labels_of(some[target]).unique(maintain_order=True).to_list()  # as `codes_of` numbers them
    if len(classes) > 1:
        found = _leaking(found, codes, label_codes, in_order, columns)
    finished = tuple(_finished(each, name_given=each.finding.name in given) for each in found)
    if not any(column.used for column in finished):
        notes.append("no feature is usable; name those to keep all the same, or give their kinds")
    return Findings(target, table.height, finished, classes, labels.null_count(), tuple(notes))


_GRAVITY: tuple[Warned, ...] = Warned.__args__  # type: ignore[attr-defined]


def _finished(look: Look, name_given: bool) -> ColumnFinding:
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


def _without_place(look: Look) -> Look:
    """Where a text lies says which it is, however few there are."""
    if look.finding.name != "path" or "identifier" in look.kinds:
        return look
    return look.warned("identifier", "names the rows: where each of the texts lies")


def _some_of(table: pl.DataFrame) -> pl.DataFrame:
    """The rows, of many so many by chance, in their order: they are enough to hold columns against each other."""
    if table.height <= _MOST_ROWS:
        return table
    return table[np.sort(np.random.default_rng(0).choice(table.height, _MOST_ROWS, replace=False))]


def _repeated(
    looks: list[Look], codes: dict[str, Array], labels: Array, target: str, table: pl.DataFrame
) -> list[Look]:
    """Columns that are equal to, or a renaming of, an earlier one or the target; codes may be of some rows."""
    seen: dict[bytes, str] = {}
    out = []
    for look in looks:
        found, name = look.finding, look.finding.name
        if name not in codes or found.distinct < 2 or look.kinds & _LEFT_OUT:
            out.append(look)
            continue
        coded = codes[name]
        if (coded == coded[0]).all():  # it varies beyond these rows only
            out.append(look)
            continue
        if np.array_equal(coded, labels) and _same_codes(table, name, target):
            look = look.warned("leak", f"is the target {target!r} under other names; leave it out")
        first = seen.setdefault(coded.tobytes(), name)
        if first != name:
            equal = table[first].dtype == table[name].dtype and table[first].equals(table[name])
            # Columns of which nearly every cell is different are renamings of each other by nothing but chance.
            if equal or (found.distinct <= table.height / 2 and _same_codes(table, first, name)):
                words = f"equal to {first!r}" if equal else f"a renaming of {first!r}, value for value"
                look = look.warned("duplicate", f"{words}; leave one of them out")
        out.append(look)
    return out


def _same_codes(table: pl.DataFrame, one: str, other: str) -> bool:
    """Whether two columns whose codes of some rows are equal have equal codes of all."""
    if table.height <= _MOST_ROWS:
        return True
    first, second = (suspicions.codes_of(without_extremes(table[name])) for name in (one, other))
    return np.array_equal(first, second)


def _leaking(
    looks: list[Look], codes: dict[str, Array], labels: Array, classes: Sequence[Any], columns: dict[str, pl.Series]
) -> list[Look]:
    """Columns that may give the class away."""
    judged = [
        look.finding.name for look in looks if look.finding.name in codes and not look.kinds & {*_LEFT_OUT, "leak"}
    ]
    told = leaks({name: columns[name] for name in judged}, codes, labels, classes)
    return [look.warned("leak", told[look.finding.name]) if look.finding.name in told else look for look in looks]


def _classes(number: int) -> str:
    return "1 class" if number == 1 else f"{number} classes"


def _name_shown(name: str) -> str:
    """A name of a column that keeps to its line."""
    shown = name if name.isprintable() and name.strip() else repr(name)
    return shown if len(shown) <= _LONGEST_NAME else shown[: _LONGEST_NAME - 3] + "..."
