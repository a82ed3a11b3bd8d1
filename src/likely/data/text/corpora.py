"""Tables of texts and of mail, from folders, files and bytes.

A text is a row with the columns `text` and `path`, a message one with the columns that `mail` lists and `path`; in a
folder with a folder per class there is `class` too. Nothing in a file makes reading fail and nothing is dropped without
a note: an empty file is an empty text; bytes that are no text are read as `charsets` says; a file that cannot be read
is a row of missing cells.

These columns have kinds of their own, whatever a folder or a mailbox happens to hold: texts are texts if they are short
or all alike, and numbers of attachments are counts if none has more than one.
"""

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice
from pathlib import Path
from typing import Any

import polars as pl

from likely.data.printing.wording import quoted
from likely.data.sources.formats import MAIL, Format
from likely.data.text.folders import Found, TextFile, content_of, texts_in
from likely.data.text.mail.charsets import cleaned, text_of_file
from likely.data.text.mail.mail import MailRow, read_message
from likely.data.text.mail.mailboxes import messages_of
from likely.errors import InputError

_MAIL_TYPES: dict[str, Any] = {
    "subject": pl.String, "body": pl.String, "sender": pl.String, "sender_domain": pl.String, "recipients": pl.Int64,
    "date": pl.Datetime("us"), "hour": pl.Int64, "size": pl.Int64, "attachments": pl.Int64, "links": pl.Int64,
    "html": pl.Boolean, "defects": pl.Int64,
}  # fmt: skip
_MAIL_KINDS = {
    "subject": "text", "body": "text", "sender": "nominal", "sender_domain": "nominal", "recipients": "count",
    "date": "date", "hour": "numeric", "size": "numeric", "attachments": "count", "links": "count", "html": "binary",
    "defects": "count",
}  # fmt: skip
PLACES = ("class", "path")  # columns that come from where a text lies
_NO_MAIL = (None,) * len(_MAIL_TYPES)
_PIECE = 1 << 16  # bytes unpacked at a time: those before a fault are kept
_UNFOLDING = 64  # texts unfold to a tenth of it; what is made to fill the memory, to a thousand times its size
_FREE = 1 << 24  # bytes that any file may unfold to
_MAIL_HEADER = re.compile(r"^(?:from|to|subject|date|received|message-id|return-path|path|newsgroups):", re.I | re.M)


def read_folder(folder: Path, format: Format | None, max_rows: int | None = None) -> tuple[pl.DataFrame, list[str]]:
    """The texts or messages in a folder as a table, and what is to be said about them.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("spam", "ham"):
    ...     _ = (folder / name).mkdir(), (folder / name / "1.txt").write_text(f"this is {name}")
    >>> read_folder(folder, None)[0].rows()
    [('this is ham', 'ham', 'ham/1.txt'), ('this is spam', 'spam', 'spam/1.txt')]
    """
    found = texts_in(folder, format)
    _check(found)
    frame, notes = _table(found.files, max_rows)
    if format is None and _look_like_mail(frame):
        notes.append(f"{folder}: the texts look like mail; format eml (--format eml) takes headers and bodies apart")
    notes = [f"{folder}: {count:,} left out{why}" for why, count in found.left_out.items()] + notes
    if "class" in frame.columns and (loose := frame["class"].null_count()):
        notes.append(f"{folder}: what lies directly in it has no class: {loose:,} of {frame.height:,} texts")
    return frame, notes


def read_files(
    paths: Sequence[Path], format: Format | Sequence[Format], max_rows: int | None = None
) -> tuple[pl.DataFrame, list[str]]:
    """The texts or messages in some files, of one format or each of its own, as a table, and what is to be said."""
    formats = [format] * len(paths) if isinstance(format, str) else format
    mail = [each in MAIL for each in formats]
    if True in mail and False in mail:
        one, other = mail.index(True), mail.index(False)
        raise InputError(
            f"{paths[one]} and {paths[other]} do not go together: mail ({formats[one]}) and {formats[other]}."
        )
    files = [
        TextFile(str(path), cleaned(str(path)), content_of(path, each))
        for path, each in zip(paths, formats, strict=True)
    ]
    return _table(files, max_rows)


def read_bytes(data: bytes, format: Format, max_rows: int | None = None) -> tuple[pl.DataFrame, list[str]]:
    """The text or the messages in some bytes as a table, and what is to be said about them."""
    if format == "maildir":
        raise InputError("standard input cannot be a Maildir, which is a folder. Say eml for a single message.")
    file = TextFile("-", "-", content_of(Path("-"), format))
    return _table([file], max_rows, {"-": data})


def known_kinds(frame: pl.DataFrame) -> dict[str, str]:
    """The kinds of the columns of a table that was made here; of another table, none.

    A table of texts or of mail is known by the names and the order of all its columns.

    >>> known_kinds(pl.DataFrame({"text": ["yes"], "path": ["1.txt"]})), known_kinds(pl.DataFrame({"text": ["yes"]}))
    ({'text': 'text'}, {})
    """
    names = [name for name in frame.columns if name != "class"]
    places = frame.columns[len(names) - 1 :]
    if places not in (["path"], list(PLACES)) or names[:-1] not in (["text"], list(_MAIL_KINDS)):
        return {}
    kinds = {"text": "text", **_MAIL_KINDS}
    return {name: kinds[name] for name in names[:-1] if _fits(frame.schema[name], kinds[name])}


def _fits(dtype: pl.DataType, kind: str) -> bool:
    """Whether cells of a type can be of a kind; a table may have been written to a file and read again."""
    if kind in ("text", "nominal"):
        return dtype == pl.String
    if kind == "date":
        return dtype.is_temporal()
    return dtype.is_integer() or (kind == "binary" and dtype == pl.Boolean)


