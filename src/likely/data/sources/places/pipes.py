"""Data that can be read once only, standard input and named pipes, kept in a file for as long as they are read."""

import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from likely.data.sources.places.unfinished import scratch_folder
from likely.data.sources.places.user_paths import user_path
from likely.errors import InputError


def is_pipe(name: object) -> bool:
    """Whether a name is that of standard input ("-") or of a pipe, as the shell's <(...) is."""
    if isinstance(name, str) and name == "-":
        return True
    if not isinstance(name, str | Path):
        return False
    try:
        return stat.S_ISFIFO(user_path(name).stat().st_mode)
    except (OSError, ValueError):
        return False


@contextmanager
def spooled(name: str | Path) -> Iterator[Path]:
    """A file of what comes out of a pipe; mistakes in it are told of the pipe."""
    shown = "standard input" if str(name) == "-" else str(name)
    with scratch_folder() as folder:
        path = folder / ("input" if str(name) == "-" else user_path(name).name)
        try:
            with path.open("wb") as file:
                if str(name) == "-":
                    shutil.copyfileobj(sys.stdin.buffer, file)
                else:
                    with user_path(name).open("rb") as pipe:
                        shutil.copyfileobj(pipe, file)
        except OSError as error:
            raise InputError(f"{shown} cannot be read: {error.strerror or error}") from None
        try:
            yield path
        except InputError as error:
            raise InputError(str(error).replace(str(path), shown)) from None
