"""Of which rows figures are: of the table, learned, set aside, or left out."""

from typing import TYPE_CHECKING

import numpy as np

from likely.data.printing.wording import counted
from likely.reports.rendering.first_screen.first_figures import judged

if TYPE_CHECKING:
    from likely.reports.study import Study


def rows_in_words(study: "Study") -> str:
    """The rows of the table, and what became of those that were not learned."""
    learned, aside = study.facts.rows, 0 if study.looked.later is None else study.looked.later.height
    unlabelled, alone = study.looked.unlabelled, len(study.looked.alone)
    parts = []
    if aside:
        parts.append(f"{learned:,} learned and {aside:,} {'later' if study.arguments.get('time') else 'set aside'}")
    if unlabelled:
        parts.append(f"{unlabelled:,} left out, without a {study.target}")
    if alone:
        parts.append(f"{alone:,} left out, the only {'one of its class' if alone == 1 else 'ones of their classes'}")
    told = f" ({'; '.join(parts)})" if parts else ""
    return f"{counted(learned + aside + unlabelled + alone, 'row')}{told}"


def of_which_rows(study: "Study") -> str:
    """Which figures are of rows set aside or later, and which of the rows learned."""
    which = "later rows" if study.arguments.get("time") else "rows set aside"
    return (
        f"The figures and pictures of the answer, its mistakes and its probabilities are of the {which}; those of the "
        "evidence, of learning from fewer rows, of suspicious rows and of the comparison are of the rows learned."
    )


def of_the_same(study: "Study") -> str:
    """Of which rows, and under what, two models are compared, where that is not what one would think."""
    where = "" if study.tested is None else f", of the same {study.tested.n:,} rows set aside"
    if study.rival is not None and study.rival.over_folds:
        where = ", over folds of the rows learned (there was no time to ask it about the rows set aside)"
    return where + (", under the prior given" if study.setting.prior is not None else "")


def units(study: "Study") -> str:
    """What there is so many of that figures are as sure as they are: rows, or groups of them."""
    groups = judged(study).said.groups
    if groups is None:
        return f"{judged(study).n:,} rows"
    return f"{len(np.unique(groups)):,} groups of {study.arguments.get('groups')} ({judged(study).n:,} rows)"
