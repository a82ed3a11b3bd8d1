"""How far long work has come, on the terminal: shown only where somebody can see it.

Rich draws the bar, with what is done, the rate and the time that is left; where it is not installed, or standard error
is no terminal, nothing is drawn. Work that is done within a moment shows nothing either, nor does work inside work that
has a bar.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_PATIENCE = 1.0  # seconds before a bar appears
_terminal = threading.Lock()  # held by the work whose bar is drawn


@contextmanager
def progress(total: int | None, what: str) -> Iterator[Callable[..., None]]:
    """Count `total` pieces of work, None if nobody knows how many: call what is given when one, or so many, are done.

    It may be called from any thread.

    >>> with progress(3, "folds") as done:
    ...     for _ in range(3):
    ...         done()
    """
    if (total is not None and total < 2) or not _visible() or not _terminal.acquire(blocking=False):
        yield lambda *_: None
        return
    bar = _Bar(total, what)
    try:
        yield bar.advance
    finally:
        bar.close()
        _terminal.release()


class _Bar:
    """A bar that appears when the work takes longer than a moment."""

    def __init__(self, total: int | None, what: str) -> None:
        self.total = total
        self.what = what
        self.done = 0
        self.begin = time.monotonic()
        self.shown: Any = None
        self.task: Any = None
        self.lock = threading.Lock()

    def advance(self, count: int = 1) -> None:
        with self.lock:
            self.done += count
            if self.shown is None:
                if time.monotonic() - self.begin < _PATIENCE or self.done == self.total:
                    return
                self.shown, self.task = draw(self.total, self.what)
            spent = time.monotonic() - self.begin
            self.shown.update(self.task, completed=self.done, rate=f"{self.done / spent:,.3g}/s")

    def close(self) -> None:
        if self.shown is not None:
            self.shown.stop()


def draw(total: int | None, what: str) -> tuple[Any, Any]:
    """A bar on the terminal, and the task in it that is counted."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
    bar = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=total, rate="")
    bar.start()
    return bar, task


def _visible() -> bool:
    if not (hasattr(sys.stderr, "isatty") and sys.stderr.isatty()):
        return False
    try:
        import rich  # noqa: F401
    except ImportError:
        return False
    return True
