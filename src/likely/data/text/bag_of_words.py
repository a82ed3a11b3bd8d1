r"""Text as counts of words: tokens, a vocabulary, a bag of words.

    x_t = how often word t of the vocabulary occurs in the document        b_t = 1 if it occurs, else 0

The order of the words is thrown away, and words outside the vocabulary are skipped. The vocabulary is sorted, so it
depends on the words alone and not on the order of the documents.

Texts are cut by a `Tokenizer`. A token is what `pattern` matches, by default (`WORD`) a run of letters, digits and
underscores, be it a single one, as in the worked examples of the textbooks; a `Tokenizer` by itself and `TextBayes`
leave out words of one letter, as scikit-learn does: `pattern=Tokenizer().pattern` is their rule. With one group in the
pattern, a token is what the group matches. Text and stop words are put in lower case first unless `lowercase` is False.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likely.data.text.tokenizer import Tokenizer
from likely.errors import InputError, InputTypeError

WORD = r"(?u)\b\w+\b"


def tokenize(text: str, pattern: str = WORD, lowercase: bool = True) -> list[str]:
    r"""The words of a text, in order; words of one letter are among them, unless the pattern asks for two.

    >>> tokenize("The blue dog ate a blue biscuit.")
    ['the', 'blue', 'dog', 'ate', 'a', 'blue', 'biscuit']
    >>> tokenize("a blue dog", pattern=r"\b\w\w+\b")
    ['blue', 'dog']
    """
    return _tokenizer(pattern, lowercase, ()).terms(_texts([text])[0])


def vocabulary(
    documents: Iterable[str], stop_words: Iterable[str] = (), *, pattern: str = WORD, lowercase: bool = True
) -> tuple[str, ...]:
    """The distinct words of the documents without the stop words, sorted.

    >>> vocabulary(["b d e b", "a d e"], stop_words=["d", "e"])
    ('a', 'b')
    """
    return tuple(_tokenizer(pattern, lowercase, stop_words).tokens(_texts(documents)).words.tolist())


def bag_of_words(
    documents: Iterable[str],
    vocabulary: Sequence[str] | None = None,
    stop_words: Iterable[str] = (),
    binary: bool = False,
    *,
    pattern: str = WORD,
    lowercase: bool = True,
) -> tuple[Any, tuple[str, ...]]:
    """Counts (n, |V|) as a CSR array, and the vocabulary whose words its columns are.

    The vocabulary is that of the documents without the stop words (a list, or "english"), or the one given, in the
    order given. With `binary`, ones for counts. Words of one letter count; `pattern=Tokenizer().pattern` leaves them
    out, as `TextBayes` does.

    >>> counts, words = bag_of_words(["b c b", "a b", "d"], stop_words=["d"])
    >>> words
    ('a', 'b', 'c')
    >>> counts.toarray()
    array([[0, 2, 1],
           [1, 1, 0],
           [0, 0, 0]])
    """
    from scipy.sparse import csr_array

    tokenizer = _tokenizer(pattern, lowercase, stop_words)
    tokens = tokenizer.tokens(_texts(documents))
    found = tokens.words.tolist()
    words = tuple(found) if vocabulary is None else _given(vocabulary, tokenizer)
    place = {word: column for column, word in enumerate(words)}
    columns = np.array([place.get(word, -1) for word in found], dtype=np.int64)[tokens.ids]
    known = columns >= 0
    start = np.concatenate([[0], np.cumsum(known)])[np.concatenate([[0], tokens.ends])]
    ones = np.ones(start[-1], dtype=np.int64)
    counts = csr_array((ones, columns[known], start), shape=(len(tokens), len(words)))
    counts.sum_duplicates()
    if binary:
        counts.data[:] = 1
    return counts, words


def _tokenizer(pattern: str, lowercase: bool, stop_words: Iterable[str]) -> Tokenizer:
    if stop_words == "english":
        return Tokenizer.of(lowercase, pattern, (1, 1), stop_words)
    if isinstance(stop_words, str):
        raise InputTypeError(f"stop words are 'english' or a list of words, got {stop_words!r:.60}; put it in a list")
    return Tokenizer.of(lowercase, pattern, (1, 1), [word.lower() if lowercase else word for word in stop_words])


def _texts(documents: Iterable[str]) -> list[str]:
    if isinstance(documents, str):
        raise InputTypeError("documents are a list of texts, got a single text; put it in a list")
    texts = list(documents)
    for text in texts:
        if not isinstance(text, str):
            raise InputTypeError(f"a document is a text, got {type(text).__name__}: {text!r:.60}")
    return texts


def _given(vocabulary: Sequence[str], tokenizer: Tokenizer) -> tuple[str, ...]:
    if isinstance(vocabulary, str):
        raise InputTypeError(f"a vocabulary is a list of words, got the text {vocabulary!r:.60}; put it in a list")
    words = tuple(vocabulary)
    if len(set(words)) != len(words):
        twice = next(word for word, count in Counter(words).items() if count > 1)
        raise InputError(f"the vocabulary names {twice!r} twice")
    upper = [word for word in words if tokenizer.lowercase and word != word.lower()]
    if upper:
        raise InputError(
            f"{upper[0]!r} of the vocabulary never occurs in lower-case text; write it small or set lowercase=False"
        )
    both = tokenizer.stop_words.intersection(words)
    if both:
        raise InputError(f"{min(both)!r} is in the vocabulary and among the stop words; remove it from one of them")
    return words
