"""Folders of texts and of mail as tables: every file is a row, its place gives its class, and what is odd is said."""

import gzip
import io
import json
import mailbox
import os
import sys
import warnings
from datetime import datetime
from types import SimpleNamespace

import polars as pl
import pytest

from likely.data.findings.table import examine
from likely.data.frames.tables import read_table
from likely.data.sources import scan
from likely.data.text.corpora import known_kinds
from likely.errors import InputError

MESSAGE = b"From: %s@example.org\nSubject: about %s\n\nthe text of %s\n"


def letter(name):
    return MESSAGE.replace(b"%s", name.encode())


def tree(folder, **files):
    """Files by their paths, with __ for a slash."""
    for name, data in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


def said(*arguments, **options):
    """A table and the warnings about it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        frame = read_table(*arguments, **options)
    assert all(each.filename == __file__ for each in caught)  # they point to where read_table was called
    return frame, "\n".join(str(each.message) for each in caught)


def test_a_folder_per_class(tmp_path):
    tree(tmp_path, spam__b_dot_txt="win", spam__a="buy", ham__2003__x__y_dot_txt="lunch?")
    frame = read_table(tmp_path)
    assert frame.columns == ["text", "class", "path"]
    assert frame.rows() == [
        ("lunch?", "ham", "ham/2003/x/y.txt"),
        ("buy", "spam", "spam/a"),
        ("win", "spam", "spam/b.txt"),
    ]
    assert read_table(str(tmp_path), max_rows=2).rows() == frame.rows()[:2]
    assert read_table(tmp_path, columns=["text"], missing="buy")["text"].to_list() == ["lunch?", None, "win"]


def test_files_without_folders_have_no_class(tmp_path):
    tree(tmp_path, b_dot_txt="two", a_dot_txt="one")
    assert read_table(tmp_path).rows() == [("one", "a.txt"), ("two", "b.txt")]
    names = [str(tmp_path / name) for name in ("b.txt", "a.txt")]
    assert read_table(names, format="text").rows() == [("two", names[0]), ("one", names[1])]
    assert read_table(tmp_path / "*.txt", format="text").height == 2
    assert read_table(tmp_path / "a.txt", format="text").columns == ["text", "path"]


def test_a_text_file_named_directly_is_a_table_unless_told(tmp_path):
    tree(tmp_path, a_dot_txt="x,y\n1,2\n")
    assert read_table(tmp_path / "a.txt").columns == ["x", "y"]


def test_what_is_odd_is_a_row_and_is_said(tmp_path):
    tree(tmp_path, a__empty="", a__latin=b"na\xefve", a__binary=b"\x89PNG\0\xff", a__good="fine", loose="no class")
    tree(tmp_path, a___dot_hidden="x", _dot_git__config="x")
    (tmp_path / "a" / "gone").symlink_to(tmp_path / "nowhere")
    frame, words = said(tmp_path)
    cells = {path: (text, label) for text, label, path in frame.rows()}
    assert cells == {
        "a/empty": ("", "a"),
        "a/latin": ("naïve", "a"),
        "a/binary": ("‰PNG\ufffdÿ", "a"),
        "a/good": ("fine", "a"),
        "a/gone": (None, "a"),
        "loose": ("no class", None),
    }
    for part in (
        "2 left out: hidden",
        "1 of 6 texts are empty: 'a/empty'",
        "not UTF-8",
        "hold NUL bytes",
        "cannot be read (No such",
    ):
        assert part in words
    assert "lies directly in it has no class: 1 of 6 texts" in words


def test_links_that_lead_back_are_followed_once(tmp_path):
    tree(tmp_path, a__x="one", b__y="two")
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    assert read_table(tmp_path)["path"].to_list() == ["a/x", "b/y"]
    (tmp_path / "a" / "itself").symlink_to("itself")
    frame, words = said(tmp_path)
    assert frame["text"].to_list() == [None, "one", "two"] and "1 of 3 texts cannot be read" in words


def test_folders_that_cannot_be_read_are_counted(tmp_path, monkeypatch):
    tree(tmp_path, a__x="one", b__y="two")
    scandir = os.scandir

    def closed(path):
        if str(path).endswith("b"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    frame, words = said(tmp_path)
    assert frame["path"].to_list() == ["a/x"] and "1 left out: a folder that cannot be read" in words


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_special_files_are_counted(tmp_path):
    tree(tmp_path, a__x="one")
    os.mkfifo(tmp_path / "a" / "pipe")
    frame, words = said(tmp_path)
    assert frame.height == 1 and "1 left out, which is no file (a FIFO, say)" in words


def test_folders_of_tables_stay_refused(tmp_path):
    tree(tmp_path, a__x_dot_csv="p,q\n1,2\n", a__y_dot_txt="text")
    with pytest.raises(InputError, match=r"is a folder\. Name its files.*'x\.csv'.*--format text"):
        read_table(tmp_path)
    assert read_table(tmp_path, format="text")["text"].to_list() == ["p,q\n1,2\n", "text"]
    with pytest.raises(InputError, match="is a folder"):
        read_table(tmp_path, format="csv")
    with pytest.raises(InputError, match="is a folder"):
        scan(tmp_path)


def test_folders_that_hold_nothing_or_too_much(tmp_path):
    (tmp_path / "empty" / "er").mkdir(parents=True)
    with pytest.raises(InputError, match="no texts in it"):
        read_table(tmp_path / "empty")
    with pytest.raises(InputError, match="no Maildir"):
        read_table(tmp_path, format="maildir")
    tree(tmp_path, both__a_dot_eml=letter("ann"), both__b_dot_txt="text")
    with pytest.raises(InputError, match="holds both mail"):
        read_table(tmp_path / "both")
    frame, words = said(tmp_path / "both", format="eml")  # a text without headers is a body, and a fault
    assert frame["body"].to_list() == ["the text of ann", "text"] and "1 of 2 messages have faults" in words
    assert read_table(tmp_path / "both", format="text").columns == ["text", "path"]


def test_messages_in_folders(tmp_path):
    tree(tmp_path, spam__1_dot_eml=letter("joe"), ham__2_dot_EML=letter("ann"), ham__3_dot_eml=b"")
    frame, words = said(tmp_path)
    assert words == "1 of 3 texts are empty: 'ham/3.eml'"
    assert frame["subject"].to_list() == ["about ann", None, "about joe"]
    assert frame["body"].to_list() == ["the text of ann", "", "the text of joe"]
    assert frame["sender_domain"].to_list() == ["example.org", None, "example.org"]
    assert frame["class"].to_list() == ["ham", "ham", "spam"]
    assert frame["path"].to_list() == ["ham/2.EML", "ham/3.eml", "spam/1.eml"]
    one = read_table(tmp_path / "spam" / "1.eml")
    assert one.columns == [name for name in frame.columns if name != "class"]
    assert one.schema == frame.drop("class").schema and one["date"].dtype == pl.Datetime("us")
    both, _ = said([tmp_path / "ham" / "3.eml", tmp_path / "spam" / "1.eml"])
    assert both["subject"].to_list() == [None, "about joe"]


def boxes(folder):
    """The same four messages as mbox files, Maildirs per class, one Maildir, and compressed."""
    for label, names in (("ham", ["ann", "bea"]), ("spam", ["joe", "jim"])):
        box, maildir = mailbox.mbox(folder / "mbox" / f"{label}.mbox"), mailbox.Maildir(folder / "maildirs" / label)
        inside = mailbox.Maildir(folder / "maildir").add_folder(label)
        for name in names:
            box.add(letter(name))
            maildir.add(letter(name))
            inside.add(letter(name))
        box.close()
        packed = folder / "packed" / f"{label}.mbox.gz"
        packed.write_bytes(gzip.compress((folder / "mbox" / f"{label}.mbox").read_bytes()))
    return folder


def test_mailboxes_per_class(tmp_path):
    for name in ("mbox", "packed", "maildirs"):
        (tmp_path / name).mkdir()
    boxes(tmp_path)
    expected = {("about ann", "ham"), ("about bea", "ham"), ("about joe", "spam"), ("about jim", "spam")}
    for place in ("mbox", "packed", "maildirs", "maildir"):
        frame = read_table(tmp_path / place)
        assert set(frame.select("subject", "class").rows()) == expected, place
        assert frame["path"].n_unique() == 4 and not frame["defects"].sum()
    assert read_table(tmp_path / "mbox")["path"].to_list() == ["ham.mbox#1", "ham.mbox#2", "spam.mbox#1", "spam.mbox#2"]
    assert "class" not in read_table(tmp_path / "maildirs" / "ham").columns
    assert "class" not in read_table(tmp_path / "mbox" / "ham.mbox").columns
    assert read_table(tmp_path / "maildir", format="maildir").height == 4
    assert read_table(tmp_path / "maildirs", format="maildir").height == 4


def test_the_content_tells_an_mbox(tmp_path, monkeypatch):
    box = mailbox.mbox(tmp_path / "Inbox")
    for name in ("ann", "joe"):
        box.add(letter(name))
    box.close()
    data = (tmp_path / "Inbox").read_bytes()
    assert read_table(tmp_path / "Inbox")["subject"].to_list() == ["about ann", "about joe"]
    for stream in (data, gzip.compress(data)):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stream)))
        frame = read_table("-")
        assert frame["subject"].to_list() == ["about ann", "about joe"] and frame["path"][0] == "-#1"
    tree(tmp_path, table="From there,to here\n2001,2002\n")
    assert read_table(tmp_path / "table").columns == ["From there", "to here"]


def test_standard_input_as_a_text_and_as_a_message(monkeypatch):
    def given(data):
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    given(b"a,b\n1,2\n")
    assert read_table("-", format="text").rows() == [("a,b\n1,2\n", "-")]
    given(letter("ann"))
    assert read_table("-", format="eml")["subject"].to_list() == ["about ann"]
    given(b"")
    frame, words = said("-", format="text")
    assert frame.rows() == [("", "-")] and "are empty" in words
    given(b"")
    with pytest.raises(InputError, match="Maildir"):
        read_table("-", format="maildir")
    given(b"\n")
    with pytest.raises(InputError, match="standard input holds no message"):
        read_table("-", format="mbox")


def test_what_unfolds_to_a_thousand_times_its_size_is_read_in_part(tmp_path):
    bomb = gzip.compress(bytes(100 * 2**20), 9)
    tree(tmp_path, a__x_dot_txt=bomb, b__y="text")
    frame, words = said(tmp_path)
    most = max(2**24, 64 * len(bomb))
    assert len(bomb) < 2**17 and len(frame["text"][0]) <= most + 1
    assert "1 of 2 texts unfold to over 64 times their size" in words and "a/x.txt" in words
    plain = gzip.compress(b"a" * 2**23, 9)  # what repeats itself is read whole if it is not large
    frame, words = said(tree(tmp_path / "plain", a__x_dot_txt=plain, b__y="text"))
    assert len(frame["text"][0]) == 2**23 and not words


def test_compressed_texts_whole_and_damaged(tmp_path):
    packed = gzip.compress(b"".join(b"line %d\n" % i for i in range(100_000)))
    tree(
        tmp_path,
        a__whole_dot_txt_dot_gz=packed + gzip.compress(b"more"),
        a__cut_dot_txt_dot_gz=packed[:-1000],
        b__x="text",
    )
    frame, words = said(tmp_path)
    texts = dict(zip(frame["path"], frame["text"], strict=True))
    assert texts["a/whole.txt.gz"].endswith("line 99999\nmore")
    assert texts["a/cut.txt.gz"].startswith("line 0\n") and len(texts["a/cut.txt.gz"]) > 100_000
    assert "1 of 3 texts are damaged gzip" in words and "cut" in words
    many = b"".join(gzip.compress(b"%d\n" % i) for i in range(2000))
    tree(tmp_path, parts__a_dot_txt_dot_gz=many, parts__b_dot_txt_dot_gz=many + b"rubbish")
    frame, words = said(tmp_path / "parts")
    assert (
        frame["text"].to_list() == ["".join(f"{i}\n" for i in range(2000))] * 2 and "1 of 2 texts are damaged" in words
    )
    tree(tmp_path, mail__a_dot_eml_dot_gz=gzip.compress(letter("ann")))
    assert read_table(tmp_path / "mail")["subject"].to_list() == ["about ann"]


def test_texts_that_look_like_mail_are_told(tmp_path):
    tree(tmp_path, a__1=letter("ann"), b__2=letter("joe"))
    frame, words = said(tmp_path)
    assert frame.columns == ["text", "class", "path"] and "--format eml" in words
    assert read_table(tmp_path, format="eml")["subject"].to_list() == ["about ann", "about joe"]


def test_formats_that_do_not_fit(tmp_path):
    tree(tmp_path, a_dot_eml=letter("ann"), b_dot_csv="x\n1\n", c_dot_txt="x")
    for names in (["a.eml", "b.csv"], ["b.csv", "a.eml"]):
        with pytest.raises(InputError, match=r"a\.eml and .*b\.csv do not go together"):
            read_table([tmp_path / name for name in names])
    with pytest.raises(InputError, match="no folder"):
        read_table(tmp_path / "a.eml", format="maildir")
    for options in ({}, {"format": "text"}):
        with pytest.raises(InputError, match="cannot be scanned"):
            scan(tmp_path / "a.eml", **options)


def test_faults_in_mail_are_told(tmp_path):
    tree(tmp_path, a_dot_eml=letter("ann"), b_dot_eml=b"Date: yesterday\n\n\xff")
    frame, words = said(tmp_path)
    assert frame["defects"].to_list() == [0, 2] and "1 of 2 messages have faults" in words
    tree(tmp_path, b_dot_eml=b"Date: Mon, 1 Feb 2021 01:30:00 -0000\n\nx")
    assert read_table(tmp_path)["date"].to_list() == [None, datetime(2021, 2, 1, 1, 30)]


@pytest.mark.parametrize("name", ["{}.txt", "A note about my lunch number {} of today.txt"])
@pytest.mark.parametrize("rows", [3, 40])
def test_the_path_is_no_feature(tmp_path, name, rows):
    for i in range(rows):
        for label in ("spam", "ham"):
            (tmp_path / label).mkdir(exist_ok=True)
            (tmp_path / label / name.format(i)).write_text(f"the text number {i} of these, for {label} and no other")
    found = {column.name: column for column in examine(read_table(tmp_path), "class").columns}
    assert not found["path"].used and found["path"].warning == "identifier"


def test_a_large_folder_is_read_whole(tmp_path):
    for k in range(20):
        (tmp_path / f"c{k}").mkdir()
        for i in range(100):
            (tmp_path / f"c{k}" / str(i)).write_text("some words of a text\n" * 50)
    frame = read_table(tmp_path)
    assert frame.height == 2000 and set(frame["class"].value_counts()["count"]) == {100}


def corpus(shared_data, name):
    path = shared_data / "text" / f"{name}.jsonl.gz"
    if not path.is_file():
        pytest.skip(f"{path} is not there")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def test_sms_as_a_folder_per_class(shared_data, tmp_path):
    rows = corpus(shared_data, "sms_spam")[:1500]
    for i, row in enumerate(rows):
        (tmp_path / row["label"]).mkdir(exist_ok=True)
        (tmp_path / row["label"] / f"{i:05}.txt").write_text(row["text"], encoding="utf-8", newline="")
    frame = read_table(tmp_path).sort(pl.col("path").str.slice(-9))
    assert frame["text"].to_list() == [row["text"] for row in rows]
    assert frame["class"].to_list() == [row["label"] for row in rows]


@pytest.mark.parametrize("name", ["enron1_spam", "ling_spam"])
def test_mail_corpora_as_messages(shared_data, tmp_path, name):
    rows = corpus(shared_data, name)[::10]
    for i, row in enumerate(rows):
        (tmp_path / row["label"]).mkdir(exist_ok=True)
        (tmp_path / row["label"] / f"{i:05}.eml").write_bytes(row["text"].encode("utf-8"))
    frame, _ = said(tmp_path)  # the headers of Enron end without a blank line
    frame = frame.sort(pl.col("path").str.slice(-9))
    assert frame.height == len(rows) and frame["class"].to_list() == [row["label"] for row in rows]
    for row, subject, body in zip(rows, frame["subject"], frame["body"], strict=True):
        assert row["text"].split() == ["Subject:", *subject.split(), *body.split()]


@pytest.mark.parametrize("words", [("ok", "no"), ("hello",), ("",), ("今天天气很好我们去公园", "明天下午三点开会")])
def test_texts_are_texts_however_short_or_alike(tmp_path, words):
    for i in range(24):
        tree(tmp_path, **{f"{'ab'[i % 2]}__{i}": words[i % len(words)]})
    found = examine(said(tmp_path)[0], "class")
    assert found.kinds == {"text": "text"} and list(found.left_out) == ["path"]


MAIL_KINDS = {
    **dict.fromkeys(("subject", "body"), "text"),
    **dict.fromkeys(("sender", "sender_domain"), "nominal"),
    **dict.fromkeys(("recipients", "attachments", "links", "defects"), "count"),
    **dict.fromkeys(("date", "hour", "size"), "numeric"),
    "html": "binary",
}


@pytest.mark.parametrize("count", [2, 30])
def test_the_columns_of_mail_have_their_kinds_and_stay(tmp_path, count):
    for i in range(count):
        tree(tmp_path, **{f"{'ab'[i % 2]}__{i}_dot_eml": letter(f"joe{i}")})
    frame = read_table(tmp_path)
    found = examine(frame, "class")
    assert found.kinds == MAIL_KINDS and list(found.left_out) == ["path"]
    given = examine(frame, "class", {"hour": "nominal"})
    assert given.kinds == {**MAIL_KINDS, "hour": "nominal"}
    part = examine(frame.drop("sender"), "class", known=known_kinds(frame))
    assert part.kinds == {name: kind for name, kind in MAIL_KINDS.items() if name != "sender"}
    assert found.prepared(frame)["date"].dtype == pl.Float64


def test_other_tables_have_no_known_kinds(tmp_path):
    assert known_kinds(pl.DataFrame({"text": ["a"], "path": ["b"], "size": [3]})) == {}
    assert known_kinds(pl.DataFrame({"text": [3], "path": ["b"]})) == {}
    assert known_kinds(pl.DataFrame({"path": ["b"]})) == {}
    assert known_kinds(pl.DataFrame({"text": ["a"], "class": ["x"], "path": ["b"]})) == {"text": "text"}


def test_surrogates_and_nul_in_json_are_said(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"x": "a \\ud83d b", "y": 1}\n{"x": "a \\u0000 b", "y": 2}\n{"x": "fine", "y": 3}\n')
    frame, words = said(path)
    assert frame["x"].to_list() == ["a \ufffd b", "a \ufffd b", "fine"]
    assert "2 of 3 cells of the column 'x' hold NUL or a lone surrogate" in words
