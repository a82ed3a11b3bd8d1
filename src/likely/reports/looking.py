"""A table looked at before it is studied: read, examined, prepared, once for all that follows."""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from likely.data.bundled import penguins
from likely.data.columns.kinds import KINDS
from likely.data.features.dates import PARTS, with_asked_parts, with_parts
from likely.data.findings.suspicions import date_pattern
from likely.data.findings.table import Findings, examine
from likely.data.findings.target_column import labels_of
from likely.data.frames.tables import read_table
from likely.data.inputs import suggest
from likely.data.printing.wording import listed
from likely.data.text.corpora import known_kinds
from likely.distributions.names import named_families
from likely.errors import InputError
from likely.evaluation.resampling.cross_validation import read_training
from likely.models.any_classifier.asking import Training
from likely.models.roster import TableFacts
from likely.numeric.arrays import Ints
from likely.reports.parting import Parting, offered_split, part

_OUTSIDE = 0.9  # of the later rows, beyond what was learned
_UNSEEN = 0.1  # of the later rows, whose month or weekday was not learned


@dataclass(frozen=True, eq=False)
class Look:
    """What was found in a table, and its rows ready to be learned from."""

    title: str
    target: str
    source: str | None  # where the table came from, if it has a name
    columns: tuple[str, ...]  # of the table, also those that are not learned from
    findings: Findings
    facts: TableFacts
    data: Training  # the rows that can be learned from
    alone: tuple[Any, ...]  # classes of a single row, which were set aside
    row_names: Any  # (n,)  the path of each row, or another column that names the rows; None: there is none
    rows: Ints  # (n,)  where each row stands in the table, counted from 0: others have no label, or are judged later
    unlabelled: int  # rows of the table without a label
    parting: Parting = Parting()  # what columns say of the rows that are judged
    later: Any = None  # the rows that are judged once at the end, with their target; None: there are none
    later_groups: Any = None  # (m,)  the group of each of those

    @property
    def left_out(self) -> str:
        """How many rows of the table have no label, in words; empty: none."""
        if not self.unlabelled:
            return ""
        have = "rows has" if self.unlabelled == 1 else "rows have"
        whole = len(self.rows) + len(self.alone) + self.unlabelled + (0 if self.later is None else self.later.height)
        is_left = "is" if self.unlabelled == 1 else "are"
        return f"{self.unlabelled:,} of {whole:,} {have} no {self.target} and {is_left} left out"

    def place(self, row: int) -> int:
        """Where a row of the table stands among those that were learned."""
        return int(np.searchsorted(self.rows, row))


def look(
    data: object,
    target: str,
    kinds: Mapping[str, str] | None = None,
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    title: str | None = None,
    source: str | None = None,
    groups: str | None = None,
    time: str | None = None,
    split: str | None = None,
) -> Look:
    """Read a table, examine its columns and prepare it; the parameters are those of `study`."""
    if not isinstance(target, str):
        raise InputError(
            "target is the name of a column of the table; texts and their labels by themselves make one as "
            "{'text': texts, 'label': labels}"
        )
    frame = penguins() if _is_bundled(data) else read_table(data)
    known, columns = known_kinds(frame), tuple(frame.columns)
    _check_columns(frame, target, drop, "drop")
    _check_kinds(kinds or {})
    asked = [target, *drop, *keep, *([time] if time else [])]
    offered = None if split else offered_split(frame.drop(asked, strict=False))  # what is not there is said below
    height = frame.height
    frame, parting, later, later_groups, numbers = _parted(frame, target, groups, time, split)
    aside = [name for name in (groups, split, offered) if name is not None]
    frame = frame.drop([*drop, *(name for name in aside if name not in drop)])
    patterns = {} if known else _patterns(frame, target)
    frame = frame if known else with_parts(frame, patterns)
    told_of_time: tuple[str, ...] = ()
    if time is not None:
        asked_for = with_asked_parts(later, tuple(frame.columns), dict(patterns))
        frame, told_of_time = without_time(frame, asked_for, time, target, keep)
    findings = examine(frame, target, kinds, known)
    if told_of_time:
        findings = replace(findings, notes=(*findings.notes, *told_of_time))
    if offered is not None:
        told = f"{offered} says which rows are for testing, and is not learned; to test on those say --split {offered}"
        findings = replace(findings, notes=(*findings.notes, told))
    table, alone = _without_single_rows(findings.prepared(frame, keep), target)
    learned = labels_of(frame[target])
    kept = learned.is_not_null() & ~learned.is_in(alone) if alone else learned.is_not_null()
    parting = parting.taken(kept.to_numpy())
    labelled = int(learned.is_not_null().sum()) + (0 if later is None else later.height)
    training = read_training(table.drop(target), table[target].to_numpy(), None)
    counts = np.bincount(training.codes, minlength=len(training.classes))
    facts = TableFacts.found(findings, training.X, counts.tolist())
    origin = source or (str(data) if isinstance(data, str | Path) and str(data) != "-" else None)
    name = title or ("a table" if origin is None else Path(origin).name)
    names = _row_names(frame, findings, alone)
    training = replace(training, groups=parting.groups)
    return Look(
        name, target, origin, columns, findings, facts, training, alone, names, numbers[kept.to_numpy()],
        height - labelled, parting, later, later_groups,
    )  # fmt: skip


