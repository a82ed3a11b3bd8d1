"""What a verb is doing: a line on the terminal where it takes long, with what is left, and what was finished."""

import sys
import time
from pathlib import Path
from typing import Any, Self

from likely.cli.messages import quiet
from likely.errors import readable

_open: list["Stages"] = []  # that of the verb that runs


class Stages:
    """Called with the name of each stage as it begins; draws only where somebody can see it."""

    def __init__(self, *stages: str) -> None:
        self.expected = list(stages)  # all of them, as far as they are known
        self.begun: list[str] = []
        self.done = 0
        self.start = time.time()
        self._board: Any = None

    @property
    def total(self) -> int | None:
        """How many stages there are; None: nobody knows."""
        return len(self.expected) or None

    def __enter__(self) -> Self:
        _open.append(self)
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        if failed is None:
            self.done = len(self.begun)
            if self._board is not None and self.begun:  # a line that is full, for the moment until it is taken away
                self._board.tell(readable(self.begun[-1]), self.done, self.total)
        self.close()
        _open.remove(self)

    def expect(self, *stages: str) -> None:
        """More stages that will come."""
        self.expected += stages

    def __call__(self, stage: str) -> None:
        self.done = len(self.begun)
        self.begun.append(stage)
        if quiet() or not _seen():
            return
        if self._board is None:
            from likely.engines.progress import Board

            self._board = Board()
        self._board.tell(readable(stage), self.done, self.total)

    def close(self) -> None:
        """Take the line away, until the next stage."""
        if self._board is not None:
            self._board.close()

    def finished(self, folder: Path) -> str:
        """What was done before an interruption."""
        done = ", ".join(self.begun[:-1]) or "nothing"
        now = f" while {self.begun[-1]!r} was under way" if self.begun else ""
        files = sorted(p for p in folder.iterdir() if p.stat().st_mtime >= self.start) if folder.is_dir() else []
        named = ("written whole: " + ", ".join(map(str, files))) if files else "nothing was written"
        return f"finished{now}: {done}; {named}"


def doing(stage: str) -> None:
    """Say what the verb does now; nothing outside a verb, or in one that counts its stages by itself."""
    if _open and not _open[-1].expected:
        _open[-1](stage)


def _seen() -> bool:
    return hasattr(sys.stderr, "isatty") and sys.stderr.isatty()


def hush() -> None:
    """Take the line away before something is printed."""
    for stages in _open:
        stages.close()
