"""Places for threads: work inside work takes no more of them than the outermost call has.

A worker that waits for work inside its own lends it its place, so there is always one who can go on; other places that
are free are taken by whoever comes first.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Self, TypeVar

T = TypeVar("T")
R = TypeVar("R")


@dataclass
class Places:
    """What a call may use: places of its own, and behind them those of the call around it all."""

    free: int
    shared: Self | None
    changed: threading.Condition

    def run(self, work: Callable[[T], R], item: T) -> R:
        """Do work when a place is free; in a context of its own, where it is known that the work has one."""
        with self.changed:
            self.changed.wait_for(lambda: self._giver() is not None)
            giver = self._giver() or self
            giver.free -= 1
        _around.set((self, True))
        try:
            return work(item)
        finally:
            with self.changed:
                giver.free += 1
                self.changed.notify_all()

    def _giver(self) -> "Places | None":
        return next((one for one in (self, self.shared) if one is not None and one.free > 0), None)


_around: ContextVar[tuple[Places, bool] | None] = ContextVar("likely_places", default=None)


@contextmanager
def places_for(workers: int) -> Iterator[Places]:
    """So many places; inside work of another call, the place of that work, and what is free of the outermost call's."""
    around = _around.get()
    if around is None:
        places = Places(workers, None, threading.Condition())
    else:
        outer, taken = around
        places = Places(int(taken), outer.shared or outer, outer.changed)
    token = _around.set((places, False))
    try:
        yield places
    finally:
        _around.reset(token)
