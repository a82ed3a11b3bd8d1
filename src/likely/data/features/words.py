r"""Text as counts of words: tokens, a vocabulary, a bag of words.

    x_t = how often word t of the vocabulary occurs in the document        b_t = 1 if it occurs, else 0

The order of the words is thrown away, and words outside the vocabulary are skipped. The vocabulary is sorted, so it
depends on the words alone and not on the order of the documents.

A token is what `pattern` matches, by default a run of letters, digits and underscores; with one group in the pattern,
what the group matches. Text and stop words are put in lower case first unless `lowercase` is False.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from likely.errors import InputError, InputTypeError

WORD = r"(?u)\b\w+\b"


def tokenize(text: str, pattern: str = WORD, lowercase: bool = True) -> list[str]:
    """The words of a text, in order.

    >>> tokenize("The blue dog ate a blue biscuit.")
    ['the', 'blue', 'dog', 'ate', 'a', 'blue', 'biscuit']
    """
    if not isinstance(text, str):
        raise InputTypeError(f"a document is a text, got {type(text).__name__}: {text!r:.60}")
    return _compiled(pattern).findall(text.lower() if lowercase else text)


def vocabulary(
    documents: Iterable[str], stop_words: Iterable[str] = (), *, pattern: str = WORD, lowercase: bool = True
) -> tuple[str, ...]:
    """The distinct words of the documents without the stop words, sorted.

    >>> vocabulary(["b d e b", "a d e"], stop_words=["d", "e"])
    ('a', 'b')
    """
    words: set[str] = set()
    for document in _documents(documents):
        words.update(tokenize(document, pattern, lowercase))
    return tuple(sorted(words - _stop_words(stop_words, lowercase)))


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

    The vocabulary is that of the documents, or the one given, in the order given. With `binary`, ones for counts.

    >>> counts, words = bag_of_words(["b c b", "a b", "d"], stop_words=["d"])
    >>> words
    ('a', 'b', 'c')
    >>> counts.toarray()
    array([[0, 2, 1],
           [1, 1, 0],
           [0, 0, 0]])
    """
    from scipy.sparse import csr_array

    stop = _stop_words(stop_words, lowercase)
    bags = [Counter(tokenize(document, pattern, lowercase)) for document in _documents(documents)]
    words = tuple(sorted(set().union(*bags) - stop)) if vocabulary is None else _given(vocabulary, stop, lowercase)
    place = {word: column for column, word in enumerate(words)}
    known = [sorted((place[word], count) for word, count in bag.items() if word in place) for bag in bags]
    lengths = [len(row) for row in known]
    cells = np.array([cell for row in known for cell in row], dtype=np.int64).reshape(-1, 2)
    counts = np.ones(len(cells), dtype=np.int64) if binary else cells[:, 1]
    start = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return csr_array((counts, cells[:, 0], start), shape=(len(bags), len(words))), words


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        raise InputError(f"the token pattern {pattern!r} is not a regular expression: {error}") from error
    if compiled.groups > 1:
        raise InputError(
            f"the token pattern {pattern!r} has {compiled.groups} groups; keep one, and write the others (?:...)"
        )
    return compiled


def _documents(documents: Iterable[str]) -> Iterable[str]:
    if isinstance(documents, str):
        raise InputTypeError("documents are a list of texts, got a single text; put it in a list")
    return documents


def _stop_words(words: Iterable[str], lowercase: bool) -> set[str]:
    if isinstance(words, str):
        raise InputTypeError(f"stop words are a list of words, got the text {words!r:.60}; put it in a list")
    return {word.lower() if lowercase else word for word in words}


def _given(vocabulary: Sequence[str], stop: set[str], lowercase: bool) -> tuple[str, ...]:
    if isinstance(vocabulary, str):
        raise InputTypeError(f"a vocabulary is a list of words, got the text {vocabulary!r:.60}; put it in a list")
    words = tuple(vocabulary)
    if len(set(words)) != len(words):
        twice = next(word for word, count in Counter(words).items() if count > 1)
        raise InputError(f"the vocabulary names {twice!r} twice")
    upper = [word for word in words if lowercase and word != word.lower()]
    if upper:
        raise InputError(
            f"{upper[0]!r} of the vocabulary never occurs in lower-case text; write it small or set lowercase=False"
        )
    both = stop.intersection(words)
    if both:
        raise InputError(f"{min(both)!r} is in the vocabulary and among the stop words; remove it from one of them")
    return words
