"""Which rows of DATA are learned and which are judged, by columns that say so."""

from typing import TYPE_CHECKING, Any

import numpy as np

from likely.cli.messages import note
from likely.cli.options import Parts
from likely.errors import InputError
from likely.models.traits.protocols import FittedClassifier
from likely.reports.looking import without_time
from likely.reports.parting import Parting, offered_split, part

if TYPE_CHECKING:
    import polars as pl

    from likely.cli.inputs.tables import TrainingTable
    from likely.evaluation import Evaluation

_PERIODS = 5
_SO_MANY = 20  # rows: fewer agree in number with those learned by chance


def parted_training(
    table: "pl.DataFrame", target: str, parts: Parts, keep: tuple[str, ...]
) -> tuple["pl.DataFrame", Parting, "pl.DataFrame | None", Any]:
    """The table to learn from, without the columns that part it, and what these say of its rows that have a class.

    Rows for testing are a table of their own, with their groups; None: there are none. Of a column of times, folds are
    stretches of time.
    """
    from likely.data.features.dates import with_asked_parts, with_parts
    from likely.data.findings.suspicions import date_pattern
    from likely.data.findings.target_column import labels_of
    from likely.data.labels.target import check_target_name
    from likely.data.printing.wording import listed
    from likely.data.text.corpora import known_kinds

    check_target_name(target, table.columns)
    offered = None if parts.split else offered_split(table.drop(target, *keep))
    if offered is not None:
        note(f"{offered} says which rows are for testing, and is not learned; to leave those out say --split {offered}")
    found = part(table, parts.groups, None, parts.split)
    later, later_groups = None, None
    if found.test is not None:
        test = found.test
        later = table.filter(test)
        known = labels_of(later[target]).is_not_null().to_numpy()
        later_groups = None if found.groups is None else found.groups[test][known]
        later = later.filter(known)
        note(f"models are judged on the {later.height:,} rows for testing, and learn the other {int((~test).sum()):,}")
        table, found = table.filter(~test), found.taken(~test)
    if parts.time is not None:
        if parts.groups or parts.split:
            raise InputError("--time makes folds of stretches of time; leave --groups and --split out")
        found = Parting(None, _stretches(table, parts.time), None, f"folds are stretches of {parts.time}")
    aside = [name for name in (parts.groups, parts.split, offered) if name is not None]
    table = table.drop(aside)
    if not known_kinds(table):
        texts = (table[name] for name in table.columns if name != target and str(table.schema[name]) == "String")
        patterns = {column.name: p for column in texts if (p := date_pattern(column))}
        table = with_parts(table, patterns)
        later = None if later is None else with_asked_parts(later, tuple(table.columns), dict(patterns))
    if parts.time is not None and found.folds is not None:  # as in a study: what grows with time tells of no later rows
        last = found.folds == found.folds.max()
        kept, _ = without_time(table.filter(~last), table.filter(last), parts.time, target, keep)
        gone = [name for name in table.columns if name not in kept.columns]
        table = table.drop(gone)
        if gone:
            note(
                f"{listed(gone)} {'is' if len(gone) == 1 else 'are'} not learned: what grows with time says nothing of "
                f"times that were not learned; to learn all the same say --keep {gone[0]!r}"
            )
    return table, found.taken(labels_of(table[target]).is_not_null().to_numpy()), later, later_groups


def folds_for(parting: Parting, folds: int | None, rows: int) -> Any:
    """What `cv` of a comparison is: the folds of a column, or a number of them."""
    if parting.folds is not None:
        return parting.folds
    most = rows if parting.groups is None else int(parting.groups.max()) + 1
    return min(10, most) if folds is None else folds


def with_later(training: "TrainingTable") -> tuple["pl.DataFrame", Any, Any]:
    """The rows learned and those for testing in one table, the groups of all, and the one split that parts them."""
    import polars as pl

    assert training.later is not None
    learned, tested = training.prepared.height, training.later.height
    groups = training.parting.groups
    both = None if groups is None else np.concatenate([groups, training.later_groups])
    table = pl.concat([training.prepared, training.later], how="vertical_relaxed")
    return table, both, [(np.arange(learned), np.arange(learned, learned + tested))]


def judged_rows(table: "pl.DataFrame", model: FittedClassifier, target: str, parts: Parts) -> "pl.DataFrame":
    """The rows that are judged: those with a class, and with --split those for testing."""
    from likely.cli.inputs.alignment import labels_for

    found = part(table, parts.groups, None, parts.split)
    if found.test is not None:
        table = table.filter(found.test)
    elif found.folds is not None:
        raise InputError(f"--split {parts.split} names folds, not train and test; evaluate judges all rows without it")
    labels = labels_for(table, target, model)
    labels = labels.fill_nan(None) if labels.dtype.is_float() else labels
    known = labels.is_not_null()
    if known.any() and not known.all():
        note(f"{int((~known).sum()):,} rows without a class are left out")
        table = table.filter(known)
    return table


