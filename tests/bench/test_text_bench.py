"""The texts that are measured with, and what the page says of memory and of facts. The answers: test_bench.py."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from bench.corpora import Corpus
from bench.machine import Machine
from bench.measure import Measured, Result, Times, run
from bench.quality import Quality, Scores
from bench.registry import Fact, all_workloads
from bench.report import as_markdown, reading

from bench import corpora, text_file
from likely.models.generative.text_bayes import TextBayes

WORKLOAD = all_workloads()["text"]
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps a high-water mark")


def test_words_are_all_different():
    ranks = [*range(12_000), *range(990_000, 1_000_000)]
    assert len({corpora.spelled(rank) for rank in ranks}) == len(ranks)


def test_drawn_texts_have_the_size_and_the_tokens_asked_for():
    whole = corpora.drawn(2_000, 57, 5, seed=31)
    assert sum(map(len, whole.texts)) == pytest.approx(2_000 * 200, rel=0.05)  # 20 MB in 100,000
    words = [len(text.split()) for text in whole.texts]
    assert np.mean(words) == pytest.approx(57, rel=0.02)
    assert set(whole.labels) == {f"class {c}" for c in range(5)}
    again = corpora.drawn(2_000, 57, 5, seed=31)
    assert again.texts == whole.texts
    other = corpora.drawn(2_000, 57, 5, seed=31, part=1)
    assert not set(other.texts) & set(whole.texts)
    assert TextBayes().fit(*whole[:2]).score(*other[:2]) > 0.7  # the same rates of words


def test_pieces_hold_the_words_of_the_whole():
    whole = Corpus(["one two three four five six", "seven eight nine"], np.array(["a", "b"]), None)
    cut = corpora.pieces(whole, 6, 10)
    assert sorted(zip(cut.texts, cut.labels.tolist(), strict=True)) == [
        ("five six", "a"), ("one two", "a"), ("seven eight", "b"), ("three four", "a"),
    ]  # fmt: skip
    assert len(corpora.pieces(whole, 6, 2).texts) == 2


def test_copies_are_numbered_alike():
    whole = Corpus(["a", "b", "a"], np.array([0, 1, 0]), None)
    assert whole.copies().tolist() == [0, 1, 0]


def test_learning_a_file_is_learning_its_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "texts.jsonl"
    count = corpora.write_json_lines(path, 0.2, 20, 3, seed=7)
    assert 195_000 < path.stat().st_size <= 200_000
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert len(rows) == count
    monkeypatch.setattr(text_file, "BATCH", 700)
    told = []
    model = text_file.learn(path, TextBayes(), lambda texts, read: told.append((texts, read)))
    whole = TextBayes().fit([row["text"] for row in rows], [row["label"] for row in rows])
    asked = corpora.drawn(100, 20, 3, seed=7, part=1).texts
    assert model.vocabulary_ == whole.vocabulary_
    assert np.array_equal(model.predict_log_proba(asked), whole.predict_log_proba(asked))
    assert told[-1] == (count, sum(len(row["text"]) for row in rows))
    assert len(told) == -(-count // 700)
    assert text_file.read_bytes(path) == path.stat().st_size


@pytest.mark.slow
@only_linux
def test_a_file_is_learned_in_a_process_apart(tmp_path: Path):
    path = tmp_path / "texts.jsonl"
    count = corpora.write_json_lines(path, 0.2, 20, 3, seed=7)
    root = Path(corpora.__file__).parents[1]
    command = [sys.executable, "-m", "bench.text_file", str(path)]
    finished = subprocess.run(command, cwd=root, capture_output=True, check=True, text=True)
    found = json.loads(finished.stdout)
    assert found["texts"] == count
    assert found["seconds"] > 0
    assert 50e6 < found["resident"] < 1e9
    assert f"{count:,} texts" in finished.stderr


@pytest.mark.slow
def test_facts_wait_for_the_real_sizes():
    called = []
    case = replace(WORKLOAD.case(True), facts=lambda: called.append(1))
    result = run(replace(WORKLOAD, case=lambda quick: case), 1, True, lambda line: None)
    assert result.facts == ()
    assert called == []


@pytest.mark.parametrize(("likely", "met"), [(100_000_000, True), (300_000_000, False)])
def test_the_page_says_where_memory_falls_short(likely: int, met: bool):
    step = Measured("fit", 8, Times((1.0,), (9.0,), (0.25,)), likely, 400_000_000, 0.5)
    quality = Quality(Scores(0.8, 0.5), Scores(0.8, 0.5), "10 rows", difference=1e-12)
    facts = (Fact("a verdict takes 60 microseconds; the target of 100 is met.", True), Fact("a file of 1 GB."))
    result = Result(WORKLOAD, (step,), quality, (), facts)
    page = as_markdown([result], Machine.here(), "make bench", repeats=1, quick=False)
    assert f"the target of 50% of the peer's memory is {'met' if met else 'NOT met'}" in reading(step, result)
    assert f"{2 + met} of 3 targets are met." in page
    assert "- **text**: a file of 1 GB." in page
    assert ("text, fit" in page.split("## Texts")[0]) is not met
    missed = replace(result, facts=(Fact("a verdict takes 160 microseconds; the target of 100 is NOT met.", False),))
    summary = as_markdown([missed], Machine.here(), "make bench", 1, False).split("## Texts")[0]
    assert "160 microseconds" in summary
