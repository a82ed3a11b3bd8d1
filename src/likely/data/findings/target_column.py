"""Whether a column can name classes, and what to beware of if it does."""

from typing import Any

import polars as pl

from likely.data.findings import suspicions
from likely.data.printing.wording import shortened
from likely.errors import InputError

_IMBALANCE = 20
_MANY_CLASSES = 20


def check_target(labels: pl.Series, one_class: bool = False) -> tuple[tuple[tuple[Any, int], ...], list[str]]:
    """The classes and what to beware of; what cannot be a target is refused, a single class unless `one_class`."""
    name, known = labels.name, labels.drop_nulls()
    if suspicions.is_nested(labels) or labels.dtype.is_temporal():
        raise InputError(f"the target {name!r} has type {labels.dtype}, which names no classes. Give texts or numbers.")
    if not len(known):
        raise InputError(f"the target {name!r} has no value in any row. Name another column, or label some rows.")
    distinct = known.n_unique()
    if distinct == 1 and not one_class:
        raise InputError(f"the target {name!r} has one class only, {known[0]!r}. Two are needed to tell apart.")
    numeric = labels.dtype.is_numeric()
    binning = f"Bin it first: polars.col({name!r}).qcut(3, labels=['low', 'middle', 'high']) makes three classes"
    if numeric and distinct > _MANY_CLASSES and (distinct > 100 or distinct > len(known) / 20):
        raise InputError(
            f"the target {name!r} is a number with {distinct:,} different values, and this is classification, not "
            f"regression. {binning}."
        )
    if numeric and not labels.dtype.is_integer() and bool((known != known.round()).any()):
        raise InputError(
            f"the target {name!r} holds decimal numbers, which name no classes. {binning}, or turn its {distinct} "
            f"values into text to have each as a class."
        )
    if not numeric and distinct > _MANY_CLASSES and distinct > len(known) / 2:
        raise InputError(
            f"the target {name!r} has {distinct:,} different values in {len(known):,} rows: it names rows and not "
            "classes. Name another column."
        )
    table = suspicions.counted(known).sort("value")
    return tuple(table.rows()), _target_notes(labels, table)


def labels_of(column: pl.Series) -> pl.Series:
    """The target with what is no label as missing."""
    return column.fill_nan(None) if column.dtype.is_float() else column


def _target_notes(labels: pl.Series, table: pl.DataFrame) -> list[str]:
    notes, counts = [], table["times"]
    if labels.null_count():
        notes.append(f"{labels.null_count():,} of {len(labels):,} rows have no label and are left out")
    single = table.filter(counts == 1)["value"].to_list()
    if single:
        listed = ", ".join(shortened(repr(label)) for label in single[:5]) + (" ..." if len(single) > 5 else "")
        notes.append(f"one row only is of class {listed}: it cannot be both learned from and tested on")
    large, small = int(counts.max()), int(counts.min())  # type: ignore[arg-type]
    if large >= _IMBALANCE * small and large > _IMBALANCE:
        rare = table["value"][int(counts.arg_min() or 0)]
        notes.append(
            f"the classes are strongly unbalanced: {shortened(repr(rare))} has {small:,} rows of "
            f"{int(counts.sum()):,}; accuracy says little, look at each class"
        )
    if labels.dtype == pl.String:
        # Of two classes none is a missing one: "-" is then the other of "+".
        told = {"mixed case"} if table.height == 2 else {"mixed case", "missing spelled"}
        notes += [f"classes: {words}" for kind, words in suspicions.badly_written(labels) if kind in told]
    return notes
