from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from likely import TextBayes
from likely.data import bag_of_words, tokenize, vocabulary
from likely.data.bundled import emails
from likely.data.text.bag_of_words import WORD
from likely.errors import InputError, InputTypeError

texts = st.lists(st.text(st.sampled_from("aAbB é_1Ω ß İ.,-\n'\u0301"), max_size=30), min_size=1, max_size=6)
PROSE = [
    "The blue dog ate a blue biscuit.",
    "",
    "Don't panic: it's 42, isn't it? Naïve CAFÉ_society — naïve!",
    "a a a   a",
]


@given(texts, st.booleans())
def test_counts_agree_with_scikit_learn(documents, lowercase):
    counts, words = bag_of_words(documents, lowercase=lowercase)
    try:
        theirs = CountVectorizer(token_pattern=WORD, lowercase=lowercase).fit(documents)
    except ValueError:  # it refuses documents without any word
        assert words == () and counts.shape == (len(documents), 0)
        return
    assert list(words) == theirs.get_feature_names_out().tolist()
    assert np.array_equal(counts.toarray(), theirs.transform(documents).toarray())


@pytest.mark.parametrize("binary", [False, True])
def test_stop_words_agree_with_scikit_learn(binary):
    stop = ["the", "a", "it"]
    counts, words = bag_of_words(PROSE, stop_words=stop, binary=binary)
    theirs = CountVectorizer(token_pattern=WORD, stop_words=stop, binary=binary).fit(PROSE)
    assert list(words) == theirs.get_feature_names_out().tolist() == list(vocabulary(PROSE, stop))
    assert np.array_equal(counts.toarray(), theirs.transform(PROSE).toarray())


@given(texts)
def test_a_bag_holds_the_tokens(documents):
    counts, words = bag_of_words(documents)
    for row, document in zip(counts.toarray(), documents, strict=True):
        assert Counter(tokenize(document)) == {word: n for word, n in zip(words, row.tolist(), strict=True) if n}
    bits, _ = bag_of_words(documents, binary=True)
    assert np.array_equal(bits.toarray(), counts.toarray() > 0)
    assert vocabulary(documents) == words == tuple(sorted(words))


def test_the_matrix_is_canonical():
    counts, _ = bag_of_words(PROSE)
    assert counts.format == "csr" and counts.dtype == np.int64
    assert counts.has_sorted_indices and (counts.data > 0).all()
    assert bag_of_words([])[0].shape == (0, 0)


def test_a_vocabulary_given_keeps_its_order_and_skips_the_rest():
    counts, words = bag_of_words(["b z a b e"], vocabulary=["e", "b", "q"])
    assert words == ("e", "b", "q")
    assert counts.toarray().tolist() == [[1, 2, 0]]


def test_case_and_pattern_are_the_users():
    assert tokenize("One two", lowercase=False) == ["One", "two"]
    assert vocabulary(["The the"], stop_words=["THE"]) == ()
    assert vocabulary(["The the"], stop_words=["The"], lowercase=False) == ("the",)


def test_english_stop_words_are_those_of_text_models():
    texts = ["The money is free", "lunch at noon"]
    told = TextBayes(stop_words="english").fit(texts, ["spam", "ham"]).vocabulary_
    assert vocabulary(texts, "english") == bag_of_words(texts, stop_words="english")[1] == tuple(told)
    with pytest.raises(InputError, match="'the' is in the vocabulary and among the stop words"):
        bag_of_words(texts, vocabulary=["the"], stop_words="english")
    assert tokenize("a-b c", pattern=r"[^ ]+") == ["a-b", "c"]
    assert tokenize("a1 b2", pattern=r"\b(\w)\d") == ["a", "b"]
    assert tokenize("a bc def", pattern=r"(?u)\b\w\w+\b") == ["bc", "def"]  # scikit-learn's default
    assert bag_of_words(["x-y X"], pattern=r"\S+")[1] == ("x", "x-y")
    assert vocabulary(["x-y X"], pattern=r"\S+", lowercase=False) == ("X", "x-y")


def test_the_word_learner_of_the_emails():
    """EX-GEN-10 and EX-GEN-25: totals per class with and without stop words."""
    data = emails()
    texts, spam = [text for (text,) in data.rows], data.y == "spam"
    counts, words = bag_of_words(texts, stop_words=["d", "e"])
    bits, _ = bag_of_words(texts, stop_words=["d", "e"], binary=True)
    assert words == ("a", "b", "c")
    assert counts.toarray()[spam].sum(axis=0).tolist() == [5, 9, 3]
    assert counts.toarray()[~spam].sum(axis=0).tolist() == [11, 3, 3]
    assert bits.toarray()[spam].sum(axis=0).tolist() == [2, 3, 1]
    assert bits.toarray()[~spam].sum(axis=0).tolist() == [3, 1, 1]
    every, all_words = bag_of_words(texts)
    assert all_words == ("a", "b", "c", "d", "e")
    assert [int(every.toarray()[group].sum()) for group in (spam, ~spam)] == [33, 30]
    assert bag_of_words(["b z a b e"], vocabulary=all_words)[0].sum() == 4


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: tokenize(None), InputTypeError, "a document is a text, got NoneType"),
        (lambda: bag_of_words(["a", 3]), InputTypeError, "got int"),
        (lambda: bag_of_words("a b"), InputTypeError, "put it in a list"),
        (lambda: vocabulary("a b"), InputTypeError, "put it in a list"),
        (lambda: vocabulary(["a"], stop_words="the"), InputTypeError, "put it in a list"),
        (lambda: bag_of_words(["a"], vocabulary="abc"), InputTypeError, "put it in a list"),
        (lambda: bag_of_words(["a"], vocabulary=["a", "a"]), InputError, "'a' twice"),
        (lambda: bag_of_words(["a"], vocabulary=["a"], stop_words=["a"]), InputError, "among the stop words"),
        (lambda: bag_of_words(["A"], vocabulary=["A"]), InputError, "lower-case"),
        (lambda: tokenize("a", pattern="("), InputError, "not a regular expression"),
        (lambda: tokenize("a", pattern="(a)(b)"), InputError, "2 groups"),
    ],
)
def test_mistakes_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
