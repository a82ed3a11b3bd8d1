"""Texts beside scikit-learn's CountVectorizer and MultinomialNB: raw strings to a model and to posteriors."""

import atexit
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline

from bench import corpora, text_file
from bench.corpora import Corpus
from bench.quality import Quality
from bench.registry import Case, Fact, Step, workload
from likely.models.generative.text_bayes import TextBayes

TEXTS = "Texts"

_PEER = "CountVectorizer() and MultinomialNB()"
_READ = "A read is that of the texts' bytes, eight at a time."
_MICROSECONDS = 100  # for a verdict on one message
_RESIDENT = 1e9  # bytes, while learning a large file
_LARGE = 1_000  # megabytes
_ROOT = Path(__file__).resolve().parents[2]


@workload(
    "text",
    TEXTS,
    "100,000 texts of 20 MB in all, words drawn by Zipf's law, 5 classes: TextBayes()",
    _PEER,
    tolerance=1e-10,
    remark=_READ,
)
def text(quick: bool) -> Case:
    return _strings(corpora.drawn(*((5_000, 40) if quick else (120_000, 57)), 5, seed=31), 0.2 if quick else 1 / 6)


@workload(
    "text-news",
    TEXTS,
    "100,000 pieces of the 20 Newsgroups, headers and all, 20 MB in all, 20 classes: TextBayes()",
    _PEER,
    tolerance=1e-10,
    remark="Pieces held out may be of posts of which other pieces were learned: their accuracy is of no other use.",
    needs=corpora.path_of("newsgroups"),
)
def text_news(quick: bool) -> Case:
    news = corpora.corpus("newsgroups")
    if quick:
        news = news.taken(np.flatnonzero(np.char.startswith(news.labels.astype(str), "rec."))[::4])
    whole = corpora.pieces(news, 187, 5_000 if quick else 118_000)
    return _strings(whole, 0.2 if quick else 1 - 100_000 / len(whole.texts))


@workload(
    "text-message",
    TEXTS,
    "5,000 messages of about 15 words, 2 classes; then 1,000 verdicts, one message at a time: TextBayes()",
    _PEER,
    tolerance=1e-10,
    remark="The milliseconds of 1,000 verdicts are the microseconds of one.",
)
def text_message(quick: bool) -> Case:
    whole = corpora.drawn(6_000, 15, 2, seed=32)
    learned, asked = _split(whole, 1 / 6)
    messages = [[message] for message in asked.texts[: 100 if quick else 1_000]]
    ours, theirs = TextBayes(), make_pipeline(CountVectorizer(), MultinomialNB())

    def facts() -> list[Fact]:
        own, its = (_median_microseconds(model.predict_proba, messages) for model in (ours, theirs))
        met = own < _MICROSECONDS
        words = f"the median verdict on one message takes {own:.0f} microseconds (the peer {its:,.0f}); "
        return [Fact(f"{words}the target of {_MICROSECONDS} is {'met' if met else 'NOT met'}.", met)]

    steps = (
        Step("fit", lambda: ours.fit(*learned[:2]), lambda: theirs.fit(*learned[:2])),
        Step(
            "predict_proba of one text",
            lambda: [ours.predict_proba(message) for message in messages],
            lambda: [theirs.predict_proba(message) for message in messages],
        ),
    )
    return Case(steps, _one_read(whole), _quality(ours, theirs, asked), facts)


