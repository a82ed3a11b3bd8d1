"""The command on texts as they lie about: folders, mailboxes, single messages; every verb reads them."""

import csv
import io
import json
import mailbox
import subprocess
import sys

import numpy as np
import pytest
from command_line import refused, run

SPAM, HAM = ["free", "prize", "win", "cash", "click"], ["lunch", "meeting", "minutes", "train", "today"]


def sentences(rows, seed):
    """Sentences of two kinds that share most words, with the label of each."""
    rng = np.random.default_rng(seed)
    common = [f"word{i}" for i in range(30)]
    for i in range(rows):
        label, own = ("spam", SPAM) if i % 2 else ("ham", HAM)
        yield label, " ".join([*rng.choice(common, 8), *rng.choice(own, 3)])


def message(label, text, i):
    there = "offers.example.com" if label == "spam" and i % 3 else "example.org"
    date = f"Date: Mon, {1 + i % 28} Feb 2021 1{i % 10}:30:00 +0100\n" if i % 5 else ""
    subject = f"Subject: about {text[-30:]}\n" if i % 7 else ""
    return f"From: someone{i % 4}@{there}\nTo: ann@example.org\n{subject}{date}\n{text}\n"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("texts")
    for part, rows, seed in (("texts", 80, 0), ("later", 24, 1)):
        for i, (label, text) in enumerate(sentences(rows, seed)):
            for root, suffix, content in ((part, "txt", text), (f"{part}-mail", "eml", message(label, text, i))):
                path = folder / root / label / f"my letter number {i} of today.{suffix}"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
    run("fit", folder / "texts", "--target", "class", "-o", folder / "texts.likely", "-q")
    run("fit", folder / "texts-mail", "--target", "class", "-o", folder / "mail.likely", "-q")
    return folder


def answers(result):
    return list(csv.DictReader(io.StringIO(result.stdout)))


def columns_of(model):
    return [column["name"] for column in json.loads(run("inspect", model, "--json").stdout)["columns"]]


def test_the_path_is_not_learned(place):
    assert columns_of(place / "texts.likely") == ["text"]
    learned = columns_of(place / "mail.likely")
    assert {"subject", "body", "sender_domain", "date", "hour", "size"} <= set(learned) and "path" not in learned


@pytest.mark.parametrize(("model", "data"), [("texts.likely", "later"), ("mail.likely", "later-mail")])
def test_verbs_that_answer_read_folders(place, model, data):
    rows = answers(run("predict", place / model, place / data, "--keep-column", "path", "--csv"))
    assert len(rows) == 24
    assert np.mean([row["path"].split("/")[0] == row["class"] for row in rows]) > 0.9
    measures = answers(run("evaluate", place / model, place / data, "--csv"))
    accuracy = next(row for row in measures if row["measure"] == "accuracy")
    assert float(accuracy["n"]) == 24 and float(accuracy["value"]) > 0.9
    assert run("explain", place / model, place / data, "--row", "0", "--csv").stdout
    assert run("audit", place / data, "--target", "class", "--csv").stdout


def test_files_of_one_class_align_with_the_model(place):
    flat = answers(run("predict", place / "texts.likely", place / "later" / "spam", "--csv"))  # no class, other paths
    assert [row["class"] for row in flat].count("spam") > 10
    some = place / "later" / "ham" / "my letter number 0 of today.txt"
    (row,) = answers(run("predict", place / "texts.likely", some, "--format", "text", "--csv"))
    assert row["class"] == "ham"


def test_a_single_text_on_standard_input(place):
    said = run(
        "predict", place / "texts.likely", "-", "--format", "text", "--json", stdin=b"win, win\nfree cash, click!"
    )
    assert [row["class"] for row in json.loads(said.stdout)] == ["spam"]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("message", [b"Subject: free prize\n\nwin cash, click", b"win cash: click free prizes", b""])
def test_a_single_message_on_standard_input(place, message):
    said = run("predict", place / "mail.likely", "-", "--format", "eml", "--json", stdin=message)
    (row,) = json.loads(said.stdout)
    assert sum(row["probabilities"].values()) == pytest.approx(1)


def test_mailboxes_give_the_same_answers_as_files(place, tmp_path):
    box, maildir = mailbox.mbox(tmp_path / "spam.mbox"), mailbox.Maildir(tmp_path / "maildir")
    files = sorted((place / "later-mail" / "spam").iterdir())
    for path in files:
        box.add(path.read_bytes())
        maildir.add(path.read_bytes())
    box.close()
    shares = [
        sorted(float(row["P(spam)"]) for row in answers(run("predict", place / "mail.likely", data, "--csv")))
        for data in (place / "later-mail" / "spam", tmp_path / "spam.mbox", tmp_path / "maildir")
    ]
    assert len(shares[0]) == len(files)
    assert shares[1] == pytest.approx(shares[0], rel=0.2) and shares[2] == pytest.approx(shares[0], rel=0.2)


def test_learning_goes_on_from_folders(place, tmp_path):
    more, back = tmp_path / "more.likely", tmp_path / "back.likely"
    run("update", place / "texts.likely", place / "later", "-o", more)
    run("forget", more, place / "later", "-o", back)
    before, after = (run("predict", model, place / "later", "--csv").stdout for model in (place / "texts.likely", back))
    assert before == after


def test_a_study_of_a_folder(place, tmp_path):
    quick = ("--no-yardsticks", "--folds", "3", "--repeats", "1")
    run("study", place / "texts", "--target", "class", "-o", tmp_path / "study", *quick)
    assert columns_of(tmp_path / "study" / "model.likely") == ["text"]
    assert "likely study" in (tmp_path / "study" / "report.md").read_text()


@pytest.mark.filterwarnings("default")  # as in a shell, where the command makes notes of warnings
def test_what_is_odd_is_said_and_nothing_fails(place, tmp_path):
    for path in (place / "texts").rglob("*.txt"):
        copy = tmp_path / "odd" / path.relative_to(place / "texts")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    (tmp_path / "odd" / "ham" / "empty").write_bytes(b"")
    (tmp_path / "odd" / "ham" / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "odd" / "ham" / "gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "odd" / "README").write_text("not of any class")
    said = run("fit", tmp_path / "odd", "--target", "class", "-o", tmp_path / "m.likely").stderr
    for part in ("are empty: 'ham/empty'", "hold NUL bytes", "cannot be read", "lies directly in it has no class"):
        assert part in said
    assert said.count("note:") == 4
    assert len(answers(run("predict", tmp_path / "m.likely", tmp_path / "odd", "--csv"))) == 84


def test_mistakes_are_told(place, tmp_path):
    model = place / "texts.likely"
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "a.csv").write_text("x\n1\n")
    (tmp_path / "nothing").mkdir()
    assert "--format text" in refused("predict", model, tmp_path / "tables")
    assert "no texts in it" in refused("predict", model, tmp_path / "nothing")
    assert "lacks the column 'text'" in refused("predict", model, place / "later-mail")
    assert "no Maildir" in refused("predict", model, place / "later", "--format", "maildir")
    assert "no target column 'label'" in refused("fit", place / "later", "--target", "label", "-o", tmp_path / "m")


def test_tables_do_not_wait_for_mail():
    code = (
        "import sys; from likely.data.tables import read_table; import likely.cli.verbs; read_table({'a': [1]});"
        "assert not {'likely.data.text', 'likely.data.text.mail', 'mailbox'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
