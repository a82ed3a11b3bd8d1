"""The files that a path, a pattern or a list of them means."""

import glob
import os
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from likely.data.sources.formats import TEXTS, format_of_suffix
from likely.data.sources.places.user_paths import user_path
from likely.errors import InputError

Name: TypeAlias = str | os.PathLike[str]


def find_files(path: Name | Sequence[Name], empty: bool = False) -> list[Path]:
    """The files meant, each of which exists, and holds something unless it is a text or `empty` ones are meant too.

    >>> find_files([])
    Traceback (most recent call last):
    likely.errors.InputError: no files to scan: the list is empty
    """
    if not isinstance(path, str | os.PathLike):
        found = [file for each in path for file in find_files(each, empty)]
        if not found:
            raise InputError("no files to scan: the list is empty")
        return found
    if path == "-":
        raise InputError("standard input can be read once only, so it cannot be scanned. Read it by read_table('-').")
    one = user_path(path)
    if not one.exists() and glob.has_magic(str(one)):
        names = sorted(glob.glob(str(one), recursive=True))  # noqa: PTH207 - Path.glob takes no absolute pattern
        matches = [Path(name) for name in names if Path(name).is_file()]
        if not matches:
            raise InputError(f"no file matches {path}")
        return find_files(matches, empty)
    if one.is_dir():
        raise InputError(f"{one} is a folder. Name its files, with a pattern such as '{one}/*.parquet'.")
    if not one.exists():
        raise _absent(one)
    if not one.is_file():
        once = "a pipe, which can be read once only. Read it by read_table, alone" if one.is_fifo() else "a device"
        raise InputError(f"{one} is {once}.")
    if not empty and one.stat().st_size == 0 and format_of_suffix(one) not in TEXTS:
        raise InputError(f"{one} is empty.")
    return [one]


def _absent(path: Path) -> InputError:
    if path.is_symlink():
        return InputError(f"{path} is a link to nothing: what it leads to does not exist, or leads back to it.")
    if not path.parent.is_dir():
        return InputError(f"{path} does not exist, nor does the folder {path.parent}.")
    near = get_close_matches(path.name, [other.name for other in path.parent.iterdir()])
    hint = f" Did you mean {' or '.join(near)}?" if near else ""
    return InputError(f"{path} does not exist.{hint}")
