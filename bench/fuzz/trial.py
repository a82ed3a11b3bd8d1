"""Trials: an attack is tried again and again, each time from its own seed, until its time is up."""

import contextlib
import random
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LONGEST = 60  # seconds of computing that a trial may take before it counts as hanging
PATIENCE = 600  # seconds by the clock, for one that waits and does not compute; a loaded machine takes its time

Attack = Callable[[random.Random, Path], str | None]  # what went wrong, in words; None: nothing did


@dataclass
class Tally:
    """How often an attack was tried, and what it found."""

    name: str
    trials: int = 0
    faults: dict[str, list[str]] = field(default_factory=dict)  # what, and the seeds of the trials that found it

    @property
    def found(self) -> int:
        return sum(map(len, self.faults.values()))


class HangError(BaseException):
    """A trial did not end."""


def attacked(name: str, attack: Attack, folder: Path, seed: str, seconds: float, most: int | None = None) -> Tally:
    """Try an attack for so many seconds, or so many times."""
    tally, end = Tally(name), time.monotonic() + seconds
    folder.mkdir(parents=True, exist_ok=True)
    under_way = folder.with_suffix(".trial")  # stays where a trial takes the whole process down
    while time.monotonic() < end and (most is None or tally.trials < most):
        own = f"{seed}/{name}/{tally.trials}"
        under_way.write_text(own)
        if fault := tried(attack, folder, own):
            if fault not in tally.faults:
                print(f"    {own}: {fault}", flush=True)
            tally.faults.setdefault(fault, []).append(own)
        tally.trials += 1
    return tally


def tried(attack: Attack, folder: Path, seed: str) -> str | None:
    """One trial, by its seed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with _in_time():
                return attack(random.Random(seed), folder)
        except HangError:
            return f"no end after {LONGEST} s of computing, or {PATIENCE} s"
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}: {str(error)[:100]}"


@contextlib.contextmanager
def _in_time() -> Iterator[None]:
    def stop(*_: Any) -> None:
        raise HangError

    limits = (
        (signal.SIGPROF, signal.ITIMER_PROF, LONGEST),
        (signal.SIGALRM, signal.ITIMER_REAL, PATIENCE),
    )
    before = [signal.signal(number, stop) for number, _, _ in limits]
    for _, timer, seconds in limits:
        signal.setitimer(timer, seconds)
    try:
        yield
    finally:
        for (number, timer, _), handler in zip(limits, before, strict=True):
            signal.setitimer(timer, 0)
            signal.signal(number, handler)
