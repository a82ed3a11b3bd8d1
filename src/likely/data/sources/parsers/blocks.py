"""The bytes of a text file, compressed or not, cut into blocks of whole records."""

from collections.abc import Iterator
from pathlib import Path

from likely.data.sources.parsers.packed import opened
from likely.errors import InputError

_BLOCK = 1 << 22  # bytes of text parsed at a time
_LONGEST = 1 << 26  # bytes that one record may take: a quote that is never closed must not fill the memory
_PREFIX_ROWS, _PREFIX_BYTES = 10_000, 1 << 26


def read_blocks(path: Path, quote: str | None) -> Iterator[tuple[int, bytes]]:
    """Whole records, a block at a time, with the number of the first line of each block."""
    mark = None if quote is None else quote.encode()
    rest, line = b"", 1
    for chunk in _chunks(path):
        rest += chunk
        end = _end_of_records(rest, mark)
        if end:
            yield line, rest[:end]
            line += rest.count(b"\n", 0, end)
            rest = rest[end:]
        elif len(rest) > _LONGEST:
            hint = (
                "Put every object on a line of its own." if mark is None else "Look for a quote that is never closed."
            )
            raise InputError(
                f"{path}: the record that begins on line {line:,} does not end within {_LONGEST >> 20} MB. {hint}"
            )
    if mark is not None and rest.count(mark) % 2:
        raise InputError(
            f"{path}: a quote in the record that begins on line {line:,} is never closed. Close it, or double the "
            "sign if it belongs to the text, or give quote=None if the file quotes nothing."
        )
    if rest:
        yield line, rest


def read_prefix(path: Path, quote: str | None) -> bytes:
    """The first rows of a text file, from which the types are taken."""
    first, lines = b"", 0
    for _, block in read_blocks(path, quote):
        first += block
        lines += block.count(b"\n")
        if lines > _PREFIX_ROWS or len(first) > _PREFIX_BYTES:
            break
    if not first.strip():
        raise InputError(f"{path} is empty.")
    return first


def _end_of_records(data: bytes, mark: bytes | None) -> int:
    """Where the last whole record ends: after a newline with an even number of quotes before it."""
    end = data.rfind(b"\n") + 1
    if mark is None:
        return end
    quotes = data.count(mark, 0, end)
    while end and quotes % 2:
        opening = data.rfind(mark, 0, end)
        earlier = data.rfind(b"\n", 0, opening) + 1
        quotes -= data.count(mark, earlier, end)
        end = earlier
    return end


def _chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file, unpacked if it is compressed, without a byte order mark."""
    try:
        with opened(path) as stream:
            chunk = stream.read(_BLOCK).removeprefix(b"\xef\xbb\xbf")
            while chunk:
                yield chunk
                chunk = stream.read(_BLOCK)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from None
