"""The command on texts as they lie about: folders, mailboxes, single messages; every verb reads them."""

import csv
import io
import json
import mailbox
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from command_line import birds, refused, run
from polars.testing import assert_frame_equal

import likely

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
    said = (run("predict", model, place / "later", "--csv").stdout for model in (place / "texts.likely", back))
    before, after = (pl.read_csv(text.encode()) for text in said)
    assert_frame_equal(before, after, rel_tol=1e-9)


@pytest.mark.slow
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
        "import sys; from likely.data.frames.tables import read_table; import likely.cli.command; "
        "read_table({'a': [1]}); "
        "assert not {'likely.data.text', 'likely.data.text.mail.mail', 'mailbox'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


PARTS = """From: new@elsewhere.example
To: ann@example.org, bea@example.org
Cc: joe@example.org, jim@example.org
Subject: many
Date: never
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=cut

--cut
Content-Type: text/html

<a href="http://a.example">win</a> http://b.example http://c.example =?utf-8?b?!?=
--cut
Content-Type: application/pdf

one
--cut
Content-Type: application/pdf

two
--cut--
"""


def mailboxes(folder):
    """Two mailboxes: in one all messages have one recipient and no date, in the other a date and copies."""
    for box, headers in (
        ("home", ""),
        ("work", "Date: Mon, 1 Feb 2021 10:00:00 +0100\nCc: a@example.org, b@example.org\n"),
    ):
        for i, (label, text) in enumerate(sentences(40, seed=len(box) + len(headers))):
            path = folder / box / label / f"{i}.eml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"From: someone{i % 3}@example.org\nTo: ann@example.org\n{headers}\n{text}\n")
        run("fit", folder / box, "--target", "class", "--no-calibrate", "-o", folder / f"{box}.likely", "-q")
    return folder


@pytest.mark.filterwarnings("default")
def test_no_message_disables_a_filter(tmp_path):
    place = mailboxes(tmp_path)
    (place / "new" / "spam").mkdir(parents=True)
    (place / "new" / "spam" / "1.eml").write_text(PARTS)
    model = place / "home.likely"
    kinds = {column["name"]: column["kind"] for column in json.loads(run("inspect", model, "--json").stdout)["columns"]}
    assert {kinds[name] for name in ("recipients", "attachments", "links", "defects")} == {"count"}
    (row,) = answers(run("predict", model, place / "new", "--csv"))
    assert float(row["P(ham)"]) + float(row["P(spam)"]) == pytest.approx(1)
    before = run("predict", model, place / "home", "--csv").stdout
    run("update", model, place / "new", "-o", place / "more.likely")
    run("forget", place / "more.likely", place / "new", "-o", place / "back.likely")
    after = run("predict", place / "back.likely", place / "home", "--csv").stdout
    shares = [[float(row["P(spam)"]) for row in csv.DictReader(io.StringIO(said))] for said in (before, after)]
    assert shares[0] == pytest.approx(shares[1], rel=1e-6)


def test_models_of_mailboxes_merge(tmp_path):
    place = mailboxes(tmp_path)
    run("merge", place / "home.likely", place / "work.likely", "-o", place / "merged.likely")
    for label in ("ham", "spam"):
        (place / "both" / label).mkdir(parents=True)
        for box in ("home", "work"):
            for path in (place / box / label).iterdir():
                (place / "both" / label / f"{box}-{path.name}").write_bytes(path.read_bytes())
    run("fit", place / "both", "--target", "class", "--no-calibrate", "-o", place / "both.likely", "-q")
    shares = [
        [float(row["P(spam)"]) for row in answers(run("predict", place / model, place / "both", "--csv"))]
        for model in ("merged.likely", "both.likely")
    ]
    assert shares[0] == pytest.approx(shares[1], rel=1e-9)


@pytest.mark.slow
def test_a_study_knows_the_kinds_of_mail(tmp_path):
    place = mailboxes(tmp_path)
    found = likely.study(place / "home", "class", cv=3, repeats=1, drop=["sender"])
    assert found.findings.kinds["attachments"] == "count" and found.findings.kinds["date"] == "numeric"
    assert "sender" not in found.findings.kinds
    for verb in (
        ("audit",),
        ("compare", "--models", "naive,histogram,kde,gaussian-full"),
        ("study", "--no-yardsticks", "--folds", "3"),
    ):
        output = ("-o", tmp_path / "out") if verb[0] == "study" else ()
        result = run(verb[0], place / "home", "--target", "class", *verb[1:], *output)
        assert "attachments    count" in result.stderr


def test_short_texts_are_learned_by_their_words(tmp_path):
    for i in range(30):
        path = tmp_path / "short" / ("yes" if i % 2 else "no") / f"{i}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(["never", "fine"][i % 2] if i % 3 else "well then")
    run("fit", tmp_path / "short", "--target", "class", "-o", tmp_path / "m.likely")
    (row,) = json.loads(
        run("predict", tmp_path / "m.likely", "-", "--format", "text", "--json", stdin=b"never, fine, never").stdout
    )
    assert row["class"] == "no"


