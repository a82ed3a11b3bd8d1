"""Threads that wait for the next call: starting them anew for every pass costs as much as a short pass.

A call takes a pool that nobody uses, or makes one, and gives it back when all its work is done; so work inside work has
threads of its own. A pool whose work was broken off is not used again.
"""

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

_MOST = 4  # pools that are kept: as many as calls that one program makes side by side, or inside each other

_idle: list[tuple[int, ThreadPoolExecutor]] = []
_changing = threading.Lock()


@contextmanager
def idle_threads(workers: int) -> Iterator[ThreadPoolExecutor]:
    """So many threads for the work of one call.

    >>> with idle_threads(2) as pool:
    ...     list(pool.map(abs, [-1, 2]))
    [1, 2]
    >>> with idle_threads(2) as again:
    ...     again is pool
    True
    """
    pool = _taken(workers) or ThreadPoolExecutor(workers, "likely")
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=True, cancel_futures=True)
        raise
    with _changing:
        _idle.append((workers, pool))
        dropped = _idle.pop(0)[1] if len(_idle) > _MOST else None
    if dropped is not None:
        dropped.shutdown()


def _taken(workers: int) -> ThreadPoolExecutor | None:
    """The idle pool of so many threads that was used last."""
    with _changing:
        for at in reversed(range(len(_idle))):
            if _idle[at][0] == workers:
                return _idle.pop(at)[1]
    return None


def _without_threads() -> None:
    """In a forked process, whose threads have stayed behind."""
    global _changing
    _changing = threading.Lock()
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_without_threads)
