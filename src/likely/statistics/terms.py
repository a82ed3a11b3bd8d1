"""How often each word occurs in the documents of k classes, and in how many of them.

The words are part of the statistic: two statistics that have seen different words add over the union, and a word that
nobody uses any more is dropped. Words are kept sorted, so the statistic depends on the documents alone, never on their
order or grouping; without weights all counts are integers, exact to the bit.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from likely.errors import InputError
from likely.numeric.arrays import Array, Ints, frozen
from likely.numeric.kernels.texts import order as order
from likely.numeric.kernels.texts import tokens as kernels
from likely.statistics.additive import Additive, check_rows, fixed, tally
from likely.statistics.membership import Membership


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


def joined(parts: Sequence[Tokens]) -> Tokens:
    """The documents of all parts, one after the other."""
    words = _united([part.words for part in parts])
    ids = np.concatenate([words.numbers_of(part.words)[part.ids] for part in parts])
    starts = np.cumsum([0, *(len(part.ids) for part in parts[:-1])])
    ends = np.concatenate([part.ends + start for part, start in zip(parts, starts, strict=True)])
    return Tokens(ids, ends, words)


@dataclass(frozen=True)
class TermCounts(Additive):
    """Occurrences of each word, and the documents that hold it, per class.

    >>> tokens = Tokens(np.array([1, 0, 1], dtype=np.int32), np.array([2, 3]), Words.of(["blue", "dog"]))
    >>> seen = TermCounts.of(tokens, Membership.of_labels(np.array([0, 1]), 2))  # "dog blue", "dog"
    >>> seen.words, seen.count, seen.documents
    (Words(['blue', 'dog']), array([[1, 1], [0, 1]]), array([[1, 1], [0, 1]]))
    >>> (seen - seen).words
    Words([])
    """

    words: Words = fixed()  # sorted
    count: Array = tally()  # (k, v)
    documents: Array = tally()  # (k, v)

    @classmethod
    def of(cls, tokens: Tokens, membership: Membership) -> Self:
        """Rows that have no document count for nothing, not even as one."""
        return cls._counted(tokens, membership, None).canonical()

    @classmethod
    def _counted(cls, tokens: Tokens, membership: Membership, before: Self | None) -> Self:
        """The tables with all words of the list, added to those of `before`, which are changed."""
        check_rows(len(tokens), membership)
        _check_numbers(tokens)
        if tokens.missing is not None and tokens.missing.any():
            membership = membership.without(tokens.missing)
        shape = membership.groups, len(tokens.words)
        whole = membership.shares is None and membership.weight is None
        if before is None:
            count, documents = (np.zeros(shape, dtype=np.int64 if whole else np.float64) for _ in range(2))
        else:
            count, documents = before.count, before.documents
        ids, ends = frozen(tokens.ids), frozen(tokens.ends)
        if membership.shares is not None:
            kernels.share_tokens(ids, ends, membership.shares, count, documents)
        elif membership.weight is not None:
            kernels.weigh_tokens(ids, ends, membership.labels, membership.weight, count, documents)
        else:
            kernels.count_tokens(ids, ends, membership.labels, count, documents)
        weight = membership.totals() if before is None else before.weight + membership.totals()
        return cls(weight, tokens.words, count, documents)

    @classmethod
    def of_batches(cls, batches: Sequence[Tokens], memberships: Sequence[Membership]) -> Self:
        """The sum of the statistics of several batches: their words are united first, and counted in one table."""
        words = _united([batch.words for batch in batches])
        total: Self | None = None
        for batch, membership in zip(batches, memberships, strict=True):
            renumbered = replace(batch, ids=words.numbers_of(batch.words)[batch.ids], words=words)
            total = cls._counted(renumbered, membership, total)
        assert total is not None
        return total.canonical()

    def __add__(self, other: Self) -> Self:
        """The sum over the union of the words, written in one place: the tables are large."""
        if type(self) is not type(other) or self.groups != other.groups or self.words == other.words:
            return super().__add__(other)
        union, mine, its = self.words.united(other.words)

        def added(a: Array, b: Array) -> Array:
            out = np.zeros((self.groups, len(union)), dtype=np.result_type(a, b))
            for row, one, two in zip(out, a, b, strict=True):
                row[mine] = one
                row[its] += two
            return out

        tables = {name: added(getattr(self, name), getattr(other, name)) for name in ("count", "documents")}
        return replace(self, weight=self.weight + other.weight, words=union, **tables).canonical()

    def canonical(self) -> Self:
        """Words that nobody uses dropped."""
        used = self.count.any(axis=0) | self.documents.any(axis=0)
        return self if used.all() else self.kept(np.flatnonzero(used))

    def kept(self, index: Ints) -> Self:
        """Only some of the words, in ascending order."""
        return replace(
            self, words=self.words.taken(index), count=self.count[:, index], documents=self.documents[:, index]
        )

    def aligned(self, other: Self) -> tuple[Self, Self]:
        if self.words == other.words:
            return self, other
        union, mine, its = self.words.united(other.words)
        return self._over(union, mine), other._over(union, its)

    def merged(self) -> Self:
        """All classes as one."""
        sums = {name: getattr(self, name).sum(axis=0, keepdims=True) for name in ("weight", "count", "documents")}
        return replace(self, **sums).canonical()

    def _over(self, words: Words, place: Ints) -> Self:
        def spread(table: Array) -> Array:
            wide = np.zeros((self.groups, len(words)), dtype=table.dtype)
            wide[:, place] = table
            return wide

        return replace(self, words=words, count=spread(self.count), documents=spread(self.documents))


def _united(lists: list[Words]) -> Words:
    """The union of sorted lists, by pairs of about the same length."""
    while len(lists) > 1:
        pairs = [a.united(b)[0] for a, b in zip(lists[::2], lists[1::2], strict=False)]
        lists = pairs + (lists[-1:] if len(lists) % 2 else [])
    return lists[0]


def _check_numbers(tokens: Tokens) -> None:
    """Refuse tokens that name no word, or documents that end nowhere: kernels do not check bounds."""
    ids, ends = tokens.ids, tokens.ends
    falling = len(ends) and (ends[0] < 0 or (np.diff(ends) < 0).any())
    if falling or (int(ends[-1]) if len(ends) else 0) != len(ids):
        raise InputError(f"the ends of {len(ends)} documents do not share out {len(ids)} tokens")
    if len(ids) and (ids.min() < 0 or ids.max() >= len(tokens.words)):
        raise InputError(f"a token has the number of no word: there are {len(tokens.words)}, counted from 0")