def test_a_model_of_texts_alone_finds_its_column(tmp_path):
    labels, texts = zip(*sentences(60, 3), strict=True)
    model = tmp_path / "list.likely"
    likely.save(likely.TextBayes().fit(list(texts), list(labels)), model)

    def table(**columns):
        with (tmp_path / "t.csv").open("w", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerows([list(columns), *zip(*columns.values(), strict=True)])
        return tmp_path / "t.csv"

    numbers = range(60)
    for columns in ({"id": numbers, "text": texts}, {"id": numbers, "note": texts}, {"text": texts, "note": texts}):
        rows = answers(run("predict", model, table(**columns), "--csv"))
        assert np.mean([row["class"] == label for row, label in zip(rows, labels, strict=True)]) > 0.9
    said = refused("predict", model, table(one=texts, two=texts, id=numbers))
    assert "'one', 'two', 'id', of which 'one', 'two' are texts. Call the one that is meant 'text'" in said
    assert "--format text" in refused("predict", model, table(a=numbers, b=numbers))


def test_a_text_read_as_a_table_is_told_how_to_be_a_text(place, tmp_path):
    one = tmp_path / "one.txt"
    for content in ("a line alone", 'he said "no\nand went', "two\nlines, or\nthree", "first\nsecond"):
        one.write_text(content)
        said = refused("predict", place / "texts.likely", one)
        assert "say --format text" in said and "quote=None" not in said
    said = refused("predict", place / "texts.likely", f"{place / 'later' / '*' / '*.txt'}")
    assert "say --format text" in said
    rows = answers(
        run("predict", place / "texts.likely", f"{place / 'later' / '*' / '*.txt'}", "--format", "text", "--csv")
    )
    assert len(rows) == 24
    (tmp_path / "q.csv").write_text('a,b\n"x,1\n2,3\n')
    said = refused("audit", tmp_path / "q.csv", "--target", "b")
    assert "quote=None" not in said and "--format" not in said


def test_streams_are_of_tables(place, tmp_path):
    box = mailbox.mbox(tmp_path / "inbox")
    box.add(PARTS)
    box.close()
    mail = next((place / "later-mail" / "spam").iterdir())
    for data, what in (
        (place / "texts", "is a folder"),
        (tmp_path / "inbox", "is mail"),
        (mail, "is mail"),
        ("-", "standard input"),
    ):
        said = refused("fit", data, "--target", "class", "--stream", stdin=b"")
        assert "--stream is for tables in files" in said and what in said and "Leave --stream out" in said


def test_a_stream_sorted_by_class(tmp_path):
    rows = [f"ham,lunch at noon {i},{i % 2}" for i in range(11_000)] + [
        f"spam,free cash now {i},{i % 3}" for i in range(11_000)
    ]
    (tmp_path / "sorted.csv").write_text("\n".join(["label,text,n", *rows]))
    said = run("fit", tmp_path / "sorted.csv", "--target", "label", "--stream", "-o", tmp_path / "m.likely")
    assert "ham 11,000, spam 11,000" in said.stdout and "10,000 with another class" in said.stderr
    (tmp_path / "new.csv").write_text("text,n\nfree cash today,2\n")
    (row,) = answers(run("predict", tmp_path / "m.likely", tmp_path / "new.csv", "--csv"))
    assert row["class"] == "spam"
    (tmp_path / "one.csv").write_text("\n".join(["label,text,n", *rows[:11_000]]))
    said = run("fit", tmp_path / "one.csv", "--target", "label", "--stream", "-o", tmp_path / "one.likely")
    assert "ham 11,000" in said.stdout and "1 class (ham" in said.stderr  # to be merged with models of other classes


def test_nothing_is_said_of_columns_that_nobody_expects(place, tmp_path):
    assert run("predict", place / "texts.likely", place / "later", "--csv").stderr == ""
    table = birds(tmp_path)
    (tmp_path / "costs.csv").write_text(",Adelie,Chinstrap,Gentoo\nAdelie,0,1,1\nChinstrap,1,0,1\nGentoo,1,1,0\n")
    for options in (("--calibrate", "logistic"), ("--reject", "0.4"), ("--model", "majority")):
        run("fit", table, "--target", "species", "-o", tmp_path / "m.likely", "-q", *options)
        assert "ignored" not in run("predict", tmp_path / "m.likely", table, "--csv").stderr


@pytest.mark.parametrize(
    "options", [("--words", "bernoulli"), ("--stop-words", "english"), ("--ngrams", "2"), ("--min-df", "15")]
)
def test_options_of_words(place, tmp_path, options):
    for path in (place / "texts").rglob("*.txt"):  # with words that stop words are
        copy = tmp_path / "texts" / path.relative_to(place / "texts")
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(path.read_text() + (" and the rest" if copy.parent.name == "ham" else " or your rest"))
    plain, other = tmp_path / "plain.likely", tmp_path / "other.likely"
    run("fit", tmp_path / "texts", "--target", "class", "-o", plain, "-q")
    run("fit", tmp_path / "texts", "--target", "class", "-o", other, "-q", *options)
    before, after = (run("predict", model, place / "later", "--csv").stdout for model in (plain, other))
    assert before != after
    run("update", other, place / "later", "-o", tmp_path / "more.likely")
    measured = [
        run(
            "compare",
            tmp_path / "texts",
            "--target",
            "class",
            "--models",
            "naive,majority",
            "--measure",
            "log_loss",
            "--json",
            *given,
        ).stdout
        for given in ((), options)
    ]
    assert measured[0] != measured[1]
    table = birds(tmp_path)
    assert "no column is of the kind text" in refused("fit", table, "--target", "species", *options)
    assert "means nothing to the model 'majority'" in refused(
        "fit", tmp_path / "texts", "--target", "class", "--model", "majority", *options
    )


def test_help_tells_of_texts(place):
    assert "folder of texts" in run("--help").stdout
    for verb in ("fit", "compare"):
        shown = "".join(run(verb, "--help").stdout.split())
        assert "naive-bayes-words-present" in shown and "countortext" in shown
    said = refused("fit", place / "texts", "--target", "class", "--kind", "text=prose")
    assert said.split(";")[1].count("text") == 1
