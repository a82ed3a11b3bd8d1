"""Texts that give the class away: a note written after the fact, such as "customer was told that the loan is declined".

Columns of levels and numbers are held against the class when a table is looked at (`likely.data.findings.leaks`); a
text takes a model of its words. A text is asked about where a model of it alone is wrong in no more than a row in 200
and in a tenth of the rows in which guessing is, and the other columns, which must exist, come nowhere near: without it
the best of a few models is wrong at least ten times as often. Fewer than 200 rows are too few to ask by. Mail that
tells spam from the rest is nearly as good by its subject, and a table of one text has nothing to be held against it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import LikelyError
from likely.evaluation.resampling.cross_validation import judged_on
from likely.models.held_out.exact_or_refit import HeldOut
from likely.models.roster import TableFacts, candidates
from likely.numeric.arrays import Ints
from likely.reports.choosing.clock import Clock
from likely.reports.choosing.contest import Entry

if TYPE_CHECKING:
    from likely.reports.looking import Look

_ALMOST_NEVER = 0.005  # of the rows, that a text alone may be wrong in
_OF_GUESSING = 0.1
_TIMES = 10.0  # as often wrong without it
_OTHERS = ("naive Bayes", "naive Bayes (columns weighed)", "logistic regression", "dependence (averaged parents)")


def with_telltale_texts(looked: "Look", chosen: Entry, folds: Ints, clock: Clock) -> "Look":
    """The table looked at, with a warning for each text that gives the class away.

    Nothing is tried where the model kept is not almost never wrong itself.
    """
    texts, columns = looked.facts.of_kind("text"), list(looked.facts.kinds)
    guessing = 1 - float(looked.data.shares().max())
    allowed = min(_ALMOST_NEVER, _OF_GUESSING * guessing)
    few = looked.facts.rows * _ALMOST_NEVER < 1  # of these, a text that says nothing wrong says little
    if not texts or few or len(columns) < 2 or 1 - chosen.result.estimate("accuracy").value > 2 * allowed:
        return looked
    told = {}
    for name in texts:
        if not clock.allows(chosen.seconds, last=True):
            break
        alone = _wrong(looked, [name], folds[:1])
        if alone > allowed:
            continue
        without = _wrong(looked, [column for column in columns if column != name], folds[:1])
        if np.isfinite(without) and without >= _TIMES * max(alone, 0.1 * _ALMOST_NEVER) and without > 2 * allowed:
            told[name] = (
                f"by its words alone the class of {100 * (1 - alone):.1f} % of the rows is told, without it of "
                f"{100 * (1 - without):.1f} %: is it known before the class is?"
            )
    found = tuple(
        replace(column, warning="leak", words=f"{told[column.name]} {column.words}".rstrip())
        if column.name in told
        else column
        for column in looked.findings.columns
    )
    return replace(looked, findings=replace(looked.findings, columns=found)) if told else looked


def _wrong(looked: "Look", columns: Sequence[str], folds: Ints) -> float:
    """How often the best of a few models is wrong that learn from some columns; infinite: none can."""
    data = looked.data
    table = data.X.select(columns)
    counts = np.bincount(data.codes, minlength=len(data.classes)).tolist()
    facts = TableFacts.of(table, {name: looked.facts.kinds[name] for name in columns}, counts)
    tried = candidates(facts)
    least = float("inf")
    for one in [model for model in tried if model.name in _OTHERS] or tried[:1]:
        try:
            found = judged_on(HeldOut(one.model, replace(data, X=table)), folds)
        except LikelyError:  # of texts without a word, say
            continue
        least = min(least, 1 - found.estimate("accuracy").value)
    return least
