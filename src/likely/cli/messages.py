"""Messages on standard error: what was guessed, ignored or written. `--quiet` silences them."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from likely.cli.writing.streams import silence
from likely.errors import readable

_QUIET = "likely.quiet"
_SAID = "likely.said"
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
    _write(readable(text))


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
    _write(f"{click.style('note:', fg='yellow')} {readable(text)}")


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
    """Inside, the library's own warnings are notes; those of other packages mean nothing to the user."""

    def show(message: Any, category: Any, filename: str, lineno: int, file: Any = None, line: Any = None) -> None:
        if Path(filename).is_relative_to(_LIBRARY):
            note(str(message))

    with warnings.catch_warnings():
        warnings.showwarning = show
        warnings.filterwarnings("ignore", "X has feature names")  # files always name their columns
        yield