def with_unknown_classes(labels: "pl.Series", model: FittedClassifier, priced: bool) -> list[Any] | None:
    """All classes, where the model does not know some of the rows'; such rows count as mistakes, and it is said.

    They have no costs: where there are some, they are refused.
    """
    known = model.classes_.tolist()
    unknown = ~labels.is_in(known)
    if not unknown.any():
        return None
    extra = labels.filter(unknown).unique().sort().to_list()
    named = ", ".join(map(str, extra[:8])) + (", ..." if len(extra) > 8 else "")
    rows = f"{int(unknown.sum()):,} {'row is' if unknown.sum() == 1 else 'rows are'} of {named}"
    if priced:
        raise InputError(
            f"{rows}, which the model does not know and the costs say nothing of: leave them out, or correct them"
        )
    note(f"{rows}, which the model does not know: each counts as a mistake, of probability 0")
    return [*known, *extra]


def groups_of(table: "pl.DataFrame", parts: Parts) -> Any:
    """The group of each row, if a column names them."""
    return part(table, parts.groups).groups


def over_time(found: "Evaluation", table: "pl.DataFrame", time: str) -> "pl.DataFrame":
    """How the model did in each fifth of the rows by time: accuracy and log-loss, with intervals."""
    from dataclasses import replace

    import polars as pl

    stretch = _stretches(table, time)
    rows = []
    for number in range(int(stretch.max()) + 1):
        chosen = np.flatnonzero(stretch == number)
        own = replace(found, said=replace(found.said.take(chosen), groups=None))  # too few groups are in a stretch
        ends = table[time][chosen.tolist()]
        row = {"from": str(ends.min()), "to": str(ends.max()), "rows": len(chosen)}
        figures = {"accuracy": own.accuracy, **({"log_loss": own.log_loss} if own.said.has_probabilities else {})}
        for name, figure in figures.items():
            row |= {name: figure.value, f"{name}_low": figure.low, f"{name}_high": figure.high}
        rows.append(row)
    return pl.DataFrame(rows)


def note_learned(found: "Evaluation", model: FittedClassifier, table: "pl.DataFrame | None", time: str | None) -> None:
    """Say where the rows that are judged look like those that the model learned from: its figures flatter it there."""
    from dataclasses import replace

    from likely.evaluation.measures.too_good import LEVEL, too_good
    from likely.models.any_classifier.inside import unwrap

    advice = "Judge it on rows that are new to it"
    learned = getattr(unwrap(model), "class_count_", None)
    counts = dict(zip(found.classes, np.bincount(found.said.y, minlength=len(found.classes)).tolist(), strict=True))
    known = {} if learned is None else dict(zip(model.classes_.tolist(), learned.tolist(), strict=True))
    if known == counts and found.n >= _SO_MANY:
        note(
            f"these are as many rows of each class as the model learned from: if they are the same, these figures tell "
            f"how well it remembers them, not how good it is. {advice}"
        )
        return
    if time is not None and table is not None:
        stretch, flattered = _stretches(table, time), list[str]()
        periods = int(stretch.max()) + 1
        for number in range(periods):
            chosen = np.flatnonzero(stretch == number)
            if too_good(replace(found.said.take(chosen), groups=None), LEVEL / _PERIODS):
                ends = table[time][chosen.tolist()]
                flattered.append(f"{ends.min()!s} to {ends.max()!s}")
        note(
            "all rows are judged, those too from before the model was learned: its file does not keep when its rows "
            "were, and of a time that it learned the figures flatter it"
        )
        if 0 < len(flattered) < periods:
            note(
                f"of the rows of {', '.join(flattered)} fewer are wrong than its probabilities say, by more than "
                f"chance: the model may have learned from them. {advice}"
            )
            return
    if too_good(found.said):
        note(
            "fewer of these rows are wrong than its probabilities say, by more than chance: the model may have learned "
            f"from them, or the probabilities, or the shares of the classes, do not hold here. {advice}"
        )


def _stretches(table: "pl.DataFrame", time: str) -> Any:
    """The fifth of the rows that each belongs to, by time (n,); rows of the same time are in one."""
    import polars as pl

    from likely.data.features.dates import as_days
    from likely.data.findings.suspicions import date_pattern
    from likely.data.inputs import suggest

    if time not in table.columns:
        raise InputError(f"--time: there is no column {time!r}{suggest(time, table.columns)}")
    column = table[time]
    pattern = date_pattern(column) if column.dtype == pl.String else None
    days = as_days(column, pattern)
    if not days.dtype.is_numeric() or days.null_count():
        raise InputError(f"--time: column {time!r} should hold a date, a time or a number in every row")
    values = days.cast(pl.Float64).to_numpy()
    ends = np.quantile(values, np.arange(1, _PERIODS) / _PERIODS)
    return np.unique(np.searchsorted(ends, values, side="right"), return_inverse=True)[1]
