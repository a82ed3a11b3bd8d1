"""Sums over batches in this process: one after the other, or in threads.

Kernels and BLAS release the GIL, so threads are enough on one machine. A few batches are under way at a time, which
bounds memory; BLAS keeps to one thread inside each of ours. The result is the same to the bit for any number of
workers, because batches are added by their numbers (see `tree`).

Work may itself fold or map: it does so on the engine that its caller uses, and all that is under way inside a call
shares the workers of that call (see `worker_places`).
"""

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from contextvars import copy_context
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import Any, TypeVar

from likely.data.sources import Kept, Source
from likely.engines.idle_threads import idle_threads
from likely.engines.tree import Tree
from likely.engines.worker_places import places_for
from likely.errors import InputError

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class Threads:
    """A few batches at a time, in `workers` threads (all cores by default).

    >>> Threads(2).map([1, 2, 3], lambda item: item * 10)
    [10, 20, 30]
    """

    workers: int | None = None

    def __post_init__(self) -> None:
        if self.workers is not None and self.workers < 1:
            raise InputError(f"workers must be at least 1, got {self.workers}")

    def fold(self, source: Source[T], summarize: Callable[[T], Any]) -> Any:
        """The sum of `summarize(batch)` over all batches; a batch that has a number is read by the thread."""
        tree = Tree()
        if source.n_batches is None:
            _run(self.workers, source.batches(), summarize, tree.put)
        else:
            _run(self.workers, range(source.n_batches), lambda number: summarize(source.batch(number)), tree.put)
        return tree.result()

    def map(self, items: Iterable[T], work: Callable[[T], R]) -> list[R]:
        """`work(item)` for every item, in their order; the items must not depend on each other."""
        results: dict[int, R] = {}
        _run(self.workers, items, work, results.__setitem__)
        return [results[number] for number in range(len(results))]

    def keep(self, source: Source[T]) -> Source[T]:
        """The batches in memory."""
        return Kept(tuple(source.batches()))


class Serial(Threads):
    """One batch after the other.

    >>> Serial().fold(Kept((1, 2, 3)), lambda batch: batch * 10)
    60
    """

    def __init__(self) -> None:
        super().__init__(1)

    def __repr__(self) -> str:
        return "Serial()"


def summary_of(source: Source[T], summarize: Callable[[T], R], number: int) -> R:
    """What an engine that sends lets a worker do: read one batch, and summarise it as it would be here.

    Parameters
    ----------
    summarize : what makes a summary of one batch
    number : which batch, from 0

    >>> summary_of(Kept((1, 2, 3)), str, 2)
    '3'
    """
    with one_blas_thread():
        return summarize(source.batch(number))


def _run(workers: int | None, items: Iterable[T], work: Callable[[T], R], done: Callable[[int, R], Any]) -> None:
    """Do the work of every item and hand on its number and result, a few items ahead of what is done."""
    workers = workers or os.cpu_count() or 1
    numbered = enumerate(items)
    first = list(islice(numbered, 2))
    if workers == 1 or len(first) < 2:  # nothing to share out: spare the threads
        with one_blas_thread():  # which rounds as it does in our threads
            for number, item in chain(first, numbered):
                done(number, work(item))
        return
    pending: dict[Future[R], int] = {}
    with one_blas_thread(), places_for(workers) as places, idle_threads(workers) as pool:
        for number, item in chain(first, numbered):
            pending[pool.submit(copy_context().run, places.run, work, item)] = number
            if len(pending) >= 2 * workers:
                _collect(pending, done)
        while pending:
            _collect(pending, done)


def _collect(pending: dict[Future[R], int], done: Callable[[int, R], Any]) -> None:
    finished, _ = wait(pending, return_when=FIRST_COMPLETED)
    for future in finished:
        done(pending.pop(future), future.result())


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Inside, BLAS has one thread: the first of those who are inside at once sets it, the last one sets it back."""
    global _inside, _limit
    with _counting:
        if _inside == 0:
            _limit = _blas().limit(limits=1, user_api="blas")
        _inside += 1
    try:
        yield
    finally:
        with _counting:
            _inside -= 1
            if _inside == 0:
                _limit.restore_original_limits()


_counting = threading.Lock()
_inside = 0  # how many of our threads want it
_limit: Any = None  # what is undone in the end


@lru_cache(maxsize=1)
def _blas() -> Any:
    import scipy.linalg  # noqa: F401  its BLAS must be loaded to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
