"""Standard streams that are closed, full or gone: a result that cannot be written is a mistake, a message is not."""

import os
import sys
from contextlib import suppress


def open_streams() -> None:
    """Open the standard streams that the caller closed, so that no file opened later takes their place.

    Standard input is empty, messages go nowhere, and a result cannot be written.
    """
    for number, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            given = os.open(os.devnull, mode)  # the lowest free number, which is this one
            if given != number:
                os.dup2(given, number)
                os.close(given)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a number has no path
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def silence(number: int) -> None:
    """Let what is still to be written to standard output (1) or error (2) go nowhere: it cannot be written."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
