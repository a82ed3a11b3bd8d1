"""Rows of a study that are alike: how many of them are copies, which chance does not explain.

Where a column names the rows, or says which belong together, only rows of the same name can be copies of each other;
the others are alike in the columns learned and in nothing else.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.audit.rows import Audit
from likely.numeric.arrays import Ints

if TYPE_CHECKING:
    from likely.reports.study import Study


@dataclass(frozen=True)
class Copies:
    """What was found of rows that are alike."""

    repeated: int  # rows that repeat an earlier one
    by_chance: float  # rows that would, in tables with such columns
    copies: int  # of the same name, more than chance explains
    contradictions: int  # rows of the same name with a twin of another class, more than chance explains
    named: int | None = None  # rows that repeat one of the same name; None: no column names rows
    name: str = ""  # the column that does


def copies_of(study: "Study", found: Audit) -> Copies:
    """Count rows that are alike, among all rows or among those of the same name."""
    alike, chance = found.duplicates, found.by_chance
    name, places = _names(study)
    if places is None:
        against = int(found.contradictory.sum())
        return Copies(alike.extra, chance.repeated, chance.copies(alike.extra), chance.contradictions(against))
    same = alike.within(places)
    against = int(same.contradictory(found.y).sum())
    return Copies(alike.extra, chance.repeated, same.extra, against, same.extra, name)


def _names(study: "Study") -> tuple[str, Ints | None]:
    """The column that names the rows, or that says which belong together, and its cells as numbers."""
    names, groups = study.looked.row_names, study.data.groups
    if names is not None:
        return names.name, names.rank("dense").fill_null(0).to_numpy().astype(np.int64)
    if groups is not None:
        return str(study.arguments["groups"]), np.asarray(groups, dtype=np.int64)
    return "", None
