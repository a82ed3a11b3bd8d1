"""Messages in mailboxes: mbox, one file of many messages, and Maildir, a folder with a file for each.

mbox: a message begins at every line that begins with "From ", as for the standard library; such lines inside a message
are written ">From ", and the sign is taken away again (of ">>From " one sign, as mboxrd has it).
Maildir: messages are the files of the folders `new` and `cur`; those in `tmp` are not yet delivered. Further mailboxes
are folders inside it that are Maildirs, with a dot before their names as a rule (Maildir++).
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

_SEPARATOR = re.compile(rb"^From [^\n]*\n?", re.MULTILINE)
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)
_DELIVERED = ("cur", "new")
INBOX = "INBOX"  # what the messages of a Maildir itself are called beside those of its further mailboxes


def messages_of(mbox: bytes) -> Iterator[bytes]:
    r"""The messages of an mbox, without the lines that separate them; what stands before the first is one too.

    >>> list(messages_of(b"From ann Mon\nSubject: a\n\n>From here\n\nFrom joe Tue\nSubject: b\n"))
    [b'Subject: a\n\nFrom here\n', b'Subject: b\n']
    """
    found = list(_SEPARATOR.finditer(mbox))
    before = mbox[: found[0].start() if found else len(mbox)]
    if before.strip():
        yield before
    for i, separator in enumerate(found):
        end = found[i + 1].start() if i + 1 < len(found) else len(mbox)
        yield _QUOTED.sub(rb"\1", _without_last_blank_line(mbox[separator.end() : end]))


def is_maildir(folder: Path) -> bool:
    """Whether a folder is a Maildir: it has `cur`, and `new` or `tmp` beside it, which are often lost when empty."""
    cur, new, tmp = (os.path.isdir(folder / name) for name in ("cur", "new", "tmp"))  # noqa: PTH112 - never raises
    return cur and (new or tmp)


def mailboxes_in(maildir: Path, name: str = INBOX) -> dict[str, list[Path]]:
    """The folders with messages of each mailbox of a Maildir: of itself, and of those inside it."""
    found = {name: [maildir / part for part in _DELIVERED if (maildir / part).is_dir()]}
    for path in sorted(maildir.iterdir() if os.access(maildir, os.R_OK | os.X_OK) else []):
        if path.name not in (*_DELIVERED, "tmp") and is_maildir(path):
            inner = path.name.removeprefix(".")
            found |= mailboxes_in(path, inner if name == INBOX else f"{name}/{inner}")
    return found


def _without_last_blank_line(message: bytes) -> bytes:
    """The blank line before a separator belongs to it."""
    for end in (b"\r\n", b"\n"):
        if message.endswith((end + end, b"\n" + end)):
            return message[: -len(end)]
    return message
