"""Words in a table, to look up those of new documents."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from likely.data.text.documents import packed
from likely.data.text.tokenizer import Tokenizer, alphabet, longest, most_tokens, secret_seed, word_characters
from likely.numeric.arrays import Array, Ints, frozen
from likely.numeric.kernels.texts import tokens as kernels
from likely.statistics.counting.words import Words


@dataclass(frozen=True)
class TermTable:
    """Which words of a list a document holds; a word that is not in the list has the number len(words).

    >>> table = TermTable(Words.of(["blue", "dog"]), Tokenizer())
    >>> table.find(["a dog, a cat, a dog"])
    (array([1, 2, 1], dtype=int32), array([3]))
    """

    words: Words
    tokenizer: Tokenizer

    def find(self, documents: list[str]) -> tuple[Array, Ints]:
        """Numbers of words, and where those of each document end."""
        if not self.tokenizer.plain:
            return self.find_apart(documents, apart=False)
        text, ends, plain = packed(documents, self.tokenizer.lowercase)
        ids, token_ends = np.empty(most_tokens(text, ends), dtype=np.int32), np.empty(len(ends), dtype=np.int64)
        scratch = np.empty((longest(ends) if len(ends) > 1 else text.size) + 1, dtype=np.uint8)
        state = np.array([0, 0, 0, len(self.words)])
        letters, term_ends, firsts, slots, seed = self._table
        given = frozen(text), frozen(ends), alphabet(self.tokenizer.lowercase), word_characters(plain)
        kernels.tokenize(*given, slots, letters, term_ends, firsts, scratch, ids, token_ends, state, False, seed)
        return ids[: state[kernels.TOKENS]], token_ends

    def find_apart(self, documents: list[str], apart: bool = True) -> tuple[Array, Ints]:
        """As `find`, but with `apart` words that are not in the list have numbers of their own, from len(words) up."""
        tokens = self.tokenizer.tokens(documents)
        number = self.words.numbers_of(tokens.words)
        if not apart:
            number = np.minimum(number, np.int32(len(self.words)))
        return number[tokens.ids], tokens.ends

    @cached_property
    def _table(self) -> tuple[Array, Array, Array, Array, np.uint64]:
        size = 1 << max(4, (3 * len(self.words)).bit_length())
        slots = np.zeros(size, dtype=np.uint64)
        letters, term_ends = np.array(self.words.letters, dtype=np.uint8), np.array(self.words.ends, dtype=np.int64)
        firsts = np.empty(len(self.words), dtype=np.uint64)
        seed = secret_seed()
        kernels.place_terms(letters, term_ends, len(self.words), slots, firsts, seed)
        return letters, term_ends, firsts, slots, seed
