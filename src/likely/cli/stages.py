"""How far a study has come: a bar on the terminal with rate and remaining time, and what was finished."""

import sys
import time
from pathlib import Path
from typing import Any, Self

from likely.cli.messages import quiet


class Stages:
    """Called with the name of each stage as it begins; draws only where somebody can see it."""

    def __init__(self, stages: tuple[str, ...]) -> None:
        self.total = len(stages)
        self.begun: list[str] = []
        self.start = time.time()
        self._clock = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and not quiet():
            self._open()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, stage: str) -> None:
        self.begun.append(stage)
        if self._bar is not None:
            done = len(self.begun) - 1
            rate = f"{done / max(time.monotonic() - self._clock, 1e-9):.2g} stages/s" if done else ""
            self._bar.update(self._task, completed=done, description=stage, rate=rate)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def finished(self, folder: Path) -> str:
        """What was done before an interruption."""
        done = ", ".join(self.begun[:-1]) or "nothing"
        now = f" while {self.begun[-1]!r} was under way" if self.begun else ""
        files = sorted(p for p in folder.iterdir() if p.stat().st_mtime >= self.start) if folder.is_dir() else []
        named = ("written whole: " + ", ".join(map(str, files))) if files else "nothing was written"
        return f"finished{now}: {done}; {named}"

    def _open(self) -> None:
        from likely.engines.progress import draw

        self._bar, self._task = draw(self.total, "begin")