@dataclass
class _Reading:
    """The bytes of files one after the other, and what was wrong with them."""

    given: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[str]] = field(default_factory=dict)  # what was wrong, and with which

    def bytes_of(self, file: TextFile) -> bytes | None:
        try:
            if file.place in self.given:
                data = self.given[file.place]
            else:
                with open(file.place, "rb", buffering=0) as stream:  # noqa: PTH123 - a Path would double the time
                    data = stream.read()
        except OSError as error:
            self.fault(f"cannot be read ({error.strerror or error}) and are rows of missing cells", file.name)
            return None
        if not data.startswith(b"\x1f\x8b"):
            return data
        data, fault = _unpacked(data)
        if fault is not None:
            self.fault(fault, file.name)
        return data

    def fault(self, what: str, name: str) -> None:
        self.faults.setdefault(what, []).append(name)

    def notes(self, rows: int) -> list[str]:
        return [f"{len(names):,} of {rows:,} texts {what}: {quoted(names, 3)}" for what, names in self.faults.items()]


def _check(found: Found) -> None:
    """Refuse a folder that could mean several things, or none."""
    if found.tables:
        shown = quoted([Path(place).name for place in found.tables], 3)
        raise InputError(
            f"{found.folder} is a folder. Name its files, with a pattern such as '{found.folder}/*.parquet'; to have "
            f"every file as a text, also {shown}, say format text (--format text)."
        )
    if not found.files:
        what = "no Maildir with messages" if found.format == "maildir" else "no texts"
        raise InputError(f"{found.folder} is a folder with {what} in it.")
    texts = [file.name for file in found.files if file.content == "text"]
    if texts and len(texts) < len(found.files):
        mail = next(file.name for file in found.files if file.content != "text")
        raise InputError(
            f"{found.folder} holds both mail ({mail!r}) and other files ({quoted(texts, 3)}). Move one of them, or say "
            "format eml or text (--format) to have all as such."
        )


def _table(
    files: list[TextFile], max_rows: int | None, given: dict[str, bytes] | None = None
) -> tuple[pl.DataFrame, list[str]]:
    reading = _Reading(given or {})
    mail = files[0].content != "text"
    rows = list(islice((_messages if mail else _texts)(files, reading), max_rows))
    types = {**(_MAIL_TYPES if mail else {"text": pl.String}), "class": pl.String, "path": pl.String}
    if not rows:
        raise InputError(f"{'standard input' if files[0].name == '-' else files[0].place} holds no message.")
    columns = zip(*rows, strict=True)
    frame = pl.DataFrame(
        [pl.Series(name, list(cells), dtype) for (name, dtype), cells in zip(types.items(), columns, strict=True)]
    )
    if all(file.label is None for file in files):
        frame = frame.drop("class")
    notes = reading.notes(frame.height)
    if mail and (faulty := int((frame["defects"] > 0).sum())):
        notes.append(f"{faulty:,} of {frame.height:,} messages have faults, which the column 'defects' counts")
    return frame, notes


def _texts(files: list[TextFile], reading: _Reading) -> Iterator[tuple[Any, ...]]:
    said = {"charset": "are not UTF-8 and are read as Windows-1252", "binary": "hold NUL bytes, as no text does"}
    for file in files:
        data = reading.bytes_of(file)
        if data is None:
            yield None, file.label, file.name
            continue
        text, fault = text_of_file(data)
        if fault is not None:
            reading.fault(said[fault], file.name)
        elif not text:
            reading.fault("are empty", file.name)
        yield text, file.label, file.name


def _messages(files: list[TextFile], reading: _Reading) -> Iterator[tuple[Any, ...]]:
    names = [each.name for each in fields(MailRow)]
    for file in files:
        data = reading.bytes_of(file)
        if data is None:
            yield *_NO_MAIL, file.label, file.name
        elif file.content == "eml":
            if not data.strip():
                reading.fault("are empty", file.name)
            row = read_message(data)
            yield *(getattr(row, name) for name in names), file.label, file.name
        else:
            i = 0
            for i, message in enumerate(messages_of(data), start=1):
                row = read_message(message)
                yield *(getattr(row, name) for name in names), file.label, f"{file.name}#{i}"
            if not i:
                reading.fault("are mailboxes without a message", file.name)


def _unpacked(data: bytes) -> tuple[bytes, str | None]:
    """What gzip packed, as much of it as is sound and within reason, and what is wrong if that is not all."""
    pieces, here, left = list[bytes](), 0, max(_FREE, _UNFOLDING * len(data))
    while data.startswith(b"\x1f\x8b", here):  # it may be packed in several parts
        unpacking = zlib.decompressobj(31)
        while not unpacking.eof:
            piece = unpacking.unconsumed_tail or data[here : here + _PIECE]
            taken = 0 if unpacking.unconsumed_tail else len(piece)
            try:
                pieces.append(unpacking.decompress(piece, left + 1))
            except zlib.error:
                piece = b""
            if not piece:
                return b"".join(pieces), "are damaged gzip, of which only the beginning is read"
            left -= len(pieces[-1])
            if left < 0:
                return b"".join(pieces), f"unfold to over {_UNFOLDING} times their size, of which the beginning is read"
            here += taken - len(unpacking.unused_data)
    whole = not data[here:].strip(b"\0")
    return b"".join(pieces), None if whole else "are damaged gzip, of which only the beginning is read"


def _look_like_mail(frame: pl.DataFrame) -> bool:
    """Whether most of the first texts begin with headers."""
    texts: list[str] = frame["text"].head(20).drop_nulls().to_list() if "text" in frame.columns else []
    heads = [text.partition("\n\n")[0][:5000] for text in texts]
    return sum(len(_MAIL_HEADER.findall(head)) >= 2 for head in heads) > len(heads) / 2
