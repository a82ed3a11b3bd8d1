"""Distinct words as bytes, and documents as numbers of them: the form in which texts are counted and scored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Ints, frozen
from likely.numeric.kernels.texts import order as order


@dataclass(frozen=True, eq=False, repr=False)
class Words:
    """Distinct words as UTF-8, one after the other; a million of them cost little more than their letters.

    >>> words = Words.of(["the", "blue", "dog"])
    >>> words, len(words)
    (Words(['blue', 'dog', 'the']), 3)
    >>> words.united(Words.of(["cat", "dog"]))[0]
    Words(['blue', 'cat', 'dog', 'the'])
    """

    letters: Array  # uint8
    ends: Ints  # (v,)  where each word ends among the letters
    stored_as: ClassVar[str] = "Words"

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """Sort words, each of them once."""
        return cls.in_order(sorted(set(words)))

    @classmethod
    def in_order(cls, words: list[str]) -> Self:
        """The words as they are; all different."""
        spelled = [word.encode("utf-8", "surrogatepass") for word in words]
        ends = np.cumsum(np.fromiter(map(len, spelled), np.int64, len(spelled)), dtype=np.int64)
        return cls(np.frombuffer(b"".join(spelled), dtype=np.uint8), ends)

    def __len__(self) -> int:
        return len(self.ends)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Words):
            return NotImplemented
        return self is other or (np.array_equal(self.ends, other.ends) and np.array_equal(self.letters, other.letters))

    def __hash__(self) -> int:
        return hash((self.letters.tobytes(), self.ends.tobytes()))

    def __repr__(self) -> str:
        return f"Words({self.tolist()!r})"

    @property
    def in_good_order(self) -> bool:
        """Whether these are distinct words, sorted: a file may say so and lie."""
        letters, ends = self.letters, self.ends
        if letters.dtype != np.uint8 or ends.dtype != np.int64 or letters.ndim != 1 or ends.ndim != 1:
            return False
        if (np.diff(ends, prepend=0) < 0).any() or (int(ends[-1]) if len(ends) else 0) != len(letters):
            return False
        try:
            return type(self).of(self.tolist()) == self
        except UnicodeDecodeError:
            return False

    def tolist(self) -> list[str]:
        """The words as texts."""
        text = self.letters.tobytes()
        ends: list[int] = self.ends.tolist()
        return [text[a:b].decode("utf-8", "surrogatepass") for a, b in zip([0, *ends], ends, strict=False)]

    def taken(self, index: Ints) -> Self:
        """Some of the words, in that order."""
        letters, ends = order.gathered_terms(frozen(self.letters), frozen(self.ends), frozen(index.astype(np.int64)))
        return type(self)(letters, ends)

    def sorting(self) -> Ints:
        """The index that sorts the words."""
        index: Ints = order.sorted_terms(frozen(self.letters), frozen(self.ends))
        return index

    def numbers_of(self, other: "Words") -> Array:
        """The place of each word of another sorted list in this one; words that are not in it count on from its end."""
        mine, its = (frozen(self.letters), frozen(self.ends)), (frozen(other.letters), frozen(other.ends))
        return np.asarray(order.places_of_terms(*mine, *its))

    def united(self, other: Self) -> tuple[Self, Ints, Ints]:
        """The union of two sorted lists, and where the words of each stand in it."""
        mine = frozen(self.letters), frozen(self.ends)
        place, its_place, letters, ends = order.united_terms(*mine, frozen(other.letters), frozen(other.ends))
        return type(self)(letters, ends), place, its_place


@dataclass(frozen=True)
class Tokens:
    """Documents as numbers of words: those of document i are ids[ends[i - 1]:ends[i]].

    >>> tokens = Tokens(np.array([1, 0, 1], dtype=np.int32), np.array([2, 3]), Words.of(["blue", "dog"]))
    >>> tokens.texts(), tokens[1:].texts()
    (['dog blue', 'dog'], ['dog'])
    """

    ids: Array  # (number of tokens,) int32
    ends: Ints  # (n,)
    words: Words  # sorted
    missing: Array | None = None  # (n,)  rows that have no document, which is not an empty one; None: none

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, rows: slice | Ints) -> Self:
        """Some of the documents, in that order."""
        begins = np.concatenate([[0], self.ends[:-1]])[rows]
        lengths = self.ends[rows] - begins
        ends = np.cumsum(lengths)
        total = int(ends[-1]) if len(ends) else 0
        if isinstance(rows, slice) and rows.step in (None, 1):
            ids = self.ids[int(begins[0]) : int(begins[0]) + total] if len(ends) else self.ids[:0]
        else:
            ids = self.ids[np.repeat(begins - (ends - lengths), lengths) + np.arange(total)]
        missing = None if self.missing is None else self.missing[rows]
        return replace(self, ids=ids, ends=ends, missing=missing)

    def texts(self) -> list[str | None]:
        """Each document as its words with spaces between them."""
        names = self.words.tolist()
        words = [names[i] for i in self.ids.tolist()]
        ends: list[int] = self.ends.tolist()
        out: list[str | None] = [" ".join(words[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
        for row in [] if self.missing is None else np.flatnonzero(self.missing).tolist():
            out[row] = None
        return out


def check_numbers(tokens: Tokens) -> None:
    """Refuse tokens that name no word, or documents that end nowhere: kernels do not check bounds."""
    ids, ends = tokens.ids, tokens.ends
    falling = len(ends) and (ends[0] < 0 or (np.diff(ends) < 0).any())
    if falling or (int(ends[-1]) if len(ends) else 0) != len(ids):
        raise InputError(f"the ends of {len(ends)} documents do not share out {len(ids)} tokens")
    if len(ids) and (ids.min() < 0 or ids.max() >= len(tokens.words)):
        raise InputError(f"a token has the number of no word: there are {len(tokens.words)}, counted from 0")


def within(tokens: Tokens, words: Words) -> Tokens:
    """The tokens that are among these words, and no others.

    >>> tokens = Tokens(np.array([1, 0, 1], dtype=np.int32), np.array([2, 3]), Words.of(["blue", "dog"]))
    >>> within(tokens, Words.of(["cat", "dog"])).texts()
    ['dog', 'dog']
    """
    ids = words.numbers_of(tokens.words)[tokens.ids]
    known = ids < len(words)
    until = np.concatenate([[0], np.cumsum(known, dtype=np.int64)])
    return replace(tokens, ids=ids[known].astype(np.int32), ends=until[tokens.ends], words=words)


def joined(parts: Sequence[Tokens]) -> Tokens:
    """The documents of all parts, one after the other."""
    words = _united([part.words for part in parts])
    ids = np.concatenate([words.numbers_of(part.words)[part.ids] for part in parts])
    starts = np.cumsum([0, *(len(part.ids) for part in parts[:-1])])
    ends = np.concatenate([part.ends + start for part, start in zip(parts, starts, strict=True)])
    return Tokens(ids, ends, words)


def _united(lists: list[Words]) -> Words:
    """The union of sorted lists, by pairs of about the same length."""
    while len(lists) > 1:
        pairs = [a.united(b)[0] for a, b in zip(lists[::2], lists[1::2], strict=False)]
        lists = pairs + (lists[-1:] if len(lists) % 2 else [])
    return lists[0]
