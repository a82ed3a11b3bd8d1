"""Terms that are no words: runs of characters, and what functions of a user's own make of a text; accents taken off.

All as scikit-learn's CountVectorizer has them, to the same terms: runs of white space are one space first; "char" takes
runs of characters from the whole text, "char_wb" from each word with a space on both sides, a word that is shorter than
a run once.
"""

import re
import unicodedata
from collections.abc import Callable
from typing import Any

from likely.errors import InputError, InputTypeError

ANALYZERS = ("word", "char", "char_wb")
ACCENTS = ("ascii", "unicode")
_SPACES = re.compile(r"\s\s+")


def character_runs(text: str, low: int, high: int) -> list[str]:
    """Runs of `low` to `high` characters.

    >>> character_runs("a  cat", 3, 4)
    ['a c', ' ca', 'cat', 'a ca', ' cat']
    """
    whole = _SPACES.sub(" ", text)
    return [whole[i : i + n] for n in range(low, min(high, len(whole)) + 1) for i in range(len(whole) - n + 1)]


def runs_in_words(text: str, low: int, high: int) -> list[str]:
    """Runs of characters inside of words, which have a space on both sides.

    >>> runs_in_words("a cat", 3, 4)
    [' a ', ' ca', 'cat', 'at ', ' cat', 'cat ']
    """
    runs = []
    for word in _SPACES.sub(" ", text).split():
        padded = f" {word} "
        for n in range(low, high + 1):
            runs += [padded[i : i + n] for i in range(max(1, len(padded) - n + 1))]
            if n >= len(padded):  # a short word counts once
                break
    return runs


def without_accents(text: str, how: str | Callable[[str], str]) -> str:
    """A text without accents: "unicode" leaves other letters as they are, "ascii" leaves out what has no plain letter.

    >>> without_accents("café ß", "unicode"), without_accents("café ß", "ascii")
    ('cafe ß', 'cafe ')
    """
    if not isinstance(how, str):
        return how(text)
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text)
    if how == "ascii":
        return apart.encode("ascii", "ignore").decode("ascii")
    return "".join(character for character in apart if not unicodedata.combining(character))


def own_terms(function: Callable[[str], Any], text: str, what: str) -> list[str]:
    """The terms that a function of the user's makes of a text."""
    terms = list(function(text))
    if not all(isinstance(term, str) for term in terms):
        wrong = next(term for term in terms if not isinstance(term, str))
        raise InputTypeError(f"{what} gave {wrong!r:.60} ({type(wrong).__name__}) for a text; it must give texts")
    return terms


def check_analyzer(analyzer: object, tokenizer: object, strip_accents: object) -> None:
    """Refuse what is no way to cut a text."""
    if not callable(analyzer) and analyzer not in ANALYZERS:
        raise InputError(f"unknown analyzer={analyzer!r:.60}; choose from {', '.join(ANALYZERS)}, or give a function")
    if tokenizer is not None and not callable(tokenizer):
        raise InputError(f"tokenizer must be None or a function from a text to its words, got {tokenizer!r:.60}")
    if tokenizer is not None and analyzer != "word":
        raise InputError("tokenizer cuts texts into words, which analyzer does not ask for; give one of them")
    if strip_accents is not None and not callable(strip_accents) and strip_accents not in ACCENTS:
        raise InputError(f"unknown strip_accents={strip_accents!r:.60}; choose None, 'ascii', 'unicode' or a function")
