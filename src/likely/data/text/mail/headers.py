"""The headers of a message as values: texts decoded, addresses, the time; whatever is wrong with them.

Encoded words (RFC 2047) of one charset that follow each other are decoded together, because programs cut characters in
two; where one begins with a byte order mark, a text begins. One that cannot be decoded stays as it is written. Bytes
that are no ASCII are read as `charsets` says.
"""

import re
from binascii import Error as NotBase64
from binascii import a2b_base64, a2b_qp
from datetime import datetime
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import groupby

from likely.data.text.mail.charsets import decoded, has_mark

_LONGEST_DATE = 200
_ENCODED_WORD = re.compile(r"=\?([^?\s]{1,80})\?([bBqQ])\?([^?]*+)\?=")
_BETWEEN_ADDRESSES = re.compile(r"[\s,;:\"'()<>\[\]]+")
_IN_BRACKETS = re.compile(r"<([^<>]*+)>")


def first_headers(message: "Message[str, str]") -> dict[str, str]:
    """The first header of each name as it is written, bytes that are no ASCII as surrogates; names in small letters."""
    found: dict[str, str] = {}
    for name, value in message.raw_items():
        found.setdefault(name.lower(), str(value))
    return found


def written_header(value: str | None) -> str:
    """A header as it is written, on one line; encoded words remain."""
    text, _ = decoded((value or "").encode("utf-8", "surrogateescape"))
    return " ".join(text.split())


def decoded_header(value: str | None) -> tuple[str | None, bool]:
    """A header as it is meant, on one line, and whether its encoded words could be decoded.

    >>> decoded_header("=?utf-8?q?gr=C3?= =?utf-8?q?=BC=C3=9Fe?= from =?latin1?b?S/ZsbiE=?=")
    ('grüße from Köln!', True)
    """
    if value is None:
        return None, True
    text = written_header(value)
    pieces, run, here, sound = list[str](), list[tuple[str, bytes]](), 0, True
    for word in _ENCODED_WORD.finditer(text):
        data = _bytes_of_word(word[2], word[3])
        if data is None:
            sound = False
            continue
        between = text[here : word.start()]
        if between.strip() or not run:  # blanks between encoded words are not meant
            sound &= _finish(run, pieces)
            pieces.append(between)
        run.append((word[1].partition("*")[0].lower(), data))
        here = word.end()
    sound &= _finish(run, pieces)
    pieces.append(text[here:])
    return " ".join("".join(pieces).split()), sound


def address(value: str | None) -> str | None:
    """The address of the one whom a header names, in small letters.

    >>> address('"sales@home" <Joe@Example.ORG>'), address("joe@example.org (Joe)"), address("nobody")
    ('joe@example.org', 'joe@example.org', None)
    """
    text = written_header(value)
    for within in _IN_BRACKETS.findall(text):
        if "@" in within:
            return "".join(within.split()).lower()
    return next((each.lower() for each in _addresses(text)), None)


def count_addresses(value: str | None) -> int:
    """How many addresses a header names; one without a domain counts for nothing.

    >>> count_addresses("Ann <ann@example.org>, joe@example.org;  undisclosed recipients:;")
    2
    """
    return len(_addresses(written_header(value)))


def time_of(value: str | None) -> tuple[datetime | None, int | None]:
    """The time that a header says, in UTC, and the hour on the clock of the one who said it.

    >>> time_of("Mon, 1 Feb 2021 01:30:00 +0200"), time_of("yesterday")
    ((datetime.datetime(2021, 1, 31, 23, 30), 1), (None, None))
    """
    try:
        there = parsedate_to_datetime(written_header(value)[:_LONGEST_DATE])
        utc = there.replace(tzinfo=None) - (there.utcoffset() or there.resolution * 0)
    except Exception:  # which ones depends on the version of Python
        return None, None
    return utc, there.hour


def _addresses(text: str) -> list[str]:
    return [each for each in _BETWEEN_ADDRESSES.split(text) if "@" in each.strip("@")]


def _bytes_of_word(code: str, text: str) -> bytes | None:
    """The bytes that an encoded word stands for, if it stands for any."""
    if code in "qQ":
        return a2b_qp(text.encode(), header=True)
    data = "".join(text.split()).encode()
    for end in (len(data), len(data) - 1):  # the last sign of a word that was cut off may stand for nothing
        try:
            return a2b_base64(data[:end] + b"===")
        except NotBase64:
            continue
    return None


def _finish(run: list[tuple[str, bytes]], pieces: list[str]) -> bool:
    """Decode the words of a run, those of one charset together, and begin the next run."""
    sound = True
    for charset, words in groupby(run, key=lambda word: word[0]):
        texts = [b""]
        for _, data in words:
            if has_mark(data) and charset.lower().startswith("utf"):
                texts.append(data)
            else:
                texts[-1] += data
        for text, fine in (decoded(data, charset) for data in texts):
            pieces.append(text)
            sound &= fine
    run.clear()
    return sound
