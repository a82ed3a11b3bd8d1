"""Codes from probabilities: how short the words of a code may be, and the code that is shortest.

    Kraft      words that are no beginnings of each other exist just if sum_i 2^(-length_i) <= 1
    Shannon    length_i = ceil(-log2 p_i)
    Huffman    merge the two least probable symbols into one, again and again: no such code is shorter on average
    bound      entropy <= mean length of Huffman <= mean length of Shannon < entropy + 1; both codes reach the entropy
               where all p_i are powers of 1/2

Words are canonical: in the order of their lengths, symbols of one length in their given order, each word the last one
plus 1. Of equal weights Huffman merges single symbols before merged ones, and earlier before later, which keeps the
longest word as short as it can be. A symbol of probability 0 never occurs and has no word.

Every word has at least one bit, so that bits tell how often a symbol comes. The bound is therefore one for two symbols
or more: an only one has entropy 0 and a word of one bit.
"""

import heapq
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import frexp, fsum, log2

import numpy as np

from likely.data.printing.text_table import aligned
from likely.errors import InputError
from likely.probability.given import ProbabilitiesLike, read_distribution


@dataclass(frozen=True)
class Code:
    """A prefix code: words for symbols, none the beginning of another; made by `huffman` or `shannon`.

    >>> code = huffman({"a": 0.5, "b": 0.25, "c": 0.25})
    >>> code.words, code.mean_length, code.entropy, code.kraft_sum
    ({'a': '0', 'b': '10', 'c': '11'}, 1.5, 1.5, 1.0)
    """

    probabilities: Mapping[Hashable, float]  # of the symbols that occur
    lengths: Mapping[Hashable, int]  # bits of each word

    def __post_init__(self) -> None:
        if any(length == 0 for length in self.lengths.values()):
            raise InputError("a word of no bits cannot be told from nothing; every word has at least one")
        if kraft_sum(self.lengths.values()) > 1:
            raise InputError(
                f"no code has words of the lengths {list(self.lengths.values())}: their Kraft sum is above 1"
            )

    @cached_property
    def words(self) -> dict[Hashable, str]:
        """The canonical words, as texts of 0 and 1."""
        words: dict[Hashable, str] = {}
        code, last = 0, 0
        for symbol, length in sorted(self.lengths.items(), key=lambda item: item[1]):
            code <<= length - last
            words[symbol] = f"{code:0{length}b}"
            code, last = code + 1, length
        return {symbol: words[symbol] for symbol in self.lengths}

    @property
    def mean_length(self) -> float:
        """Bits per symbol."""
        return fsum(p * self.lengths[symbol] for symbol, p in self.probabilities.items())

    @property
    def entropy(self) -> float:
        """The bound that no code is below, in bits."""
        return max(fsum(-p * log2(p) for p in self.probabilities.values()), 0.0)

    @property
    def redundancy(self) -> float:
        """Bits per symbol above the entropy."""
        return max(self.mean_length - self.entropy, 0.0)

    @property
    def kraft_sum(self) -> float:
        """1 where no word could be shorter without another becoming longer."""
        return kraft_sum(self.lengths.values())

    def encode(self, symbols: Iterable[Hashable]) -> str:
        """The words of symbols, one after the other.

        >>> huffman({"a": 0.5, "b": 0.25, "c": 0.25}).encode("abac")
        '010011'
        """
        out = []
        for symbol in symbols:
            if symbol not in self.words:
                raise InputError(f"{symbol!r} has no word in this code: it has probability 0")
            out.append(self.words[symbol])
        return "".join(out)

    def decode(self, bits: str) -> list[Hashable]:
        """The symbols of a text of 0 and 1.

        >>> huffman({"a": 0.5, "b": 0.25, "c": 0.25}).decode("010011")
        ['a', 'b', 'a', 'c']
        """
        symbol_of = {word: symbol for symbol, word in self.words.items()}
        found: list[Hashable] = []
        word = ""
        for bit in bits:
            word += bit
            if word in symbol_of:
                found.append(symbol_of[word])
                word = ""
        if word:
            raise InputError(f"the bits end with {word!r:.40}, which is no word of this code")
        return found

    def __str__(self) -> str:
        rows = [[str(symbol), f"{self.probabilities[symbol]:.4f}", word] for symbol, word in self.words.items()]
        return "\n".join(
            [aligned(rows, left=(0, 1, 2)), f"{self.mean_length:.4f} bits a symbol, entropy {self.entropy:.4f}"]
        )


def huffman(probabilities: ProbabilitiesLike) -> Code:
    """Huffman's code, of the least mean length, for a mapping from symbol to probability or a list of probabilities.

    >>> print(huffman({"a": 0.4, "b": 0.3, "c": 0.2, "d": 0.1}))
    a  0.4000  0
    b  0.3000  10
    c  0.2000  110
    d  0.1000  111
    1.9000 bits a symbol, entropy 1.8464
    >>> huffman({"a": 1.0}).encode("aaa")
    '000'
    """
    p = _occurring(probabilities)
    symbols = list(p)
    depth = np.zeros(len(p), dtype=np.int64)
    # a heap of (weight, whether merged, order, places of its symbols)
    heap = [(weight, 0, i, [i]) for i, weight in enumerate(p.values())]
    heapq.heapify(heap)
    order = len(heap)
    while len(heap) > 1:
        a, _, _, left = heapq.heappop(heap)
        b, _, _, right = heapq.heappop(heap)
        depth[left + right] += 1
        heapq.heappush(heap, (a + b, 1, order, left + right))
        order += 1
    return Code(p, dict(zip(symbols, np.maximum(depth, 1).tolist(), strict=True)))


def shannon(probabilities: ProbabilitiesLike) -> Code:
    """Shannon's code, with words of the length ceil(-log2 p), and of at least one bit.

    >>> list(shannon([0.4, 0.3, 0.2, 0.1]).lengths.values())
    [2, 2, 3, 4]
    """
    p = _occurring(probabilities)
    return Code(p, {symbol: max(_ceil_bits(weight), 1) for symbol, weight in p.items()})


def shannon_lengths(probabilities: ProbabilitiesLike) -> dict[Hashable, int]:
    """Bits ceil(-log2 p) of each symbol that occurs, exact at powers of 1/2; 0 for what is certain.

    >>> shannon_lengths([0.5, 0.25, 0.25])
    {0: 1, 1: 2, 2: 2}
    """
    return {symbol: _ceil_bits(weight) for symbol, weight in _occurring(probabilities).items()}


def kraft_sum(lengths: Iterable[int]) -> float:
    """The Kraft sum of 2^(-length): a prefix code with words of these lengths exists just if it is at most 1.

    Parameters
    ----------
    lengths : of the words, in bits

    >>> kraft_sum([1, 2, 3, 3]), kraft_sum([1, 1, 2])
    (1.0, 1.25)
    """
    bits = list(lengths)
    if any(length != int(length) or length < 0 for length in bits):
        raise InputError(f"lengths of words are whole numbers from 0, got {bits!r:.60}")
    # summed as whole numbers: nothing is rounded before the end, however long the words are
    longest = max(bits, default=0)
    return sum(1 << int(longest - length) for length in bits) / (1 << int(longest))


def _occurring(probabilities: ProbabilitiesLike) -> dict[Hashable, float]:
    symbols, p = read_distribution(probabilities)
    return {symbol: weight for symbol, weight in zip(symbols, p.tolist(), strict=True) if weight > 0}


def _ceil_bits(p: float) -> int:
    """Of p = m 2^e with m from 1/2 to below 1, -log2 p lies above -e and is at most 1 - e."""
    return 1 - frexp(p)[1]
