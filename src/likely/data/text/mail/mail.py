"""One message of electronic mail as a row: its texts, and what a model can use of its headers and parts.

| column | what it holds | missing where |
| --- | --- | --- |
| subject | the subject, decoded | there is none |
| body | the text that a reader sees first | never; it may be empty |
| sender | the address in From, in small letters | no address is there |
| sender_domain | what follows its last @ | no address is there |
| recipients | how many addresses To and Cc name | never |
| date | the time in Date, in UTC | there is none that can be read |
| hour | the hour of the day, 0 to 23, where the sender's clock was | likewise |
| size | bytes, with headers and attachments | never |
| attachments | parts that are files or no text | never |
| links | addresses on the web in the body | never |
| html | whether a part is HTML | never |
| defects | how many faults were survived | never |

The body is the texts among the parts, one after the other; of alternatives it is the first plain text that is not
blank, else the text that the HTML shows. Parts marked as attachments are counted and not read. A message within the
message belongs to the body, with its subject, unless it is an attachment.

The standard library's parser takes messages apart. What it cannot follow within reason, parts nested by the hundred, is
kept as plain text. Charsets are read as `charsets` says.
"""

import re
from codecs import BOM_UTF8
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32

from likely.data.text.mail.charsets import decoded, with_plain_newlines
from likely.data.text.mail.headers import address, count_addresses, decoded_header, first_headers, time_of
from likely.data.text.mail.markup import Shown, shown_text

_MOST_NESTED = 200  # signs of parts within parts: the parser's time grows with the depth of the nesting,
_FEW_COMPARED = 300_000  # for it compares every line with the boundaries of all parts around it
_LONGEST_HEADER = 20_000  # characters of a header with parameters: the parser's time grows with their square
_NESTED = re.compile(rb"boundary[\s*0-9]*=|message/")
_CONTENT_TYPE = re.compile(rb"content-type[ \t]*:[^\r\n]*+(?:(?:\r\n|\r|\n)[ \t][^\r\n]*+)*+")
_WWW = re.compile(r"(?<![/\w.])www\.")
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?([\w.:-]+)", re.IGNORECASE)


@dataclass(frozen=True)
class MailRow:
    """What a message tells, in the order of the columns."""

    subject: str | None
    body: str
    sender: str | None
    sender_domain: str | None
    recipients: int
    date: datetime | None  # UTC, without saying so
    hour: int | None
    size: int
    attachments: int
    links: int
    html: bool
    defects: int


def read_message(data: bytes) -> MailRow:
    """The row of one message, whatever its bytes are.

    >>> row = read_message(b"From: Ann <Ann@Example.org>\\nSubject: =?utf-8?q?caf=C3=A9?=\\n\\nAt www.example.org")
    >>> row.subject, row.body, row.sender, row.sender_domain, row.links, row.defects
    ('café', 'At www.example.org', 'ann@example.org', 'example.org', 1, 0)
    """
    message, defects = _parsed(data.removeprefix(BOM_UTF8).lstrip(b"\r\n"))
    headers, parts = first_headers(message), _Parts(message)
    subject, sound = decoded_header(headers.get("subject"))
    sender = address(headers.get("from"))
    date, hour = time_of(headers.get("date"))
    return MailRow(
        subject,
        parts.body,
        sender,
        None if sender is None else sender.rpartition("@")[2] or None,
        sum(count_addresses(headers.get(name)) for name in ("to", "cc")),
        date,
        hour,
        len(data),
        parts.attachments,
        parts.links,
        parts.html,
        defects + parts.defects + (not sound) + (date is None and "date" in headers),
    )


def _parsed(data: bytes) -> tuple["Message[str, str]", int]:
    """The message taken apart, and 1 if only its headers could be."""
    if not _takes_long(data):
        with suppress(Exception):  # no mistake in the parser may lose a message
            return BytesParser(policy=compat32).parsebytes(data), 0
    return BytesParser(policy=compat32).parsebytes(data, headersonly=True), 1


