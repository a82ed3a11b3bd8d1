"""Bytes as text, whatever they are: nothing raises and no byte is dropped.

The charset that is declared is tried first, then UTF-8. Where both fail, a charset of several bytes a character keeps
all but its faulty characters, which become U+FFFD; anything else is read as Windows-1252, the superset of Latin-1 that
most Western text of unknown origin is written in, and in which every byte is a character. What comes out can always be
written as UTF-8: NUL and lone surrogates, which other programs choke on, become U+FFFD too.
"""

import codecs
import re
from contextlib import suppress
from functools import lru_cache
from typing import Literal, TypeAlias

Fault: TypeAlias = Literal["binary", "charset"]  # of a text: it holds NUL bytes; it is not UTF-8
REPLACEMENT = "\ufffd"

_MARKS = (  # byte order marks; that of UTF-32 begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# Labels that stand for more than they say in practice, as browsers read them too.
_SUPERSETS = {
    "ascii": "utf-8",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "big5": "big5hkscs",
    "tis-620": "cp874",
}
_WESTERN = frozenset({"iso8859-1", "cp1252"})
_NO_CHARSETS = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined"})
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:+-]{0,39}")
_SURROGATES = re.compile("[\ud800-\udfff]")
_WINDOWS = {
    byte: character for byte in range(0x80, 0xA0) if (character := bytes([byte]).decode("cp1252", "ignore"))
}  # for str.translate; five bytes have no character of their own and stay control characters


def decoded(data: bytes, charset: str | None = None) -> tuple[str, bool]:
    r"""The text of some bytes, and whether they were what they said, or without a charset UTF-8.

    >>> decoded("naïve".encode()), decoded(b"na\xefve"), decoded(b"na\xefve", "iso-8859-1")
    (('naïve', True), ('naïve', False), ('naïve', True))
    """
    name = None if charset is None else _python_name(charset)
    sound = charset is None or name is not None
    if name in _WESTERN:
        return cleaned(_western(data)), True
    for encoding in dict.fromkeys((name or "utf-8", "utf-8")):
        try:
            return cleaned(data.decode(encoding)), sound and encoding == (name or "utf-8")
        except (UnicodeError, ValueError):
            continue
    if name is not None and _is_multibyte(name):
        return cleaned(data.decode(name, "replace")), False
    return cleaned(_western(data)), False


def text_of_file(data: bytes) -> tuple[str, Fault | None]:
    r"""The text of a file, by its byte order mark if it has one, with plain newlines; and what is wrong with it.

    >>> text_of_file("\ufeffzwölf\r\n".encode("utf-16-le")), text_of_file(b"PK\0"), text_of_file(b"zw\xf6lf")
    (('zwölf\n', None), ('PK�', 'binary'), ('zwölf', 'charset'))
    """
    charset = _marked(data)
    text, sound = decoded(data, charset)
    fault: Fault | None = None if sound else "charset"
    if charset is None and 0 in data:
        fault = "binary"
    return with_plain_newlines(text), fault


def has_mark(data: bytes) -> bool:
    r"""Whether the bytes begin with a byte order mark.

    >>> has_mark("a".encode("utf-16")), has_mark(b"a")
    (True, False)
    """
    return _marked(data) is not None


def _marked(data: bytes) -> str | None:
    return next((name for mark, name in _MARKS if data.startswith(mark)), None)


def cleaned(text: str) -> str:
    r"""The text with U+FFFD in place of NUL and of lone surrogates.

    >>> cleaned("a\0b\ud800")
    'a�b�'
    """
    text = text.replace("\0", REPLACEMENT)
    return text if text.isascii() else _SURROGATES.sub(REPLACEMENT, text)


def with_plain_newlines(text: str) -> str:
    """Lines that end in a line feed, as when Python opens a text file."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _western(data: bytes) -> str:
    return data.decode("latin-1").translate(_WINDOWS)


@lru_cache(maxsize=256)
def _python_name(charset: str) -> str | None:
    """Python's name of a charset, or of the one that it is read as; None if it is unknown."""
    label = charset.strip().strip("\"'")
    if not _LABEL.fullmatch(label):
        return None
    try:
        found = codecs.lookup(label)
        with suppress(UnicodeError):
            b"a".decode(label)  # a LookupError for those that turn bytes into bytes
    except LookupError:
        return None
    if found.name in _NO_CHARSETS:  # codes for domain names and program text, some of them slow
        return None
    return _SUPERSETS.get(found.name, found.name)


@lru_cache(maxsize=256)
def _is_multibyte(name: str) -> bool:
    """Whether most characters of a charset take several bytes, so that reading it bytewise makes nothing of it."""
    return name != "utf-8" and len(bytes(range(0x80, 0x100)).decode(name, "replace")) < 128
