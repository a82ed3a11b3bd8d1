"""Files written whole or not at all: first beside their place, then moved there when all of them is on the disk."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedWriter
from pathlib import Path

from likely.data.sources.places.unfinished import unfinished
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
    name = f".likely-{secrets.token_hex(6)}.tmp"  # short, however long the name of the place
    with unfinished(place.with_name(name)) as beside:
        with beside.open("xb") as file:
            _keep_access(file.fileno(), place)
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(place)
        _settle_folder(place.parent)


def _keep_access(handle: int, place: Path) -> None:
    """Who may read and write a file that is replaced stays as it was, before anything is in the new one."""
    try:
        old = place.stat()
    except FileNotFoundError:
        return
    os.fchmod(handle, 0o600)
    new = os.fstat(handle)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        for owner in ((old.st_uid, old.st_gid), (-1, old.st_gid)):  # the group alone, where that is all one may give
            with suppress(PermissionError):
                os.fchown(handle, *owner)
                break
    os.fchmod(handle, stat.S_IMODE(old.st_mode))


def _settle_folder(folder: Path) -> None:
    """The new name on the disk too, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