@workload(
    "text-file",
    TEXTS,
    "100 MB of JSON lines, texts of about 800 characters, 4 classes: TextBayes().partial_fit of every batch of "
    "likely.scan(path)",
    f"pandas.read_json, then {_PEER}",
    tolerance=1e-10,
    remark="A read is that of the file's bytes, out of the system's cache.",
)
def text_file_(quick: bool) -> Case:
    folder = Path(tempfile.mkdtemp(prefix="bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = folder / "texts.jsonl"
    count = corpora.write_json_lines(path, 2 if quick else 100, 220, 4, seed=33)
    model = {"likely": TextBayes(), "peer": make_pipeline(CountVectorizer(), MultinomialNB())}
    held_out = corpora.drawn(500 if quick else 5_000, 20, 4, seed=33, part=1)

    def ours() -> Any:
        model["likely"] = text_file.learn(path, TextBayes())
        return model["likely"]

    def theirs() -> Any:
        table = pd.read_json(path, lines=True)
        return model["peer"].fit(table["text"], table["label"])

    def quality() -> Quality:
        posteriors = model["likely"].predict_proba(held_out.texts), model["peer"].predict_proba(held_out.texts)
        rows = f"{len(held_out.texts):,} short texts, after {count:,} were learned"
        return Quality.of(held_out.labels, *posteriors, model["likely"].classes_, rows)

    return Case((Step("fit", ours, theirs),), lambda: text_file.read_bytes(path), quality, _large_file)


def _large_file() -> list[Fact]:
    """Learn from a file of 1 GB in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        path = Path(folder) / "texts.jsonl"
        corpora.write_json_lines(path, _LARGE, 220, 4, seed=34)
        command = [sys.executable, "-m", "bench.text_file", str(path)]
        said = subprocess.run(command, cwd=_ROOT, stdout=subprocess.PIPE, check=True).stdout
        found = json.loads(said)
        begin = time.perf_counter()
        size = text_file.read_bytes(path)
        read = time.perf_counter() - begin
    met = found["resident"] < _RESIDENT
    return [
        Fact(
            f"a file of {size / 1e6:,.0f} MB with {found['texts']:,} texts and {found['words']:,} different words is "
            f"learned in {found['seconds']:.1f} s, {size / 1e6 / found['seconds']:.0f} MB/s; that is "
            f"{found['seconds'] / read:.0f} times as long as reading its bytes from the system's cache ({read:.2f} s)."
        ),
        Fact(
            f"with that file, the whole process has {found['resident'] / 1e6:,.0f} MB resident at most; the target of "
            f"{_RESIDENT / 1e6:,.0f} MB is {'met' if met else 'NOT met'}.",
            met,
        ),
    ]


def _strings(whole: Corpus, held_out: float) -> Case:
    """Raw strings to a model, and to posteriors of the same strings; quality on strings that are held out."""
    learned, asked = _split(whole, held_out)
    ours, vectorizer, theirs = TextBayes(), CountVectorizer(), MultinomialNB()

    def peer_fit() -> Any:
        return theirs.fit(vectorizer.fit_transform(learned.texts), learned.labels)

    def peer_posterior() -> Any:
        return theirs.predict_proba(vectorizer.transform(learned.texts))

    steps = (
        Step("fit", lambda: ours.fit(*learned[:2]), peer_fit, 8, 0.5),
        Step("predict_proba", lambda: ours.predict_proba(learned.texts), peer_posterior, 8, 0.5),
    )
    return Case(steps, _one_read(learned), _quality(ours, make_pipeline(vectorizer, theirs), asked))


def _split(whole: Corpus, held_out: float) -> tuple[Corpus, Corpus]:
    size = round(len(whole.texts) * (1 - held_out))
    rows = np.arange(len(whole.texts))
    return whole.taken(rows[:size]), whole.taken(rows[size:])


def _quality(ours: TextBayes, theirs: Any, asked: Corpus) -> Callable[[], Quality]:
    def quality() -> Quality:
        vectorizer = theirs[0]
        assert list(ours.vocabulary_) == vectorizer.get_feature_names_out().tolist(), "the tokens are not the same"
        posteriors = ours.predict_proba(asked.texts), theirs.predict_proba(asked.texts)
        return Quality.of(asked.labels, *posteriors, ours.classes_, f"{len(asked.texts):,} texts held out")

    return quality


def _one_read(texts: Corpus) -> Callable[[], Any]:
    whole = "".join(texts.texts).encode("utf-8", "surrogatepass")
    return np.frombuffer(whole[: len(whole) // 8 * 8], dtype=np.int64).sum


def _median_microseconds(verdict: Callable[[list[str]], Any], messages: list[list[str]]) -> float:
    spent = []
    for message in messages * 3:
        begin = time.perf_counter()
        verdict(message)
        spent.append(time.perf_counter() - begin)
    return 1e6 * statistics.median(spent)
