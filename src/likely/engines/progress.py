"""How far long work has come, on the terminal: shown only where somebody can see it.

Rich draws the bar, with what is done, the rate and the time that is left; where it is not installed, or standard error
is no terminal, nothing is drawn. Work that is done within a moment shows nothing either, nor does work inside work that
has a bar; but on a `Board` of stages, work that counts its pieces has a line below that of the stage.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_PATIENCE = 1.0  # seconds before a bar appears
_terminal = threading.Lock()  # held by the work whose bar is drawn
_board: Any = None  # the bars of a `Board` that is shown


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
        if self.shown is None:
            return
        if self.shown is _board:
            self.shown.remove_task(self.task)
        else:
            self.shown.stop()


class Board:
    """What is being done, in stages: a line that appears when a stage takes longer than a moment.

    >>> board = Board()
    >>> board.tell("reading", done=0, total=3)
    >>> board.close()
    """

    def __init__(self) -> None:
        self.shown: Any = None
        self.task: Any = None
        self.told: dict[str, Any] = {}
        self.lock = threading.RLock()
        self.timer: threading.Timer | None = None

    def tell(self, what: str, done: int = 0, total: int | None = None) -> None:
        """What is being done now, and how many stages of how many are done; None: nobody knows how many."""
        if not _visible():
            return
        with self.lock:
            self.told = {"description": what, "completed": done, "total": total}
            if self.shown is not None:
                self.shown.update(self.task, **self.told)
            elif self.timer is None:
                self.timer = threading.Timer(_PATIENCE, self._show)
                self.timer.daemon = True
                self.timer.start()

    def close(self) -> None:
        """Take the line away; it comes back with the next stage that takes long."""
        global _board
        with self.lock:
            if self.timer is not None:
                self.timer.cancel()
                self.timer = None
            if self.shown is not None:
                self.shown.stop()
                self.shown = _board = None

    def _show(self) -> None:
        global _board
        with self.lock:
            if self.timer is None or self.shown is not None or _board is not None:
                return
            self.shown, self.task = draw(self.told["total"], self.told["description"])
            self.shown.update(self.task, **self.told)
            _board = self.shown


def draw(total: int | None, what: str) -> tuple[Any, Any]:
    """A bar on the terminal, or a line on the board that is there, and the task in it that is counted."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    if _board is not None:
        return _board, _board.add_task(what, total=total, rate="")
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
    )
    times = TimeElapsedColumn(), TextColumn("so far,"), TimeRemainingColumn(), TextColumn("left")
    # Standard output is for results, which may go to a file: it is left alone.
    bar = Progress(*columns, *times, console=Console(stderr=True), transient=True, redirect_stdout=False)
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
