"""Messages on standard error: what was guessed, ignored or written. `--quiet` silences them."""

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from likely.cli.writing.streams import silence
from likely.errors import readable

_QUIET = "likely.quiet"
_SAID = "likely.said"
_BOTH = re.compile(r"say \w+=.+? \((--.+?)\)(?=[.,;:]?(?:\s|$))")  # in Python, and to the command
_LIBRARY = Path(__file__).parents[1]


def be_quiet(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    """What the option --quiet does."""
    ctx.meta[_QUIET] = value


def quiet() -> bool:
    """Whether messages are not wanted."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(_QUIET))


def say(text: str = "") -> None:
    """A message."""
    _write(readable(in_words_of_the_command(text)))


def in_words_of_the_command(said: str) -> str:
    """A message with options of the command instead of parameters in Python.

    >>> in_words_of_the_command("2 cells hold 'NA': say missing=['NA'] (--missing NA).")
    "2 cells hold 'NA': say --missing NA."
    >>> in_words_of_the_command("Close it, or double the sign, or give quote=None if the file quotes nothing.")
    'Close it, or double the sign.'
    """
    said = _BOTH.sub(r"say \1", said)
    said = re.sub(r",? or give quote=None if the file quotes nothing", "", said)
    said = re.sub(r",? or give the column another type \(schema_overrides=.*?\)(?=\.|$)", "", said)
    said = re.sub(
        r", or name every class in classes=: rows of a class that a model does not know.*? mistakes", "", said
    )
    said = re.sub(r"until partial_fit learns others", "until likely update or merge brings others", said)
    said = re.sub(r"missing=\['(.*?)'\]", r"--missing \1", said)
    said = re.sub(r",? or give the separator(?=\.|$)", ", or give it by --separator", said)
    return re.sub(r",? or give its format(?=\.|$)", ", or give its format by --format", said)


@contextmanager
def notes_once() -> Iterator[None]:
    """Inside, a note about a column is said once, whatever number of rows it names: batches of a file are alike."""
    ctx = click.get_current_context(silent=True)
    if ctx is None:
        yield
        return
    before = ctx.meta.get(_SAID)
    ctx.meta[_SAID] = set()
    try:
        yield
    finally:
        ctx.meta[_SAID] = before


def note(text: str) -> None:
    """A message about something that the user may not expect."""
    ctx = click.get_current_context(silent=True)
    said = None if ctx is None else ctx.meta.get(_SAID)
    if said is not None:
        plain = re.sub(r"[\d,]+ (?=rows? |cells? )", "", text)
        if plain in said:
            return
        said.add(plain)
    _write(f"{click.style('note:', fg='yellow')} {readable(in_words_of_the_command(text))}")


def _write(text: str) -> None:
    from likely.cli.stages import hush

    if quiet():
        return
    hush()
    try:
        click.echo(text, err=True)
    except OSError:  # what cannot be said is no reason to stop
        silence(2)


@contextmanager
def warnings_as_notes() -> Iterator[None]:
    """Inside, the library's own warnings are notes; those of other packages mean nothing to the user.

    Whose a warning is says the place where it is given, not the caller whom it points at: that may be a frame of click.
    """

    def show(
        message: object, category: object, filename: str, lineno: int, file: object = None, line: object = None
    ) -> None:
        frame = sys._getframe(1)
        while frame.f_globals.get("__name__") == "warnings" and frame.f_back is not None:
            frame = frame.f_back
        if Path(frame.f_code.co_filename).is_relative_to(_LIBRARY):
            note(str(message))

    with warnings.catch_warnings():
        warnings.showwarning = show
        warnings.filterwarnings("ignore", "X has feature names")  # files always name their columns
        yield
