"""Tokens: equal to scikit-learn's for any text, sorted, and found again in a table."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from likely.data.text import ENGLISH, WORDS_OF_TWO, TermTable, Tokenizer, batches, read_documents
from likely.errors import InputError, InputTypeError
from likely.statistics.counting.words import Tokens, Words

SCRIPTS = (
    "the Quick BROWN_fox 42 x1",
    "naïve Straße ΣΊΣΥΦΟΣ ΑΣ. İstanbul ıŞIK Kelvin ﬁne ǅ",
    "مرحبا بالعالم שלום עולם",
    "日本語のテキスト 中文，標點。한국어",
    "क्षत्रिय हिन्दी ไทย e\u0301te\u0301 n\u0303",
    "👍🏽 ok👨‍👩‍👧ok 🇩🇪 \U0001d400\U0001d401 ²³ ½ Ⅷ",
    "\ud800ab\udfff cd\udc80ef \x00nul\x00byte \x1f\x7f\x85\xa0nbsp\u200bzero\u2028line\ufeffbom",
)
CHARACTERS = st.one_of(
    st.characters(),  # any code point
    st.characters(categories=["Cs"]),  # lone surrogates
    st.sampled_from(sorted(set("".join(SCRIPTS)))),
    st.sampled_from(" ._aB9\n"),
)
TEXTS = st.lists(st.text(CHARACTERS, max_size=40), min_size=1, max_size=6)


def words_of(tokens: Tokens) -> list[list[str]]:
    words = tokens.words.tolist()
    starts = [0, *tokens.ends[:-1].tolist()]
    return [[words[t] for t in tokens.ids[a:b]] for a, b in zip(starts, tokens.ends.tolist(), strict=True)]


@settings(max_examples=300)
@given(TEXTS, st.booleans())
@example(list(SCRIPTS), True)
@example(list(SCRIPTS), False)
@example(["", " ", "a", "_", "aa"], True)
def test_the_tokens_are_those_of_scikit_learn(documents: list[str], lowercase: bool) -> None:
    analyse = CountVectorizer(lowercase=lowercase).build_analyzer()
    tokens = Tokenizer(lowercase=lowercase).tokens(documents)
    assert words_of(tokens) == [analyse(text) for text in documents]
    assert tokens.words.tolist() == sorted(set(tokens.words.tolist()))


@settings(max_examples=100)
@given(TEXTS, st.sampled_from([r"(?u)\b\w+\b", r"\w(\w+)", r"[^\s]+", r"."]), st.sampled_from([(1, 1), (1, 2), (2, 3)]))
def test_other_patterns_and_runs_of_words_are_those_of_scikit_learn(
    documents: list[str], pattern: str, ngrams: tuple[int, int]
) -> None:
    stop = ["aa", "the"]
    analyse = CountVectorizer(token_pattern=pattern, ngram_range=ngrams, stop_words=stop).build_analyzer()
    tokens = Tokenizer(pattern=pattern, ngrams=ngrams, stop_words=frozenset(stop)).tokens(documents)
    assert words_of(tokens) == [analyse(text) for text in documents]


def test_every_code_point_is_told_from_its_neighbours() -> None:
    everything = ["".join(f"a{chr(c)}b " for c in range(start, start + 4096)) for start in range(0, 0x110000, 4096)]
    found = words_of(Tokenizer(lowercase=False).tokens(everything))
    assert found == [re.findall(WORDS_OF_TWO, text) for text in everything]


def test_stop_words_are_dropped_and_the_english_list_is_the_known_one() -> None:
    assert ENGLISH == ENGLISH_STOP_WORDS
    documents = ["The cat and the dog", "the of and", "", "cat THE"]
    analyse = CountVectorizer(stop_words="english").build_analyzer()
    tokens = Tokenizer(stop_words=ENGLISH).tokens(documents)
    assert words_of(tokens) == [analyse(text) for text in documents] == [["cat", "dog"], [], [], ["cat"]]
    assert tokens.words.tolist() == ["cat", "dog"]


def test_the_table_grows_with_the_vocabulary() -> None:
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 60_000, 200_000)
    documents = [" ".join(f"w{i}" for i in part) for part in np.array_split(numbers, 50)]
    tokens = Tokenizer().tokens(documents)
    assert tokens.words.tolist() == sorted({f"w{i}" for i in numbers})
    assert [word for row in words_of(tokens) for word in row] == [f"w{i}" for i in numbers]


def test_one_text_of_fifty_million_characters() -> None:
    tokens = Tokenizer().tokens(["Ham spam eggs, " * 3_340_000 + "x" * 1_000_000])
    assert tokens.words.tolist() == ["eggs", "ham", "spam", "x" * 1_000_000]
    assert np.bincount(tokens.ids).tolist() == [3_340_000, 3_340_000, 3_340_000, 1]


@given(TEXTS, TEXTS)
def test_a_table_finds_its_words_and_no_others(known: list[str], asked: list[str]) -> None:
    words = Tokenizer().tokens(known).words
    table = TermTable(words, Tokenizer())
    place = {word: number for number, word in enumerate(words.tolist())}
    expected = [place.get(w, len(place)) for text in asked for w in re.findall(WORDS_OF_TWO, text.lower())]
    ids, ends = table.find(asked)
    assert ids.tolist() == expected
    apart, ends_apart = table.find_apart(asked)
    assert ends_apart.tolist() == ends.tolist()
    assert np.minimum(apart, len(place)).tolist() == expected
    new = {w for text in asked for w in re.findall(WORDS_OF_TWO, text.lower())} - set(place)
    assert len(set(apart[apart >= len(place)].tolist())) == len(new)


@given(st.sets(st.text(st.sampled_from("ab\x00é\U0001f600\ud800"), max_size=20), max_size=30))
def test_words_sort_as_python_sorts_texts(words: set[str]) -> None:
    shuffled = Words.in_order(list(words))
    assert shuffled.taken(shuffled.sorting()).tolist() == sorted(words)


@given(st.sets(st.text("ab", max_size=12), max_size=20), st.sets(st.text("ab", max_size=12), max_size=20))
def test_the_union_of_words(a: set[str], b: set[str]) -> None:
    union, mine, its = Words.of(a).united(Words.of(b))
    assert union.tolist() == sorted(a | b)
    assert [union.tolist()[i] for i in mine] == sorted(a)
    assert [union.tolist()[i] for i in its] == sorted(b)
    assert union == Words.of(a | b)
    assert hash(union) == hash(Words.of(a | b))
    assert (Words.of(a) == Words.of(b)) == (a == b)


TWO = ["a cat", "ein Hündchen"]


@pytest.mark.parametrize(
    "X",
    [
        TWO,
        tuple(TWO),
        iter(TWO),
        np.array(TWO),
        np.array(TWO, dtype=object),
        np.array(TWO)[:, None],
        np.array(TWO, dtype=np.dtypes.StringDType()),
        pd.Series(TWO),
        pd.Series(TWO, dtype="string[pyarrow]"),
        pd.DataFrame({"text": TWO}),
        pl.Series(TWO),
        pl.DataFrame({"text": TWO}),
        pl.LazyFrame({"text": TWO}),
        pa.array(TWO),
        pa.chunked_array([TWO[:1], TWO[1:]]),
        pa.table({"text": TWO}),
        {"text": TWO},
    ],
    ids=lambda X: f"{type(X).__module__}.{type(X).__name__}",
)
def test_texts_come_in_many_containers(X: object) -> None:
    assert read_documents(X) == TWO


@pytest.mark.parametrize(
    "X",
    [
        ["a", None],
        pd.Series(["a", np.nan]),
        pl.Series(["a", None]),
        pd.Series(["a", None], dtype="string"),
    ],
    ids=lambda X: f"{type(X).__module__}.{type(X).__name__}",
)
def test_a_missing_text_is_none(X: object) -> None:
    assert read_documents(X) == ["a", None]


@pytest.mark.parametrize(
    ("X", "problem"),
    [
        ("one text", "put it in a list"),
        (["a", b"bytes"], "decode it"),
        ([["a"], ["b"]], "row 0 holds"),
        (["a", 3], "row 1 holds 3"),
        ([], "no text"),
        (7, "got int"),
        (np.array([["a", "b"]]), r"shape \(1, 2\)"),
        (pl.DataFrame({"a": ["x"], "b": ["y"]}), "2 columns"),
    ],
)
def test_what_is_no_text_is_refused(X: object, problem: str) -> None:
    with pytest.raises((InputError, InputTypeError), match=problem):
        read_documents(X)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"pattern": "("}, "not a regular expression"),
        ({"pattern": "(a)(b)"}, "2 groups"),
        ({"pattern": None}, "regular expression as text"),
        ({"ngram_range": (2, 1)}, "ngram_range"),
        ({"ngram_range": 2}, "a pair"),
        ({"stop_words": "german"}, "choose None"),
        ({"stop_words": [1]}, "list of words"),
        ({"stop_words": 5}, "list of words"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, object], problem: str) -> None:
    usual = {"lowercase": True, "pattern": WORDS_OF_TWO, "ngram_range": (1, 1), "stop_words": None}
    with pytest.raises((InputError, InputTypeError), match=problem):
        Tokenizer.of(**{**usual, **options})


def test_batches_hold_a_few_million_characters_and_every_document_once() -> None:
    documents = ["x" * 1_500_000, "", "y" * 9_000_000, "z", "", "w" * 3_000_000]
    spans = list(batches(documents))
    assert [i for a, b in spans for i in range(a, b)] == list(range(len(documents)))
    assert len(spans) > 1
