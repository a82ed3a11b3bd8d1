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
def progress(total: int | None, what: str, patience: float | None = None) -> Iterator[Callable[..., None]]:
    """Count `total` pieces of work, None if nobody knows how many: call what is given when one, or so many, are done.

    It may be called from any thread, and told what is under way now. The bar appears after `patience` seconds.

    >>> with progress(3, "folds") as done:
    ...     for _ in range(3):
    ...         done()
    """
    if (total is not None and total < 2) or not _visible() or not _terminal.acquire(blocking=False):
        yield lambda *_: None
        return
    bar = _Bar(total, what, _PATIENCE if patience is None else patience)
    try:
        yield bar.advance
    finally:
        bar.close()
        _terminal.release()


class _Bar:
    """A bar that appears when the work takes longer than a moment."""

    def __init__(self, total: int | None, what: str, patience: float) -> None:
        self.total = total
        self.what = what
        self.patience = patience
        self.done = 0
        self.begin = time.monotonic()
        self.shown: Any = None
        self.task: Any = None
        self.lock = threading.Lock()

    def advance(self, count: int = 1, what: str | None = None) -> None:
        with self.lock:
            self.done += count
            self.what = what or self.what
            if self.shown is None:
                if time.monotonic() - self.begin < self.patience or self.done == self.total:
                    return
                self._show()
            rate = f"{self.done / max(time.monotonic() - self.begin, 1e-9):,.3g}/s" if self.done else ""
            total = None if self.total is None else max(self.total, self.done)
            self.shown.update(self.task, completed=self.done, total=total, description=self.what, rate=rate)

    def close(self) -> None:
        if self.shown is not None:
            self.shown.stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"))
        self.shown = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
        self.task = self.shown.add_task(self.what, total=self.total, rate="")
        self.shown.start()


def _visible() -> bool:
    if not (hasattr(sys.stderr, "isatty") and sys.stderr.isatty()):
        return False
    try:
        import rich  # noqa: F401
    except ImportError:
        return False
    return True
