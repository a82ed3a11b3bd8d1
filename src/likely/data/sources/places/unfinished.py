"""Files and folders that are there only while something is under way.

They go when it is done or fails; a process that has to end at once can take all of them away (`remove_unfinished`).
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_UNFINISHED: set[Path] = set()


@contextmanager
def unfinished(path: Path) -> Iterator[Path]:
    """A place for something unfinished, which is gone afterwards unless it was moved from there.

    >>> with unfinished(Path(tempfile.gettempdir(), "likely-example.tmp")) as place:
    ...     _ = place.write_text("half of it")
    >>> place.exists()
    False
    """
    _UNFINISHED.add(path)
    try:
        yield path
    finally:
        _remove(path)
        _UNFINISHED.discard(path)


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder of one's own for as long as it is needed."""
    with unfinished(Path(tempfile.mkdtemp(prefix="likely-"))) as folder:
        yield folder


def remove_unfinished() -> None:
    """Take away everything unfinished, for a process that ends without finishing it."""
    for path in tuple(_UNFINISHED):
        _remove(path)


def _remove(path: Path) -> None:
    with suppress(OSError):
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
