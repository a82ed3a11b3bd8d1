"""The command with texts: every verb takes them, and explains them by their words."""

import io
import json

import numpy as np
import polars as pl
import pytest
from command_line import refused, run

RNG = np.random.default_rng(11)
ORDINARY = ["the meeting", "lunch at noon", "minutes of today", "see you", "project plan"]
OFFERS = ["free money", "claim your prize", "win cash now", "limited offer"]


def messages(count, start=0):
    spam = RNG.random(count) < 0.4
    texts = [f"{' '.join(RNG.choice(OFFERS if s else ORDINARY, size=4))} no{start + i}" for i, s in enumerate(spam)]
    return pl.DataFrame({"text": texts, "kind": np.where(spam, "spam", "ham")})


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    messages(200).write_ndjson(folder / "mails.jsonl")
    messages(60, 500).write_csv(folder / "more.csv")
    messages(60, 900).write_parquet(folder / "new.parquet")
    run("fit", folder / "mails.jsonl", "--target", "kind", "-o", folder / "m.likely")
    return folder


def test_a_model_of_texts_answers(place):
    told = pl.read_csv(io.StringIO(run("predict", place / "m.likely", place / "new.parquet", "--csv").stdout))
    truth = pl.read_parquet(place / "new.parquet")["kind"]
    assert (told["class"] == truth).mean() > 0.95
    judged = json.loads(run("evaluate", place / "m.likely", place / "new.parquet", "--json").stdout)
    assert judged
    run("decide", place / "m.likely", place / "new.parquet", "--csv")
    assert "text" in run("inspect", place / "m.likely", "--text").stdout


def test_the_words_are_explained(place):
    shown = run("explain", place / "m.likely", place / "new.parquet", "--row", 0, "--text").stdout
    assert "against" in shown and "words of text" not in shown
    lines = pl.read_csv(io.StringIO(run("explain", place / "m.likely", place / "new.parquet", "--csv").stdout))
    assert lines.columns == ["row", "class", "word", "count", "bits"]
    assert lines["row"].n_unique() == 60
    record = json.loads(run("explain", place / "m.likely", place / "new.parquet", "--row", 1, "--json").stdout)[0]
    words = record["words"]["text"]
    total = record["prior"] + sum(word["bits"] for word in words)
    assert total == pytest.approx(record["log2_odds"])


def test_texts_are_learned_merged_and_forgotten(place):
    run("update", place / "m.likely", place / "more.csv", "-o", place / "both.likely")
    run("fit", place / "more.csv", "--target", "kind", "-o", place / "more.likely")
    run("merge", place / "m.likely", place / "more.likely", "-o", place / "merged.likely")
    run("forget", place / "both.likely", place / "more.csv", "-o", place / "back.likely")
    answers = [
        run("predict", place / name, place / "new.parquet", "--csv").stdout
        for name in ("both.likely", "merged.likely", "back.likely", "m.likely")
    ]
    assert answers[0] == answers[1] and answers[2] == answers[3]
    assert run("diff", place / "m.likely", place / "more.likely", "--text").stdout


def test_compare_audit_and_study(place):
    models = "naive,naive-bayes-words-present"
    said = run(
        "compare", place / "mails.jsonl", "--target", "kind", "--models", models, "--folds", "4", "--text"
    ).stdout
    assert "naive" in said
    assert run("audit", place / "mails.jsonl", "--target", "kind", "--json").stdout
    run("study", place / "mails.jsonl", "--target", "kind", "-o", place / "study", "--folds", "4", "--no-yardsticks")
    assert "Telling words" in (place / "study" / "report.md").read_text()


def test_what_does_not_fit_is_said(place, tmp_path):
    pl.DataFrame({"body": ["free money"]}).write_csv(tmp_path / "other.csv")
    assert "lacks the column 'text'" in refused("predict", place / "m.likely", tmp_path / "other.csv")
    pl.DataFrame({"text": [1, 2]}).write_csv(tmp_path / "numbers.csv")
    told = run("predict", place / "m.likely", tmp_path / "numbers.csv", "--csv").stdout  # numbers are words too
    assert len(told.splitlines()) == 3


def test_a_file_is_learned_in_batches(place, tmp_path, monkeypatch):
    from likely.cli import streaming

    monkeypatch.setattr(streaming, "_BATCH_BYTES", 2000)
    monkeypatch.setattr(streaming, "_LOOKED_AT", 50)
    said = run("fit", place / "mails.jsonl", "--target", "kind", "--stream", "-o", tmp_path / "s.likely").stderr
    assert "first 50 rows" in said and "learned 200 rows in batches of 256" in said
    assert (tmp_path / "s.likely").read_bytes() == (place / "m.likely").read_bytes()
    for option in (["--calibrate", "logistic"], ["--reject", "0.5"]):
        told = refused("fit", place / "mails.jsonl", "--target", "kind", "--stream", *option)
        assert "needs all rows at once" in told
    assert "there is no target column" in refused("fit", place / "mails.jsonl", "--target", "knd", "--stream")
