"""What is said, and which exit code is given, when something goes wrong."""

import errno
import sys
import traceback

import click

from likely.cli.signals import code_of_signal
from likely.cli.writing.streams import silence
from likely.errors import LikelyError, readable

ATTENTION, MISTAKE, OURS, INTERRUPTED, TERMINATED = 1, 2, 3, 130, 143


def exit_code_of(error: BaseException, debug: bool = False) -> int:
    """Say what went wrong on standard error, if that can be written, and give the exit code for it."""
    try:
        return _told(error, debug)
    except OSError:  # a full or closed device
        silence(2)
        return _told(error, debug)


def _told(error: BaseException, debug: bool) -> int:
    signalled = code_of_signal()
    if signalled is not None or isinstance(error, click.Abort | KeyboardInterrupt):
        # Compiled code may have turned the signal into an error of its own.
        word = "terminated" if signalled == TERMINATED else "interrupted"
        _say(f"{word}; nothing was left half-written")
        return signalled or INTERRUPTED
    if debug and not isinstance(error, click.ClickException):
        traceback.print_exception(error, file=sys.stderr)
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code if error.exit_code != 1 else MISTAKE
    if isinstance(error, LikelyError):
        _say(str(error))
        return MISTAKE
    if isinstance(error, OSError):
        # Files are opened by name; what has none and fails as it is written is where results go.
        unnamed = "standard output: " if error.errno in (errno.EBADF, errno.ENOSPC, errno.EIO) else ""
        where = f"{error.filename}: " if error.filename else unnamed
        _say(f"{where}{error.strerror or error}")
        return MISTAKE
    if isinstance(error, UnicodeDecodeError):
        _say(f"a file that should be text is not: {error.reason} at byte {error.start}; save it as UTF-8")
        return MISTAKE
    if isinstance(error, MemoryError):
        _say("there is not enough memory for this")
        return MISTAKE
    shown = " ".join(str(error).split())[:300]
    _say(
        f"likely failed ({type(error).__name__}: {shown}). This is a mistake in likely, not in your data: please report"
        " it, with what --debug prints"
    )
    return OURS


def _say(text: str) -> None:
    click.echo(f"{click.style('error:', fg='red', bold=True)} {readable(text)}", err=True)
