"""One change of a model file at a time: whoever reads a file to replace it holds it until that is done.

The lock is on the file itself, not on one beside it: when a writer has replaced the file, those who waited for the old
one see that another stands in its place, and take that. The system gives a lock back when a process ends, however it
ends. What does not lock (a copy over the file, another system) is found out before the file is replaced.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from likely.errors import InputError

_Identity = tuple[int, int, int, int]


@contextmanager
def guarded(path: Path, waiting: Callable[[], None] = lambda: None) -> Iterator[Callable[[], None]]:
    """Inside, no other process that asks the same changes the file; what is given refuses if one did without asking.

    `waiting` is called if another process has to be waited for.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = Path(folder, "count")
    ...     _ = place.write_text("1")
    ...     with guarded(place) as unchanged:
    ...         count = int(place.read_text())
    ...         unchanged()
    ...         _ = place.write_text(str(count + 1))
    ...     place.read_text()
    '2'
    """
    handle = _held(path, waiting)
    try:
        seen = _identity(os.fstat(handle))

        def unchanged() -> None:
            if _now(path) != seen:
                raise InputError(f"{path} was changed by something else meanwhile, and stays as it is; try again")

        yield unchanged
    finally:
        os.close(handle)


def _held(path: Path, waiting: Callable[[], None]) -> int:
    """The file that stands at a path, open and locked."""
    while True:
        try:
            handle = _opened(path)
        except OSError as error:
            raise InputError(f"{path} cannot be opened as a model: {error.strerror or error}") from None
        _lock(handle, waiting)
        if _now(path) == _identity(os.fstat(handle)):
            return handle
        os.close(handle)  # replaced while we waited


def _opened(path: Path) -> int:
    try:
        return os.open(path, os.O_RDWR)  # which a lock asks for on some network file systems
    except PermissionError:
        return os.open(path, os.O_RDONLY)


def _lock(handle: int, waiting: Callable[[], None]) -> None:
    try:
        import fcntl
    except ImportError:  # Windows: changes are found out, not kept apart
        return
    with suppress(OSError):  # a file system without locks: the same
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(handle, fcntl.LOCK_EX)


def _now(path: Path) -> _Identity | None:
    try:
        return _identity(path.stat())
    except OSError:
        return None


def _identity(told: os.stat_result) -> _Identity:
    return told.st_dev, told.st_ino, told.st_size, told.st_mtime_ns