def _takes_long(data: bytes) -> bool:
    """Whether the parser would take far more than linear time."""
    if len(data) < _LONGEST_HEADER // 10:
        return False
    small = data.lower()
    nested = sum(1 for _ in _NESTED.finditer(small))
    lines = small.count(b"\n") + small.count(b"\r")
    if nested > _MOST_NESTED or nested * lines > max(_FEW_COMPARED, len(data) // 2):
        return True
    return any(found.end() - found.start() > _LONGEST_HEADER for found in _CONTENT_TYPE.finditer(small))


class _Parts:
    """The parts of a message, gone through in their order."""

    def __init__(self, message: "Message[str, str]") -> None:
        self.attachments = 0
        self.defects = 0
        self.html = False
        texts = [text for text in self._texts(message, whole=True) if text.text]
        self.body = "\n".join(text.text for text in texts)
        self.links = sum(text.links for text in texts)

    def _texts(self, part: "Message[str, str]", whole: bool = False) -> list[Shown]:
        """The texts of a part that belong to the body."""
        _shorten(part)
        if not whole and _is_attachment(part):
            self.attachments += 1
            self.defects += len(part.defects)
            return []
        inside = _parts_of(part)
        if not inside:
            found = self._single(part)
        elif part.get_content_type() == "multipart/alternative":
            found = _best([self._texts(each) for each in inside])
        else:
            found = [text for each in inside for text in self._texts(each)]
            if part.get_content_maintype() == "message":
                subjects = [decoded_header(first_headers(each).get("subject"))[0] for each in inside]
                found = [*(Shown(subject, 0) for subject in subjects if subject), *found]
        self.defects += len(part.defects)  # there are more of them after its bytes are decoded
        return found

    def _single(self, part: "Message[str, str]") -> list[Shown]:
        """A part without parts: a text, or something else to be counted."""
        if part.get_content_maintype() not in ("text", "multipart", "message"):  # the latter two if not taken apart
            self.attachments += 1
            return []
        charset, page, data = _charset(part), part.get_content_type() == "text/html", _payload(part)
        if charset is None and page and (declared := _DECLARED.search(data, 0, 4096)):
            charset = declared[1].decode("ascii")
        text, sound = decoded(data, charset)
        self.defects += not sound
        self.html |= page
        if not page:
            return [Shown(with_plain_newlines(text).strip(), _count_links(text))]
        shown = shown_text(text)
        return [_Page(shown.text, max(shown.links, _count_links(shown.text)))]


class _Page(Shown):
    """A text that was HTML."""


def _best(alternatives: list[list[Shown]]) -> list[Shown]:
    """The first alternative with plain text, else the first with any."""
    shown = [texts for texts in alternatives if any(text.text for text in texts)]
    plain = [texts for texts in shown if not any(isinstance(text, _Page) for text in texts)]
    return next(iter([*plain, *shown]), [])


def _count_links(text: str) -> int:
    small = text.lower()
    further = len(_WWW.findall(small)) if "www." in small else 0
    return small.count("http://") + small.count("https://") + further


def _shorten(part: "Message[str, str]") -> None:
    for name in ("content-type", "content-disposition"):
        value = str(part.get(name, ""))
        if len(value) > _LONGEST_HEADER:
            part.replace_header(name, value[:_LONGEST_HEADER])


def _parts_of(part: "Message[str, str]") -> list["Message[str, str]"]:
    inside = part.get_payload() if part.is_multipart() else None
    return [each for each in inside if isinstance(each, Message)] if isinstance(inside, list) else []


def _is_attachment(part: "Message[str, str]") -> bool:
    """Whether a part is marked as an attachment: in words, or by a name where nothing says that it is to be shown."""
    disposition = part.get_content_disposition()
    if disposition is not None or part.is_multipart():
        return disposition == "attachment"
    try:
        return part.get_filename() is not None
    except Exception:  # a name that cannot be decoded is a name
        return True


def _charset(part: "Message[str, str]") -> str | None:
    try:
        return part.get_content_charset()
    except Exception:  # whatever is wrong with the header, its charset is unknown
        return None


def _payload(part: "Message[str, str]") -> bytes:
    """The bytes of a part, its transfer encoding undone as far as it can be."""
    for _ in range(2):
        with suppress(Exception):
            found = part.get_payload(decode=True)
            if isinstance(found, bytes):
                return found
        del part["content-type"], part["content-transfer-encoding"]  # whose faults it was: then the bytes as they came
    return b""
