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
    run("fit", folder / "mails.jsonl", "--target", "kind", "--no-calibrate", "-o", folder / "m.likely")
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
    assert lines.columns == ["row", "class", "column", "word", "count", "bits"]
    assert lines["row"].n_unique() == 60
    record = json.loads(run("explain", place / "m.likely", place / "new.parquet", "--row", 1, "--json").stdout)[0]
    words = record["words"]["text"]
    total = record["prior"] + sum(word["bits"] for word in words)
    assert total == pytest.approx(record["log2_odds"])


def test_texts_are_learned_merged_and_forgotten(place):
    run("update", place / "m.likely", place / "more.csv", "-o", place / "both.likely")
    run("fit", place / "more.csv", "--target", "kind", "--no-calibrate", "-o", place / "more.likely")
    run("merge", place / "m.likely", place / "more.likely", "-o", place / "merged.likely")
    run("forget", place / "both.likely", place / "more.csv", "-o", place / "back.likely")
    answers = [
        run("predict", place / name, place / "new.parquet", "--csv").stdout
        for name in ("both.likely", "merged.likely", "back.likely", "m.likely")
    ]
    assert answers[0] == answers[1] and answers[2] == answers[3]
    assert run("diff", place / "m.likely", place / "more.likely", "--text").stdout


@pytest.mark.slow
def test_compare_audit_and_study(place):
    models = "naive,naive-bayes-words-present"
    said = run(
        "compare", place / "mails.jsonl", "--target", "kind", "--models", models, "--folds", "4", "--text"
    ).stdout
    assert "naive" in said
    assert run("audit", place / "mails.jsonl", "--target", "kind", "--json").stdout
    run("study", place / "mails.jsonl", "--target", "kind", "-o", place / "study", "--folds", "4", "--no-yardsticks")
    report = (place / "study" / "report.md").read_text()
    assert "The most telling columns" in report
    assert "Telling words" in report


def test_what_does_not_fit_is_said(place, tmp_path):
    pl.DataFrame({"body": ["free money"]}).write_csv(tmp_path / "other.csv")
    assert "lacks the column 'text'" in refused("predict", place / "m.likely", tmp_path / "other.csv")
    pl.DataFrame({"text": [1, 2]}).write_csv(tmp_path / "numbers.csv")
    told = run("predict", place / "m.likely", tmp_path / "numbers.csv", "--csv").stdout  # numbers are words too
    assert len(told.splitlines()) == 3


