"""How often each word occurs in the documents of k classes, and in how many of them.

The words are part of the statistic: two statistics that have seen different words add over the union, and a word that
nobody uses any more is dropped. Words are kept sorted, so the statistic depends on the documents alone, never on their
order or grouping; without weights all counts are integers, exact to the bit.

Most words occur in few classes, so only pairs of a class and a word that occurs in it are held, class by class and in
the order of the words: the entries of class c are those from ends[c - 1] up to ends[c].
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Self

import numpy as np

from likely.numeric.arrays import Array, Floats, Ints, Shapes, frozen
from likely.numeric.kernels.texts import counts as kernels
from likely.statistics.additive import Additive, check_countable, check_rows, fixed, tally
from likely.statistics.counting.words import Tokens, Words, check_numbers
from likely.statistics.membership import Membership

Counted = Literal["count", "documents"]


@dataclass(frozen=True)
class TermCounts(Additive):
    """Occurrences of each word, and the documents that hold it, per class.

    >>> tokens = Tokens(np.array([1, 0, 1], dtype=np.int32), np.array([2, 3]), Words.of(["blue", "dog"]))
    >>> seen = TermCounts.of(tokens, Membership.of_labels(np.array([0, 1]), 2))  # "dog blue", "dog"
    >>> seen.words, seen.table("count"), seen.by_word("documents")
    (Words(['blue', 'dog']), array([[1, 1], [0, 1]]), array([1, 2]))
    >>> (seen - seen).words
    Words([])
    """

    words: Words = fixed()  # sorted
    ends: Ints = fixed()  # (k,)  where the entries of each class end
    places: Array = fixed()  # (entries,) int32  the word of each, rising within a class
    count: Array = tally()  # (entries,)
    documents: Array = tally()  # (entries,)
    shapes: ClassVar[Shapes] = {"ends": "k", "count": "r", "documents": "r"}

    def misfit(self, size: Mapping[str, int]) -> str | None:
        if not self.words.in_good_order or int(self.places.max(initial=-1)) >= len(self.words):
            return "words"
        places, ends = self.places, self.ends
        if places.dtype != np.int32 or places.shape != self.count.shape or ends.dtype != np.int64:
            return "places"
        if (np.diff(ends, prepend=0) < 0).any() or (int(ends[-1]) if len(ends) else 0) != len(places):
            return "places"
        rises = np.diff(self.owners * len(self.words) + places) > 0
        return None if (places >= 0).all() and rises.all() else "places"

    @classmethod
    def of(cls, tokens: Tokens, membership: Membership) -> Self:
        """Rows that have no document count for nothing, not even as one."""
        check_rows(len(tokens), membership)
        check_numbers(tokens)
        if tokens.missing is not None and tokens.missing.any():
            membership = membership.without(tokens.missing)
        visits, visit_ends, weight = _visits(membership)
        v, k = len(tokens.words), membership.groups
        room = min(int(np.diff(tokens.ends, prepend=0)[visits].sum()), k * v)
        places, count, documents = np.empty(room, np.int32), np.empty(room, weight.dtype), np.empty(room, weight.dtype)
        tallies = np.zeros(v, weight.dtype), np.zeros(v, weight.dtype), np.zeros(v, np.int64)
        ends = np.empty(k, dtype=np.int64)
        kernels.count_terms(
            frozen(tokens.ids), frozen(tokens.ends), visits, visit_ends, weight, *tallies,
            np.zeros(v // kernels.BLOCK + 1, np.bool_), places, count, documents, ends,
        )  # fmt: skip
        used = int(ends[-1]) if k else 0
        entries = (array[:used].copy() for array in (places, count, documents))
        return cls(membership.totals(), tokens.words, ends, *entries).canonical()

    @classmethod
    def upgraded(cls, stored: dict[str, Any]) -> dict[str, Any]:
        """The fields as an older file has them, tables (k, v) of all words in all classes, in today's form."""
        shapes = {getattr(stored.get(name), "shape", ()) for name in ("count", "documents")}
        if "places" in stored or len(shapes) > 1 or len(shapes.pop()) != 2:
            return stored
        full = (stored["count"] != 0) | (stored["documents"] != 0)
        entries = {name: stored[name][full] for name in ("count", "documents")}
        ends, places = np.cumsum(np.count_nonzero(full, axis=1)), np.nonzero(full)[1].astype(np.int32)
        return {**stored, "ends": ends, "places": places, **entries}

    def __add__(self, other: Self) -> Self:
        """The sum over the union of the words, written in one place."""
        if type(self) is not type(other) or self.groups != other.groups:
            return super().__add__(other)
        union, mine, its = self._united(other)

        def added(name: Counted) -> Array:
            a, b = getattr(self, name), getattr(other, name)
            out = np.zeros(len(union["places"]), dtype=np.result_type(a, b))
            out[mine] = a
            out[its] += b
            check_countable(out)
            return out

        count, documents = added("count"), added("documents")
        return replace(self, weight=self.weight + other.weight, **union, count=count, documents=documents).canonical()

    @property
    def observed(self) -> Array:
        """Sum of the weights of the rows that have a document (k, 1)."""
        return self.weight[:, None]

    @property
    def owners(self) -> Ints:
        """The class of each entry."""
        return np.repeat(np.arange(self.groups), np.diff(self.ends, prepend=0))

    def table(self, name: Counted) -> Array:
        """One of the counts for every class and word (k, v)."""
        entries = getattr(self, name)
        out = np.zeros((self.groups, len(self.words)), dtype=entries.dtype)
        out[self.owners, self.places] = entries
        return out

    def by_word(self, name: Counted, member: int | None = None) -> Array:
        """One of the counts for every word (v,), of all classes together or of one."""
        edges = [0, *self.ends.tolist()]
        own = slice(None) if member is None else slice(edges[member], edges[member + 1])
        entries = getattr(self, name)[own]
        out = np.zeros(len(self.words), dtype=entries.dtype)
        np.add.at(out, self.places[own], entries)
        return out

    def lengths(self, kept: Array) -> Floats:
        """Occurrences of all words kept (v,) in each class (k,)."""
        occurrences = self.count * kept[self.places]
        return np.bincount(self.owners, occurrences, self.groups).astype(np.float64)

    def canonical(self) -> Self:
        """Entries of nothing dropped, and words that nobody uses."""
        seen, full = self, (self.count != 0) | (self.documents != 0)
        if not full.all():
            until = np.concatenate([[0], np.cumsum(full, dtype=np.int64)])
            seen = replace(self, ends=until[self.ends], **self._entries(full))
        used = np.zeros(len(self.words), dtype=np.bool_)
        used[seen.places] = True
        if used.all():
            return seen
        places = (np.cumsum(used, dtype=np.int32) - np.int32(1))[seen.places]
        return replace(seen, words=self.words.taken(np.flatnonzero(used)), places=places)

    def aligned(self, other: Self) -> tuple[Self, Self]:
        union, mine, its = self._united(other)

        def over(seen: Self, index: Ints) -> Self:
            wide: dict[str, Any] = {}
            for name in ("count", "documents"):
                entries = getattr(seen, name)
                wide[name] = np.zeros(len(union["places"]), entries.dtype)
                wide[name][index] = entries
            return replace(seen, **union, **wide)

        return over(self, mine), over(other, its)

    def over(self, words: Words) -> Self:
        """The counts of these words and no others, also of those that nobody uses."""
        place = words.numbers_of(self.words)
        known = place[self.places] < len(words)
        until = np.concatenate([[0], np.cumsum(known, dtype=np.int64)])
        entries = self._entries(known)
        places = place[entries.pop("places")].astype(np.int32)
        return replace(self, words=words, ends=until[self.ends], places=places, **entries)

    def merged(self) -> Self:
        """All classes as one."""
        everything = np.arange(len(self.words), dtype=np.int32)
        sums = self.weight.sum(keepdims=True), self.words, np.array([len(everything)]), everything
        return type(self)(*sums, self.by_word("count"), self.by_word("documents")).canonical()

    def _each_group(self, change: Callable[[Array], Array]) -> Self:
        lengths = np.diff(self.ends, prepend=0)
        begins, lengths = change(self.ends - lengths), change(lengths)
        ends = np.cumsum(lengths)
        index = np.repeat(begins - (ends - lengths), lengths) + np.arange(ends[-1] if len(ends) else 0)
        return replace(self, weight=change(self.weight), ends=ends, **self._entries(index))

    def _fullest(self) -> Array:
        """The documents of the word that is in most of them (k,)."""
        most = np.zeros(self.groups, dtype=self.documents.dtype)
        np.maximum.at(most, self.owners, self.documents)
        return most

    def _entries(self, index: Array) -> dict[str, Any]:
        return {name: getattr(self, name)[index] for name in ("places", "count", "documents")}

    def _united(self, other: Self) -> tuple[dict[str, Any], Ints, Ints]:
        """The words and entries of both, and where the entries of each stand among them."""
        words, places, its_places = self.words, self.places, other.places
        if words != other.words:
            words, place, its_place = words.united(other.words)
            places, its_places = place.astype(np.int32)[places], its_place.astype(np.int32)[its_places]
        mine, its = np.empty(len(places), dtype=np.int64), np.empty(len(its_places), dtype=np.int64)
        union, ends = np.empty(len(mine) + len(its), dtype=np.int32), np.empty(self.groups, dtype=np.int64)
        given = frozen(self.ends), frozen(places), frozen(other.ends), frozen(its_places)
        kernels.united_entries(*given, mine, its, union, ends)
        return {"words": words, "ends": ends, "places": union[: ends[-1] if len(ends) else 0].copy()}, mine, its


def _visits(membership: Membership) -> tuple[Ints, Ints, Array]:
    """The documents in the order in which they are counted, where each class's end, and what each weighs then.

    With shares every class visits all documents.
    """
    if membership.shares is not None:
        n, k = membership.shares.shape
        return np.tile(np.arange(n), k), np.arange(1, k + 1) * n, membership.shares.T.ravel()
    assert membership.labels is not None
    order = np.argsort(membership.labels, kind="stable")
    order = order[np.searchsorted(membership.labels[order], 0) :]
    ends = np.searchsorted(membership.labels[order], np.arange(membership.groups), side="right")
    weight = np.ones(len(order), np.int64) if membership.weight is None else membership.weight[order]
    return order, ends, weight
