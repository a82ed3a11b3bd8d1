"""Candidates for a study: every kind of model says for which tables it is worth a try.

A sub-room of `models` registers its candidates in a module `roster` of its own, and a study finds them there; nothing
else needs to know of a new model. The rank says how simple a candidate is: of models that do as well, a study chooses
the one of lowest rank.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from likely.errors import InputError
from likely.models.traits.protocols import Learner

if TYPE_CHECKING:  # it reads frames, and a model of arrays needs none
    from likely.data.findings.table import Findings

_NARROW = 16  # columns of a kind, for which no candidate is too slow


@dataclass(frozen=True)
class TableFacts:
    """What a candidate may know of a table before it is tried."""

    kinds: Mapping[str, str]  # of the features, by name
    rows: int
    classes: int
    smallest_class: int  # rows of the rarest class
    missing: bool  # whether any cell is
    characters: int = 0  # of all texts together

    @classmethod
    def of(cls, table: Any, kinds: Mapping[str, str], classes: Sequence[int]) -> Self:
        """From a prepared table, the kinds of its features and how many rows each class has."""
        missing = any(table[name].null_count() for name in kinds)
        texts = [name for name, kind in kinds.items() if kind == "text"]
        characters = sum(int(table[name].str.len_chars().sum()) for name in texts)
        return cls(kinds, int(sum(classes)), len(classes), int(min(classes)), missing, characters)

    @classmethod
    def found(cls, findings: "Findings", table: Any, classes: Sequence[int] | None = None) -> Self:
        """From what was found in a table and the table prepared from it; `classes` are their rows, if not as found."""
        kinds = {column.name: column.family for column in findings.columns if column.name in table.columns}
        if not kinds:
            reasons = list(findings.left_out.items())[:20]
            raise InputError("no column is left to learn from: " + "; ".join(map(": ".join, reasons)))
        return cls.of(table, kinds, classes or [rows for _, rows in findings.classes])

    def of_kind(self, *kinds: str) -> list[str]:
        """Names of the features of these kinds."""
        return [name for name, kind in self.kinds.items() if kind in kinds]


Maker = Callable[[TableFacts], Learner | None]  # a fresh classifier, or None where the table does not call for it


class Candidate(NamedTuple):
    """A classifier to try."""

    name: str
    rank: int
    words: str  # what it takes for granted
    model: Learner


_ENTRIES: dict[str, tuple[int, str, Maker, str]] = {}


def candidate(name: str, rank: int, needs: str = "a table of another kind") -> Callable[[Maker], Maker]:
    """Register a maker of candidates under a name; its docstring says what they take for granted.

    `needs` says in words which tables it is for, where it is not for all.

    >>> from likely.models.roster import TableFacts, candidates
    >>> @candidate("a model for wide tables", rank=9, needs="more columns than rows")
    ... def wide(facts: TableFacts) -> None:
    ...     "Nothing: this one is never made."
    >>> facts = TableFacts({"size": "numeric"}, 200, 2, 80, False)
    >>> "a model for wide tables" in [one.name for one in candidates(facts)]
    False
    >>> _ = _ENTRIES.pop("a model for wide tables")  # so that no study after this one asks it
    """

    def register(make: Maker) -> Maker:
        _ENTRIES[name] = (rank, inspect.getdoc(make) or "", make, needs)
        return make

    return register


def candidates(facts: TableFacts) -> list[Candidate]:
    """The candidates for a table, simplest first; of equal rank by their rooms, whatever was imported first.

    >>> facts = TableFacts({"colour": "nominal", "size": "numeric"}, 200, 2, 80, False)
    >>> [candidate.name for candidate in candidates(facts)][:2]
    ['naive Bayes', 'Gaussian (equal spreads)']
    """
    package = importlib.import_module("likely.models")
    for room in pkgutil.iter_modules(package.__path__):
        if room.ispkg and any(
            module.name == "roster"
            for module in pkgutil.iter_modules(importlib.import_module(f"likely.models.{room.name}").__path__)
        ):
            importlib.import_module(f"likely.models.{room.name}.roster")
    entries = sorted(_ENTRIES.items(), key=lambda entry: (entry[1][0], entry[1][2].__module__))
    made = [(name, rank, words, make(facts)) for name, (rank, words, make, _) in entries]
    return [Candidate(name, rank, words, model) for name, rank, words, model in made if model is not None]


def too_wide(facts: TableFacts) -> list[Candidate]:
    """The candidates that the same table would have if it were narrow, and has not.

    >>> facts = TableFacts({f"size {i}": "numeric" for i in range(600)}, 5_000, 2, 800, False)
    >>> [candidate.name for candidate in too_wide(facts)][:2]
    ['naive Bayes (columns weighed)', 'Gaussian (shared covariance)']
    """
    if len(facts.kinds) <= _NARROW:
        return []
    narrow: dict[str, str] = {}
    for kind in dict.fromkeys(facts.kinds.values()):
        narrow |= dict.fromkeys(facts.of_kind(kind)[:_NARROW], kind)
    tried = {one.name for one in candidates(facts)}
    return [one for one in candidates(replace(facts, kinds=narrow)) if one.name not in tried]


def needs() -> dict[str, str]:
    """What a table must be like for each of the candidates, those of this table or not, once they were asked for."""
    return {name: words for name, (_, _, _, words) in _ENTRIES.items()}
