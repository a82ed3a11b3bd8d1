"""Who is judged in a study, and on how many folds."""

from dataclasses import replace

from likely.data.printing.wording import listed
from likely.errors import InputError
from likely.models.roster import Candidate, TableFacts, candidates, needs, too_wide
from likely.reports.choosing.contest import Entry, baseline
from likely.reports.choosing.yardsticks import yardsticks as yardsticks_of
from likely.reports.clipping import Clipped

_FOLDS = 10
_FOLDS_OF_LONG = 5  # four fifths of so many rows teach what nine tenths do, for half the fits
_LONG = 10_000


def entrants(facts: TableFacts, yardsticks: bool, seed: int) -> list[tuple[Candidate, bool]]:
    """The baseline, the candidates and the yardsticks, each with whether it is one of those."""
    found = [(baseline(), False), *((candidate, False) for candidate in candidates(facts))]
    if yardsticks:
        beside = yardsticks_of(facts, seed)
        found += [(yardstick._replace(model=Clipped(yardstick.model)), True) for yardstick in beside]
    return found


def left_out_of_wide(facts: TableFacts) -> tuple[Entry, ...]:
    """Entries for those that are not tried because the table has too many columns for them, with what they need."""
    wide = too_wide(facts)  # which asks all of them, and only then they are known
    why = {one.name: f"the table is too wide: it needs {needs()[one.name]}" for one in wide}
    return tuple(Entry(one.name, one.rank, one.words, one.model, (), None, 0.0, why[one.name]) for one in wide)


def left_out_of_texts(facts: TableFacts) -> tuple[Entry, ...]:
    """Entries for those that the table would have without its columns of texts, which they do not read."""
    texts = facts.of_kind("text")
    if not texts:
        return ()
    rest = {name: kind for name, kind in facts.kinds.items() if kind != "text"}
    without = replace(facts, kinds=rest or {"": "numeric"}, missing=facts.missing and bool(rest), characters=0)
    tried = {one.name for one in (*candidates(facts), *too_wide(facts))}
    why = f"it reads no texts, and {listed(texts)} {'are' if len(texts) > 1 else 'is'} of that kind"
    if rest:
        why += f"; to try it leave {'them' if len(texts) > 1 else 'it'} out (--drop) or name another kind (--kind)"
    ruled_out = [one for one in candidates(without) if one.name not in tried]
    return tuple(Entry(one.name, one.rank, one.words, one.model, (), None, 0.0, why) for one in ruled_out)


def folds_for(cv: int | None, facts: TableFacts) -> int:
    """How many folds: those asked for, else 10, or one a row where there are fewer; 5 of a long table."""
    if cv is None:
        return _FOLDS_OF_LONG if facts.rows > _LONG else min(_FOLDS, facts.rows)
    if not 2 <= cv <= facts.rows:
        raise InputError(f"cv must be between 2 and the number of rows, {facts.rows}; got {cv}")
    return cv
