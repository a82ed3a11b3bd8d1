r"""Whether finding all matches of a pattern takes time in proportion to the text, whatever the text.

Python's regular expressions go back and try again, which for some patterns takes time that doubles with every letter
(`(\w+)+!`), for others in the square of a long word (`\w+!`). A pattern is proven harmless here if

1. in no state two parts of it could go on with the same character: its automaton of positions (Glushkov 1961) is
   deterministic, so that going back finds nothing to try; and
2. it goes round in no circle without having found a match, so that what has to be given back is of bounded length; or
   it begins with `\b` and stays within a word, so that it is tried once a word.

Alternatives that are the whole pattern are judged one by one. Patterns of which this cannot be shown, harmless ones
among them, count as not proven.

>>> [takes_linear_time(p) for p in (r"(?u)\b\w\w+\b", r"[a-z]+(?:'[a-z]+)?", r"\w+|[^\w\s]", r"\S+")]
[True, True, True, True]
>>> [takes_linear_time(p) for p in (r"(\w+)+!", r"(?:ab?|b)*", r"\w+!", r"\w*\w*", r"(a)\1")]
[False, False, False, False, False]
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

_LONGEST = 1_000  # characters of a pattern
_FEW = 100  # repetitions that count as few
_EXACT = 0x250  # characters below are told apart, those above by what they are
_KINDS = frozenset({"digit", "letter", "space", "other"})


class Characters(NamedTuple):
    """What one place of a pattern matches: characters below `_EXACT`, and kinds above of which it may match some."""

    low: frozenset[int]
    high: frozenset[str]
    whole: frozenset[str] = frozenset()  # kinds above of which it matches all


class _NotProvenError(Exception):
    """Something that is not understood here."""


@lru_cache(maxsize=64)
def takes_linear_time(pattern: str) -> bool:
    """Whether it is proven that all matches in any text are found in time in proportion to its length."""
    if len(pattern) > _LONGEST:
        return False
    try:
        tree: Any = re._parser.parse(pattern)  # type: ignore[attr-defined]
        if tree.state.flags & re.IGNORECASE:
            return False
        return all(_Automaton().is_harmless(branch) for branch in _alternatives(list(tree)))
    except (_NotProvenError, RecursionError, OverflowError, AttributeError, re.error):
        return False


def _alternatives(items: list[Any]) -> Iterator[list[Any]]:
    if len(items) == 1 and str(items[0][0]) == "BRANCH":
        for branch in items[0][1][1]:
            yield from _alternatives(list(branch))
    elif len(items) == 1 and str(items[0][0]) == "SUBPATTERN" and not items[0][1][1]:
        yield from _alternatives(list(items[0][1][3]))
    else:
        yield items


class _Piece(NamedTuple):
    """A part of a pattern: whether it may be empty, and the places with which it begins and ends."""

    empty: bool
    first: list[int]
    last: list[int]


@dataclass
class _Automaton:
    """The places of a pattern, and what can follow each: as often as there are ways to get there."""

    characters: list[Characters] = field(default_factory=list)
    follow: list[list[int]] = field(default_factory=list)
    circles: list[set[int]] = field(default_factory=list)  # what follows by going round more than a few times

    def is_harmless(self, items: list[Any]) -> bool:
        at_word = bool(items) and _is_boundary(items[0])
        items, at_end = _without_conditions(items)
        whole = self._sequence(items)
        if not all(map(self._differ, [whole.first, *self.follow])):
            return False
        word = _category("CATEGORY_WORD")
        if at_word and all(c.low <= word.low and c.high <= word.high for c in self.characters):
            return True  # it is tried once in every word
        if any(self.circles) and at_end and any(self.characters[place] != word for place in whole.last):
            return False
        return not self._circles_without(set(whole.last))

    def _differ(self, places: list[int]) -> bool:
        return not any(_overlap(self.characters[a], self.characters[b]) for a, b in combinations(places, 2))

    def _circles_without(self, ends: set[int]) -> bool:
        """Whether there is a long way round that never comes to where the pattern may end."""
        for start, again in enumerate(self.circles):
            if start in ends or not again - ends:
                continue
            seen, ahead = set(), list(again - ends)
            while ahead:
                place = ahead.pop()
                if place == start:
                    return True
                if place not in seen:
                    seen.add(place)
                    ahead += [after for after in self.follow[place] if after not in ends]
        return False

    def _sequence(self, items: Iterable[Any]) -> _Piece:
        whole = _Piece(True, [], [])
        for item in items:
            part = self._piece(item)
            for place in whole.last:
                self.follow[place] += part.first
            whole = _Piece(
                whole.empty and part.empty,
                whole.first + part.first if whole.empty else whole.first,
                whole.last + part.last if part.empty else part.last,
            )
        return whole

    def _piece(self, item: Any) -> _Piece:
        name, body = str(item[0]), item[1]
        if name in ("LITERAL", "NOT_LITERAL", "ANY", "IN"):
            self.characters.append(_characters(name, body))
            self.follow.append([])
            self.circles.append(set())
            place = [len(self.follow) - 1]
            return _Piece(False, place, place)
        if name == "SUBPATTERN" and not body[1]:
            return self._sequence(body[3])
        if name == "BRANCH":
            parts = [self._sequence(branch) for branch in body[1]]
            first = [place for part in parts for place in part.first]
            last = [place for part in parts for place in part.last]
            return _Piece(any(part.empty for part in parts), first, last)
        if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            return self._repeated(*body)
        raise _NotProvenError(name)

    def _repeated(self, least: int, most: Any, body: Any) -> _Piece:
        before = len(self.follow)
        part = self._sequence(body)
        if int(least) > _FEW or part.empty:
            raise _NotProvenError("many")
        if int(most) > 1:
            nested = any(self.follow[place] for place in range(before, len(self.follow)))
            for place in part.last:
                self.follow[place] += part.first
                if int(most) > _FEW or nested:
                    self.circles[place] |= set(part.first)
        return part._replace(empty=int(least) == 0)


def _without_conditions(items: list[Any]) -> tuple[list[Any], bool]:
    """The items without conditions on what stands before and after; whether there is one at the end, which may fail."""
    first = next((i for i, item in enumerate(items) if not _is_condition(item)), len(items))
    items = items[first:]
    at_end = bool(items) and _is_boundary(items[-1])
    return items[:-1] if at_end else items, at_end


def _is_boundary(item: Any) -> bool:
    return str(item[0]) == "AT" and str(item[1]) == "AT_BOUNDARY"


def _is_condition(item: Any) -> bool:
    if str(item[0]) == "AT":
        return True
    simple = ("LITERAL", "NOT_LITERAL", "ANY", "IN", "AT")
    return str(item[0]) in ("ASSERT", "ASSERT_NOT") and all(str(one[0]) in simple for one in item[1][1])


def _overlap(a: Characters, b: Characters) -> bool:
    return bool(a.low & b.low or a.high & b.high)


def _characters(name: str, body: Any) -> Characters:
    if name == "LITERAL":
        return _range(body, body)
    if name == "NOT_LITERAL":
        return _all_but(_range(body, body))
    if name == "ANY":
        return _all_but(_range(10, 10))
    negated = bool(body) and str(body[0][0]) == "NEGATE"
    parts = [_entry(*one) for one in body if str(one[0]) != "NEGATE"]
    union = Characters(
        frozenset(one for part in parts for one in part.low),
        frozenset(one for part in parts for one in part.high),
        frozenset(one for part in parts for one in part.whole),
    )
    return _all_but(union) if negated else union


def _entry(kind: object, body: Any) -> Characters:
    if str(kind) == "LITERAL":
        return _range(body, body)
    if str(kind) == "RANGE":
        return _range(*body)
    if str(kind) == "CATEGORY":
        return _category(str(body))
    raise _NotProvenError(str(kind))


def _range(low: int, high: int) -> Characters:
    exact = frozenset(range(low, min(high, _EXACT - 1) + 1))
    if high < _EXACT:
        return Characters(exact, frozenset())
    return Characters(exact, frozenset({_kind(chr(low))}) if low == high else _KINDS)


@lru_cache(maxsize=8)
def _category(name: str) -> Characters:
    """Letters, digits and spaces as Python has them for text."""
    if name.startswith("CATEGORY_NOT_"):
        return _all_but(_category(name.replace("NOT_", "")))
    letters = {"CATEGORY_WORD": r"\w", "CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s"}
    kinds = {r"\w": {"digit", "letter"}, r"\d": {"digit"}, r"\s": {"space"}}
    if name not in letters:
        raise _NotProvenError(name)
    exact = frozenset(i for i in range(_EXACT) if re.match(letters[name], chr(i)))
    high = frozenset(kinds[letters[name]])
    return Characters(exact, high, high)


def _all_but(given: Characters) -> Characters:
    return Characters(frozenset(range(_EXACT)) - given.low, _KINDS - given.whole, _KINDS - given.high)


def _kind(character: str) -> str:
    if character.isspace():
        return "space"
    if unicodedata.category(character) == "Nd":
        return "digit"
    return "letter" if character.isalnum() or character == "_" else "other"
