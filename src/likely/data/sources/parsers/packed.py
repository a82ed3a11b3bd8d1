"""Files that are compressed: gzip, bzip2, xz, Zstandard and ZIP with one file in it, told by their first bytes."""

import bz2
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from likely.errors import InputError

SUFFIXES = (".gz", ".bz2", ".xz", ".zst", ".zip")
_MAGIC = {
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"PK\x03\x04": "ZIP",
    b"PK\x05\x06": "ZIP",
}
_PACKED = 1 << 18  # bytes unpacked at a time
_NAMED = {".gz": "gzip", ".bz2": "bzip2", ".xz": "xz", ".zst": "Zstandard", ".zip": "ZIP"}


def packing_of(path: Path) -> str | None:
    """How a file is compressed; None: it is not. What claims to be by its name is read as such."""
    with path.open("rb") as raw:
        start = raw.read(6)
    found = next((how for magic, how in _MAGIC.items() if start.startswith(magic)), None)
    return found or _NAMED.get(path.suffix.lower())


def plain_name(path: Path) -> str:
    """The name of what is inside, in small letters: it tells the format.

    >>> plain_name(Path("Rows.CSV.xz"))
    'rows.csv'
    """
    name = path.name.lower()
    packed = next((suffix for suffix in SUFFIXES if name.endswith(suffix)), "")
    if packed != ".zip":
        return name.removesuffix(packed)
    inner = name.removesuffix(packed)
    try:
        return _only_name(path).lower() if path.is_file() else inner
    except InputError:  # it is said when it is read
        return inner


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked as they are read."""
    how = packing_of(path)
    if how is None:
        with path.open("rb") as plain:
            yield plain
        return
    try:
        with _OPEN[how](path) as stream:
            yield stream
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile, zipfile.BadZipFile, RuntimeError) as error:
        raise InputError(f"{path} is damaged {how}: {error}. Fetch or compress it again.") from None
    except OSError as error:
        if how != "bzip2" or error.errno is not None:
            raise
        raise InputError(f"{path} is damaged {how}: {error}. Fetch or compress it again.") from None


def _only_name(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        names = [one.filename for one in archive.infolist() if not one.is_dir()]
    if len(names) != 1:
        from likely.data.printing.wording import quoted

        raise InputError(f"{path} holds {len(names)} files: {quoted(names, 8)}. Unpack it, and name the one to read.")
    return Path(names[0]).name


@contextmanager
def _zipped(path: Path) -> Iterator[IO[bytes]]:
    try:
        _only_name(path)
    except zipfile.BadZipFile as error:
        raise InputError(f"{path} is damaged ZIP: {error}. Fetch or compress it again.") from None
    with zipfile.ZipFile(path) as archive:
        inside = next(one for one in archive.infolist() if not one.is_dir())
        if inside.flag_bits & 1:
            raise InputError(f"{path} is encrypted. Unpack it first.")
        with archive.open(inside) as stream:
            yield stream


@contextmanager
def _zstandard(path: Path) -> Iterator[Any]:
    try:
        import zstandard
    except ImportError:
        raise InputError(
            f"{path} is compressed by Zstandard, which needs the package zstandard: pip install 'likely[zstd]'"
        ) from None
    try:
        with path.open("rb") as raw:
            yield _Zstandard(raw, zstandard.ZstdDecompressor().decompressobj)
    except zstandard.ZstdError as error:
        raise InputError(f"{path} is damaged Zstandard: {error}. Fetch or compress it again.") from None


class _Zstandard:
    """Frames one after the other; one that is cut short is noticed, which the package's own reader does not."""

    def __init__(self, raw: IO[bytes], begin: Callable[[], Any]) -> None:
        self._raw, self._begin = raw, begin
        self._frame, self._ahead = begin(), b""

    def read(self, size: int) -> bytes:
        """About so many bytes, none at the end."""
        found = b""
        while len(found) < size:
            packed = self._ahead or self._raw.read(_PACKED)
            self._ahead = b""
            if not packed:
                if not self._frame.eof:
                    raise EOFError("it ends in the middle")
                break
            if self._frame.eof:
                self._frame = self._begin()
            found += self._frame.decompress(packed)
            self._ahead = self._frame.unused_data if self._frame.eof else b""
        return found


_OPEN: dict[str, Callable[[Path], Any]] = {
    "gzip": gzip.open,
    "bzip2": bz2.open,
    "xz": lzma.open,
    "Zstandard": _zstandard,
    "ZIP": _zipped,
}
