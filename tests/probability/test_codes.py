"""Codes: no code is shorter than Huffman's, none longer than it may be, and what is told can be read."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likely.errors import InputError
from likely.probability import Code, entropy, huffman, kraft_sum, shannon, shannon_lengths

counts = st.lists(st.integers(1, 10_000), min_size=1, max_size=40)


def shares(n):
    return [x / sum(n) for x in n]


@given(counts.filter(lambda n: len(n) > 1))
def test_mean_lengths_keep_to_the_bound(n):
    p = shares(n)
    bound = float(entropy(p))
    best, plain = huffman(p), shannon(p)
    assert bound - 1e-12 <= best.mean_length <= plain.mean_length + 1e-12 < bound + 1
    assert best.entropy == pytest.approx(bound, abs=1e-12)
    assert best.kraft_sum == 1.0
    assert plain.kraft_sum <= 1.0


@given(counts)
def test_words_are_no_beginnings_of_each_other(n):
    for code in (huffman(shares(n)), shannon(shares(n))):
        words = list(code.words.values())
        assert [len(word) for word in words] == list(code.lengths.values())
        assert len(set(words)) == len(words)
        assert not any(b.startswith(a) for a, b in itertools.permutations(words, 2))


@given(counts, st.data())
def test_messages_are_read_as_they_were_told(n, data):
    message = data.draw(st.lists(st.integers(0, len(n) - 1), max_size=50))
    for code in (huffman(shares(n)), shannon(shares(n))):
        assert code.decode(code.encode(message)) == message


def complete_lengths(k):
    """All sorted lists of lengths of k words with Kraft sum 1, by splitting one word after another."""
    found = {(0,)}
    for _ in range(k - 1):
        found = {
            tuple(sorted([*lengths[:i], *lengths[i + 1 :], lengths[i] + 1, lengths[i] + 1]))
            for lengths in found
            for i in range(len(lengths))
        }
    return found


@given(st.lists(st.integers(1, 50), min_size=2, max_size=6))
def test_no_code_is_shorter(n):
    falling = sorted(n, reverse=True)
    least = min(sum(a * b for a, b in zip(falling, lengths, strict=True)) for lengths in complete_lengths(len(n)))
    code = huffman(shares(n))
    assert sum(a * b for a, b in zip(n, code.lengths.values(), strict=True)) == least


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_powers_of_one_half_reach_the_entropy(splits):
    lengths = [0]
    for split in splits:  # split words until the code is any complete one
        lengths = sorted(lengths)
        at = split % len(lengths)
        lengths[at : at + 1] = [lengths[at] + 1] * 2
    p = [2.0**-length for length in lengths]
    for code in (huffman(p), shannon(p)):
        assert list(code.lengths.values()) == lengths
        assert code.mean_length == code.entropy
        assert code.redundancy == 0.0


def test_equal_weights_make_short_words():
    # Merging the merged first would give lengths 1, 2, 3, 4, 4, which is as short on average.
    code = huffman([0.4, 0.2, 0.2, 0.1, 0.1])
    assert list(code.lengths.values()) == [2, 2, 2, 3, 3]
    assert code.mean_length == pytest.approx(2.2)
    assert huffman([0.25] * 4).words == {0: "00", 1: "01", 2: "10", 3: "11"}


def test_what_never_occurs_has_no_word():
    code = huffman({"a": 0.5, "b": 0.0, "c": 0.5})
    assert code.words == {"a": "0", "c": "1"}
    with pytest.raises(InputError, match="'b' has no word"):
        code.encode("ab")


def test_an_only_symbol_takes_one_bit_so_that_it_can_be_counted():
    for code in (huffman({"a": 1.0}), shannon({"a": 1.0, "b": 0.0})):
        assert code.words == {"a": "0"}
        assert (code.mean_length, code.entropy, code.redundancy) == (1.0, 0.0, 1.0)
        assert code.decode(code.encode("aaa")) == ["a", "a", "a"]
        with pytest.raises(InputError, match="no word of this code"):
            code.decode("01")
    with pytest.raises(InputError, match="at least one"):
        Code({"a": 1.0}, {"a": 0})


def test_what_is_all_but_certain_takes_one_bit_too():
    code = shannon({"a": 1.0, "b": 1e-300})
    assert code.decode(code.encode("aba")) == ["a", "b", "a"]
    assert shannon_lengths({"a": 1.0, "b": 1e-300})["a"] == 0


@given(st.floats(1e-300, 1.0))
def test_shannon_lengths_are_the_next_whole_number(p):
    rest = 1.0 - p
    lengths = shannon_lengths([p, rest])
    assert 2.0 ** -lengths[0] <= p < 2.0 ** (1 - lengths[0])


def test_kraft():
    assert kraft_sum([]) == 0.0
    assert kraft_sum([*range(1, 2001), 2000]) == 1.0
    assert kraft_sum([1, 2000]) == 0.5
    with pytest.raises(InputError, match="whole numbers"):
        kraft_sum([1, -1])
    with pytest.raises(InputError, match="Kraft sum is above 1"):
        Code({"a": 0.5, "b": 0.3, "c": 0.2}, {"a": 1, "b": 1, "c": 2})


def test_bits_that_are_no_message():
    code = huffman({"a": 0.5, "b": 0.25, "c": 0.25})
    with pytest.raises(InputError, match="no word"):
        code.decode("01")


def test_a_large_alphabet_is_quick():
    p = 1.0 / np.arange(1, 20_001)
    code = huffman(p / p.sum())
    assert code.entropy <= code.mean_length < code.entropy + 1
    assert code.kraft_sum == 1.0


def test_probabilities_are_checked():
    with pytest.raises(InputError, match="sum to"):
        huffman([0.5, 0.4])
    with pytest.raises(InputError, match="plain list"):
        huffman([[0.5, 0.5]])
