"""Mail and tables that nobody would send, but somebody does."""

import gzip
import random
from pathlib import Path

from likely import NaiveBayes, scan
from likely.data.frames.tables import read_table
from likely.data.text.mail.mail import read_message
from likely.errors import LikelyError

_PIECES = [
    b"From: ", b"Subject: =?utf-8?q?", b"=?latin1?b?", b"?=", b"Content-Type: multipart/mixed; boundary=b\n\n",
    b"--b\n", b"--b--\n", b"Content-Type: message/rfc822\n\n", b"Content-Transfer-Encoding: base64\n", b"charset=utf-7",
    b"Date: Mon, 99 Feb 99999 99:99\n", b"\n", b"\r\n", b"\r", b"\0", b"\xff\xfe", b"<p>", b"<!--", b"&#9999999999;",
    b"a@b",
    b"Content-Disposition: attachment; filename*0*=x''%ff",
    b";", b" " * 100, b"x" * 500, b"http://", b"=\n", b"\xed\xa0\x80",
]  # fmt: skip
_CELLS = [
    "",
    "1",
    "1.10",
    "x",
    '"',
    '"a""b"',
    "NaN",
    "inf",
    "1e309",
    "-",
    "\x1b[0m",
    "é",
    "a\tb",
    "0x10",
    "2020-13-45",
    "☃" * 9,
    "\n",
]


def mail(chooser: random.Random, folder: Path) -> str | None:
    """Any bytes are a message, whose texts can be written as UTF-8."""
    data = b"".join(chooser.choice(_PIECES) * chooser.choice((1, 1, 1, 3, 40)) for _ in range(chooser.randrange(60)))
    row = read_message(data + chooser.randbytes(chooser.choice((0, 10))))
    for text in (row.subject, row.body, row.sender):
        if text is not None:
            text.encode()
    return None if row.size >= len(data) else "its size is wrong"


def tables(chooser: random.Random, folder: Path) -> str | None:
    """Any file is a table from which a model learns, or a `LikelyError`."""
    width = chooser.choice((1, 2, 3, 8))
    lines = [
        [chooser.choice(_CELLS) for _ in range(width + (chooser.random() < 0.05))] for _ in range(chooser.randrange(30))
    ]
    end, mark = chooser.choice(("\n", "\r\n", "\r")), chooser.choice((",", ";", "\t"))
    text = end.join([mark.join(f"c{j}" for j in range(width)), *map(mark.join, lines)])
    data = text.encode(chooser.choice(("utf-8", "utf-8", "utf-16", "utf-8-sig")))
    if chooser.random() < 0.3:
        at = chooser.randrange(len(data) + 1)
        data = data[:at] + chooser.randbytes(3) + data[at:]
    suffix = chooser.choice((".csv", ".tsv", ".jsonl", ".arff", ".csv.gz", ".parquet", ".txt"))
    place = folder / f"table{suffix}"
    place.write_bytes(gzip.compress(data) if suffix.endswith("gz") and chooser.random() < 0.8 else data)
    target = f"c{chooser.randrange(width)}"
    for learn in (lambda: NaiveBayes().fit(read_table(place), target), lambda: NaiveBayes().fit(scan(place), target)):
        try:
            model = learn()
            model.predict_proba(read_table(place))
        except LikelyError:
            continue
    return None
