"""Where results may be written: never over what is read."""

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from likely.cli.messages import note
from likely.data.sources.places.user_paths import user_path
from likely.errors import InputError


def check_place(output: str | None, reads: Iterable[str | None] = (), option: str = "-o") -> None:
    """Refuse a place that cannot be written, or that is read, before the work is done.

    `reads` are what the user named to be read: files, patterns, folders, or standard input ("-").
    """
    if output is None or output == "-":
        return
    path = user_path(output)
    try:
        if path.is_dir():
            raise InputError(f"{option}: {output} is a folder; name a file in it")
        if not path.absolute().parent.is_dir():
            raise InputError(f"{option}: there is no folder {path.parent}; make it first")
        path.stat()
    except FileNotFoundError:
        return
    except OSError as error:
        raise InputError(f"{option}: {output} cannot be written: {error.strerror or error}") from None
    for name in reads:
        if name is not None and _is_read(path, name):
            raise InputError(f"{option}: {output} is what is read ({name}), and would be lost; name another file")


def check_model_place(output: str, reads: Iterable[str | None] = (), option: str = "-o") -> None:
    """The same for a model, which is kept in a file."""
    if output == "-":
        raise InputError(f"{option}: a model goes to a file and not to standard output; name one")
    check_place(output, reads, option)
    place = user_path(output)
    if place.exists() and not place.is_file():
        raise InputError(f"{option}: {output} is a pipe or a device, and a model goes to a file; name one")


def same_file(one: str, other: str) -> bool:
    """Whether two names are those of one file."""
    try:
        return user_path(one).samefile(user_path(other))
    except OSError:
        return False


@contextmanager
def in_place(model: str, output: str) -> Iterator[Callable[[], None]]:
    """Inside, nobody else changes the model file, if it is the one that is written: none of their rows are lost.

    What is given refuses, before the file is written, if it was changed all the same.
    """
    if not same_file(model, output):
        yield lambda: None
        return
    from likely.store.files.guarding import guarded

    with guarded(user_path(model), lambda: note(f"waiting for another update of {model}")) as unchanged:
        yield unchanged


def _is_read(path: Path, name: str) -> bool:
    """Whether the file at a path is one of those that a name means."""
    told = path.stat()
    if not stat.S_ISREG(told.st_mode):
        return False
    if name == "-":
        return _same(told, 0)
    given = user_path(name)
    if given.is_dir():
        return path.resolve().is_relative_to(given.resolve())
    if given.exists():
        return _same(told, given)
    from likely.data.sources.places.paths import find_files

    try:
        return any(_same(told, each) for each in find_files(name, empty=True))
    except InputError:  # it is said when it is read
        return False


def _same(told: os.stat_result, other: "Path | int") -> bool:
    try:
        return os.path.samestat(told, os.fstat(other) if isinstance(other, int) else other.stat())
    except OSError:
        return False