def test_a_file_is_learned_in_batches(place, tmp_path, monkeypatch):
    from likely.cli.inputs import streaming

    monkeypatch.setattr(streaming, "_BATCH_BYTES", 2000)
    monkeypatch.setattr("likely.data.columns.later_cells.LOOKED_AT", 50)
    said = run("fit", place / "mails.jsonl", "--target", "kind", "--stream", "-o", tmp_path / "s.likely").stderr
    assert "first 50 rows" in said and "learned 200 rows in batches of 256" in said
    assert (tmp_path / "s.likely").read_bytes() == (place / "m.likely").read_bytes()
    for option in (["--calibrate", "logistic"], ["--reject", "0.5"]):
        told = refused("fit", place / "mails.jsonl", "--target", "kind", "--stream", *option)
        assert "needs all rows at once" in told
    assert "there is no target column" in refused("fit", place / "mails.jsonl", "--target", "knd", "--stream")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Texts beside a number, called by their paths; some labels are wrong."""
    folder = tmp_path_factory.mktemp("corpus")
    table = messages(150)
    spam = (table["kind"] == "spam").to_numpy()
    wrong = np.isin(np.arange(150), [7, 8, 90])
    table = table.with_columns(
        kind=pl.Series(np.where(spam ^ wrong, "spam", "ham")),
        size=pl.Series(RNG.normal(3.0 + spam)),
        path=pl.Series([f"mail/{i}.txt" for i in range(150)]),
        text=pl.col("text") + " and so on, a long text that goes on for more than one line of the terminal",
    )
    table.write_ndjson(folder / "d.jsonl")
    run("fit", folder / "d.jsonl", "--target", "kind", "--calibrate", "temperature", "-o", folder / "m.likely")
    return folder


def test_the_audited_rows_are_shown_once_and_named(corpus):
    told = run("audit", corpus / "d.jsonl", "--target", "kind", "--top", 4, "--keep-column", "path", "--text", code=1)
    lines = told.stdout.splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("row"))
    assert lines[head].split()[-2:] == ["path", "text"] and len(lines) == head + 1 + 4
    assert "0 rows repeat an earlier one" in told.stdout and "3 labels are more probably wrong" in told.stderr
    rows = {int(line.split()[0]): line for line in lines[head + 1 :]}
    assert {7, 8, 90} < set(rows)
    for row, line in rows.items():
        assert f"mail/{row}.txt" in line and line.endswith("…")
    said = run("audit", corpus / "d.jsonl", "--target", "kind", "--keep-column", "path", "--csv", code=1).stdout
    table = pl.read_csv(io.StringIO(said))
    assert table.columns[-1] == "path" and (table["path"] == "mail/" + table["row"].cast(str) + ".txt").all()
    record = json.loads(
        run("audit", corpus / "d.jsonl", "--target", "kind", "--keep-column", "path", "--json", code=1).stdout
    )
    assert record["suspicious"][0]["path"] == f"mail/{record['suspicious'][0]['row']}.txt"
    assert "no column 'pth'" in refused("audit", corpus / "d.jsonl", "--target", "kind", "--keep-column", "pth")


def test_words_stay_in_the_table_beside_other_columns(corpus):
    given = ("explain", corpus / "m.likely", corpus / "d.jsonl", "--keep-column", "path")
    lines = pl.read_csv(io.StringIO(run(*given, "--csv").stdout))
    assert lines.columns == ["row", "path", "class", "column", "word", "count", "bits"]
    assert set(lines["column"]) - {"(calibration)"} == {"(prior)", "text", "size"}
    assert lines.filter(pl.col("column") == "size")["word"].null_count() == 150
    assert (lines["path"] == "mail/" + lines["row"].cast(str) + ".txt").all()
    records = json.loads(run(*given, "--json").stdout)
    odds = lines.group_by("row", maintain_order=True).agg(pl.col("bits").sum())["bits"]
    assert np.allclose(odds, [record["log2_odds"] for record in records])
    assert records[7]["path"] == "mail/7.txt"
    shown = run(*given, "--row", 7, "--top", 1, "--text").stdout
    assert shown.startswith("row 7 (path mail/7.txt): ") and "(all else)" not in shown
    assert "that say" in shown
    strongest = shown.splitlines()[-2]
    assert strongest.count("█") + strongest.count("#") == 20  # bars of words are as long as there is room
    assert "(prior and other columns)" in shown
    assert "column 'class' of its own" in refused(*given[:3], "--keep-column", "class")


def test_a_model_of_texts_is_inspected(corpus, place):
    shown = run("inspect", corpus / "m.likely", "--text").stdout
    line = next(line for line in shown.splitlines() if line.startswith("words"))
    assert "text: " in line and "multinomial, alpha 1; runs of two or more letters and digits" in line
    record = json.loads(run("inspect", corpus / "m.likely", "--json").stdout)
    assert f"{record['texts']['text']['words']:,};" in line
    run(
        "fit",
        place / "mails.jsonl",
        "--target",
        "kind",
        "--model",
        "naive-bayes-words-and-pairs",
        "-o",
        place / "p.likely",
    )
    shown = run("inspect", place / "p.likely", "--text").stdout
    assert "1 to 2 in a row; min_df=2" in shown


def test_options_of_a_family_are_shown_in_short(corpus):
    model = ("--model", "naive-bayes-words-present")
    run("fit", corpus / "d.jsonl", "--target", "kind", *model, "-o", corpus / "b.likely")
    shown = run("inspect", corpus / "b.likely", "--text").stdout
    assert "TextFamily(model='bernoulli')" in shown and "max_features" not in shown


def test_what_was_compared_is_said(place):
    shown = run("diff", place / "m.likely", place / "m.likely", "--text").stdout.splitlines()
    assert shown[1] == "  compared: the classes' shares; the values of text in 2 classes"


def test_one_thing_is_no_things(place, tmp_path):
    messages(40).write_csv(tmp_path / "one.csv")
    assert "and 1 column:" in run("fit", tmp_path / "one.csv", "--target", "kind", "-o", tmp_path / "o.likely").stdout
    twice = pl.concat(
        [messages(40, 700), messages(1, 800)] + [pl.DataFrame({"text": ["see you now"], "kind": ["ham"]})] * 2
    )
    twice.write_csv(tmp_path / "twice.csv")
    said = run("audit", tmp_path / "twice.csv", "--target", "kind", "--text").stdout
    assert "1 row repeats an earlier one; 0 rows contradict" in said
