"""What is said, and which exit code is given, when something goes wrong."""

import sys
import traceback

import click

from likely.errors import LikelyError

ATTENTION, MISTAKE, OURS, INTERRUPTED = 1, 2, 3, 130


def exit_code_of(error: Exception, debug: bool = False) -> int:
    """Say what went wrong on standard error, and give the exit code for it."""
    if debug and not isinstance(error, click.ClickException | click.Abort):
        traceback.print_exception(error, file=sys.stderr)
    if isinstance(error, click.ClickException):
        error.show()
        return error.exit_code if error.exit_code != 1 else MISTAKE
    if isinstance(error, click.Abort):
        _say("interrupted; nothing was left half-written")
        return INTERRUPTED
    if isinstance(error, LikelyError):
        _say(str(error))
        return MISTAKE
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
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
    click.echo(f"{click.style('error:', fg='red', bold=True)} {text}", err=True)
