"""The texts in a folder: which files they are, what each holds, and the class that its place gives it.

    corpus/spam/1.txt           one text per file; the class is the first folder below the one that was named,
    corpus/ham/2003/2.txt       however deep the file lies
    mail/spam/1.eml             one message per file, in folders or in Maildirs
    mail/spam.mbox              many messages; the class is the name of the file
    letters/1.txt               no folders inside: no class

Where some files have a class, those directly in the folder have none. What is left out is counted: files and folders
whose names begin with a dot, what is neither file nor folder, and beside Maildirs, if those are asked for, all else.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from likely.data.sources.formats import MAIL, TEXTS, Format, format_of_suffix
from likely.data.text.mail.charsets import cleaned
from likely.data.text.mail.mailboxes import is_maildir, mailboxes_in

Content: TypeAlias = Literal["text", "eml", "mbox"]


@dataclass(frozen=True)
class TextFile:
    """A file that holds one text, one message or many."""

    place: str
    name: str  # what it is called in the table
    content: Content
    label: str | None = None


@dataclass
class Found:
    """What is in a folder."""

    folder: Path
    format: Format | None
    files: list[TextFile] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)  # files that their names say are tables
    left_out: dict[str, int] = field(default_factory=dict)  # why, in words that follow "left out", and how many

    def leave_out(self, why: str) -> None:
        self.left_out[why] = self.left_out.get(why, 0) + 1

    def add(self, place: str, content: Content, label: str | None) -> None:
        name = cleaned(Path(place).relative_to(self.folder).as_posix())
        self.files.append(TextFile(place, name, content, label))


def texts_in(folder: Path, format: Format | None = None) -> Found:
    """The texts in a folder, in order of their names.

    format: "text", "eml" or "mbox" if every file holds that; "maildir" if only Maildirs are meant; None: told by the
    names of files and folders.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> for name in ("spam", "ham"):
    ...     _ = (folder / name).mkdir(), (folder / name / "1.txt").write_text("hello")
    >>> [(file.name, file.label) for file in texts_in(folder).files]
    [('ham/1.txt', 'ham'), ('spam/1.txt', 'spam')]
    """
    found = Found(folder, format)
    if format != "text" and is_maildir(folder):
        boxes = mailboxes_in(folder)
        for name, places in boxes.items():
            _add_messages(found, places, cleaned(name) if len(boxes) > 1 else None)
    else:
        _walk(found)
    found.files.sort(key=lambda file: file.name)
    return found


def content_of(path: Path, format: Format | None) -> Content:
    """What a file of texts holds, by its name unless it is said."""
    told = format or format_of_suffix(path)
    if told == "mbox":
        return "mbox"
    return "eml" if told in MAIL else "text"


def _walk(found: Found) -> None:
    waiting: list[tuple[str, str | None]] = [(str(found.folder), None)]
    entered: set[str] = set()  # a link may lead back to a folder above it
    while waiting:
        here, label = waiting.pop()
        if (real := os.path.realpath(here)) in entered:
            continue
        top = not entered
        entered.add(real)
        for entry, kind in _entries(found, here):
            if kind == "file":
                _add_file(found, entry.path, label, top)
                continue
            its = cleaned(entry.name) if top else label
            if found.format != "text" and is_maildir(Path(entry.path)):
                inside = mailboxes_in(Path(entry.path)).values()
                _add_messages(found, [place for each in inside for place in each], its)
            else:
                waiting.append((entry.path, its))


def _entries(found: Found, folder: str) -> Iterator[tuple["os.DirEntry[str]", Literal["file", "folder"]]]:
    """The files and folders in a folder; what is neither, or hidden, is counted."""
    try:
        with os.scandir(folder) as entries:
            inside = list(entries)
    except OSError:
        found.leave_out(": a folder that cannot be read")
        return
    for entry in inside:
        if entry.name.startswith("."):
            found.leave_out(": hidden, with a dot before its name")
        elif (kind := _kind(entry)) is None:
            found.leave_out(", which is no file (a FIFO, say)")
        else:
            yield entry, kind


def _kind(entry: "os.DirEntry[str]") -> Literal["file", "folder"] | None:
    try:
        if entry.is_dir():
            return "folder"
        return "file" if entry.is_file() or entry.is_symlink() else None
    except OSError:  # a link that leads nowhere, or to itself, is a file that cannot be read
        return "file"


def _add_messages(found: Found, places: list[Path], label: str | None) -> None:
    for place in places:
        for entry, kind in _entries(found, str(place)):
            if kind == "file":
                found.add(entry.path, "eml", label)
            else:
                found.leave_out(": a folder among the messages of a Maildir")


def _add_file(found: Found, place: str, label: str | None, top: bool) -> None:
    path = Path(place)
    if found.format == "maildir":
        found.leave_out(": beside the Maildirs")
        return
    if found.format is None:
        json = path.name.lower().removesuffix(".gz").endswith(".json")
        if json or format_of_suffix(path) not in (*TEXTS, None):
            found.tables.append(place)
            return
    content = content_of(path, found.format)
    if content == "mbox" and top:
        label = cleaned(path.name.removesuffix(".gz").removesuffix(".mbox"))
    found.add(place, content, label)
