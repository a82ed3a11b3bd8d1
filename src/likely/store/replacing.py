"""Files written whole or not at all: first beside their place, then moved there when all of them is on the disk."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter
from pathlib import Path

from likely.errors import InputError


@contextmanager
def replacing(path: Path) -> Iterator[BufferedWriter]:
    """A file to write; on any failure the old one stays as it was, and a link stays a link.

    A device or a pipe cannot be replaced: it is written as it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder, "answer.txt")
    ...     with replacing(place) as file:
    ...         _ = file.write(b"42")
    ...         print(place.exists())
    ...     place.read_bytes()
    False
    b'42'
    """
    try:
        if path.is_dir():
            raise InputError(f"{path} is a folder; name a file in it")
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                yield file
            return
        place = Path(os.path.realpath(path))
        if not place.parent.is_dir():
            raise InputError(f"{path} cannot be written: there is no folder {place.parent}")
        with _beside(place) as file:
            yield file
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


@contextmanager
def _beside(place: Path) -> Iterator[BufferedWriter]:
    beside = place.with_name(f".likely-{secrets.token_hex(6)}.tmp")  # short, however long the name of the place
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
        _settle_folder(place.parent)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)  # it is there only if something went wrong


def _settle_folder(folder: Path) -> None:
    """The new name on the disk too, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
