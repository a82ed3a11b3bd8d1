r"""Tokens of documents, as scikit-learn's CountVectorizer has them.

A token is what the pattern matches in the text in lower case; the usual pattern `(?u)\b\w\w+\b` means runs of at least
two letters, digits and underscores, and is carried out by a kernel. Other patterns and n-grams (n words in a row,
joined by a space) go through Python's regular expressions. Stop words are dropped before n-grams are made. Accents are
taken off after the text is put in lower case. For other terms than words see `analyzers`.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, Self

import numpy as np

from likely.data.text.analyzers import character_runs, check_analyzer, own_terms, runs_in_words, without_accents
from likely.data.text.documents import batches, packed
from likely.data.text.stop_words import ENGLISH
from likely.errors import InputError, InputTypeError
from likely.numeric.arrays import Array, frozen
from likely.numeric.kernels.texts import tokens as kernels
from likely.statistics.counting.words import Tokens, Words, joined

WORDS_OF_TWO = r"(?u)\b\w\w+\b"
LONGEST_RUN = 20  # words of an n-gram: a text of n words has n of each length
_FEWEST_SLOTS = 1 << 14  # a power of two


@dataclass(frozen=True)
class Tokenizer:
    """How texts are cut into terms: words of at least two letters, digits or underscores, unless `pattern` is another.

    >>> Tokenizer().tokens(["The blue dog ate a blue biscuit."]).words
    Words(['ate', 'biscuit', 'blue', 'dog', 'the'])
    >>> Tokenizer(stop_words=frozenset(["the"]), ngrams=(2, 2)).terms("The blue dog")
    ['blue dog']
    """

    lowercase: bool = True
    pattern: str = WORDS_OF_TWO
    ngrams: tuple[int, int] = (1, 1)
    stop_words: frozenset[str] = frozenset()
    analyzer: Any = "word"  # "char", "char_wb", or a function from a text to its terms
    tokenizer: Callable[[str], Any] | None = None  # from a text to its words, in place of the pattern
    strip_accents: Any = None  # "ascii", "unicode" or a function

    @classmethod
    def of(
        cls,
        lowercase: Any,
        pattern: Any,
        ngram_range: Any,
        stop_words: Any,
        analyzer: Any = "word",
        tokenizer: Any = None,
        strip_accents: Any = None,
    ) -> Self:
        """From the parameters of an estimator, checked."""
        check_analyzer(analyzer, tokenizer, strip_accents)
        words = bool(lowercase), _pattern(pattern), _ngrams(ngram_range), _stop_words(stop_words)
        return cls(*words, analyzer, tokenizer, strip_accents)

    @property
    def plain(self) -> bool:
        """Whether the kernel cuts the texts."""
        of_words = self.analyzer == "word" and self.tokenizer is None and self.strip_accents is None
        return of_words and self.pattern == WORDS_OF_TWO and self.ngrams == (1, 1)

    def terms(self, text: str) -> list[str]:
        """The terms of one text, in order."""
        if callable(self.analyzer):
            return own_terms(self.analyzer, text, "the analyzer")
        text = text.lower() if self.lowercase else text
        if self.strip_accents is not None:
            text = without_accents(text, self.strip_accents)
        if self.analyzer != "word":
            return (character_runs if self.analyzer == "char" else runs_in_words)(text, *self.ngrams)
        if self.tokenizer is None:
            words = _compiled(self.pattern).findall(text)
        else:
            words = own_terms(self.tokenizer, text, "the tokenizer")
        if self.stop_words:
            words = [word for word in words if word not in self.stop_words]
        low, high = self.ngrams
        if high == 1:
            return words
        lengths = range(low, min(high, len(words)) + 1)
        runs = [zip(*(words[i:] for i in range(n)), strict=False) for n in lengths]
        return list(map(" ".join, chain.from_iterable(runs)))

    def tokens(self, documents: list[str]) -> Tokens:
        """The documents as numbers of words, which are sorted."""
        return self._by_kernel(documents) if self.plain and documents else self._by_python(documents)

    def _by_python(self, documents: list[str]) -> Tokens:
        found = [self.terms(text) for text in documents]
        words = sorted(set(chain.from_iterable(found)))
        place = {word: number for number, word in enumerate(words)}
        ends = np.cumsum(np.fromiter(map(len, found), np.int64, len(found)), dtype=np.int64)
        ids = np.fromiter(
            map(place.__getitem__, chain.from_iterable(found)), np.int32, int(ends[-1]) if len(ends) else 0
        )
        return Tokens(ids, ends, Words.in_order(words))

    def _by_kernel(self, documents: list[str]) -> Tokens:
        """In pieces: what a kernel needs beside the text is a few times as large as the text."""
        pieces = [self._cut(documents[start:stop]) for start, stop in batches(documents)]
        return pieces[0] if len(pieces) == 1 else joined(pieces)

    def _cut(self, documents: list[str]) -> Tokens:
        text, ends, plain = packed(documents, self.lowercase)
        seed = secret_seed()
        letters = np.empty(text.size + 1, dtype=np.uint8)
        ids = np.empty(most_tokens(text, ends), dtype=np.int32)
        token_ends = np.empty(len(ends), dtype=np.int64)
        scratch = np.empty(longest(ends) + 1, dtype=np.uint8)
        state = np.zeros(4, dtype=np.int64)
        slots, term_ends, firsts = _empty_table(_FEWEST_SLOTS)
        given = frozen(text), frozen(ends), alphabet(self.lowercase), word_characters(plain)
        while not kernels.tokenize(
            *given, slots, letters, term_ends, firsts, scratch, ids, token_ends, state, True, seed
        ):
            terms, before = int(state[kernels.TERMS]), term_ends
            slots, term_ends, firsts = _empty_table(4 * slots.size)
            term_ends[:terms] = before[:terms]
            kernels.place_terms(letters, term_ends, terms, slots, firsts, seed)
        ids = ids[: state[kernels.TOKENS]]
        ends_of_terms = term_ends[: state[kernels.TERMS]].copy()
        used = int(ends_of_terms[-1]) if len(ends_of_terms) else 0
        return self._sorted(Tokens(ids, token_ends, Words(letters[:used].copy(), ends_of_terms)))

    def _sorted(self, tokens: Tokens) -> Tokens:
        order = tokens.words.sorting()
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order), dtype=np.int32)
        sorted_tokens = Tokens(place[tokens.ids], tokens.ends, tokens.words.taken(order))
        return without(sorted_tokens, self.stop_words) if self.stop_words else sorted_tokens


@lru_cache(maxsize=1)
def secret_seed() -> np.uint64:
    """Of the hashes of words in this process; no result depends on it."""
    return np.uint64(int.from_bytes(os.urandom(8), "little"))


def without(tokens: Tokens, stop_words: frozenset[str]) -> Tokens:
    """The tokens but for stop words."""
    kept = np.fromiter((word not in stop_words for word in tokens.words.tolist()), np.bool_, len(tokens.words))
    place = np.cumsum(kept, dtype=np.int32) - np.int32(1)
    stays = kept[tokens.ids]
    until = np.concatenate([[0], np.cumsum(stays, dtype=np.int64)])
    return Tokens(place[tokens.ids[stays]], until[tokens.ends], tokens.words.taken(np.flatnonzero(kept)))


def most_tokens(text: Array, ends: Array) -> int:
    """A bound of the number of tokens: each has two bytes or more, and all but the last of a document a separator."""
    return (text.size + len(ends)) // 3 + 1


def longest(ends: Array) -> int:
    """The length of the longest document."""
    return int(np.diff(ends, prepend=0).max(initial=0))


def _empty_table(slots: int) -> tuple[Array, Array, Array]:
    """Slots, and room for the ends and beginnings of half as many words: it is never more than half full."""
    room = slots // 2
    return np.zeros(slots, dtype=np.uint64), np.empty(room, dtype=np.int64), np.empty(room, dtype=np.uint64)


@lru_cache(maxsize=2)
def alphabet(lowercase: bool) -> Array:
    """What a kernel makes of each byte: a letter, 0 for a separator, 1 where a longer character begins."""
    letters = np.zeros(256, dtype=np.uint8)
    for byte in range(128):
        character = chr(byte)
        if character.isalnum() or character == "_":
            letters[byte] = ord(character.lower() if lowercase else character)
    letters[128:] = 1
    return frozen(letters)


def word_characters(plain: bool) -> Array:
    r"""Which code points match `\w`; for plain ASCII the kernel does not ask."""
    return _nothing() if plain else _word_characters()


@lru_cache(maxsize=1)
def _nothing() -> Array:
    return frozen(np.zeros(1, dtype=np.bool_))


@lru_cache(maxsize=1)
def _word_characters() -> Array:
    points = np.arange(sys.maxunicode + 1, dtype=np.uint32)
    found = np.strings.isalnum(points.view("<U1" if sys.byteorder == "little" else ">U1"))
    found[ord("_")] = True
    return frozen(found)


@lru_cache(maxsize=16)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _pattern(pattern: object) -> str:
    if not isinstance(pattern, str):
        raise InputTypeError(f"token_pattern must be a regular expression as text, got {pattern!r:.60}")
    try:
        groups = re.compile(pattern).groups
    except (re.error, RecursionError, OverflowError) as error:
        raise InputError(f"the token pattern {pattern!r:.60} is not a regular expression: {error}") from error
    if groups > 1:
        raise InputError(
            f"the token pattern {pattern!r:.60} has {groups} groups; keep one, and write the others (?:...)"
        )
    return pattern


def _ngrams(ngram_range: Any) -> tuple[int, int]:
    try:
        low, high = ngram_range
    except (TypeError, ValueError):
        raise InputError(f"ngram_range is a pair such as (1, 2), got {ngram_range!r:.60}") from None
    if not all(isinstance(n, int | np.integer) for n in (low, high)) or not 1 <= low <= high:
        raise InputError(f"ngram_range must be two whole numbers, 1 <= low <= high, got {ngram_range!r:.60}")
    if high > LONGEST_RUN:
        raise InputError(
            f"ngram_range={ngram_range!r:.60} asks for runs of more than {LONGEST_RUN} words; a text has too many"
        )
    return int(low), int(high)


def _stop_words(stop_words: Any) -> frozenset[str]:
    if stop_words is None:
        return frozenset()
    if isinstance(stop_words, str):
        if stop_words == "english":
            return ENGLISH
        raise InputError(f"unknown stop_words={stop_words!r}; choose None, 'english' or a list of words")
    words = list(stop_words) if isinstance(stop_words, Iterable) else [stop_words]
    if not all(isinstance(word, str) for word in words):
        raise InputTypeError(f"stop_words must be None, 'english' or a list of words, got {stop_words!r:.60}")
    return frozenset(words)
