"""Texts to measure with: real corpora that stand beside the repository, and drawn texts of any size.

Drawn texts have words by Zipf's law out of a million, so that the vocabulary keeps growing with the text as it does in
real ones; classes use the words at different rates.
"""

import gzip
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

# Data sets that are too large to ship stand beside the repository.
DATA = Path(os.environ.get("LIKELY_SHARED_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))

_CORPORA = {
    "SMS": "sms_spam.jsonl.gz",
    "Ling-Spam": "ling_spam.jsonl.gz",
    "Enron": "enron1_spam.jsonl.gz",
    "newsgroups": "newsgroups20_bydate.parquet",
    "reviews": "movie_review_polarity.jsonl.gz",
}
_SYLLABLES = [first + second for first in "bcdfghjklmnpqrstvwxz" for second in "aeiou"]  # 100
_WORDS = 1_000_000


class Corpus(NamedTuple):
    """Texts with their classes; `part` is what the corpus itself divides them by, if it does."""

    texts: list[str]
    labels: NDArray[Any]  # (n,)
    part: NDArray[Any] | None  # (n,)

    def taken(self, rows: NDArray[Any]) -> "Corpus":
        """Some of the texts, in that order."""
        part = None if self.part is None else self.part[rows]
        return Corpus([self.texts[i] for i in rows.tolist()], self.labels[rows], part)

    def copies(self) -> NDArray[Any]:
        """A number for each text (n,), the same for equal ones: copies must not be learned and judged at once."""
        numbers: dict[str, int] = {}
        return np.array([numbers.setdefault(text, len(numbers)) for text in self.texts])


def path_of(name: str, folder: Path = DATA) -> Path:
    """Where a corpus lies: "SMS", "Ling-Spam", "Enron", "newsgroups" or "reviews"."""
    return folder / "text" / _CORPORA[name]


def corpus(name: str, folder: Path = DATA) -> Corpus:
    """Read a corpus."""
    path = path_of(name, folder)
    if path.suffix == ".parquet":
        table = pl.read_parquet(path)
    else:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            table = pl.DataFrame([json.loads(line) for line in lines])
    part = next((table[name].to_numpy() for name in ("split", "part", "fold") if name in table.columns), None)
    return Corpus(table["text"].to_list(), table["label"].to_numpy(), part)


def pieces(whole: Corpus, length: int, count: int) -> Corpus:
    """Texts cut into pieces of about so many characters, between words; every class gives as evenly as it can."""
    names, codes = np.unique(whole.labels, return_inverse=True)
    cut: list[list[str]] = [[] for _ in names]
    for text, code in zip(whole.texts, codes.tolist(), strict=True):
        cut[code] += _cut(text, length)
    share = -(-count // len(names))
    chosen = [(piece, place) for place, texts in enumerate(cut) for piece in texts[:share]][:count]
    order = np.random.default_rng(0).permutation(len(chosen)).tolist()
    return Corpus([chosen[i][0] for i in order], names[[chosen[i][1] for i in order]], None)


def drawn(documents: int, words: int, classes: int, seed: int, part: int = 0) -> Corpus:
    """Texts of so many words on average. The seed fixes the rates of the words; another part has other texts."""
    blocks = list(drawn_blocks(documents, words, classes, seed, part))
    labels = np.concatenate([labels for _, labels in blocks])
    return Corpus([text for texts, _ in blocks for text in texts], labels, None)


def drawn_blocks(
    documents: int, words: int, classes: int, seed: int, part: int = 0, block: int = 20_000
) -> Iterator[tuple[list[str], NDArray[Any]]]:
    """The same a block at a time."""
    rate = (np.arange(_WORDS) + 2.7) ** -1.35
    each = np.exp(np.random.default_rng(seed).normal(scale=0.4, size=(classes, _WORDS)))
    edges = np.cumsum(rate * each, axis=1)
    word, rng = _spelled(), np.random.default_rng([seed, part])
    for start in range(0, documents, block):
        labels = rng.integers(classes, size=min(block, documents - start))
        lengths = rng.poisson(words, size=len(labels))
        ends = np.cumsum(lengths)
        of_class = np.repeat(labels, lengths)
        tokens = np.empty(len(of_class), dtype=object)
        for c in range(classes):
            mine = of_class == c
            place = np.searchsorted(edges[c], rng.random(int(mine.sum())) * edges[c, -1])
            tokens[mine] = word[np.minimum(place, _WORDS - 1)]
        listed = tokens.tolist()
        texts = [
            " ".join(listed[end - length : end]).capitalize() + "." for end, length in zip(ends, lengths, strict=True)
        ]
        yield texts, np.array([f"class {c}" for c in range(classes)])[labels]


def write_json_lines(path: Path, megabytes: float, words: int, classes: int, seed: int) -> int:
    """Drawn texts as JSON lines with the keys "text" and "label"; how many there are."""
    count = 0
    with path.open("w", encoding="ascii") as file:
        for texts, labels in drawn_blocks(1 << 40, words, classes, seed):
            lines = [
                f'{{"label":"{label}","text":"{text}"}}\n' for text, label in zip(texts, labels.tolist(), strict=True)
            ]
            room = int(megabytes * 1e6) - file.tell()
            fitting = int(np.searchsorted(np.cumsum([len(line) for line in lines]), room, side="right"))
            file.writelines(lines[:fitting])
            count += fitting
            if fitting < len(lines):
                return count
    raise AssertionError("texts never end")


def _cut(text: str, length: int) -> list[str]:
    found, begin = [], 0
    while len(text) - begin >= length:
        end = text.find(" ", begin + length)
        end = len(text) if end < 0 else end
        found.append(text[begin:end])
        begin = end + 1
    return found


@cache
def _spelled() -> NDArray[Any]:
    return np.array([spelled(rank) for rank in range(_WORDS)], dtype=object)


def spelled(rank: int) -> str:
    """A word for each rank below 1,010,100, frequent ones shorter: 2, 4 or 6 letters; no two are alike."""
    size = 1 if rank < 100 else 2 if rank < 10_100 else 3
    rest, word = rank - (0, 0, 100, 10_100)[size], ""
    for _ in range(size):
        rest, last = divmod(rest, 100)
        word = _SYLLABLES[last] + word
    return word