def _parted(
    frame: Any, target: str, groups: str | None, time: str | None, split: str | None
) -> tuple[Any, Parting, Any, Any, Ints]:
    """The rows to learn, what columns say of them, those judged at the end, their groups, where the first are."""
    for option, column in (("groups", groups), ("time", time), ("split", split)):
        if column == target:
            raise InputError(f"{option}: {column!r} is the target")
    found = part(frame, groups, time, split)
    if found.test is None:
        return frame, found, None, None, np.arange(frame.height)
    later = frame.filter(found.test)
    known = labels_of(later[target]).is_not_null()
    later = later.filter(known)
    groups_of_later = None if found.groups is None else found.groups[found.test][known.to_numpy()]
    if not later.height:
        raise InputError(f"none of the rows for testing has a {target}; give other rows")
    return frame.filter(~found.test), found.taken(~found.test), later, groups_of_later, np.flatnonzero(~found.test)


def without_time(frame: Any, later: Any, time: str, target: str, keep: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    """The table without the column of times and those of its parts whose later values were not learned; and why.

    Rows that are judged are later than all that were learned, so what grows with time is never in the range learned.
    """
    import polars as pl

    if time not in frame.columns:
        return frame, ()
    parts = [name for part in PARTS if (name := f"{time}: {part}") in frame.columns and name in later.columns]
    # A model that did not learn dates that are written as text could not read their weekdays later.
    fresh = [
        name
        for name in parts
        if frame.schema[time] == pl.String or later[name].is_in(frame[name].unique().implode()).mean() < 1 - _UNSEEN
    ]
    gone = [name for name in (time, *fresh) if name in frame.columns and name not in keep]
    told = []
    if gone:
        names = listed(gone)
        told.append(
            f"{names} {'is' if len(gone) == 1 else 'are'} not learned: every row that is judged is later than those "
            f"learned; to learn {'it' if len(gone) == 1 else 'them'} all the same say "
            + " ".join(f"--keep {shlex.quote(name)}" for name in gone)
        )
    for name in frame.columns:
        if name in (*parts, time, target) or not frame.schema[name].is_numeric() or name not in later.columns:
            continue
        low, high, cells = frame[name].min(), frame[name].max(), later[name].drop_nulls()
        outside = 0 if low is None else int(((cells < low) | (cells > high)).sum())
        if cells.len() and outside >= _OUTSIDE * cells.len():
            told.append(
                f"{name} of {outside:,} of the {later.height:,} later rows lies outside the {low:g} to {high:g} "
                "learned: it may grow with time, and say nothing of later rows"
            )
    return frame.drop(gone), tuple(told)


def _patterns(frame: Any, target: str) -> dict[str, str]:
    """How dates are written in the columns of text that hold them."""
    import polars as pl

    texts = (frame[name] for name in frame.columns if name != target and frame.schema[name] == pl.String)
    return {column.name: pattern for column in texts if (pattern := date_pattern(column))}


def _is_bundled(data: object) -> bool:
    return isinstance(data, str) and data == "penguins" and not Path(data).exists()


def _check_columns(frame: Any, target: str, names: Sequence[str], option: str) -> None:
    features = [name for name in frame.columns if name != target]
    for name in names:
        if name not in features:
            raise InputError(f"{option}: there is no feature {name!r}{suggest(name, features)}")


def _check_kinds(kinds: Mapping[str, str]) -> None:
    known = list(dict.fromkeys((*KINDS, *named_families())))
    for name, kind in kinds.items():
        if kind not in known:
            raise InputError(
                f"unknown kind {kind!r} of column {name!r}{suggest(kind, known)}; known are {', '.join(known)}"
            )


def _without_single_rows(table: Any, target: str) -> tuple[Any, tuple[Any, ...]]:
    """The table without the classes of a single row, which cannot be learned and tested; and those classes."""
    counts = Counter(map(str, table[target].to_list()))
    single = {label for label, count in counts.items() if count == 1}
    alone = tuple(label for label in table[target].unique().to_list() if str(label) in single)
    if len(counts) - len(alone) < 2:
        raise InputError(
            f"a study judges models on rows that they have not seen, which takes two rows of two classes at least; of "
            f"{target!r} there are {', '.join(f'{name} {n:,}' for name, n in list(counts.items())[:10])}. Label more "
            "rows, or learn from these without judging them (likely fit)"
        )
    return (table.filter(~table[target].is_in(alone)), alone) if alone else (table, ())


def _row_names(frame: Any, findings: Findings, alone: tuple[Any, ...]) -> Any:
    """The column by which people find the rows that were learned from: `path`, or the first that names the rows."""
    naming = [column.name for column in findings.columns if column.warning == "identifier"]
    if not naming:
        return None
    labels = labels_of(frame[findings.target])
    chosen = "path" if "path" in naming else naming[0]
    learned = labels.is_not_null()
    return frame[chosen].filter(learned & ~labels.is_in(alone) if alone else learned)
