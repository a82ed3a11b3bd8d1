"""Paths as users write them: ~ is a home."""

import os
from pathlib import Path

from likely.errors import InputError


def user_path(name: str | os.PathLike[str]) -> Path:
    """The path that a name means.

    >>> user_path("~no-one/x.csv")
    Traceback (most recent call last):
    likely.errors.InputError: ~no-one/x.csv: there is no user 'no-one', whose home that would be
    """
    if not str(name):
        raise InputError("the name of a file is empty")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        user = Path(name).parts[0][1:]
        raise InputError(f"{name}: there is no user {user!r}, whose home that would be") from None
